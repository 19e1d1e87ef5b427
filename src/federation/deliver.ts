// Sending activities: each body is stored once, with a delivery to each inbox, in the queue of the inbox's host.
// delivery/worker.ts works on it.

import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";
import { httpUrl } from "../platform/json/read.ts";
import type { Sendable } from "../domain/accounts/activitypub.ts";
import { selectFollowerInboxes } from "./delivery/queries.ts";
import { insertDeliveries } from "./delivery/queries-queue.ts";
import { goneSince } from "./delivery/retention.ts";
import { announceQueued, claimerOf } from "./delivery/wake.ts";
import { withFormerTwins } from "./former-twins.ts";
import { hostOf, isLocalUri } from "./hosts.ts";
import { withProofs } from "./prove.ts";

export type OutgoingActivity = {
  /** The account whose key signs; null: the server's own actor. */
  accountId: string | null;
  activity: Sendable;
  inboxes?: string[];
  /** Also send it to every server with a follower of the account. */
  toFollowers?: boolean;
  /** Other accounts here whose followers' servers get it. */
  followersOf?: string[];
};

/** The valid inboxes on other servers, each once. */
const distinctInboxes = (app: App, inboxes: string[]): string[] => {
  const remote = inboxes.filter((inbox) => httpUrl(inbox) !== null && !isLocalUri(app, inbox));
  return [...new Set(remote)];
};

type Addressed = {
  accountId: string | null;
  activity: OutgoingActivity["activity"];
  inboxes: string[];
};

/** One query finds the followers of all. */
const withInboxes = async (
  app: App,
  db: Db,
  outgoing: OutgoingActivity[],
  gone: Date,
): Promise<Addressed[]> => {
  const followed = outgoing.map(({ accountId, toFollowers, followersOf = [] }) =>
    toFollowers && accountId !== null ? [accountId, ...followersOf] : followersOf,
  );
  const followers = await selectFollowerInboxes(db, [...new Set(followed.flat())], gone);
  return outgoing
    .map(({ accountId, activity, inboxes = [] }, n) => {
      const ofFollowers = followed[n]!.flatMap((id) => followers.get(id) ?? []);
      return { accountId, activity, inboxes: distinctInboxes(app, [...ofFollowers, ...inboxes]) };
    })
    .filter(({ inboxes }) => inboxes.length > 0);
};

/**
 * Sends each activity to each distinct inbox: one statement, within `db`'s transaction. Local
 * inboxes and invalid addresses are left out; an activity without recipients is not stored.
 */
export const deliver = async (app: App, db: Db, outgoing: OutgoingActivity[]): Promise<void> => {
  if (outgoing.length === 0) return;
  const now = app.clock.now();
  const gone = goneSince(now);
  const addressed = await withInboxes(app, db, withFormerTwins(app, outgoing), gone);
  if (addressed.length === 0) return;
  const proved = await withProofs(app, db, addressed);
  const activities = proved.map(({ accountId, activity, inboxes }) => ({
    accountId,
    body: JSON.stringify(activity),
    inboxes: inboxes.map((inbox) => ({ host: hostOf(inbox), inbox })),
  }));
  const claimer = claimerOf(app);
  const hosts = new Set(activities.flatMap(({ inboxes }) => inboxes.map(({ host }) => host)));
  const claim = claimer?.claimFor(hosts.size) ?? null;
  const claimed = await insertDeliveries(db, activities, { now, goneSince: gone, claim });
  announceQueued(app, db, claimer, claimed);
};

/** Where activities for an account go: the shared inbox of its server, if it has one. */
export const inboxOf = (account: { shared_inbox_url: string | null; inbox_url: string }): string =>
  account.shared_inbox_url || account.inbox_url;

/** Where an activity that concerns one account alone goes: its own inbox, if it has one. */
export const ownInboxOf = (account: Parameters<typeof inboxOf>[0]): string =>
  account.inbox_url || inboxOf(account);
