// Finds out whether a statement waits for a lock, so that a test goes on when something has come that far.

import type { Sql } from "../src/platform/db/index.ts";

/** Returns whether so many statements in the test's database wait for a lock. */
export const waitsForLock = async (sql: Sql, count = 1): Promise<boolean> => {
  const rows = await sql`
    SELECT FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  return rows.length >= count;
};
