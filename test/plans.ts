// Opens one connection for tests of plans, on which all statements are prepared, and counts what they read.

import { startTestApp } from "./harness.ts";
import { connect } from "../src/platform/db/index.ts";
import type { Sql } from "../src/platform/db/index.ts";

export type Plans = {
  sql: Sql;
  /**
   * Inserts accounts: so many of this server with ids from 1 on, after them those of large.example, and one of
   * other.example with the id 1000.
   */
  people(here: number, large: number): Promise<void>;
  /** Tells PostgreSQL that the table is empty, so that it need not guess. */
  empty(table: string): Promise<void>;
  /** Returns the number of rows read so far by scanning the whole table. */
  scanned(table: string): Promise<number>;
  /** Returns the number of entries of an index read so far, those of deleted rows too. */
  read(index: string): Promise<number>;
  /** Opens a transaction that keeps its snapshot, as a backup's does; returns the function that ends it. */
  holdSnapshot(): Promise<() => Promise<void>>;
  close(): Promise<void>;
};

export const openPlans = async (): Promise<Plans> => {
  const server = await startTestApp({ worker: false });
  const sql = connect(server.databaseUrl, { max: 1, application: "plans" });
  return {
    sql,
    async people(here, large) {
      await sql`
        INSERT INTO accounts (id, username, domain, uri, url, inbox_url)
        SELECT id, 'a' || id, domain, uri, uri, uri FROM (
          SELECT n AS id, CASE WHEN n > ${here}::int THEN 'large.example' END AS domain
          FROM generate_series(1, ${here + large}::int) AS n
          UNION ALL SELECT 1000, 'other.example'
        ) AS people, LATERAL (SELECT 'https://large.example/' || id AS uri) me
      `;
    },
    async empty(table) {
      await sql.unsafe(`VACUUM ANALYZE ${table}`);
    },
    async scanned(table) {
      await sql`SELECT pg_stat_force_next_flush()`;
      const [row] = await sql<{ rows: string }[]>`
        SELECT pg_stat_get_tuples_returned(${table}::regclass) AS rows
      `;
      return Number(row!.rows);
    },
    async read(index) {
      await sql`SELECT pg_stat_force_next_flush()`;
      const [row] = await sql<{ entries: string }[]>`
        SELECT pg_stat_get_tuples_returned(${index}::regclass) AS entries
      `;
      return Number(row!.entries);
    },
    async holdSnapshot() {
      const other = connect(server.databaseUrl, { max: 1, application: "snapshot" });
      await other`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY`;
      await other`SELECT count(*) FROM roles`;
      return () => other.end();
    },
    async close() {
      await sql.end();
      await server.close();
    },
  };
};
