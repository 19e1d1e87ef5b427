// SQL of files that are to be deleted. Triggers add the files that deleted rows named.

import type { Db, Fragment } from "../db/index.ts";
import { onlyValue, valuesOf } from "../db/rows.ts";

/** Adds files that no row names any more, within the transaction that removed the last one. */
export const addFilesToDelete = (db: Db, keys: string[]) => db`
  INSERT INTO files_to_delete (key) SELECT unnest(${keys}::text[]) ON CONFLICT DO NOTHING
`;

/** Advisory lock of backups; the number is arbitrary, but used for nothing else. */
const HOLD = 7_266_535;

/** Prevents deletion of files until the end of this transaction; false if another one prevents it already. */
export const holdFiles = (db: Db): Promise<boolean> =>
  onlyValue(db<{ got: boolean }[]>`SELECT pg_try_advisory_xact_lock(${HOLD}) AS got`);

const isLocked = (db: Db): Fragment => db`EXISTS (
  SELECT FROM pg_locks
  WHERE locktype = 'advisory' AND objid = ${HOLD} AND granted
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
)`;

/** Whether any process is making a backup. */
export const areFilesHeld = (db: Db): Promise<boolean> =>
  onlyValue(db<[{ locked: boolean }]>`SELECT ${isLocked(db)} AS locked`);

/** Selects files to delete; none while a backup holds them. */
export const selectFilesToDelete = (db: Db, limit: number): Promise<string[]> =>
  valuesOf(db<{ key: string }[]>`
    SELECT key FROM files_to_delete WHERE NOT ${isLocked(db)} ORDER BY since LIMIT ${limit}
  `);

export const filesDeleted = (db: Db, keys: string[]) =>
  db`DELETE FROM files_to_delete WHERE key = ANY(${keys}::text[])`;
