// SQL of how the last backups and restore drills went, which packages/backup stores.

import type { Db } from "../db/index.ts";
import { firstRow } from "../db/rows.ts";

export type Outcome = {
  started_at: Date;
  finished_at: Date;
  place: string;
  bytes: number;
  files: number;
  fault: string | null;
};

/** Selects the newest backup, and the newest one that succeeded. */
export const selectOutcomes = async (db: Db) => {
  const rows = await db<(Outcome & { id: string })[]>`
    (SELECT * FROM backups ORDER BY id DESC LIMIT 1)
    UNION ALL
    (SELECT * FROM backups WHERE fault IS NULL ORDER BY id DESC LIMIT 1)
  `;
  return { last: rows[0] ?? null, good: rows.find(({ fault }) => fault === null) ?? null };
};

/**
 * The outcome of a drill, in which a backup is restored into a temporary server and queried (packages/backup).
 */
export type DrillOutcome = {
  started_at: Date;
  finished_at: Date;
  backup: string;
  questions: number;
  failures: number;
  fault: string | null;
};

export const selectLastDrill = (db: Db): Promise<DrillOutcome | null> =>
  firstRow(db<DrillOutcome[]>`
    SELECT started_at, finished_at, backup, questions, failures, fault
    FROM restore_drills ORDER BY id DESC LIMIT 1
  `);
