// The counts of accounts, changed by higher slices in their transactions.

import type { Db } from "../../../platform/db/index.ts";
import { addManyFollowCounts, addStatusesWritten, updateTotals } from "./queries.ts";
import type { FollowDelta, WrittenDelta } from "./queries.ts";
import type { FollowCounts } from "./tables.ts";

/** Adds to the counts of statuses; each account may occur once. */
export const addWritten = (db: Db, deltas: WrittenDelta[]): Promise<void> =>
  addStatusesWritten(db, deltas);

/** Adds to the counts of follows; each account may occur once. Gives the new counts. */
export const addFollowCounts = async (db: Db, deltas: FollowDelta[]): Promise<FollowCounts[]> =>
  addManyFollowCounts(db, deltas);

/** How many its own server says that there are; null: it does not say. */
export type RemoteTotals = {
  statuses: number | null;
  followers: number | null;
  following: number | null;
};

/** Of a remote account, until the next time: changes that are seen here count up and down from there. */
export const setRemoteTotals = async (db: Db, id: string, totals: RemoteTotals): Promise<void> => {
  if (Object.values(totals).some((total) => total !== null)) await updateTotals(db, id, totals);
};
