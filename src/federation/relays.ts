// Relays that this server subscribes to: servers that forward public posts of many servers to each other. Mastodon's
// kind is followed with the public collection as the object and forwards what it gets. LitePub's kind is an actor that
// is followed, follows back, and announces posts, as we do to it.

import { randomUUID } from "node:crypto";
import type { App } from "../platform/app.ts";
import { withFormerNames } from "../platform/config/names.ts";
import type { Db, Tx } from "../platform/db/index.ts";
import { NotFound, Unprocessable, checkFilled, faultOf } from "../platform/errors.ts";
import { says } from "../platform/text/texts.ts";
import { httpUrl, sameHost } from "../platform/json/read.ts";
import { AS_CONTEXT, AS_PUBLIC, sendable } from "../domain/people/accounts/activitypub.ts";
import { requireMay } from "../domain/base/roles/acts.ts";
import { recorded } from "../domain/base/audit/recorded.ts";
import type { Actor } from "../domain/base/roles/permissions.ts";
import { getSetting, setSetting } from "../domain/base/settings/settings.ts";
import type { RelaySetting } from "../domain/base/settings/settings.ts";
import { relayAnnounce } from "../domain/posts/statuses/activitypub-acts.ts";
import type { FederatedStatus } from "../domain/posts/statuses/tables.ts";
import { fetchActor } from "./actors.ts";
import { deliver } from "./deliver.ts";
import { isLocalUri } from "./hosts.ts";

/** Relays that may be subscribed to; each gets every public post. */
const MAX_RELAYS = 20;

export const listRelays = (app: App, db: Db = app.sql): Promise<RelaySetting[]> =>
  getSetting(app, "relays", [], db);

const actorUri = ({ config }: App): string => `${config.site.origin}/actor`;
const followUri = (app: App, id: string): string => `${actorUri(app)}#relays/${id}`;

const FOLLOW = /\/actor#relays\/([\da-f-]{36})$/;

/** Returns the id of the relay whose Follow has this address. */
export const relayIdOf = (app: App, uri: string): string | null =>
  isLocalUri(app, uri) ? (FOLLOW.exec(uri)?.[1] ?? null) : null;

const followOf = (app: App, { id, actor, style }: RelaySetting) => ({
  id: followUri(app, id),
  type: "Follow",
  actor: actorUri(app),
  object: style === "litepub" ? actor : AS_PUBLIC,
});

const undoOf = (app: App, relay: RelaySetting) => ({
  id: `${followUri(app, relay.id)}/undo`,
  type: "Undo",
  actor: actorUri(app),
  object: followOf(app, relay),
});

const send = (app: App, db: Db, relay: RelaySetting, activity: Record<string, unknown>) =>
  deliver(app, db, [
    {
      accountId: null,
      activity: sendable({ "@context": AS_CONTEXT, ...activity }),
      inboxes: [relay.inbox],
    },
  ]);

/** Ends subscriptions under former names: a relay that forwards to the present name need not do so to another. */
const leaveFormerly = async (app: App, tx: Tx, relay: RelaySetting): Promise<void> => {
  const { site } = app.config;
  for (const names of site.former)
    await send(app, tx, relay, withFormerNames(site, names, undoOf(app, relay)));
};

/** Characters of a wrong address that its refusal repeats. */
const SHOWN = 100;

/**
 * Returns the relay at an address: one that ends with /inbox is of Mastodon's kind; any other is that of a relay's
 * actor.
 */
const relayAt = async (app: App, address: string): Promise<RelaySetting> => {
  checkFilled({ address: address.trim() });
  const url = httpUrl(address);
  if (!url || isLocalUri(app, url))
    throw faultOf(
      "address",
      says("network.relays.no_address", { address: address.slice(0, SHOWN) }),
    );
  const id = randomUUID();
  if (new URL(url).pathname.endsWith("/inbox")) {
    return { id, style: "mastodon", inbox: url, actor: null, state: "pending" };
  }
  const { uri, inbox_url: inbox } = await fetchActor(app, url, "person");
  return { id, style: "litepub", inbox, actor: uri, state: "pending" };
};

/** Returns an entry for the audit log; ids of relays are not those of rows. */
const entryOf = (action: "relay.add" | "relay.remove", { inbox }: RelaySetting) => ({
  action,
  target: { type: "relay", id: null, label: inbox },
});

