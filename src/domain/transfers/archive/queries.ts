// SQL of archives: their rows, and the ids of what goes into one.

import type { Db } from "../../../platform/db/index.ts";
import { deleteOlder } from "../../../platform/db/delete-older.ts";

export type ArchiveRow = {
  id: string;
  account_id: string;
  state: "waiting" | "done";
  file_key: string | null;
  bytes: string | null;
  created_at: Date;
  finished_at: Date | null;
};

export const insertArchive = async (db: Db, accountId: string, now: Date): Promise<string> => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO archives (account_id, created_at) VALUES (${accountId}, ${now}) RETURNING id
  `;
  return row!.id;
};

export const selectNewestArchive = async (
  db: Db,
  accountId: string,
): Promise<ArchiveRow | null> => {
  const [row] = await db<ArchiveRow[]>`
    SELECT * FROM archives WHERE account_id = ${accountId} ORDER BY created_at DESC LIMIT 1
  `;
  return row ?? null;
};

export const selectArchive = async (db: Db, id: string): Promise<ArchiveRow | null> => {
  const [row] = await db<ArchiveRow[]>`SELECT * FROM archives WHERE id = ${id}`;
  return row ?? null;
};

/** False when it is gone or was finished meanwhile. */
export const finishArchive = async (
  db: Db,
  id: string,
  archive: { key: string; bytes: number; at: Date },
): Promise<boolean> => {
  const { count } = await db`
    UPDATE archives SET state = 'done', file_key = ${archive.key}, bytes = ${archive.bytes}, finished_at = ${archive.at}
    WHERE id = ${id} AND state = 'waiting'
  `;
  return count > 0;
};

export const deleteArchivesBefore = (db: Db, before: Date): Promise<boolean> =>
  deleteOlder(db, "archives", "created_at", before);

export const PAGE = 100;

/** Oldest first. */
export const selectPostIds = async (
  db: Db,
  accountId: string,
  after: string,
): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM statuses WHERE account_id = ${accountId} AND id > ${after} ORDER BY id LIMIT ${PAGE}
  `;
  return rows.map(({ id }) => id);
};

/** The addresses of posts that the person marked, newest first. */
export const selectMarked = (
  db: Db,
  table: "favourites" | "bookmarks",
  accountId: string,
  before: string,
) => db<{ page_id: string; uri: string }[]>`
  SELECT m.id AS page_id, s.uri FROM ${db(table)} m JOIN statuses s ON s.id = m.status_id
  WHERE m.account_id = ${accountId} AND m.id < ${before} ORDER BY m.id DESC LIMIT 1000
`;

export type StoredFileRow = { id: string; file_key: string };

/** The files of posts, by their ids. */
export const selectFiles = (db: Db, accountId: string, after: string) => db<StoredFileRow[]>`
  SELECT id, file_key FROM media_attachments
  WHERE account_id = ${accountId} AND file_key IS NOT NULL AND status_id IS NOT NULL AND id > ${after}
  ORDER BY id LIMIT ${PAGE}
`;
