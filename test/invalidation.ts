// Checks that code that writes rows also invalidates what is cached of them. Triggers, which only the test template
// has, record the keys that each transaction should invalidate; the harness compares them with those that the server
// invalidated.

import type { App } from "../src/platform/app.ts";
import { invalidate, observeInvalidation } from "../src/platform/db/commits.ts";
import type { CacheKey } from "../src/platform/db/commits.ts";
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
  CREATE FUNCTION watch.truncated() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO watch.written
    VALUES (pg_current_xact_id(), 'all', TG_TABLE_NAME, TG_OP, current_query(), 0);
    RETURN NULL;
  END
  $$;
`;

type Act = "INSERT" | "UPDATE" | "DELETE";
/** The watched rows of one table. */
type Watched = { table: string; rows: WatchedRows[]; born: string[] };

const insertKeys = (table: string, from: string): string => `
  INSERT INTO watch.written
  SELECT pg_current_xact_id(), k.key, '${table}', k.act, left(current_query(), 400),
    extract(epoch FROM pg_catalog.clock_timestamp()) * 1000
  FROM ${from}
  WHERE k.key IS NOT NULL
`;

/** Returns SQL for the keys of the rows `r`, each with its act. */
const keysOf = (keys: [key: string, act: string][]): string =>
  `CROSS JOIN LATERAL (VALUES ${keys.map(([key, act]) => `(${key}, '${act}')`).join(", ")}) AS k (key, act)`;

const insertBody = ({ table, rows, born }: Watched): string => {
  const keys = rows.flatMap((row) => row.keys.map((key): [string, string] => [key, "INSERT"]));
  const all = keysOf([...keys, ...born.map((key): [string, string] => [key, "BORN"])]);
  return insertKeys(table, `new_rows AS r ${all}`);
};

const deleteBody = ({ table, rows }: Watched): string => {
  const keys = rows.flatMap((row) => row.keys.map((key): [string, string] => [key, "DELETE"]));
  return insertKeys(table, `old_rows AS r ${keysOf(keys)}`);
};

/**
 * Returns SQL for rows that differ before and after, each in both versions. The two tables have them in the same order.
 */
const updateBody = ({ table, rows }: Watched): string => {
  const numbered = (side: string) => `(SELECT row_number() OVER () AS n, * FROM ${side}_rows)`;
  const of = (side: string, columns: Iterable<string>) =>
    [...columns].map((column) => `${side}.${column}`).join(", ");
  const differs = rows.map(
    ({ columns }, index) =>
      `ROW(${of("before", columns)}) IS DISTINCT FROM ROW(${of("after", columns)}) AS d${index}`,
  );
  const columns = new Set(rows.flatMap((row) => row.columns));
  const keys = rows.flatMap((row, index) =>
    row.keys.map((key): [string, string] => [`CASE WHEN d.d${index} THEN ${key} END`, "UPDATE"]),
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

/** Makes one trigger for each act, because every connection compiles and plans each trigger that fires. */
const watchTable = (watched: Watched): string =>
  Object.entries(BODIES)
    .map(([act, [body, sides]]) => {
      const name = `watch_${watched.table}_${act.toLowerCase()}`;
      return `
        CREATE FUNCTION watch.${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          ${body(watched)};
          RETURN NULL;
        END
        $$;
        CREATE TRIGGER ${name} AFTER ${act} ON ${watched.table} REFERENCING ${sides} FOR EACH STATEMENT
          WHEN (current_setting('application_name') = '${APPLICATION}') EXECUTE FUNCTION watch.${name}();
      `;
    })
    .join("");

/**
 * Makes a trigger for TRUNCATE, which only tests use. Any row of the table may be cached, so everything has to be
 * invalidated.
 */
const watchTruncation = (table: string): string => `
  CREATE TRIGGER watch_truncate AFTER TRUNCATE ON ${table}
    FOR EACH STATEMENT EXECUTE FUNCTION watch.truncated();
`;

const watchedTables = (): Watched[] =>
  [...new Set(WATCHED.map(({ table }) => table))].map((table) => ({
    table,
    rows: WATCHED.filter((row) => row.table === table),
    born: BORN.filter((row) => row.table === table).flatMap(({ keys }) => keys),
  }));

/** Installs the triggers in the template, of which every test database is a clone. */
export const installWatch = async (sql: Sql): Promise<void> => {
  await sql.unsafe(SCHEMA);
  const tables = watchedTables();
  await sql.unsafe(tables.map(watchTable).join(""));
  await sql.unsafe(tables.map(({ table }) => watchTruncation(table)).join(""));
};

/** Key of a truncation. */
const ALL = "all" as CacheKey;

type WrittenRow = {
  xid: string;
  key: CacheKey;
  written: string;
  act: string;
  statement: string;
  at: number;
};

/** Whether a query is one of this check's: tests that count statements leave these out. */
export const isWatchQuery = (query: string): boolean => query.includes("watch.written");

/** Returns and deletes the record of what the transaction wrote so far. */
const takeOwn = (tx: Tx) => tx<WrittenRow[]>`
  DELETE FROM watch.written WHERE xid = pg_current_xact_id_if_assigned() RETURNING *
`;

/** Returns and deletes the record of what statements outside transactions wrote. */
const takeRest = (sql: Sql) => sql<WrittenRow[]>`DELETE FROM watch.written RETURNING *`;

/**
 * Returns the rows whose keys have to be invalidated: not rows of something that the same transaction created, since
 * nothing can be cached of it. A row that was deleted before in the transaction is not new.
 */
const toInvalidate = (rows: WrittenRow[]): WrittenRow[] => {
  const deleted = new Set<string>();
  const born = new Set<string>();
  for (const { xid, key, written, act } of rows.toSorted((a, b) => a.at - b.at)) {
    if (act === "DELETE") deleted.add(`${xid} ${written} ${key}`);
    if (act === "BORN" && !deleted.has(`${xid} ${written} ${key}`)) born.add(`${xid} ${key}`);
  }
  return rows.filter(({ xid, key, act }) => act !== "BORN" && !born.has(`${xid} ${key}`));
};

const describe = ({ key, written, act, statement }: WrittenRow): string =>
  `${key}, of which ${written} has a part (${act}), by: ${statement.replaceAll(/\s+/g, " ").trim()}`;

const fail = (missing: WrittenRow[]): void => {
  if (missing.length === 0) return;
  const faults = [...new Set(missing.map(describe))].slice(0, 20);
  throw new Error(
    `Rows were written, and what is cached of them was not invalidated. The server's SQL has to do it ` +
      `with invalidate(); a test writes with fixture().\n  ${faults.join("\n  ")}`,
  );
};

