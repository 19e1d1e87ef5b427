// Deletes rows by age, or with what they belong to, a slice at a time: each statement is bounded, however many rows
// there are.

import type { Db, Fragment } from "./index.ts";

/** Rows deleted by one statement, which holds its locks for some tens of milliseconds. */
export const SLICE = 1000;

/**
 * Deletes a slice of the rows for which `condition` holds, which an index has to serve and which may end with ORDER BY;
 * rows that another process is just deleting are skipped. `returning` are columns of the deleted rows, for invalidating
 * caches. `isMore` says that there may be others.
 */
export const deleteSlice = async <T extends object>(
  db: Db,
  table: string,
  condition: Fragment,
  returning?: Fragment,
): Promise<{ rows: T[]; count: number; isMore: boolean }> => {
  const rows = await db<T[]>`
    DELETE FROM ${db(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${db(table)} WHERE ${condition} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED
    ))
    ${returning ? db`RETURNING ${returning}` : db``}
  `;
  return { rows: [...rows], count: rows.count, isMore: rows.count === SLICE };
};

/** Deletes a slice of the rows whose `column` is less than `before`; returns whether there may be more. */
export const deleteOlder = async (
  db: Db,
  table: string,
  column: string,
  before: Date | string,
): Promise<boolean> => {
  const condition = db`${db(column)} < ${before} ORDER BY ${db(column)}`;
  return (await deleteSlice(db, table, condition)).isMore;
};

/**
 * Deletes a slice of the rows whose `column` is this id; returns whether there may be more. Only for rows of which
 * nothing is cached.
 */
export const deleteSliceOf = async (db: Db, table: string, column: string, id: string) =>
  (await deleteSlice(db, table, db`${db(column)} = ${id}`)).isMore;
