// The counts of an account, changed by the acts of higher slices within their transactions.

import type { Db } from "../../platform/db/index.ts";
import { addCounts, addManyFollowCounts } from "./queries.ts";
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
