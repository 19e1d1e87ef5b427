// SQL by which the import writes: rows of any table by their primary key, and its progress.

import type { Db, Sql, Tx } from "./uses.ts";
import type { Row } from "./step.ts";

type Reference = { column: string; table: string; isNullable: boolean };

/** A table as the database describes it. */
export type Target = { table: string; key: string[]; references: Reference[] };

export const selectTarget = async (db: Db, table: string): Promise<Target> => {
  const [key, references] = [
    await db<{ name: string }[]>`
      SELECT a.attname AS name FROM pg_constraint c
      JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey)
      WHERE c.conrelid = ${table}::regclass AND c.contype = 'p'
    `,
    await db<{ name: string; target: string; nullable: boolean }[]>`
      SELECT a.attname AS name, c.confrelid::regclass::text AS target, NOT a.attnotnull AS nullable
      FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
      WHERE c.conrelid = ${table}::regclass AND c.contype = 'f' AND cardinality(c.conkey) = 1
    `,
  ];
  return {
    table,
    key: key.map(({ name }) => name),
    references: references.map(({ name, target, nullable }) => ({
      column: name,
      table: target,
      isNullable: nullable,
    })),
  };
};

const has = (target: Target, { table, column }: Reference): string => {
  const there = `EXISTS (SELECT FROM ${table} t WHERE t.id = r."${column}")`;
  return table === target.table ? `(${there} OR r."${column}" IN (SELECT id FROM input))` : there;
};

const quotedAll = (columns: string[], prefix = ""): string[] =>
  columns.map((column) => `${prefix}"${column}"`);

/**
 * Selects the rows of $1 as `fit`: without those that need a missing row, and with optional references only to existing
 * ones.
 */
const fitting = (target: Target, columns: string[]): string => {
  const referring = target.references.filter(({ column }) => columns.includes(column));
  const value = (column: string): string => {
    const reference = referring.find(
      ({ column: name, isNullable }) => name === column && isNullable,
    );
    const plain = `r."${column}"`;
    return `${reference ? `CASE WHEN ${has(target, reference)} THEN ${plain} END` : plain} AS "${column}"`;
  };
  const needed = referring
    .filter(({ isNullable }) => !isNullable)
    .map((reference) => has(target, reference));
  return `input AS MATERIALIZED (
      SELECT * FROM jsonb_populate_recordset(NULL::${target.table}, $1::text::jsonb)
    ), fit AS MATERIALIZED (
      SELECT ${columns.map(value).join(", ")} FROM input r
      ${needed.length > 0 ? `WHERE ${needed.join(" AND ")}` : ""}
    )`;
};

/**
 * Inserts rows, or changes existing ones. A row that needs a missing one is left out; an optional reference to a
 * missing one becomes null. `keep`: existing rows stay unchanged. Returns how many were left out.
 */
export const upsertRows = async (
  tx: Tx,
  target: Target,
  rows: Row[],
  { keep }: { keep: boolean },
): Promise<number> => {
  if (rows.length === 0) return 0;
  const columns = Object.keys(rows[0]!);
  const names = quotedAll(columns).join(", ");
  const changing = quotedAll(columns.filter((name) => !target.key.includes(name)));
  const update =
    keep || changing.length === 0
      ? "DO NOTHING"
      : `DO UPDATE SET ${changing.map((name) => `${name} = excluded.${name}`).join(", ")}
        WHERE (${changing.map((name) => `w.${name}`).join(", ")})
          IS DISTINCT FROM (${changing.map((name) => `excluded.${name}`).join(", ")})`;
  const [row] = await tx.unsafe<{ fit: number }[]>(
    `WITH ${fitting(target, columns)}, upserted AS (
      INSERT INTO ${target.table} AS w (${names}) SELECT ${names} FROM fit
      ON CONFLICT (${target.key.join(", ")}) ${update}
    )
    SELECT count(*)::int AS fit FROM fit`,
    [JSON.stringify(rows)],
  );
  return rows.length - row!.fit;
};

/** Returns which of these rows are missing or have other values, a sentence each. */
export const selectDifferent = async (
  sql: Sql,
  target: Target,
  rows: Row[],
  uncompared: string[],
): Promise<string[]> => {
  if (rows.length === 0) return [];
  const { table, key } = target;
  const columns = Object.keys(rows[0]!);
  const compared = columns.filter((name) => !key.includes(name) && !uncompared.includes(name));
  const differing = compared.map(
    (name) => `CASE WHEN f."${name}" IS DISTINCT FROM t."${name}" THEN '${name}' END`,
  );
  const faults = await sql.unsafe<{ fault: string }[]>(
    `WITH ${fitting(target, columns)}, compared AS (
      SELECT concat_ws(' ', ${quotedAll(key, "f.").join(", ")}) AS key, t."${key[0]}" IS NULL AS missing,
        concat_ws(' ', ${["NULL", ...differing].join(", ")}) AS columns
      FROM fit f LEFT JOIN ${table} t USING (${quotedAll(key).join(", ")})
    )
    SELECT '${table} ' || key || CASE WHEN missing THEN ' is missing' ELSE ' differs in ' || columns END AS fault
    FROM compared WHERE missing OR columns <> ''`,
    [JSON.stringify(rows)],
  );
  return faults.map(({ fault }) => fault);
};

