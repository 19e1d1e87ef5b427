// SQL of what waits for a decision of the staff.

import type { Db } from "../../../platform/db/index.ts";
import { onlyRow } from "../../../platform/db/rows.ts";

export type Waiting = Record<"reports" | "signUps" | "appeals" | "held" | "trends", number>;

/** Most that a badge shows; each is counted by its partial index. */
const CAP = 1000;

export const selectWaiting = (db: Db): Promise<Waiting> =>
  onlyRow(db<Waiting[]>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM reports WHERE action_taken_at IS NULL LIMIT ${CAP}
      ) AS open) AS reports,
      (SELECT count(*)::int FROM (
        SELECT FROM users WHERE NOT approved AND confirmed_at IS NOT NULL LIMIT ${CAP}
      ) AS waiting) AS "signUps",
      (SELECT count(*)::int FROM (
        SELECT FROM appeals WHERE decided_at IS NULL LIMIT ${CAP}
      ) AS undecided) AS appeals,
      (SELECT count(*)::int FROM (
        SELECT FROM spam_matches WHERE state = 'held' LIMIT ${CAP}
      ) AS kept) AS held,
      (SELECT count(*)::int FROM (
        SELECT FROM trend_tags r JOIN tags t ON t.id = r.tag_id WHERE t.reviewed_at IS NULL
        LIMIT ${CAP}
      ) AS tags)
      + (SELECT count(*)::int FROM trend_publishers p WHERE p.reviewed_at IS NULL
        AND p.domain IN (SELECT domain FROM trend_links WHERE score > 0))
      + (SELECT count(DISTINCT s.account_id)::int FROM trend_statuses r
        JOIN statuses s ON s.id = r.status_id
        JOIN accounts a ON a.id = s.account_id AND a.reviewed_at IS NULL) AS trends
  `);
