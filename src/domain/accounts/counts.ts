// The counts of accounts, changed by the acts of higher slices within their transactions.

import type { Db } from "../../platform/db/index.ts";
import { addCounts, addManyFollowCounts, addManyStatuses } from "./queries.ts";
import type { CountDelta, FollowDelta } from "./queries.ts";

export const addAccountCounts = async (
  db: Db,
  accountId: string,
  delta: CountDelta,
): Promise<void> => {
  await addCounts(db, accountId, delta);
};

/** Several accounts at once; each may stand in the list once. */
export const addFollowCounts = async (db: Db, deltas: FollowDelta[]): Promise<void> => {
  await addManyFollowCounts(db, deltas);
};

/** How many statuses more (or fewer), and when the newest was written. */
export type Written = { id: string; statuses: number; at: Date | null };

/** Each account may stand in the list once. */
export const addManyWritten = (db: Db, written: Written[]): Promise<void> =>
  addManyStatuses(db, written);
