// Sending activities: the body is stored once and each inbox gets a job of its own, in the
// transaction of the act that is told. What a job does is in delivery/deliver-once.ts.

import type { App } from "../platform/app.ts";
import type { Db } from "../platform/db/index.ts";
import { httpUrl } from "../platform/json/read.ts";
import { insertManyOutgoing, insertOutgoing, selectFollowerInboxes } from "./delivery/queries.ts";
import "./events.ts";
import { isOurs } from "./hosts.ts";

export type Outgoing = {
  /** Whose key signs; null: the server's own actor. */
  accountId: string | null;
  activity: Record<string, unknown>;
  inboxes: string[];
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

/**
 * Sends the activity to each distinct inbox, in `db`'s transaction. Inboxes of ours and unusable
 * addresses are left out; without any left nothing is stored.
 */
export const deliverTo = async (app: App, db: Db, outgoing: Outgoing): Promise<void> => {
  const inboxes = distinctInboxes(app, outgoing.inboxes);
  if (inboxes.length === 0) return;
  const body = JSON.stringify(outgoing.activity);
  const activityId = await insertOutgoing(db, outgoing.accountId, body, app.clock.now());
  const jobs = inboxes.map((inbox) => ({ payload: { activityId, inbox, tries: 0 } }));
  await app.jobs.addMany(db, "delivery", jobs);
};

/** As deliverTo, for several activities with two queries. */
export const deliverMany = async (app: App, db: Db, outgoing: Outgoing[]): Promise<void> => {
  const letters = outgoing
    .map((one) => ({ ...one, inboxes: distinctInboxes(app, one.inboxes) }))
    .filter((one) => one.inboxes.length > 0);
  if (letters.length === 0) return;
  const bodies = letters.map(({ accountId, activity }) => ({
    accountId,
    body: JSON.stringify(activity),
  }));
  const ids = await insertManyOutgoing(db, bodies, app.clock.now());
  const jobs = letters.flatMap(({ inboxes }, n) =>
    inboxes.map((inbox) => ({ payload: { activityId: ids[n]!, inbox, tries: 0 } })),
  );
  await app.jobs.addMany(db, "delivery", jobs);
};

export type ToFollowers = {
  accountId: string;
  activity: Record<string, unknown>;
  /** Of those who are told although they do not follow: mentioned people, an author. */
  extraInboxes?: string[];
};

/** Sends the activity to every server with a follower of the account, and to `extraInboxes`. */
export const deliverToFollowers = async (
  app: App,
  db: Db,
  outgoing: ToFollowers,
): Promise<void> => {
  const { accountId, activity, extraInboxes = [] } = outgoing;
  const inboxes = await selectFollowerInboxes(db, accountId);
  await deliverTo(app, db, { accountId, activity, inboxes: [...inboxes, ...extraInboxes] });
};

/** Where an account takes what is told to its server: the shared inbox, if it has one. */
export const inboxOf = (account: { shared_inbox_url: string | null; inbox_url: string }): string =>
  account.shared_inbox_url || account.inbox_url;
