// Remote actors are fetched, checked against WebFinger, stored, and refreshed from time to time. A handle and its actor
// must confirm each other before either is believed.

import type { App } from "../platform/app.ts";
import { singleFlight } from "../platform/caches/single-flight.ts";
import type { Cause } from "../platform/fetch/budget.ts";
import type { Tx } from "../platform/db/index.ts";
import type { Json } from "../platform/json/read.ts";
import type { JobPayloads } from "../platform/jobs/index.ts";
import { planLinkCheck } from "../domain/people/accounts/link-checks.ts";
import { getAccount } from "../domain/people/accounts/load.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { limitAccountsOfDomain } from "../domain/people/accounts/standing.ts";
import { domainBlockFor } from "../domain/base/blocklists/domains.ts";
import { storeRemoteAccount, takeHandle } from "../domain/people/accounts/upsert-remote.ts";
import { fetchDocument } from "./documents.ts";
import type { Fetched } from "./documents.ts";
import "./events.ts";
import { RemoteFault, nullUnlessTemporary, unacceptable } from "./faults.ts";
import { hostOf, isLocalUri } from "./hosts.ts";
import { wantPeer } from "./peers.ts";
import { pageOf, parseActor } from "./parse-actor.ts";
import type { ParsedActor } from "./parse-actor.ts";
import { selectActorByUri, selectMoveTarget, selectStoredMembers } from "./queries.ts";
import type { KnownActorRow } from "./queries.ts";
import { lookUpHandle, parseAcct, sameHandle } from "./webfinger.ts";
import type { Handle } from "./webfinger.ts";

const once = singleFlight("actors being fetched");

/** Milliseconds that a stored actor is used without a refresh. */
const FRESH_MS = 24 * 60 * 60 * 1000;
/** Seconds between scheduled refreshes of an actor, since a refresh may fail. */
const REFRESH_SECONDS = 60 * 60;

/** Returns the handle that the actor claims, not yet confirmed. */
const claimedHandle = (app: App, actor: ParsedActor): Handle =>
  (actor.webfinger ? parseAcct(app, actor.webfinger) : null) ?? {
    username: actor.preferredUsername,
    domain: hostOf(actor.profile.uri),
  };

/** `isShared`: people who use this handle mean another actor of its server. */
type ConfirmedHandle = Handle & { isShared: boolean };

/**
 * Returns the handle that actor and WebFinger agree on. The actor's host may refer us to the handle's host, which then
 * has to list the same actor.
 */
const confirmHandle = async (app: App, actor: ParsedActor, cause: Cause) => {
  const claimed = claimedHandle(app, actor);
  const { username, domain, actorUri, actorUris } = await lookUpHandle(app, claimed, cause);
  const sameName = username.toLowerCase() === claimed.username.toLowerCase();
  if (!actorUris.includes(actor.profile.uri) || !sameName) {
    throw unacceptable("The handle and the actor do not confirm each other");
  }
  return { username: claimed.username, domain, isShared: actorUri !== actor.profile.uri };
};

/** Returns the stored handle if the actor still claims it, so that WebFinger need not be asked; otherwise null. */
const unchangedHandle = (app: App, known: KnownActorRow | null, actor: ParsedActor) => {
  if (!known || known.domain === null) return null;
  const handle = { username: known.username, domain: known.domain };
  const claimed = claimedHandle(app, actor);
  const same = actor.webfinger
    ? sameHandle(claimed, handle)
    : claimed.username.toLowerCase() === known.username.toLowerCase();
  return same ? { username: claimed.username, domain: known.domain, isShared: false } : null;
};

/**
 * Returns a name that distinguishes an actor from the one that its handle means: `news.person` beside the group `news`.
 */
const sharedName = (username: string, { profile }: ParsedActor): string =>
  `${username}.${(profile.actor_type ?? "actor").toLowerCase()}`;

/** Returns the stored name of an actor whose handle means another actor, if it still claims that handle. */
const keptSharedName = (app: App, { username, domain }: KnownActorRow, actor: ParsedActor) => {
  const claimed = claimedHandle(app, actor);
  const isKept = username.startsWith(sharedName(claimed.username, actor));
  return isKept && domain !== null ? { username: claimed.username, domain, isShared: true } : null;
};

/** Applies what moderators decided about the domain to an account that is stored later. */
const applyBlock = async (app: App, tx: Tx, id: string, domain: string): Promise<void> => {
  const severity = (await domainBlockFor(app, domain))?.severity ?? "noop";
  if (severity === "noop") return;
  const limits = { isSuspended: severity === "suspend", isSilenced: severity === "silence" };
  await limitAccountsOfDomain(app, tx, [id], limits);
};

/** Enqueues a job that finds out what became of the actor that had the handle before; it keeps everything else. */
const planReplaced = (app: App, tx: Tx, fromId: string, toId: string): Promise<void> =>
  app.jobs.add(tx, "actor.replaced", { fromId, toId }, { key: `replaced:${fromId}` });

const store = async (app: App, actor: ParsedActor, handle: ConfirmedHandle): Promise<string> => {
  const { profile, movedTo, suspended } = actor;
  const target = movedTo && (await selectMoveTarget(app.sql, movedTo, profile.uri));
  const { domain, isShared } = handle;
  const name = isShared ? sharedName(handle.username, actor) : handle.username;
  return app.sql.begin(async (tx) => {
    const claim = { uri: profile.uri, username: name, domain };
    const { username, formerId } = await takeHandle(tx, claim, isShared);
    const { id, isAnew } = await storeRemoteAccount(tx, {
      ...profile,
      username,
      domain,
      url: pageOf(actor, handle.domain),
      moved_to_account_id: target,
      suspended,
      fetched_at: app.clock.now(),
    });
    await applyBlock(app, tx, id, domain);
    await planLinkCheck(app, tx, id);
    if (formerId !== null) await planReplaced(app, tx, formerId, id);
    if (isAnew) await planReplaced(app, tx, id, id);
    return id;
  });
};

