// Queues activities: each body is stored once, with a delivery to each inbox, in the queue of the inbox's host.
// delivery/worker.ts sends them. Other servers have posts, boosts and favourites stored under former names of this
// server (docs/design/moving.md): an activity that changes or ends one of them is sent a second time in its former
// form, by the old actor, about the old address.

import type { App } from "../platform/app.ts";
import { afterCommit } from "../platform/db/commits.ts";
import type { Db } from "../platform/db/index.ts";
import { httpUrl, idOf, typesOf } from "../platform/json/read.ts";
import { eachSlice } from "../platform/event-loop-turns.ts";
import type { Sendable } from "../domain/people/accounts/activitypub.ts";
import { cachedAudiences } from "../domain/reading/timelines/cached-readers.ts";
import { followerInboxes } from "./delivery/follower-inboxes.ts";
import { selectFollowerInboxPage } from "./delivery/queries.ts";
import { insertDeliveries } from "./delivery/queries-queue.ts";
import type { NewOutgoing } from "./delivery/queries-queue.ts";
import { goneSince } from "./delivery/retention.ts";
import { announceQueued, claimerOf } from "./delivery/wake.ts";
import { hostOf, isLocalUri } from "./hosts.ts";
import { withProofs } from "./prove.ts";
import { withFormerNames } from "../platform/config/names.ts";
import type { FormerNames } from "../platform/config/names.ts";
import { timeOfId } from "../platform/ids/index.ts";

const POST = /\/statuses\/(\d{1,19})(?:\/activity)?$/;

/** Types without a known time of their object; undoing one that nobody has does no harm. */
const UNDONE = new Set(["Like", "EmojiReact", "Block"]);

const ENDS = new Set(["Update", "Delete", "Undo"]);

/** Whether others may have the object under these names. */
const wasSent = (activity: Sendable, { until }: FormerNames): boolean => {
  const { type, actor, object } = activity;
  const uri = idOf(object);
  // A deleted account is deleted at its old address, too.
  if (uri === actor) return type === "Delete";
  const [, id] = POST.exec(uri ?? "") ?? [];
  if (id !== undefined) return timeOfId(id) < until;
  return type === "Undo" && typesOf(object).some((undone) => UNDONE.has(undone));
};

/** Returns the activities, each followed by its forms under former names. */
const withFormerTwins = <T extends { activity: Sendable }>(
  { config: { site } }: App,
  outgoing: T[],
): T[] => {
  if (site.former.length === 0) return outgoing;
  return outgoing.flatMap((item) => {
    const { activity } = item;
    const isOwn = idOf(activity["actor"])?.startsWith(`${site.origin}/`);
    if (!isOwn || !typesOf(activity).some((type) => ENDS.has(type))) return [item];
    const twins = site.former
      .filter((names) => wasSent(activity, names))
      .map((names) => ({ ...item, activity: withFormerNames(site, names, activity) }));
    return [item, ...twins];
  });
};

export type OutgoingActivity = {
  /** Account whose key signs; null for the server's own actor. */
  accountId: string | null;
  activity: Sendable;
  inboxes?: string[];
  /** Also sends it to every server with a follower of the account. */
  toFollowers?: boolean;
  /** Other local accounts whose followers' servers get it. */
  followersOf?: string[];
};

/** Returns the valid inboxes on other servers, without duplicates. */
const distinctInboxes = (app: App, inboxes: string[]): string[] => {
  const remote = inboxes.filter((inbox) => httpUrl(inbox) !== null && !isLocalUri(app, inbox));
  return [...new Set(remote)];
};

type Addressed = {
  accountId: string | null;
  activity: OutgoingActivity["activity"];
  inboxes: string[];
};

/** Adds the followers' inboxes of all activities. */
const withInboxes = async (
  app: App,
  db: Db,
  outgoing: OutgoingActivity[],
): Promise<Addressed[]> => {
  const followed = outgoing.map(({ accountId, toFollowers, followersOf = [] }) =>
    toFollowers && accountId !== null ? [accountId, ...followersOf] : followersOf,
  );
  const followers = await followerInboxes(app, db, followed.flat());
  return outgoing
    .map(({ accountId, activity, inboxes = [] }, n) => {
      const ofFollowers = followed[n]!.flatMap((id) => followers.get(id) ?? []);
      return { accountId, activity, inboxes: distinctInboxes(app, [...ofFollowers, ...inboxes]) };
    })
    .filter(({ inboxes }) => inboxes.length > 0);
};

