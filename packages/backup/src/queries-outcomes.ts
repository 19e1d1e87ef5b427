// SQL that stores how the last backups and restore drills went.

import type { Db, DrillOutcome, Outcome } from "./uses.ts";

/** Deletes all rows but the `count` with the highest ids. */
const keepNewest = (db: Db, table: string, count: number) =>
  db`
    DELETE FROM ${db(table)} WHERE id <= (
      SELECT id FROM ${db(table)} ORDER BY id DESC OFFSET ${count} LIMIT 1
    )
  `;

const KEPT_OUTCOMES = 100;

export const insertOutcome = async (db: Db, outcome: Outcome): Promise<void> => {
  await db`INSERT INTO backups ${db(outcome)}`;
  await keepNewest(db, "backups", KEPT_OUTCOMES);
};

export const insertDrill = async (db: Db, outcome: DrillOutcome): Promise<void> => {
  await db`INSERT INTO restore_drills ${db(outcome)}`;
  await keepNewest(db, "restore_drills", KEPT_OUTCOMES);
};