export type StoreOptions = {
  /** Cause whose budget WebFinger counts against. */
  cause: Cause;
  /** Id of the key to store, where the actor has several. */
  keyId?: string;
  /** Asks WebFinger even if the actor is stored with the handle that it claims. */
  confirm?: boolean;
};

/** Checks and stores an actor document that was fetched from its own id. Throws RemoteFault. */
export const storeActor = async (
  app: App,
  { id, document }: Fetched,
  { cause, keyId, confirm = false }: StoreOptions,
): Promise<AccountView> => {
  const actor = parseActor(document, keyId ?? null);
  if (!actor || actor.profile.uri !== id || isLocalUri(app, id)) {
    throw unacceptable("The document is not a usable actor");
  }
  const known = confirm ? null : await selectActorByUri(app.sql, id);
  const handle = unchangedHandle(app, known, actor) ?? (await confirmHandle(app, actor, cause));
  await wantPeer(app, hostOf(id));
  return getAccount(app, await store(app, actor, handle));
};

const refreshKey = (id: string): string => `actor-refresh:${id}`;

const enqueueRefresh = (app: App, { id, uri }: { id: string; uri: string }): Promise<void> =>
  app.jobs.add(app.sql, "actor.refresh", { uri }, { key: refreshKey(id) });

/** Whether a document lacks members that the stored account has, so that it may be only a part of the actor. */
const isPart = async (app: App, id: string, document: Json): Promise<boolean> =>
  (await selectStoredMembers(app.sql, id)).some((member) => document[member] === undefined);

/**
 * Stores what an actor says about itself in its own activity. A new name, which WebFinger has to confirm, and a
 * document that may be incomplete are read from its server later.
 */
export const updateActor = async (app: App, uri: string, document: Json): Promise<void> => {
  const known = await selectActorByUri(app.sql, uri);
  if (!known) return;
  const actor = parseActor(document, null);
  const isSame = actor?.profile.uri === uri;
  const handle = isSame
    ? (unchangedHandle(app, known, actor) ?? keptSharedName(app, known, actor))
    : null;
  const isWhole = actor?.suspended || !(await isPart(app, known.id, document));
  if (actor && handle && isWhole) {
    await store(app, actor, handle);
    return;
  }
  const payload = { uri, kind: "actor" as const, removeIfGone: false, isChange: true };
  await app.jobs.add(app.sql, "document.reread", payload, { key: `changed:${uri}` });
};

/** Fetches the actor and stores it, whether it is stored already or not. Throws RemoteFault. */
export const fetchActor = (app: App, uri: string, cause: Cause): Promise<AccountView> =>
  once(app, `${cause} ${uri}`, async () =>
    storeActor(app, await fetchDocument(app, uri, { cause }), { cause }),
  );

/** Fetches a stored actor again. Throws RemoteFault. */
export const refreshActor = async (
  app: App,
  uri: string,
): Promise<Pick<Fetched, "staleSeconds">> => {
  const fetched = await fetchDocument(app, uri, { cause: "refresh" });
  await storeActor(app, fetched, { cause: "refresh" });
  return fetched;
};

/** Schedules a refresh of a stored actor that was fetched more than a day ago. */
export const refreshLater = async (
  app: App,
  actor: { id: string; uri: string; fetched_at: Date | null },
): Promise<void> => {
  const age = app.clock.now().getTime() - (actor.fetched_at?.getTime() ?? 0);
  if (age < FRESH_MS) return;
  if (!(await app.kv.add(refreshKey(actor.id), "1", REFRESH_SECONDS))) return;
  await enqueueRefresh(app, actor);
};

/**
 * Handles an address that has no actor any more: its handle may name another. The job `actor.replaced` does what
 * follows.
 */
const fetchSuccessor = async (app: App, uri: string): Promise<void> => {
  const known = await selectActorByUri(app.sql, uri);
  if (!known || known.domain === null) return;
  const { actorUri, actorUris } = await lookUpHandle(
    app,
    { ...known, domain: known.domain },
    "refresh",
  );
  if (!actorUris.includes(uri)) await fetchActor(app, actorUri, "refresh");
};

/** Handles the job `actor.refresh`. Where the actor is gone or invalid the stored one stays. */
export const runRefresh = async (
  app: App,
  { uri }: JobPayloads["actor.refresh"],
): Promise<void> => {
  const fetched = await nullUnlessTemporary(fetchActor(app, uri, "refresh"));
  if (!fetched) await nullUnlessTemporary(fetchSuccessor(app, uri));
};

/** Returns the stored actor, and schedules a refresh where it is old; an unknown one is fetched. */
export const actorByUri = async (app: App, uri: string, cause: Cause): Promise<AccountView> => {
  const known = await selectActorByUri(app.sql, uri);
  if (!known) {
    if (isLocalUri(app, uri)) throw new RemoteFault("gone", "Nobody here has this address");
    return fetchActor(app, uri, cause);
  }
  if (known.domain !== null) await refreshLater(app, known);
  return getAccount(app, known.id);
};
