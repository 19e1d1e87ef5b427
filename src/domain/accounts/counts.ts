// The counts of accounts, changed by the acts of higher slices within their transactions.

import type { Db } from "../../platform/db/index.ts";
import { addManyFollowCounts, addStatusesWritten } from "./queries.ts";
import type { FollowDelta, WrittenDelta } from "./queries.ts";

/** How many statuses more (or fewer); each account may stand in the list once. */
export const addWritten = (db: Db, deltas: WrittenDelta[]): Promise<void> =>
  addStatusesWritten(db, deltas);

/** Several accounts at once; each may stand in the list once. */
export const addFollowCounts = async (db: Db, deltas: FollowDelta[]): Promise<void> => {
  await addManyFollowCounts(db, deltas);
};