/** Asks the relay to forward posts. Throws 422 for one that is there already, and for an unusable address. */
export const addRelay = async (app: App, actor: Actor, address: string): Promise<RelaySetting> => {
  requireMay(actor, "relays.write");
  const relay = await relayAt(app, address);
  return recorded(app, actor, "relays.write", async (tx) => {
    const all = await listRelays(app, tx);
    if (all.some(({ inbox }) => inbox === relay.inbox)) {
      throw faultOf("address", says("network.relays.taken"));
    }
    if (all.length >= MAX_RELAYS) {
      throw new Unprocessable(says("network.relays.full", { count: MAX_RELAYS }));
    }
    await setSetting(app, "relays", [...all, relay], tx);
    await send(app, tx, relay, followOf(app, relay));
    return { entry: entryOf("relay.add", relay), result: relay };
  });
};

/** Ends the subscription; throws NotFound when there is none with this id. */
export const removeRelay = (app: App, actor: Actor, id: string): Promise<void> =>
  recorded(app, actor, "relays.write", async (tx) => {
    const all = await listRelays(app, tx);
    const relay = all.find((relay) => relay.id === id);
    if (!relay) throw new NotFound(says("network.relays.unknown", { id }));
    const others = all.filter((other) => other !== relay);
    await setSetting(app, "relays", others, tx);
    await send(app, tx, relay, undoOf(app, relay));
    return { entry: entryOf("relay.remove", relay) };
  });

/** Asks all relays once more, by an actor with another address; returns how many there are. */
export const followRelaysAgain = async (app: App, tx: Tx): Promise<number> => {
  const all = await listRelays(app, tx);
  if (all.length === 0) return 0;
  const pending = all.map((relay): RelaySetting => ({ ...relay, state: "pending" }));
  await setSetting(app, "relays", pending, tx);
  for (const relay of pending) await send(app, tx, relay, followOf(app, relay));
  return all.length;
};

/** Stores a relay's answer to our Follow; only an actor of its own server can answer. */
export const answerRelay = (
  app: App,
  answer: { id: string; actorUri: string; state: "accepted" | "rejected" },
): Promise<void> =>
  app.sql.begin(async (tx) => {
    const all = await listRelays(app, tx);
    const isMeant = (relay: RelaySetting) =>
      relay.id === answer.id && sameHost(relay.inbox, answer.actorUri);
    if (!all.some(isMeant)) return;
    const { state, actorUri: actor } = answer;
    const changed = all.map((relay) => (isMeant(relay) ? { ...relay, state, actor } : relay));
    await setSetting(app, "relays", changed, tx);
    if (state === "accepted")
      for (const relay of all.filter(isMeant)) await leaveFormerly(app, tx, relay);
  });

/** Accepts a Follow of a LitePub relay, which follows back. */
export const acceptRelayFollow = async (
  app: App,
  follow: { uri: string; actorUri: string },
): Promise<void> => {
  const relay = (await listRelays(app)).find(({ actor }) => actor === follow.actorUri);
  if (!relay) return;
  const object = { id: follow.uri, type: "Follow", actor: follow.actorUri, object: actorUri(app) };
  const id = `${actorUri(app)}#accepts/${randomUUID()}`;
  await send(app, app.sql, relay, { id, type: "Accept", actor: actorUri(app), object });
};

const acceptedRelays = async (app: App): Promise<RelaySetting[]> =>
  (await listRelays(app)).filter(({ state }) => state === "accepted");

/** Returns the actors of the relays that forward posts to this server. */
export const relayActors = async (app: App): Promise<Set<string>> =>
  new Set((await acceptedRelays(app)).flatMap(({ actor }) => actor ?? []));

/** Returns the inboxes to which public posts go unchanged. */
export const relayInboxes = async (app: App): Promise<string[]> =>
  (await acceptedRelays(app)).filter(({ style }) => style === "mastodon").map(({ inbox }) => inbox);

/** Announces these posts to LitePub relays. */
export const announceToRelays = async (app: App, views: FederatedStatus[]): Promise<void> => {
  const relays = (await acceptedRelays(app)).filter(({ style }) => style === "litepub");
  if (relays.length === 0) return;
  const actor = actorUri(app);
  const at = app.clock.now();
  const announces = views.map((view) => ({
    accountId: null,
    activity: relayAnnounce(view, { id: `${actor}#announces/${randomUUID()}`, actor, at }),
    inboxes: relays.map(({ inbox }) => inbox),
  }));
  await deliver(app, app.sql, announces);
};
