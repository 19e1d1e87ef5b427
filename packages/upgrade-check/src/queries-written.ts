// SQL that tells whether anything was written to a database since a moment, so that an upgrade that fails loses nothing
// that the new version has accepted.

import { valuesOf } from "./uses.ts";
import type { Sql } from "./uses.ts";

/**
 * Tables that a start writes to before anything can be accepted. What it does of the jobs that waited counts as
 * written, as nothing tells it from what people did.
 */
const OF_STARTS = ["migrations", "server_runs", "workers"];

/** Returns a mark of this moment: the number of a transaction. */
export const markNow = async (sql: Sql): Promise<string> => {
  const [row] = await sql<{ mark: string }[]>`SELECT pg_current_xact_id()::text AS mark`;
  return row!.mark;
};

const selectTables = (sql: Sql): Promise<string[]> =>
  valuesOf(sql<{ name: string }[]>`
    SELECT relname AS name FROM pg_class
    WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND NOT relname = ANY(${OF_STARTS})
    ORDER BY relname
  `);

/** Returns the tables with rows of later transactions. It reads all of them, which takes as long as it takes. */
export const writtenSince = async (sql: Sql, mark: string): Promise<string[]> => {
  const written: string[] = [];
  for (const name of await selectTables(sql)) {
    const rows = await sql`
      SELECT FROM ${sql(name)} WHERE age(xmin) < age(${mark}::xid8::xid) LIMIT 1
    `;
    if (rows.length > 0) written.push(name);
  }
  return written;
};
