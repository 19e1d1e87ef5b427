// The counts of accounts, changed by higher slices in their transactions.

import type { Db } from "../../platform/db/index.ts";
import { addManyFollowCounts, addStatusesWritten } from "./queries.ts";
import type { FollowDelta, WrittenDelta } from "./queries.ts";

/** Adds to the counts of statuses; each account may occur once. */
export const addWritten = (db: Db, deltas: WrittenDelta[]): Promise<void> =>
  addStatusesWritten(db, deltas);

/** Adds to the counts of follows; each account may occur once. */
export const addFollowCounts = async (db: Db, deltas: FollowDelta[]): Promise<void> => {
  await addManyFollowCounts(db, deltas);
};
