// SQL of who may have a copy of a local status beside the author's followers: everybody who has to do with it, and those
// whom people here passed it on to.

import type { Db } from "../../platform/db/index.ts";
import { openToEverybody, openToFollowers } from "./fragments.ts";

export type Reach = {
  /** Of the remote accounts that are mentioned, or did something with it; shared ones where there are. */
  inboxes: string[];
  /** People here who boosted, answered or quoted it: the servers of their followers fetch it. */
  sharerIds: string[];
};

/** Answers, and answers to those, of one status: servers fetch what is above a post. */
const MAX_ANSWERS = 10_000;

/**
 * Of each local status; of a reblog whom it tells of. Accounts that are suspended here have their copies all the same:
 * they are left out of what is sent to readers, and not of deletions.
 */
export const selectReach = async (
  db: Db,
  ids: string[],
  { suspended }: { suspended: boolean },
): Promise<Map<string, Reach>> => {
  if (ids.length === 0) return new Map();
  const rows = await db<(Reach & { id: string })[]>`
    SELECT s.id, r.inboxes, r."sharerIds"
    FROM statuses s
    CROSS JOIN LATERAL (
      WITH RECURSIVE thread AS (
        SELECT a.id, a.account_id, ${openToFollowers(db, "a")} AS shares
        FROM statuses a WHERE a.in_reply_to_id = s.id
        UNION
        SELECT a.id, a.account_id, ${openToFollowers(db, "a")}
        FROM thread t JOIN statuses a ON a.in_reply_to_id = t.id
      ), answers AS (
        SELECT account_id, shares FROM thread LIMIT ${MAX_ANSWERS}
      ), known AS (
        SELECT account_id, true AS shares FROM statuses WHERE reblog_of_id = s.id
        UNION SELECT account_id, shares FROM answers
        UNION SELECT account_id, true FROM quotes WHERE quoted_status_id = s.id
        UNION SELECT account_id, false FROM favourites WHERE status_id = s.id
        UNION SELECT v.account_id, false
          FROM polls p JOIN poll_votes v ON v.poll_id = p.id WHERE p.status_id = s.id
        UNION SELECT account_id, false FROM mentions WHERE status_id = s.id
        UNION SELECT quoted_account_id, false FROM quotes WHERE status_id = s.id
        UNION SELECT account_id, false FROM statuses WHERE id = s.reblog_of_id
        UNION SELECT s.in_reply_to_account_id, false
          WHERE ${openToEverybody(db)} OR s.awaits_approval OR s.approval_uri IS NOT NULL
      )
      SELECT
        coalesce(array_agg(DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url))
          FILTER (WHERE a.domain IS NOT NULL), '{}') AS inboxes,
        coalesce(array_agg(DISTINCT a.id::text)
          FILTER (WHERE a.domain IS NULL AND k.shares), '{}') AS "sharerIds"
      FROM known k JOIN accounts a ON a.id = k.account_id
      WHERE a.inbox_url <> '' AND (${suspended} OR a.suspended_at IS NULL)
    ) AS r
    WHERE s.id = ANY(${ids}::bigint[]) AND s.local
  `;
  return new Map(
    rows.map(({ id, inboxes, sharerIds }) => [
      id,
      { inboxes: [...inboxes], sharerIds: [...sharerIds] },
    ]),
  );
};
