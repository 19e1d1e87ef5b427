// Ending all follows with accounts that moderators shut out, without asking anybody.

import type { Db } from "../../../platform/db/index.ts";
import { countFollows } from "./counts.ts";
import { deleteFollowsWith } from "./queries-write.ts";
import type { EndedFollow, Side } from "./queries-write.ts";

export type { EndedFollow, Side };

/** A slice of them, with the counts of both sides; none: there are no more. */
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
