// Remote actors: fetched, checked against WebFinger, stored, and refreshed from time to time. A handle
// and its actor must confirm each other before either is believed.

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

/** How long a stored actor is used without a refresh. */
const FRESH_MS = 24 * 60 * 60 * 1000;
/** A refresh is not scheduled more often than this, since it may fail. */
const REFRESH_SECONDS = 60 * 60;

/** The handle that the actor claims, not yet confirmed. */
const claimedHandle = (app: App, actor: ParsedActor): Handle =>
  (actor.webfinger ? parseAcct(app, actor.webfinger) : null) ?? {
    username: actor.preferredUsername,
    domain: hostOf(actor.profile.uri),
  };

/** `isShared`: by this name people mean another actor of its server. */
type ConfirmedHandle = Handle & { isShared: boolean };

/**
 * The handle that actor and WebFinger agree on. The actor's host may send us to the handle's host,
 * which then has to name the same actor, among others.
 */
const confirmHandle = async (
  app: App,
  actor: ParsedActor,
  cause: Cause,
): Promise<ConfirmedHandle> => {
  const claimed = claimedHandle(app, actor);
  const { username, domain, actorUri, actorUris } = await lookUpHandle(app, claimed, cause);
  const sameName = username.toLowerCase() === claimed.username.toLowerCase();
  if (!actorUris.includes(actor.profile.uri) || !sameName) {
    throw unacceptable("The handle and the actor do not confirm each other");
  }
  return { username: claimed.username, domain, isShared: actorUri !== actor.profile.uri };
};

/** The stored handle, if the actor still claims it: WebFinger need not be asked again. Otherwise null. */
const unchangedHandle = (
  app: App,
  known: KnownActorRow | null,
  actor: ParsedActor,
): ConfirmedHandle | null => {
  if (!known || known.domain === null) return null;
  const handle = { username: known.username, domain: known.domain };
  const claimed = claimedHandle(app, actor);
  const same = actor.webfinger
    ? sameHandle(claimed, handle)
    : claimed.username.toLowerCase() === known.username.toLowerCase();
  return same ? { username: claimed.username, domain: known.domain, isShared: false } : null;
};

/** What tells it from the actor that its handle means: `news.person` beside the group `news`. */
const sharedName = (username: string, { profile }: ParsedActor): string =>
  `${username}.${(profile.actor_type ?? "actor").toLowerCase()}`;

/** The name that is stored of an actor whose handle means another one, if it still claims that handle. */
const keptSharedName = (
  app: App,
  { username, domain }: KnownActorRow,
  actor: ParsedActor,
): ConfirmedHandle | null => {
  const claimed = claimedHandle(app, actor);
  const isKept = username.startsWith(sharedName(claimed.username, actor));
  return isKept && domain !== null ? { username: claimed.username, domain, isShared: true } : null;
};

/** What moderators decided about the domain holds for accounts that are met later too. */
const applyBlock = async (app: App, tx: Tx, id: string, domain: string): Promise<void> => {
  const severity = (await domainBlockFor(app, domain))?.severity ?? "noop";
  if (severity === "noop") return;
  const limits = { isSuspended: severity === "suspend", isSilenced: severity === "silence" };
  await limitAccountsOfDomain(app, tx, [id], limits);
};

/** Whoever had the handle keeps all else. A job finds out what became of them. */
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
  /** Whose budget WebFinger counts against. */
  cause: Cause;
  /** The key to store, where the actor has several. */
  keyId?: string;
  /** Ask WebFinger even if the actor is stored with the handle that it claims. */
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

/** It lacks what the stored account has: it may be a part of one, or say so that there is no such thing any more. */
const isPart = async (app: App, id: string, document: Json): Promise<boolean> =>
  (await selectStoredMembers(app.sql, id)).some((member) => document[member] === undefined);

/**
 * Stores what an actor says of itself in its own activity. A new name, which WebFinger has to confirm, and what may be
 * a part of a document are read from its server later.
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

/** Its address has no actor any more: its handle may name another. What follows then is the job `actor.replaced`. */
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

/** The handler of `actor.refresh`. Where the actor is gone or invalid the stored one stays. */
export const runRefresh = async (
  app: App,
  { uri }: JobPayloads["actor.refresh"],
): Promise<void> => {
  const fetched = await nullUnlessTemporary(fetchActor(app, uri, "refresh"));
  if (!fetched) await nullUnlessTemporary(fetchSuccessor(app, uri));
};

/** The actor as it is stored, with a refresh scheduled where it is old; an unknown one is fetched. */
export const actorByUri = async (app: App, uri: string, cause: Cause): Promise<AccountView> => {
  const known = await selectActorByUri(app.sql, uri);
  if (!known) {
    if (isLocalUri(app, uri)) throw new RemoteFault("gone", "Nobody here has this address");
    return fetchActor(app, uri, cause);
  }
  if (known.domain !== null) await refreshLater(app, known);
  return getAccount(app, known.id);
};
