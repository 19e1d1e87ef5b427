// SQL that finds the feeds affected by a change of relations.

import type { Db } from "../../platform/db/index.ts";

/** The lists of these people. */
export const selectListIds = async (db: Db, accountIds: string[]): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM lists WHERE account_id = ANY(${accountIds}::bigint[])
  `;
  return rows.map((row) => row.id);
};
