// Ends a follow, withdraws a follow request, and deletes all relations of a removed account.

import type { App } from "../../../platform/app.ts";
import type { Tx, Db } from "../../../platform/db/index.ts";
import { relationsChanged } from "./changed.ts";
import { countFollows } from "./counts.ts";
import type { Pair } from "./events.ts";
import {
  deleteFollow,
  lockPair,
  deleteFollowsOf,
  deleteOtherRelationsOf,
  deleteNotesAbout,
} from "./queries-write.ts";
import { tellRelation } from "./tell.ts";

const unfollowIn = async (app: App, tx: Tx, { accountId, targetId }: Pair): Promise<void> => {
  await lockPair(tx, accountId, targetId);
  const followed = await deleteFollow(tx, "follows", accountId, targetId);
  const request = await deleteFollow(tx, "follow_requests", accountId, targetId);
  if (followed === undefined && request === undefined) return;
  if (followed !== undefined) await countFollows(tx, [{ accountId, targetId, by: -1 }]);
  const uri = followed ?? request ?? null;
  await app.jobs.add(tx, "account.unfollowed", { accountId, targetId, uri });
};

/** Changes nothing where there is no follow. An Undo of a Follow is handled here too. */
export const unfollow = async (app: App, pair: Pair): Promise<void> => {
  await app.sql.begin((tx) => unfollowIn(app, tx, pair));
  await relationsChanged(app, pair.accountId);
  await tellRelation(app, pair.accountId, pair.targetId);
};

/**
 * The result of deleting a slice of an account's relations; `followers` are for `relationsChanged` after the commit.
 */
type RelationsDeleted = { followers: string[]; isMore: boolean };

/** Deletes one slice, as part of a removal's transaction. */
export const deleteRelations = async (db: Db, accountId: string): Promise<RelationsDeleted> => {
  const follows = await deleteFollowsOf(db, accountId);
  await countFollows(
    db,
    follows.map((row) => ({
      accountId: row.account_id,
      targetId: row.target_account_id,
      by: -1,
    })),
  );
  const others = await deleteOtherRelationsOf(db, accountId);
  const areNotes = await deleteNotesAbout(db, accountId);
  return {
    followers: follows.map((row) => row.account_id),
    isMore: follows.length + others > 0 || areNotes,
  };
};