/** Changes columns of existing rows, by id. */
export const patchRows = async (tx: Tx, target: Target, rows: Row[]): Promise<void> => {
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]!).filter((column) => column !== "id");
  const set = columns.map((column) => {
    const reference = target.references.find(({ column: name }) => name === column);
    const value = reference
      ? `CASE WHEN EXISTS (SELECT FROM ${reference.table} t WHERE t.id = r."${column}") THEN r."${column}" END`
      : `r."${column}"`;
    return `"${column}" = ${value}`;
  });
  await tx.unsafe(
    `UPDATE ${target.table} w SET ${set.join(", ")}
    FROM jsonb_populate_recordset(NULL::${target.table}, $1::text::jsonb) r WHERE w.id = r.id`,
    [JSON.stringify(rows)],
  );
};

export const deleteBy = (tx: Tx, table: string, column: string, ids: string[]) =>
  tx.unsafe(`DELETE FROM ${table} WHERE ${column} = ANY($1::bigint[])`, [ids]);

/** Selects ids of a table, in order. */
export const selectIds = async (sql: Sql, table: string, after: string, limit: number) => {
  const rows = await sql.unsafe<{ id: string }[]>(
    `SELECT id FROM ${table} WHERE id > $1 ORDER BY id LIMIT ${limit}`,
    [after],
  );
  return rows.map(({ id }) => id);
};

export const selectCountHere = async (sql: Sql, table: string): Promise<number> => {
  const [row] = await sql.unsafe<{ count: string }[]>(`SELECT count(*) AS count FROM ${table}`);
  return Number(row!.count);
};

export type Progress = {
  name: string;
  pass: number;
  after: string[] | null;
  done: boolean;
  rows: string;
  orphans: string;
  refused: string;
  fault: string | null;
};

export const selectProgress = async (sql: Sql): Promise<Progress[]> => [
  ...(await sql<Progress[]>`
    SELECT name, pass, after, done, rows, orphans, refused, fault FROM moving_steps
  `),
];

type Advance = { name: string; pass: number; after: string[] | null; rows: number };

export const insertAdvance = (tx: Tx, step: Advance, left: number) => tx`
  INSERT INTO moving_steps AS s (name, pass, after, rows, orphans)
  VALUES (${step.name}, ${step.pass}, ${tx.json(step.after)}, ${step.rows}, ${left})
  ON CONFLICT (name) DO UPDATE SET
    pass = excluded.pass, after = excluded.after, done = false,
    rows = s.rows + excluded.rows, orphans = s.orphans + excluded.orphans
`;

export const insertDone = (sql: Sql, name: string, pass: number) => sql`
  INSERT INTO moving_steps AS s (name, pass, done) VALUES (${name}, ${pass}, true)
  ON CONFLICT (name) DO UPDATE SET pass = excluded.pass, after = NULL, done = true
`;

export const insertRefused = (sql: Sql, name: string, pass: number, fault: string) => sql`
  INSERT INTO moving_steps AS s (name, pass, refused, fault) VALUES (${name}, ${pass}, 1, ${fault})
  ON CONFLICT (name) DO UPDATE SET refused = s.refused + 1, fault = excluded.fault
`;

export type Pass = {
  pass: number;
  since: string | null;
  began: string;
  started_at: Date;
  finished_at: Date | null;
};

export const selectPass = async (sql: Sql): Promise<Pass | null> => {
  const [row] = await sql<Pass[]>`
    SELECT pass, since::text AS since, began::text AS began, started_at, finished_at FROM moving
  `;
  return row ?? null;
};

/** Inserts the first pass, or the next after a finished one. */
export const insertPass = (sql: Sql, now: string) => sql`
  INSERT INTO moving AS m (pass, began, started_at) VALUES (1, ${now}::text::timestamp, now())
  ON CONFLICT (id) DO UPDATE SET
    pass = m.pass + 1, since = m.began, began = excluded.began, finished_at = NULL
  WHERE m.finished_at IS NOT NULL
`;

export const finishPass = (sql: Sql) => sql`UPDATE moving SET finished_at = now()`;

type Emptiness = {
  users: boolean;
  statuses: boolean;
  sessions: boolean;
  served: Date | null;
};

/** Whether there is anything that a server that nobody used does not have. */
export const selectEmptiness = async (sql: Sql): Promise<Emptiness> => {
  const [row] = await sql<Emptiness[]>`
    SELECT EXISTS (SELECT FROM users) AS users, EXISTS (SELECT FROM statuses) AS statuses,
      EXISTS (SELECT FROM sessions) AS sessions, (SELECT since FROM site) AS served
  `;
  return row!;
};
