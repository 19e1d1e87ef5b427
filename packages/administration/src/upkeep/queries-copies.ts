// SQL of what the upkeep of copied files and of cards counts and forgets.

import type { Db, Fragment } from "../uses.ts";

export type Usage = { kind: string; files: number; bytes: number };

export const selectUsage = (db: Db) => db<Usage[]>`
  SELECT 'copies of remote files' AS kind, count(key)::int AS files,
    coalesce(sum(bytes), 0)::float8 AS bytes
  FROM remote_files
  UNION ALL
  SELECT 'remote files that cannot be fetched', count(*)::int, 0 FROM remote_files WHERE key IS NULL
  UNION ALL
  SELECT 'uploads (without their previews)', count(*)::int, coalesce(sum(file_size), 0)::float8
  FROM media_attachments WHERE file_key IS NOT NULL
`;

const forgotten = (db: Db, host: string | null): Fragment =>
  host === null ? db`key IS NULL` : db`host = ${host}`;

/** Forgets copies of a host, or all that could not be fetched; they are fetched again when somebody looks. */
export const forgetCopies = async (db: Db, host: string | null): Promise<number> => {
  const { count } = await db`DELETE FROM remote_files WHERE ${forgotten(db, host)}`;
  return count;
};

/** Counts copies not looked at since then. */
export const countUnused = async (db: Db, before: Date): Promise<number> => {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM remote_files WHERE used_at < ${before}
  `;
  return row.count;
};

export const countForgotten = async (db: Db, host: string | null): Promise<number> => {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM remote_files WHERE ${forgotten(db, host)}
  `;
  return row.count;
};

/** Counts cards without a post. */
export const countUnusedCards = async (db: Db, now: Date): Promise<number> => {
  const [row] = await db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM preview_cards c
    WHERE c.kept_until < ${now} AND NOT EXISTS (
      SELECT FROM status_links k JOIN statuses s ON s.id = k.status_id AND s.card_hash = k.url_hash
      WHERE k.url_hash = c.url_hash
    )
  `;
  return row.count;
};
