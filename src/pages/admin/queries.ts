// All SQL of the pages for the staff.

import type { Db } from "../../platform/db/index.ts";

export type Waiting = { reports: number; signUps: number; appeals: number };

/** As many as a badge shows; each by its partial index. */
const CAP = 1000;

export const selectWaiting = async (db: Db): Promise<Waiting> => {
  const [row] = await db<Waiting[]>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM reports WHERE action_taken_at IS NULL LIMIT ${CAP}
      ) AS open) AS reports,
      (SELECT count(*)::int FROM (
        SELECT FROM users WHERE NOT approved AND confirmed_at IS NOT NULL LIMIT ${CAP}
      ) AS waiting) AS "signUps",
      (SELECT count(*)::int FROM (
        SELECT FROM appeals WHERE decided_at IS NULL LIMIT ${CAP}
      ) AS undecided) AS appeals
  `;
  return row!;
};
