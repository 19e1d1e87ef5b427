// Checks that code that writes rows also invalidates what is cached of them. Triggers, which only the
// test template has, record the keys that each transaction should invalidate; the harness compares them
// with those that the server invalidated.

import type { App } from "../src/platform/app.ts";
import { invalidate, observeInvalidation } from "../src/platform/db/invalidate.ts";
import type { CacheKey } from "../src/platform/db/invalidate.ts";
import type { Sql, Tx } from "../src/platform/db/index.ts";
import { BORN, WATCHED } from "./watched-rows.ts";
import type { WatchedRows } from "./watched-rows.ts";

/** The application_name of the server's pool (src/app.ts): only its writes are checked. */
const APPLICATION = "rookery";

const SCHEMA = `
  CREATE SCHEMA watch;
  CREATE UNLOGGED TABLE watch.written (
    xid xid8 NOT NULL,
    key text NOT NULL,
    written text NOT NULL,                -- the table
    act text NOT NULL,                    -- INSERT, UPDATE, DELETE; BORN: the key is new
    statement text NOT NULL,
    at double precision NOT NULL          -- milliseconds since 1970
  );
  CREATE INDEX ON watch.written (xid);
  -- What every new row is looked for in: without it, a batch of rows would be compared with each of its own.
  CREATE INDEX ON watch.written (xid, key) WHERE act = 'DELETE';
  CREATE FUNCTION watch.truncated() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO watch.written
    VALUES (pg_current_xact_id(), 'all', TG_TABLE_NAME, TG_OP, current_query(), 0);
    RETURN NULL;
  END
  $$;
`;

type Act = "INSERT" | "UPDATE" | "DELETE";
/** Of one table. */
type Watched = { table: string; rows: WatchedRows[]; born: string[] };

const insertKeys = (table: string, from: string): string => `
  INSERT INTO watch.written
  SELECT pg_current_xact_id(), k.key, '${table}', k.act, left(current_query(), 400),
    extract(epoch FROM pg_catalog.clock_timestamp()) * 1000
  FROM ${from}
  WHERE k.key IS NOT NULL
`;

/** The keys of the rows `r`, each with its act. */
const keysOf = (keys: [key: string, act: string][]): string =>
  `CROSS JOIN LATERAL (VALUES ${keys.map(([key, act]) => `(${key}, '${act}')`).join(", ")}) AS k (key, act)`;

/** A new row is born, unless one with its id was deleted in the same transaction. */
const insertBody = ({ table, rows, born }: Watched): string => {
  const keys = rows.flatMap((one) => one.keys.map((key): [string, string] => [key, "INSERT"]));
  const all = keysOf([...keys, ...born.map((key): [string, string] => [key, "BORN"])]);
  const body = insertKeys(table, `new_rows AS r ${all}`);
  if (born.length === 0) return body;
  const known = `SELECT FROM watch.written w
    WHERE w.xid = pg_current_xact_id() AND w.key = k.key AND w.written = '${table}' AND w.act = 'DELETE'`;
  return `${body} AND (k.act <> 'BORN' OR NOT EXISTS (${known}))`;
};

const deleteBody = ({ table, rows }: Watched): string => {
  const keys = rows.flatMap((one) => one.keys.map((key): [string, string] => [key, "DELETE"]));
  return insertKeys(table, `old_rows AS r ${keysOf(keys)}`);
};

/** Rows that differ before and after, each in both versions. The two tables have them in the same order. */
const updateBody = ({ table, rows }: Watched): string => {
  const numbered = (side: string) => `(SELECT row_number() OVER () AS n, * FROM ${side}_rows)`;
  const of = (side: string, columns: Iterable<string>) =>
    [...columns].map((column) => `${side}.${column}`).join(", ");
  const differs = rows.map(
    ({ columns }, index) =>
      `ROW(${of("before", columns)}) IS DISTINCT FROM ROW(${of("after", columns)}) AS d${index}`,
  );
  const columns = new Set(rows.flatMap((one) => one.columns));
  const keys = rows.flatMap((one, index) =>
    one.keys.map((key): [string, string] => [`CASE WHEN d.d${index} THEN ${key} END`, "UPDATE"]),
  );
  return insertKeys(
    table,
    `${numbered("old")} AS before JOIN ${numbered("new")} AS after USING (n)
      CROSS JOIN LATERAL (SELECT ${differs.join(", ")}) AS d
      CROSS JOIN LATERAL (SELECT ${of("before", columns)} UNION ALL SELECT ${of("after", columns)}) AS r
      ${keysOf(keys)}`,
  );
};

const BODIES: Record<Act, [body: (watched: Watched) => string, sides: string]> = {
  INSERT: [insertBody, "NEW TABLE AS new_rows"],
  UPDATE: [updateBody, "OLD TABLE AS old_rows NEW TABLE AS new_rows"],
  DELETE: [deleteBody, "OLD TABLE AS old_rows"],
};

