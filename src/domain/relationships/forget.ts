// Deleting all relations of a removed account, with the follow counts of the others.

import type { Db } from "../../platform/db/index.ts";
import { countFollows } from "./counts.ts";
import { deleteFollowsOf, deleteOtherRelationsOf } from "./queries-write.ts";

/** Part of a removal's transaction; returns the followers, for `relationsChanged` after it. */
export const deleteRelations = async (db: Db, accountId: string): Promise<string[]> => {
  const follows = await deleteFollowsOf(db, accountId);
  await countFollows(
    db,
    follows.map((row) => ({
      accountId: row.account_id,
      targetId: row.target_account_id,
      by: -1,
    })),
  );
  await deleteOtherRelationsOf(db, accountId);
  return follows.map((row) => row.account_id);
};
