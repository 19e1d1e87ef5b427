// Finds out whether a statement waits for a lock, so that a test goes on when something has come that far.

import type { Sql } from "../src/platform/db/index.ts";

/** Returns whether any statement in the test's database waits for a lock. */
export const waitsForLock = async (sql: Sql): Promise<boolean> => {
  const rows = await sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length > 0;
};
