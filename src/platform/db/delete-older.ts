// Deleting rows by age, or with what they belong to, a slice at a time: each statement is bounded, however
// much there is.

import type { Db, Fragment } from "./index.ts";

/** Rows of a table in one statement: some tens of milliseconds of locks. */
export const SLICE = 1000;

/**
 * Deletes a slice of the rows for which `condition` holds, which an index has to serve and which may end with
 * ORDER BY; rows that another process is just deleting are passed over. `returning`: columns of the deleted rows,
 * for whoever invalidates what is cached of them. `isMore`: there may be others.
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

/** A slice of the rows whose `column` is less than `before`; true when there may be more. */
export const deleteOlder = async (
  db: Db,
  table: string,
  column: string,
  before: Date | string,
): Promise<boolean> => {
  const condition = db`${db(column)} < ${before} ORDER BY ${db(column)}`;
  return (await deleteSlice(db, table, condition)).isMore;
};

/** Deletes all rows but so many with the highest ids. */
export const keepNewest = (db: Db, table: string, count: number) =>
  db`
    DELETE FROM ${db(table)} WHERE id <= (
      SELECT id FROM ${db(table)} ORDER BY id DESC OFFSET ${count} LIMIT 1
    )
  `;

/**
 * A slice of the rows whose `column` is this id; true when there may be more. For rows that nothing is
 * cached of.
 */
export const deleteSliceOf = async (
  db: Db,
  table: string,
  column: string,
  id: string,
): Promise<boolean> => (await deleteSlice(db, table, db`${db(column)} = ${id}`)).isMore;
