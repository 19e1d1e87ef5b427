// Manages follows that began under a former domain of the server while other servers move them: such a follower is
// accepted as before, and unfollowing the old address does not unfollow the present one.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { Pair } from "./events.ts";
import { deleteFormer, selectIsFormer } from "./queries-write.ts";
import { rejectFollow } from "./reject-follow.ts";
import { unfollow } from "./unfollow.ts";

/** Returns whether the other server knows this follow under a former domain alone. */
export const isFormerFollow = (app: App, pair: Pair): Promise<boolean> =>
  selectIsFormer(app.sql, pair);

/**
 * Records that the other server knows these follows under the present domain, or that they ended. Returns those that
 * were former ones.
 */
export const endFormer = (db: Db, pairs: Pair[]): Promise<Pair[]> =>
  pairs.length > 0 ? deleteFormer(db, pairs) : Promise.resolve([]);

/** Handles that a remote follower left the old address. A follow of the present one continues. */
export const unfollowFormer = async (app: App, pair: Pair): Promise<void> => {
  if (await isFormerFollow(app, pair)) await unfollow(app, pair);
};

/** Handles that a remote account refuses a follow by the old address, before it was requested by the present one. */
export const rejectFormer = async (app: App, pair: Pair): Promise<void> => {
  if (await isFormerFollow(app, pair)) await rejectFollow(app, pair);
};
