// SQL on the other database, always read-only.

import type { Sql } from "./uses.ts";
import { newerOf, takenOf } from "./columns.ts";
import type { Row, Step } from "./step.ts";

export type Column = { table: string; name: string; type: string };

/** Whether the step's table exists: only newer versions have some. */
export const isThere = (columns: Column[], { from }: Step): boolean =>
  columns.some(({ table }) => table === from);

export const selectOldColumns = async (old: Sql): Promise<Column[]> => [
  ...(await old<Column[]>`
    SELECT c.table_name AS table, c.column_name AS name, c.data_type AS type
    FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
    ORDER BY 1, c.ordinal_position
  `),
];

/** Selects the time by its clock. */
export const selectOldNow = async (old: Sql): Promise<string> => {
  const [row] = await old<{ now: string }[]>`SELECT (now() AT TIME ZONE 'UTC')::text AS now`;
  return row!.now;
};

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Returns the expression that reads a column: times keep their microseconds, JSON its numbers. */
const reading = ({ name, type }: Column): string => {
  const column = `o.${quoted(name)}`;
  if (type === "timestamp without time zone") return `${column}::text || 'Z' AS ${quoted(name)}`;
  if (/^(?:json|inet)/.test(type)) return `${column}::text AS ${quoted(name)}`;
  if (type === "ARRAY") return `to_json(${column}::text[]) AS ${quoted(name)}`;
  return `${column} AS ${quoted(name)}`;
};

const keyOf = ({ key = ["id"] }: Step): string[] => key;

/** Returns the conditions of a step's rows; `since` restricts them to what changed then. */
const conditions = (step: Step, since: string | null): string[] => {
  const changed = step.changed === undefined ? "o.updated_at >= $since" : step.changed;
  return [
    ...(step.where ? [`(${step.where})`] : []),
    ...(since !== null && changed !== null
      ? [`(${changed.replaceAll("$since", `timestamp '${since}'`)})`]
      : []),
  ];
};

export type Batch = { after: string[] | null; since: string | null; limit: number };

/** Returns what a step selects: its columns and expressions. */
const selecting = (step: Step, columns: Column[]): string => {
  const taken = new Set([...takenOf(step.from), ...newerOf(step.from)]);
  const own = columns.filter(({ table, name }) => table === step.from && taken.has(name));
  const tables = new Set(columns.map(({ table }) => table));
  const newer = Object.entries(step.extraOf ?? {}).filter(([table]) => tables.has(table));
  const extra = [step.extra ?? {}, ...newer.map(([, more]) => more)]
    .flatMap((expressions) => Object.entries(expressions))
    .map(([name, sql]) => `(${sql}) AS ${quoted(name)}`);
  return `SELECT ${[...own.map(reading), ...extra].join(", ")} FROM ${quoted(step.from)} o`;
};

const whereAll = (parts: string[]): string =>
  parts.length > 0 ? `WHERE ${parts.join(" AND ")}` : "";

/** Selects the next rows in the order of the key. */
export const selectBatch = async (
  old: Sql,
  step: Step,
  columns: Column[],
  { after, since, limit }: Batch,
): Promise<Row[]> => {
  const key = keyOf(step).map((name) => `o.${quoted(name)}`);
  const where = conditions(step, since);
  if (after) where.push(`(${key.join(", ")}) > (${after.map((_, n) => `$${n + 1}`).join(", ")})`);
  return [
    ...(await old.unsafe<Row[]>(
      `${selecting(step, columns)} ${whereAll(where)} ORDER BY ${key.join(", ")} LIMIT ${limit}`,
      after ?? [],
    )),
  ];
};

/** Counts the rows of a step. */
export const selectCount = async (old: Sql, step: Step): Promise<number> => {
  const [row] = await old.unsafe<{ count: string }[]>(
    `SELECT count(*) AS count FROM ${quoted(step.from)} o ${whereAll(conditions(step, null))}`,
  );
  return Number(row!.count);
};

/** Selects random rows of a step. */
export const selectSample = async (
  old: Sql,
  step: Step,
  columns: Column[],
  limit: number,
): Promise<Row[]> => [
  ...(await old.unsafe<Row[]>(
    `${selecting(step, columns)} ${whereAll(conditions(step, null))} ORDER BY random() LIMIT ${limit}`,
  )),
];

/** Selects which of these ids the step no longer finds there. */
export const selectGone = async (old: Sql, step: Step, ids: string[]): Promise<string[]> => {
  const rows = await old.unsafe<{ id: string }[]>(
    `SELECT n.id FROM unnest($1::bigint[]) AS n (id)
    WHERE NOT EXISTS (
      SELECT FROM ${quoted(step.from)} o WHERE o.id = n.id ${step.where ? `AND (${step.where})` : ""}
    )`,
    [ids],
  );
  return rows.map(({ id }) => id);
};

type OldEmoji = { domain: string; shortcode: string; image_remote_url: string };

/** Selects the pictures of other servers' emojis by their names. */
export const selectEmojisOf = async (old: Sql, domains: string[], shortcodes: string[]) => [
  ...(await old<OldEmoji[]>`
    SELECT domain, shortcode, image_remote_url FROM custom_emojis
    WHERE domain = ANY(${domains}) AND shortcode = ANY(${shortcodes})
      AND image_remote_url IS NOT NULL AND NOT disabled
  `),
];

/** Counts the rows of a table that is not imported, and those that lose something. */
export const selectLeft = async (old: Sql, table: string, conditionsOf: [string, string][]) => {
  const counts = conditionsOf.map(
    ([name, sql]) => `count(*) FILTER (WHERE ${sql}) AS ${quoted(name)}`,
  );
  const [row] = await old.unsafe<Record<string, string>[]>(
    `SELECT ${["count(*) AS all", ...counts].join(", ")} FROM ${quoted(table)} o`,
  );
  return row!;
};

export const selectIsReadOnly = async (old: Sql): Promise<boolean> => {
  const [row] = await old<
    { on: boolean }[]
  >`SELECT current_setting('transaction_read_only')::bool AS on`;
  return row!.on;
};

export const selectDatabaseBytes = async (old: Sql): Promise<number> => {
  const [row] = await old<{ bytes: string }[]>`
    SELECT pg_database_size(current_database()) AS bytes
  `;
  return Number(row!.bytes);
};

/** Selects settings of the server with other names than these. */
export const selectUnknownSettings = async (old: Sql, known: string[]): Promise<string[]> => {
  const rows = await old<{ var: string }[]>`
    SELECT var FROM settings WHERE var <> ALL(${known}) ORDER BY var
  `;
  return rows.map(({ var: name }) => name);
};
