// What a step of the import is: rows of one table there, in the order of a key, become rows of tables here.

import type { App, Sql } from "../../../src/for-packages/import-mastodon.ts";
import type { OldEnv } from "./env.ts";
import type { FileMover } from "./files.ts";

/** A row of either database; what a column may hold is said by the schema alone. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export type Row = Record<string, any>;

/** The tables in the order in which they are written. */
export type Tables = Record<string, Row[]>;

export type Written = {
  /** Rows whose references to this column's values go first: a changed post says anew whom it mentions. */
  forget?: { table: string; column: string; ids: string[] }[];
  /** New rows, or new values of rows that are there, by their primary key. */
  into?: Tables;
  /** Of those tables: rows that are there stay as they are. */
  keep?: string[];
  /** Columns of rows that are there; the first member of each is `id`. */
  patch?: Tables;
};

export type Context = {
  app: App;
  /** Read-only. */
  old: Sql;
  env: OldEnv;
  /** https://social.example */
  origin: string;
  files: FileMover;
  pass: number;
};

export type Step = {
  name: string;
  /** The table there, `o` in what follows. Its columns are those that the mapping takes. */
  from: string;
  /** The columns of the order; `id` where none are named. */
  key?: string[];
  /** Which rows: SQL. */
  where?: string;
  /** Further expressions to select, by name. */
  extra?: Record<string, string>;
  /** The same by tables that only newer versions have. */
  extraOf?: Record<string, Record<string, string>>;
  /** What a later pass takes: SQL, with $since; null: everything again. */
  changed?: string | null;
  /** The table here that has the same ids: a later pass deletes those that are gone there. */
  sweeps?: string;
  /** The table here that has as many rows as there are for this step; that of `sweeps` where nothing is said. */
  counts?: string;
  /** Only that. */
  takesNothing?: boolean;
  /** Rows at once. */
  batch?: number;
  convert(rows: Row[], context: Context): Written | Promise<Written>;
};

export const countedIn = ({ counts, sweeps, takesNothing }: Step): string | undefined =>
  takesNothing ? undefined : (counts ?? sweeps);

/** A step whose rows become one row each (null: none), or keep what they have. */
export const rowByRow = (
  table: string,
  convert: (row: Row, context: Context) => Row | null,
): Step["convert"] => {
  return (rows, context) => ({
    into: { [table]: rows.flatMap((row) => convert(row, context) ?? []) },
  });
};

/** The name that a number stands for there. */
export const named = <T>(names: Record<number, T>, value: unknown, otherwise: T): T =>
  names[Number(value)] ?? otherwise;
