// A step of the import converts rows of one table there, in the order of a key, to rows of tables here.

import type { App, Sql } from "./uses.ts";
import type { OldEnv } from "./env.ts";
import type { FileMover } from "./files.ts";

/** A row of either database; what a column may hold is said by the schema alone. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = Record<string, any>;

/** Tables in the order in which they are written. */
export type Tables = Record<string, Row[]>;

export type Written = {
  /** Values of a column whose rows are deleted first: a changed post brings its mentions again. */
  forget?: { table: string; column: string; ids: string[] }[];
  /** New rows, or new values of existing rows, by their primary key. */
  into?: Tables;
  /** Tables of `into` in which existing rows stay unchanged. */
  keep?: string[];
  /** Columns of existing rows; the first member of each is `id`. */
  patch?: Tables;
};

export type Context = {
  app: App;
  /** Connection that is read-only. */
  old: Sql;
  env: OldEnv;
  /** For example https://social.example. */
  origin: string;
  files: FileMover;
  pass: number;
};

export type Step = {
  name: string;
  /** Source table, called `o` in the SQL below. Its columns are those that the mapping takes. */
  from: string;
  /** Columns of the order; `id` by default. */
  key?: string[];
  /** Condition of the rows, in SQL. */
  where?: string;
  /** Further expressions to select, by name. */
  extra?: Record<string, string>;
  /** Further expressions for tables that only newer versions have. */
  extraOf?: Record<string, Record<string, string>>;
  /** Condition of what a later pass takes, in SQL with $since; null for everything again. */
  changed?: string | null;
  /** Table here with the same ids: a later pass deletes those that are gone there. */
  sweeps?: string;
  /** Table here with as many rows as the step has; by default that of `sweeps`. */
  counts?: string;
  /** True when the step only deletes. */
  takesNothing?: boolean;
  /** Rows of a batch. */
  batch?: number;
  convert(rows: Row[], context: Context): Written | Promise<Written>;
};

export const countedIn = ({ counts, sweeps, takesNothing }: Step): string | undefined =>
  takesNothing ? undefined : (counts ?? sweeps);

/** Makes the conversion of a step whose rows become one row each, or none (null). */
export const rowByRow = (
  table: string,
  convert: (row: Row, context: Context) => Row | null,
): Step["convert"] => {
  return (rows, context) => ({
    into: { [table]: rows.flatMap((row) => convert(row, context) ?? []) },
  });
};

/** Makes the conversion of a step whose rows keep these columns; `more` returns the others. */
export const copied = (
  table: string,
  columns: string,
  more: (row: Row, context: Context) => Row = () => ({}),
): Step["convert"] => {
  const names = columns.split(/\s+/);
  return rowByRow(table, (row, context) => ({
    ...Object.fromEntries(names.map((name) => [name, row[name]])),
    ...more(row, context),
  }));
};

/** Returns the name that a number stands for there. */
export const named = <T>(names: Record<number, T>, value: unknown, otherwise: T): T =>
  names[Number(value)] ?? otherwise;