/** One trigger for each act: every connection compiles and plans each that it meets. */
const watchTable = (watched: Watched): string =>
  Object.entries(BODIES)
    .map(([act, [body, sides]]) => {
      const name = `watch_${watched.table}_${act.toLowerCase()}`;
      return `
        CREATE FUNCTION watch.${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF current_setting('application_name') = '${APPLICATION}' THEN ${body(watched)}; END IF;
          RETURN NULL;
        END
        $$;
        CREATE TRIGGER ${name} AFTER ${act} ON ${watched.table} REFERENCING ${sides}
          FOR EACH STATEMENT EXECUTE FUNCTION watch.${name}();
      `;
    })
    .join("");

/** Only tests truncate. Any row of the table may be cached, so everything has to be invalidated. */
const watchTruncation = (table: string): string => `
  CREATE TRIGGER watch_truncate AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION watch.truncated();
`;

const watchedTables = (): Watched[] =>
  [...new Set(WATCHED.map(({ table }) => table))].map((table) => ({
    table,
    rows: WATCHED.filter((one) => one.table === table),
    born: BORN.filter((one) => one.table === table).flatMap(({ keys }) => keys),
  }));

/** Installs the triggers in the template, of which every test database is a clone. */
export const installWatch = async (sql: Sql): Promise<void> => {
  await sql.unsafe(SCHEMA);
  const tables = watchedTables();
  await sql.unsafe(tables.map(watchTable).join(""));
  await sql.unsafe(tables.map(({ table }) => watchTruncation(table)).join(""));
};

/** The key of a truncation. */
const ALL = "all" as CacheKey;

type WrittenRow = { key: CacheKey; written: string; act: string; statement: string; at: number };

/** Whether a query is one of this check's: tests that count statements leave these out. */
export const isWatchQuery = (query: string): boolean => query.includes("watch.written");

/** The keys that the transaction has to invalidate so far; deletes their rows. */
const takeOwn = (tx: Tx) => tx<WrittenRow[]>`
  WITH taken AS (
    DELETE FROM watch.written WHERE xid = pg_current_xact_id_if_assigned() RETURNING *
  )
  SELECT DISTINCT ON (key) key, written, act, statement, at FROM taken
  WHERE key NOT IN (SELECT key FROM taken WHERE act = 'BORN')
`;

/** The keys of statements outside transactions; deletes their rows. */
const takeRest = (sql: Sql) => sql<WrittenRow[]>`
  WITH taken AS (DELETE FROM watch.written RETURNING *)
  SELECT key, written, act, statement, at FROM taken
  WHERE (xid, key) NOT IN (SELECT xid, key FROM taken WHERE act = 'BORN')
`;

const describe = ({ key, written, act, statement }: WrittenRow): string =>
  `${key}, of which ${written} has a part (${act}), by: ${statement.replaceAll(/\s+/g, " ").trim()}`;

const fail = (missing: WrittenRow[]): void => {
  if (missing.length === 0) return;
  const found = [...new Set(missing.map(describe))].slice(0, 20);
  throw new Error(
    `Rows were written, and what is cached of them was not invalidated. The server's SQL has to do it ` +
      `with invalidate(); a test writes with fixture().\n  ${found.join("\n  ")}`,
  );
};

/** The clock of this machine, which is also the database's, whatever the test makes of Date. */
const now = (): number => performance.timeOrigin + performance.now();
/** The two read it in different ways. */
const TOLERANCE_MS = 5;

export type Watch = {
  /** Throws for transactions since the last call that did not invalidate what they wrote. */
  checkTransactions(): void;
  /** The same, and for statements outside transactions: what they do must be over. */
  check(): Promise<void>;
};

/** Begins to compare what the server writes with what it invalidates. */
export const watchInvalidation = (app: App): Watch => {
  const missing: WrittenRow[] = [];
  const invalidatedAt = new Map<CacheKey, number>();
  observeInvalidation(app.sql, {
    async beforeCommit(tx, keys) {
      // A transaction that has failed and is rolled back cannot be asked.
      const rows = await takeOwn(tx).catch(() => []);
      missing.push(...rows.filter(({ key }) => !keys.has(key)));
    },
    atOnce(keys) {
      for (const key of keys) invalidatedAt.set(key, now());
    },
  });
  const isMissing = ({ key, at }: WrittenRow): boolean =>
    (invalidatedAt.get(key) ?? 0) < at - TOLERANCE_MS;
  return {
    checkTransactions: () => fail(missing.splice(0)),
    async check() {
      const rest = await takeRest(app.sql);
      fail([...missing.splice(0), ...rest.filter(isMissing)]);
    },
  };
};

/** Rows that a test writes by SQL, as if the server had written them. */
export const writeFixture = async <T>(app: App, write: (sql: Tx) => Promise<T>): Promise<T> => {
  let isTruncated = false;
  const result = await app.sql.begin(async (tx) => {
    const written = await write(tx);
    const keys = (await takeOwn(tx)).map(({ key }) => key);
    isTruncated = keys.includes(ALL);
    invalidate(tx, ...keys.filter((key) => key !== ALL));
    return written;
  });
  if (isTruncated) app.caches.clear();
  return result as T;
};
