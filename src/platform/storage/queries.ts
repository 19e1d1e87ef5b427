// SQL of the files that are to be deleted. Rows that name files add them by triggers when they go.

import type { Db } from "../db/index.ts";

/** What nothing names any more; within the transaction that makes it so. */
export const addFilesToDelete = (db: Db, keys: string[]) => db`
  INSERT INTO files_to_delete (key) SELECT unnest(${keys}::text[]) ON CONFLICT DO NOTHING
`;

export const selectFilesToDelete = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db<{ key: string }[]>`
    SELECT key FROM files_to_delete ORDER BY since LIMIT ${limit}
  `;
  return rows.map(({ key }) => key);
};

export const filesDeleted = (db: Db, keys: string[]) =>
  db`DELETE FROM files_to_delete WHERE key = ANY(${keys}::text[])`;
