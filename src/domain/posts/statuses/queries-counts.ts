// SQL of counts that other servers state of their posts.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";

/** Raises counts of a remote status to those that its server states, or to what is stored here where that is more. */
export const raiseCounts = async (
  db: Db,
  id: string,
  counts: { favourites: number | null; reblogs: number | null; replies: number | null },
): Promise<void> => {
  await db`
    UPDATE status_stats SET
      favourites_count = coalesce(greatest(
        ${counts.favourites}::bigint, (SELECT count(*) FROM favourites f WHERE f.status_id = ${id})
      ), favourites_count),
      reblogs_count = coalesce(greatest(
        ${counts.reblogs}::bigint, (SELECT count(*) FROM statuses r WHERE r.reblog_of_id = ${id})
      ), reblogs_count),
      replies_count = greatest(${counts.replies}::bigint, replies_count)
    WHERE status_id = ${id}
  `;
  invalidate(db, `status:${id}`);
};
