// Changes the counts of accounts in the transactions of higher slices.

import type { Db } from "../../../platform/db/index.ts";
import { addManyFollowCounts, addStatusesWritten, updateTotals } from "./queries.ts";
import type { FollowDelta, WrittenDelta } from "./queries.ts";
import type { FollowCounts } from "./tables.ts";

/** Adds to the counts of statuses; each account may occur once. */
export const addWritten = (db: Db, deltas: WrittenDelta[]): Promise<void> =>
  addStatusesWritten(db, deltas);

/** Adds to the counts of follows; each account may occur once. Returns the new counts. */
export const addFollowCounts = async (db: Db, deltas: FollowDelta[]): Promise<FollowCounts[]> =>
  addManyFollowCounts(db, deltas);

/** The counts that its own server states; null where it states none. */
export type RemoteTotals = {
  statuses: number | null;
  followers: number | null;
  following: number | null;
};

/** Sets the totals of a remote account. Changes seen here count from there until they are set again. */
export const setRemoteTotals = async (db: Db, id: string, totals: RemoteTotals): Promise<void> => {
  if (Object.values(totals).some((total) => total !== null)) await updateTotals(db, id, totals);
};
