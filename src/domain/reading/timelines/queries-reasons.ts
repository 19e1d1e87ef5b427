// SQL that says why a status is in a home, by the rules in belongs.ts.

import type { Db } from "../../../platform/db/index.ts";
import { belongsInHome } from "./fragments.ts";

export type ReasonRow = {
  /** Id of the status, or of a boost of it. */
  id: string;
  account_id: string;
  isBoost: boolean;
  /** Tag as it is written; null where the status is there by its author. */
  tag: string | null;
};

/** Newest boosts of a status by followed people that are looked at. */
const BOOSTS = "20";

/**
 * Selects which of the status and its boosts belong in the home, and by whom or by which tag. The boosts are read by
 * statuses_reblog, once for each of the reader's follows, however often it was boosted.
 */
export const selectReasons = (db: Db, accountId: string, statusId: string) => db<ReasonRow[]>`
  WITH ids AS MATERIALIZED (
    SELECT ${statusId}::bigint AS id
    UNION ALL
    (SELECT r.id
     FROM follows f
     JOIN statuses r ON r.reblog_of_id = ${statusId} AND r.account_id = f.target_account_id
     WHERE f.account_id = ${accountId}
     ORDER BY r.id DESC LIMIT ${db.unsafe(BOOSTS)})
  )
  SELECT s.id, s.account_id, s.reblog_of_id IS NOT NULL AS "isBoost", t.display_name AS tag
  FROM ids
  JOIN statuses s ON s.id = ids.id
  CROSS JOIN LATERAL (
    SELECT NULL::bigint AS tag_id, f.languages, f.show_reblogs AND NOT EXISTS (
      SELECT FROM mutes u WHERE u.account_id = ${accountId} AND u.target_account_id = s.account_id
    ) AS show_reblogs, f.show_replies, f.daily_limit
    FROM follows f
    WHERE f.account_id = ${accountId} AND f.target_account_id = s.account_id
      AND NOT EXISTS (SELECT FROM list_accounts x
        WHERE x.exclusive AND x.account_id = s.account_id AND x.owner_id = ${accountId})
    UNION ALL
    SELECT NULL, NULL, true, true, NULL WHERE s.account_id = ${accountId}
    UNION ALL
    SELECT tf.tag_id, NULL, true, true, NULL
    FROM statuses_tags st JOIN tag_follows tf ON tf.tag_id = st.tag_id
    WHERE st.status_id = s.id AND tf.account_id = ${accountId}
  ) m
  LEFT JOIN tags t ON t.id = m.tag_id
  WHERE ${belongsInHome(db, accountId)}
  ORDER BY s.id, t.display_name
`;