/** Returns the time of this machine, which is also the database's, whatever the test makes of Date. */
const now = (): number => performance.timeOrigin + performance.now();
/** Milliseconds by which the two clocks may differ, since they are read in different ways. */
const TOLERANCE_MS = 5;

export type Watch = {
  /** Throws for transactions since the last call that did not invalidate what they wrote. */
  checkTransactions(): void;
  /** Does the same, and for statements outside transactions, which must be finished. */
  check(): Promise<void>;
};

/** Starts to compare what the server writes with what it invalidates. */
export const watchInvalidation = (app: App): Watch => {
  const missing: WrittenRow[] = [];
  const invalidatedAt = new Map<CacheKey, number>();
  observeInvalidation(app.sql, {
    beforeCommit(tx, keys) {
      // This is sent with the commit. A transaction that has failed and is rolled back cannot be queried.
      void takeOwn(tx).then(
        (rows) => missing.push(...toInvalidate(rows).filter(({ key }) => !keys.has(key))),
        () => {},
      );
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
      const rest = toInvalidate(await takeRest(app.sql));
      fail([...missing.splice(0), ...rest.filter(isMissing)]);
    },
  };
};

/** Writes rows by SQL for a test, as if the server had written them. */
export const writeFixture = async <T>(app: App, write: (sql: Tx) => Promise<T>): Promise<T> => {
  let isTruncated = false;
  const result = await app.sql.begin(async (tx) => {
    const written = await write(tx);
    const keys = toInvalidate(await takeOwn(tx)).map(({ key }) => key);
    isTruncated = keys.includes(ALL);
    invalidate(tx, ...keys.filter((key) => key !== ALL));
    return written;
  });
  if (isTruncated) app.caches.clear();
  return result as T;
};
