// Ends all follows with accounts that moderators suspend, without anybody's consent.

import type { Db } from "../../../platform/db/index.ts";
import { countFollows } from "./counts.ts";
import { deleteFollowsWith } from "./queries-write.ts";
import type { EndedFollow, Side } from "./queries-write.ts";

export type { EndedFollow, Side };

/** Deletes a slice of them and updates the counts of both sides; returns none when no more are left. */
export const severFollows = async (
  db: Db,
  accountIds: string[],
  side: Side,
): Promise<EndedFollow[]> => {
  const ended = await deleteFollowsWith(db, accountIds, side);
  const follows = ended.filter(({ followed }) => followed);
  await countFollows(
    db,
    follows.map((row) => ({
      accountId: row.account_id,
      targetId: row.target_account_id,
      by: -1 as const,
    })),
  );
  return ended;
};
