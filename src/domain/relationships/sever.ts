// Ending all follows with accounts that moderators shut out: nobody is asked, and no server is notified.

import type { Db } from "../../platform/db/index.ts";
import { countFollows } from "./counts.ts";
import { deleteFollowsWith } from "./queries-write.ts";
import type { EndedFollow } from "./queries-write.ts";

export type { EndedFollow };

/** A slice of them, with the counts of both sides; none: there are no more. */
export const severFollows = async (db: Db, accountIds: string[]): Promise<EndedFollow[]> => {
  const ended = await deleteFollowsWith(db, accountIds);
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
