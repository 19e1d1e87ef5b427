// SQL of the files that are to be deleted. Rows that name files add them by triggers when they go.

import type { Db, Fragment } from "../db/index.ts";

/** What nothing names any more; within the transaction that makes it so. */
export const addFilesToDelete = (db: Db, keys: string[]) => db`
  INSERT INTO files_to_delete (key) SELECT unnest(${keys}::text[]) ON CONFLICT DO NOTHING
`;

/** An arbitrary number that only backups use. */
const HOLD = 7_266_535;

/** No file is deleted until the end of this transaction; false: another one holds them already. */
export const holdFiles = async (db: Db): Promise<boolean> => {
  const [row] = await db<{ got: boolean }[]>`SELECT pg_try_advisory_xact_lock(${HOLD}) AS got`;
  return row!.got;
};

const isLocked = (db: Db): Fragment => db`EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND objid = ${HOLD} AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)`;

/** Whether a backup is being made, by whatever process. */
export const areFilesHeld = async (db: Db): Promise<boolean> => {
  const [row] = await db<[{ locked: boolean }]>`SELECT ${isLocked(db)} AS locked`;
  return row.locked;
};

/** None while they are held. */
export const selectFilesToDelete = async (db: Db, limit: number): Promise<string[]> => {
  const rows = await db<{ key: string }[]>`
    SELECT key FROM files_to_delete WHERE NOT ${isLocked(db)} ORDER BY since LIMIT ${limit}
  `;
  return rows.map(({ key }) => key);
};

export const filesDeleted = (db: Db, keys: string[]) =>
  db`DELETE FROM files_to_delete WHERE key = ANY(${keys}::text[])`;
