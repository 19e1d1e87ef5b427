// Sending activities: each body is stored once and each inbox gets a job of its own, in one
// transaction. What a job does is in delivery/deliver-once.ts.

import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";
import { httpUrl } from "../platform/json/read.ts";
import { insertOutgoing, selectFollowerInboxes } from "./delivery/queries.ts";
import "./events.ts";
import { isLocalUri } from "./hosts.ts";

export type OutgoingActivity = {
  /** The account whose key signs; null: the server's own actor. */
  accountId: string | null;
  activity: Record<string, unknown>;
  inboxes?: string[];
  /** Also send it to every server with a follower of the account. */
  toFollowers?: boolean;
};

/**
 * The first inbox of each host, then the second of each, and so on: deliveries of a post run in this
 * order, so that those to one host take turns instead of waiting for each other's places.
 */
const spreadOverHosts = (inboxes: string[]): string[] => {
  const rounds: string[][] = [];
  const counts = new Map<string, number>();
  for (const inbox of inboxes) {
    const { host } = new URL(inbox);
    const count = counts.get(host) ?? 0;
    counts.set(host, count + 1);
    (rounds[count] ??= []).push(inbox);
  }
  return rounds.flat();
};

/** The valid inboxes on other servers, each once. */
const distinctInboxes = (app: App, inboxes: string[]): string[] => {
  const remote = inboxes.filter((inbox) => httpUrl(inbox) !== null && !isLocalUri(app, inbox));
  return spreadOverHosts([...new Set(remote)]);
};

type Addressed = {
  accountId: string | null;
  activity: OutgoingActivity["activity"];
  inboxes: string[];
};

/** One query finds the followers of all senders. */
const withInboxes = async (
  app: App,
  db: Db,
  outgoing: OutgoingActivity[],
): Promise<Addressed[]> => {
  const senders = outgoing.flatMap((one) => (one.toFollowers && one.accountId) || []);
  const followers = await selectFollowerInboxes(db, [...new Set(senders)]);
  return outgoing
    .map(({ accountId, activity, inboxes = [], toFollowers }) => {
      const ofFollowers = (toFollowers && followers.get(accountId ?? "")) || [];
      return { accountId, activity, inboxes: distinctInboxes(app, [...ofFollowers, ...inboxes]) };
    })
    .filter(({ inboxes }) => inboxes.length > 0);
};

const store = async (app: App, db: Db, addressed: Addressed[]): Promise<void> => {
  const bodies = addressed.map(({ accountId, activity }) => ({
    accountId,
    body: JSON.stringify(activity),
  }));
  const ids = await insertOutgoing(db, bodies, app.clock.now());
  const jobs = addressed.flatMap(({ inboxes }, n) =>
    inboxes.map((inbox) => ({ payload: { activityId: ids[n]!, inbox, tries: 0 } })),
  );
  await app.jobs.addMany(db, "delivery", jobs);
};

/**
 * Sends each activity to each distinct inbox, within `db`'s transaction or in one of its own. Local
 * inboxes and invalid addresses are left out; an activity without recipients is not stored.
 */
export const deliver = async (app: App, db: Db, outgoing: OutgoingActivity[]): Promise<void> => {
  if (outgoing.length === 0) return;
  const addressed = await withInboxes(app, db, outgoing);
  if (addressed.length === 0) return;
  await (db === app.sql
    ? app.sql.begin((tx) => store(app, tx, addressed))
    : store(app, db, addressed));
};

/** Where activities for an account go: the shared inbox of its server, if it has one. */
export const inboxOf = (account: { shared_inbox_url: string | null; inbox_url: string }): string =>
  account.shared_inbox_url || account.inbox_url;
