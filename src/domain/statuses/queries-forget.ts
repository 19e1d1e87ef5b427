// SQL for the counts that an account leaves behind when it goes with all that it wrote.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { openToFollowers } from "./fragments.ts";

/** Takes the account's replies, reblogs, favourites and quotes out of the counts of others' statuses. */
export const uncountActsOf = async (db: Db, accountId: string) => {
  await subtractActs(db, accountId);
  invalidate(db, "all");
};

const subtractActs = (db: Db, accountId: string) => db`
  WITH acts AS (
    SELECT in_reply_to_id AS status_id, 1 AS replies, 0 AS reblogs, 0 AS favourites, 0 AS quotes
    FROM statuses
    WHERE account_id = ${accountId} AND in_reply_to_id IS NOT NULL AND ${openToFollowers(db, "statuses")}
    UNION ALL
    SELECT reblog_of_id, 0, 1, 0, 0 FROM statuses
    WHERE account_id = ${accountId} AND reblog_of_id IS NOT NULL
    UNION ALL
    SELECT status_id, 0, 0, 1, 0 FROM favourites WHERE account_id = ${accountId}
    UNION ALL
    SELECT quoted_status_id, 0, 0, 0, 1 FROM quotes
    WHERE account_id = ${accountId} AND state = 'accepted' AND quoted_status_id IS NOT NULL
  ), sums AS (
    SELECT status_id, sum(replies) AS replies, sum(reblogs) AS reblogs,
      sum(favourites) AS favourites, sum(quotes) AS quotes
    FROM acts GROUP BY status_id
  )
  UPDATE status_stats st SET
    replies_count = greatest(0, st.replies_count - sums.replies),
    reblogs_count = greatest(0, st.reblogs_count - sums.reblogs),
    favourites_count = greatest(0, st.favourites_count - sums.favourites),
    quotes_count = greatest(0, st.quotes_count - sums.quotes)
  FROM sums WHERE st.status_id = sums.status_id
`;

/** Others whose reblogs of the account's statuses go with them; one row for each reblog. */
export const selectRebloggersOf = async (db: Db, accountId: string): Promise<string[]> => {
  const rows = await db<{ account_id: string }[]>`
    SELECT r.account_id
    FROM statuses s JOIN statuses r ON r.reblog_of_id = s.id
    WHERE s.account_id = ${accountId} AND r.account_id <> ${accountId}
  `;
  return rows.map((row) => row.account_id);
};
