// Deleting rows by age, or with what they belong to, a slice at a time: each statement is bounded, however
// much there is.

import type { Db } from "./index.ts";

/** Rows of a table in one statement: some tens of milliseconds of locks. */
export const SLICE = 1000;

/**
 * Deletes a slice of the rows whose `column`, which has an index, is less than `before`; true when there may
 * be more. Rows that another process is just deleting are passed over.
 */
export const deleteOlder = async (
  db: Db,
  table: string,
  column: string,
  before: Date | string,
): Promise<boolean> => {
  const { count } = await db`
    DELETE FROM ${db(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${db(table)} WHERE ${db(column)} < ${before}
      ORDER BY ${db(column)} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED
    ))
  `;
  return count === SLICE;
};

/**
 * Deletes a slice of the rows whose `column`, which has an index, is this id; true when there may be more.
 * For rows that nothing is cached of.
 */
export const deleteSliceOf = async (
  db: Db,
  table: string,
  column: string,
  id: string,
): Promise<boolean> => {
  const { count } = await db`
    DELETE FROM ${db(table)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${db(table)} WHERE ${db(column)} = ${id} LIMIT ${SLICE} FOR UPDATE SKIP LOCKED
    ))
  `;
  return count === SLICE;
};
