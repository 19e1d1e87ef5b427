// Changes follow counts in the transaction that changes the follows.

import type { Db } from "../../../platform/db/index.ts";
import { addFollowCounts } from "../accounts/counts.ts";
import type { FollowCounts } from "../accounts/tables.ts";

export type FollowChange = { accountId: string; targetId: string; by: 1 | -1 };

/**
 * Takes one statement, which locks the rows in the order of their ids, so that there are no deadlocks. Returns the new
 * counts.
 */
export const countFollows = async (db: Db, changes: FollowChange[]): Promise<FollowCounts[]> => {
  const deltas = new Map<string, { id: string; following: number; followers: number }>();
  const of = (id: string) => {
    const delta = deltas.get(id) ?? { id, following: 0, followers: 0 };
    deltas.set(id, delta);
    return delta;
  };
  for (const { accountId, targetId, by } of changes) {
    of(accountId).following += by;
    of(targetId).followers += by;
  }
  return deltas.size > 0 ? addFollowCounts(db, [...deltas.values()]) : [];
};
