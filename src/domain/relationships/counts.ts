// Follow counts, changed in the transaction that changes the follows.

import type { Db } from "../../platform/db/index.ts";
import { addFollowCounts } from "../accounts/counts.ts";

export type FollowChange = { accountId: string; targetId: string; by: 1 | -1 };

/** One statement for all, which locks the rows in the order of their ids: no deadlocks. */
export const countFollows = async (db: Db, changes: FollowChange[]): Promise<void> => {
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
  if (deltas.size > 0) await addFollowCounts(db, [...deltas.values()]);
};
