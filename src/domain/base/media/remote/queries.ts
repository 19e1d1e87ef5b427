// SQL of the copies of remote files.

import { deleteSlice } from "../../../../platform/db/delete-older.ts";
import type { Db } from "../../../../platform/db/index.ts";
import { onlyValue } from "../../../../platform/db/rows.ts";
import type { RemoteKind } from "../../../../platform/storage/remote-url.ts";
import type { MediaType } from "../tables.ts";

export type RemoteFile = { url: string; type: MediaType };
/** `domain` is that of the account that shows the file. Files of suspended accounts are shown to moderators only. */
export type ShownFile = RemoteFile & { domain: string; isSuspended: boolean };

/** Selects the address that an attachment or account names; null where none may be shown. */
export const selectRemote = async (db: Db, kind: RemoteKind, id: string) => {
  const isPicture = kind !== "attachments" && kind !== "previews";
  const column = kind.endsWith("avatars") ? db`avatar_url` : db`header_url`;
  const rows = isPicture
    ? await db<ShownFile[]>`
        SELECT ${column} AS url, 'image' AS type, domain, false AS "isSuspended" FROM accounts
        WHERE id = ${id} AND domain IS NOT NULL AND suspended_at IS NULL AND ${column} IS NOT NULL
      `
    : await db<ShownFile[]>`
        SELECT m.remote_url AS url, m.type, a.domain, a.suspended_at IS NOT NULL AS "isSuspended"
        FROM media_attachments m JOIN accounts a ON a.id = m.account_id
        WHERE m.id = ${id} AND m.remote_url IS NOT NULL
      `;
  return rows[0] ?? null;
};

export type Copy = { key: string | null; retry_at: Date | null };

/** Remembers to the hour that the copy was looked at. */
export const useCopy = async (db: Db, hash: Buffer, now: Date): Promise<Copy | null> => {
  const [row] = await db<(Copy & { used_at: Date })[]>`
    SELECT key, retry_at, used_at FROM remote_files WHERE hash = ${hash}
  `;
  if (row?.key && now.getTime() - row.used_at.getTime() > 3_600_000) {
    await db`UPDATE remote_files SET used_at = ${now} WHERE hash = ${hash}`;
  }
  return row ?? null;
};

type NewCopy = {
  hash: Buffer;
  host: string;
  key: string | null;
  bytes: number;
  retry_at: Date | null;
  now: Date;
};

/** Replaces an earlier copy and has its file deleted. */
export const storeCopy = async (db: Db, copy: NewCopy): Promise<void> => {
  const { hash, host, key, bytes, retry_at, now } = copy;
  await db`
    WITH gone AS (
      INSERT INTO files_to_delete (key)
      SELECT key FROM remote_files WHERE hash = ${hash} AND key IS NOT NULL ON CONFLICT DO NOTHING
    )
    INSERT INTO remote_files (hash, host, key, bytes, retry_at, fetched_at, used_at)
    VALUES (${hash}, ${host}, ${key}, ${bytes}, ${retry_at}, ${now}, ${now})
    ON CONFLICT (hash) DO UPDATE SET
      key = excluded.key, bytes = excluded.bytes, retry_at = excluded.retry_at,
      fetched_at = excluded.fetched_at, used_at = excluded.used_at
  `;
};

const totalBytes = (db: Db): Promise<number> =>
  onlyValue(db<{ bytes: number }[]>`
    SELECT coalesce(sum(bytes), 0)::float8 AS bytes FROM remote_files
  `);

/** Deletes a slice of the copies not looked at since then. */
export const deleteUnused = (db: Db, before: Date) =>
  deleteSlice(db, "remote_files", db`used_at < ${before} ORDER BY used_at`);

/** Deletes the copies not looked at for longest until the rest has at most so many bytes. */
export const deleteBeyond = async (db: Db, bytes: number): Promise<boolean> => {
  const excess = (await totalBytes(db)) - bytes;
  if (excess <= 0) return false;
  const { count } = await db`
    DELETE FROM remote_files WHERE hash IN (
      SELECT hash FROM (
        SELECT hash, sum(bytes) OVER (ORDER BY used_at, hash) - bytes AS before
        FROM (SELECT hash, used_at, bytes FROM remote_files ORDER BY used_at, hash LIMIT 1000) oldest
      ) sums WHERE before < ${excess}
    )
  `;
  return count === 1000;
};

/** Deletes a slice of the copies of hosts, by remote_files_host; true when there may be more. */
export const deleteCopiesOf = async (db: Db, hosts: string[]): Promise<boolean> =>
  (await deleteSlice(db, "remote_files", db`host = ANY(${hosts}::text[])`)).isMore;
