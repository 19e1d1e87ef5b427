// Sending activities: each body is stored once and each inbox gets a job of its own, in one
// transaction. What a job does is in delivery/deliver-once.ts.

import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";
import { httpUrl } from "../platform/json/read.ts";
import { insertOutgoing, selectFollowerInboxes } from "./delivery/queries.ts";
import "./events.ts";
import { isOurs } from "./hosts.ts";

export type Outgoing = {
  /** Whose key signs; null: the server's own actor. */
  accountId: string | null;
  activity: Record<string, unknown>;
  inboxes?: string[];
  /** Also to every server with a follower of the account. */
  toFollowers?: boolean;
};

/**
 * The first of each host, then the second of each, and so on: the deliveries of a post run in this
 * order, and those to one host take turns on one connection instead of waiting for its four places.
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

/** Addresses of other servers, each once: ours know already, and what is no address gets nothing. */
const distinctInboxes = (app: App, inboxes: string[]): string[] => {
  const foreign = inboxes.filter((inbox) => httpUrl(inbox) !== null && !isOurs(app, inbox));
  return spreadOverHosts([...new Set(foreign)]);
};

type Addressed = { accountId: string | null; activity: Outgoing["activity"]; inboxes: string[] };

/** One question for the followers of all senders. */
const address = async (app: App, db: Db, outgoing: Outgoing[]): Promise<Addressed[]> => {
  const senders = outgoing.flatMap((one) => (one.toFollowers && one.accountId) || []);
  const followers = await selectFollowerInboxes(db, [...new Set(senders)]);
  return outgoing
    .map(({ accountId, activity, inboxes = [], toFollowers }) => {
      const theirs = (toFollowers && followers.get(accountId ?? "")) || [];
      return { accountId, activity, inboxes: distinctInboxes(app, [...theirs, ...inboxes]) };
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
 * Sends each activity to each distinct inbox, within `db`'s transaction or in one of its own. Inboxes
 * of ours and unusable addresses are left out; of what nobody gets nothing is stored.
 */
export const deliver = async (app: App, db: Db, outgoing: Outgoing[]): Promise<void> => {
  if (outgoing.length === 0) return;
  const addressed = await address(app, db, outgoing);
  if (addressed.length === 0) return;
  await (db === app.sql
    ? app.sql.begin((tx) => store(app, tx, addressed))
    : store(app, db, addressed));
};

/** Where activities for an account go: the shared inbox of its server, if it has one. */
export const inboxOf = (account: { shared_inbox_url: string | null; inbox_url: string }): string =>
  account.shared_inbox_url || account.inbox_url;
