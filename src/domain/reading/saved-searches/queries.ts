// All SQL of the saved-searches slice.

import type { Db, Tx } from "../../../platform/db/index.ts";

export type SavedSearch = { id: string; q: string; created_at: Date };

/** Selects those of one person, by their text. */
export const selectSavedSearches = (db: Db, accountId: string) => db<SavedSearch[]>`
  SELECT id, q, created_at FROM saved_searches WHERE account_id = ${accountId} ORDER BY q
`;

export const selectSavedSearch = async (db: Db, accountId: string, q: string) => {
  const [row] = await db<SavedSearch[]>`
    SELECT id, q, created_at FROM saved_searches WHERE account_id = ${accountId} AND q = ${q}
  `;
  return row ?? null;
};

/** Returns null where the person has it already, or the limit is reached. The account is locked (accounts/lock.ts). */
export const insertSavedSearch = async (tx: Tx, accountId: string, q: string, most: number) => {
  const [row] = await tx<SavedSearch[]>`
    INSERT INTO saved_searches (account_id, q)
    SELECT ${accountId}::bigint, ${q}
    WHERE (SELECT count(*) FROM saved_searches WHERE account_id = ${accountId}) < ${most}
    ON CONFLICT (account_id, q) DO NOTHING
    RETURNING id, q, created_at
  `;
  return row ?? null;
};

/** Returns whether there was one. */
export const deleteSavedSearch = async (db: Db, accountId: string, id: string) => {
  const { count } = await db`
    DELETE FROM saved_searches WHERE account_id = ${accountId} AND id = ${id}
  `;
  return count > 0;
};
