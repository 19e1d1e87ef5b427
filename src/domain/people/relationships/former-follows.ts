// Follows that began under a former name of the server, while the other one moves them: whoever followed then is let in
// as before, and leaving the old address is not leaving the present one.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { addDays } from "../../../platform/ids/index.ts";
import type { DeleteSlice } from "../../../platform/jobs/retention.ts";
import type { Pair } from "./events.ts";
import { deleteFormer, deleteFormerBefore, selectIsFormer } from "./queries-former.ts";
import { rejectFollow } from "./reject-follow.ts";
import { unfollow } from "./unfollow.ts";

/** Whether the other server knows this follow under a former name alone. */
export const isFormerFollow = (app: App, pair: Pair): Promise<boolean> =>
  selectIsFormer(app.sql, pair);

/**
 * From now on the other server knows these under the present name, or they have ended. Gives those that were former
 * ones.
 */
export const endFormer = (db: Db, pairs: Pair[]): Promise<Pair[]> =>
  pairs.length > 0 ? deleteFormer(db, pairs) : Promise.resolve([]);

/** A follower elsewhere left the old address. One who already follows the present one goes on. */
export const unfollowFormer = async (app: App, pair: Pair): Promise<void> => {
  if (await isFormerFollow(app, pair)) await unfollow(app, pair);
};

/** Somebody elsewhere refuses a follow by the old address, before it was asked for by the present one. */
export const rejectFormer = async (app: App, pair: Pair): Promise<void> => {
  if (await isFormerFollow(app, pair)) await rejectFollow(app, pair);
};

/** Servers that were away for so long know nothing of the move. */
const DAYS = 90;

export const deleteOldFormerFollows: DeleteSlice = (app, now) =>
  deleteFormerBefore(app.sql, addDays(now, -DAYS));