const withHosts = (inboxes: string[]) => inboxes.map((inbox) => ({ host: hostOf(inbox), inbox }));

/** Queues everything by one statement, and gives this process's worker what was claimed for it. */
const queue = async (app: App, db: Db, activities: NewOutgoing[]): Promise<void> => {
  const now = app.clock.now();
  const claimer = claimerOf(app);
  const hosts = new Set(activities.flatMap(({ inboxes }) => inboxes.map(({ host }) => host)));
  const claim = claimer?.claimFor(hosts.size) ?? null;
  const until = { now, goneSince: goneSince(now), claim };
  const { claimed, isDue } = await insertDeliveries(db, activities, until);
  if (claimed.length > 0) afterCommit(db, () => claimer!.take(claimed));
  if (isDue) announceQueued(app, db);
};

/** Followers read together, and inboxes queued by one statement. */
const [READ, PIECE] = [5000, 500];

/**
 * Delivers to the servers of very many followers: reads them page by page and queues them in batches that each commit,
 * so that nobody waits for row locks on all hosts. Each batch stores the activity again. The inboxes that already have
 * it are remembered until the end.
 */
const deliverInPieces = async (app: App, outgoing: OutgoingActivity): Promise<void> => {
  const { accountId, activity, inboxes = [], followersOf = [] } = outgoing;
  const others = await followerInboxes(app, app.sql, followersOf);
  const reached = new Set<string>();
  const [proved] = await withProofs(app, app.sql, [{ accountId, activity, inboxes }]);
  const body = JSON.stringify(proved!.activity);
  const queueNew = (all: string[]): Promise<void> =>
    eachSlice(all, PIECE, async (slice) => {
      const fresh = distinctInboxes(
        app,
        slice.filter((inbox) => !reached.has(inbox)),
      );
      for (const inbox of fresh) reached.add(inbox);
      if (fresh.length === 0) return;
      await queue(app, app.sql, [{ accountId, body, inboxes: withHosts(fresh) }]);
    });
  await queueNew([...inboxes, ...[...others.values()].flat()]);
  for (let after: string | null = "0"; after !== null;) {
    const { inboxes: ofPage, last } = await selectFollowerInboxPage(
      app.sql,
      accountId!,
      after,
      READ,
    );
    await queueNew(ofPage);
    after = last;
  }
};

/** Selects the activities for very many followers; inside a transaction nothing is divided. */
const wideAmong = async (
  app: App,
  db: Db,
  outgoing: OutgoingActivity[],
): Promise<Set<OutgoingActivity>> => {
  const toFollowers = db === app.sql ? outgoing.filter((sent) => sent.toFollowers) : [];
  const ids = [...new Set(toFollowers.flatMap(({ accountId }) => accountId ?? []))];
  if (ids.length === 0) return new Set();
  const audiences = await cachedAudiences(app, ids);
  return new Set(
    toFollowers.filter(
      ({ accountId }) => accountId !== null && audiences.get(accountId)!.isWideElsewhere,
    ),
  );
};

/**
 * Queues each activity for each distinct inbox, by one statement within `db`'s transaction; for very many followers in
 * batches. Local inboxes and invalid addresses are skipped; an activity without recipients is not stored.
 */
export const deliver = async (app: App, db: Db, outgoing: OutgoingActivity[]): Promise<void> => {
  const all = withFormerTwins(app, outgoing);
  const wide = await wideAmong(app, db, all);
  const together = all.filter((sent) => !wide.has(sent));
  if (together.length > 0) await deliverTogether(app, db, together);
  for (const sent of wide) await deliverInPieces(app, sent);
};

const deliverTogether = async (app: App, db: Db, outgoing: OutgoingActivity[]): Promise<void> => {
  const addressed = await withInboxes(app, db, outgoing);
  if (addressed.length === 0) return;
  const proved = await withProofs(app, db, addressed);
  const activities = proved.map(({ accountId, activity, inboxes }) => ({
    accountId,
    body: JSON.stringify(activity),
    inboxes: withHosts(inboxes),
  }));
  await queue(app, db, activities);
};

/** Returns the inbox for activities to an account: the shared inbox of its server, if it has one. */
export const inboxOf = (account: { shared_inbox_url: string | null; inbox_url: string }): string =>
  account.shared_inbox_url || account.inbox_url;

/** Returns the inbox for an activity that concerns one account alone: its own, if it has one. */
export const ownInboxOf = (account: Parameters<typeof inboxOf>[0]): string =>
  account.inbox_url || inboxOf(account);
