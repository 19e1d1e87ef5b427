// All SQL of the saved-searches slice.

import type { Db, Tx } from "../../../platform/db/index.ts";
import { firstRow, hasRows } from "../../../platform/db/rows.ts";

export type SavedSearch = { id: string; q: string; created_at: Date };

/** Selects those of one person, by their text. */
export const selectSavedSearches = (db: Db, accountId: string) => db<SavedSearch[]>`
  SELECT id, q, created_at FROM saved_searches WHERE account_id = ${accountId} ORDER BY q
`;

export const selectSavedSearch = (db: Db, accountId: string, q: string) =>
  firstRow(db<SavedSearch[]>`
    SELECT id, q, created_at FROM saved_searches WHERE account_id = ${accountId} AND q = ${q}
  `);

/** Returns null where the person has it already, or the limit is reached. The account is locked (accounts/lock.ts). */
export const insertSavedSearch = (tx: Tx, accountId: string, q: string, most: number) =>
  firstRow(tx<SavedSearch[]>`
    INSERT INTO saved_searches (account_id, q)
    SELECT ${accountId}::bigint, ${q}
    WHERE (SELECT count(*) FROM saved_searches WHERE account_id = ${accountId}) < ${most}
    ON CONFLICT (account_id, q) DO NOTHING
    RETURNING id, q, created_at
  `);

/** Returns whether there was one. */
export const deleteSavedSearch = (db: Db, accountId: string, id: string) =>
  hasRows(db`
    DELETE FROM saved_searches WHERE account_id = ${accountId} AND id = ${id}
  `);
