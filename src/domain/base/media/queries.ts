// All SQL of the media slice: attachments of statuses, and uploads until they are attached.

import { invalidate } from "../../../platform/db/commits.ts";
import { deleteSlice } from "../../../platform/db/delete-older.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { firstRow, hasRows, onlyValue } from "../../../platform/db/rows.ts";
import type { MediaView, NewRemoteMedia, Processed, Upload, UploadRow } from "./tables.ts";

type OfStatus = { statusId: string; accountId: string; media: NewRemoteMedia[] };

const remoteRows = (db: Db, { statusId, accountId, media }: OfStatus) =>
  media.map((item, position) => ({
    ...item,
    meta: db.json(item.meta as never),
    remote_url: item.url,
    status_id: statusId,
    account_id: accountId,
    position,
  }));

/** Stores the media of new statuses, in order, with one query at most. */
export const insertRemoteMedia = async (db: Db, statuses: OfStatus[]): Promise<void> => {
  const rows = statuses.flatMap((status) => remoteRows(db, status));
  if (rows.length === 0) return;
  await db`INSERT INTO media_attachments ${db(rows as never)}`;
  invalidate(db, ...statuses.map(({ statusId }) => `status:${statusId}` as const));
};

/** Replaces the media of an edited status; keeps the ids of those with the same address, which clients know. */
export const replaceRemoteMedia = async (db: Db, status: OfStatus): Promise<void> => {
  const { statusId } = status;
  const known = await db<{ id: string; url: string }[]>`
    SELECT id, url FROM media_attachments WHERE status_id = ${statusId} ORDER BY position FOR UPDATE
  `;
  const ids = new Map(known.map(({ id, url }) => [url, id]));
  const rows = remoteRows(db, status);
  const kept = rows.flatMap((row) => {
    const id = ids.get(row.url);
    ids.delete(row.url);
    return id === undefined ? [] : [{ id, row }];
  });
  await db`DELETE FROM media_attachments WHERE id = ANY(${[...ids.values()]}::bigint[])`;
  for (const { id, row } of kept) {
    await db`UPDATE media_attachments SET ${db(row as never)} WHERE id = ${id}`;
  }
  const isKept = new Set(kept.map(({ row }) => row));
  const fresh = rows.filter((row) => !isKept.has(row));
  if (fresh.length > 0) await db`INSERT INTO media_attachments ${db(fresh as never)}`;
  invalidate(db, `status:${statusId}`);
};

const viewColumns = (db: Db) =>
  db`id, type, media_type, url, remote_url, file_key, small_key, file_size::float8 AS file_size,
    description, blurhash, meta`;

const uploadColumns = (db: Db) =>
  db`${viewColumns(db)}, account_id, status_id, scheduled_id, draft_id, state, fault, upload`;

type NewUpload = {
  account_id: string;
  type: MediaView["type"];
  description: string | null;
  meta: Record<string, unknown>;
  upload: Upload;
};

export const insertUpload = (db: Db, row: NewUpload): Promise<string> =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO media_attachments (account_id, type, state, description, meta, upload)
    VALUES (${row.account_id}, ${row.type}, 'waiting', ${row.description},
      ${db.json(row.meta as never)}, ${db.json(row.upload)})
    RETURNING id
  `);

/** Counts uploads of an account that wait to be processed. */
export const countWaiting = (tx: Tx, accountId: string): Promise<number> =>
  onlyValue(tx<{ count: number }[]>`
    SELECT count(*)::int AS count FROM media_attachments
    WHERE account_id = ${accountId} AND state = 'waiting'
  `);

/** Counts the waiting videos and recordings of the same account that were uploaded before this one. */
export const countConversionsBefore = (
  db: Db,
  { id, account_id }: Pick<UploadRow, "id" | "account_id">,
): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM media_attachments
    WHERE account_id = ${account_id} AND state = 'waiting' AND type <> 'image' AND id < ${id}
  `);

export const selectUpload = (db: Db, id: string): Promise<UploadRow | null> =>
  firstRow(db<UploadRow[]>`
    SELECT ${uploadColumns(db)} FROM media_attachments WHERE id = ${id} AND remote_url IS NULL
  `);

/**
 * Locks and returns a person's uploads among these, in no order. Uploads that edits took out of a post count only for
 * that post.
 */
export const lockUploads = (
  db: Db,
  accountId: string,
  ids: string[],
  statusId: string | null,
) => db<UploadRow[]>`
  SELECT ${uploadColumns(db)} FROM media_attachments
  WHERE id = ANY(${ids}::bigint[]) AND account_id = ${accountId} AND remote_url IS NULL
    AND (detached_from IS NULL OR detached_from = ${statusId})
  ORDER BY id FOR UPDATE
`;

/** Leaves the focus alone, which somebody may set while the file is processed. */
export const finishUpload = async (db: Db, id: string, processed: Processed): Promise<boolean> => {
  const { meta, ...rest } = processed;
  return hasRows(db`
    UPDATE media_attachments
    SET ${db(rest)}, meta = meta || ${db.json(meta as never)}, state = 'done', upload = NULL
    WHERE id = ${id} AND state = 'waiting'
  `);
};

export const failUpload = (db: Db, id: string, fault: string) => db`
  UPDATE media_attachments SET state = 'failed', fault = ${fault}, upload = NULL
  WHERE id = ${id} AND state = 'waiting'
`;

/** Releases the uploads of a post that is about to be deleted, so that a post in its place may have them. */
export const releaseUploads = async (db: Db, statusId: string, now: Date): Promise<void> => {
  await db`
    UPDATE media_attachments SET status_id = NULL, position = 0, created_at = ${now}
    WHERE status_id = ${statusId} AND remote_url IS NULL
  `;
  invalidate(db, `status:${statusId}`);
};

/** Deletes an upload that is not part of a post, nor of an earlier version of one. */
export const deleteUpload = (db: Db, id: string): Promise<boolean> =>
  hasRows(db`
    DELETE FROM media_attachments WHERE id = ${id} AND status_id IS NULL AND detached_from IS NULL
  `);

/** Selects the status that has the upload, and locks the upload until the transaction ends. */
export const lockUpload = (db: Db, id: string): Promise<{ status_id: string | null } | null> =>
  firstRow(db<{ status_id: string | null }[]>`
    SELECT status_id FROM media_attachments WHERE id = ${id} FOR UPDATE
  `);

export type MediaChange = {
  description?: string | null;
  focus?: { x: number; y: number };
  small?: { key: string; meta: Record<string, unknown>; blurhash: string | null };
};

const oldSmall = (db: Db, id: string) => db`
  INSERT INTO files_to_delete (key)
  SELECT small_key FROM media_attachments WHERE id = ${id} AND small_key IS NOT NULL
  ON CONFLICT DO NOTHING
`;

export const updateMedia = async (db: Db, id: string, change: MediaChange): Promise<void> => {
  const { description, focus, small } = change;
  if (small) await oldSmall(db, id);
  const meta = { ...(focus && { focus }), ...(small && { small: small.meta }) };
  const [row] = await db<{ status_id: string | null }[]>`
    UPDATE media_attachments SET
      description = ${description === undefined ? db`description` : description},
      small_key = ${small ? small.key : db`small_key`},
      blurhash = ${small ? small.blurhash : db`blurhash`},
      meta = meta || ${db.json(meta as never)}
    WHERE id = ${id} RETURNING status_id
  `;
  if (row?.status_id) invalidate(db, `status:${row.status_id}`);
};

export type FileNames = Pick<MediaView, "id" | "file_key" | "small_key">;

/** Selects files of a suspended account; none of others. */
export const selectFilesOf = (db: Db, accountId: string, after: string, limit: number) =>
  db<FileNames[]>`
    SELECT m.id, m.file_key, m.small_key FROM media_attachments m
    JOIN accounts a ON a.id = m.account_id AND a.suspended_at IS NOT NULL
    WHERE m.account_id = ${accountId} AND m.id > ${after}
      AND (m.file_key IS NOT NULL OR m.small_key IS NOT NULL)
    ORDER BY m.id LIMIT ${limit}
  `;

/** Renames files by their keys (`old` is the key before) and has the files under the old keys deleted. */
export const renameFiles = async (db: Db, files: (FileNames & { old: string | null })[]) => {
  const rows = await db<{ status_id: string | null }[]>`
    WITH w AS (
      SELECT * FROM jsonb_to_recordset(${db.json(files as never)})
        AS w (id bigint, old text, file_key text, small_key text)
    ),
    before AS (
      SELECT m.id, m.file_key, m.small_key FROM media_attachments m JOIN w ON w.id = m.id
      WHERE m.file_key IS NOT DISTINCT FROM w.old FOR UPDATE OF m
    ),
    gone AS (
      INSERT INTO files_to_delete (key)
      SELECT key FROM before, unnest(ARRAY[file_key, small_key]) AS key WHERE key IS NOT NULL
      ON CONFLICT DO NOTHING
    )
    UPDATE media_attachments m SET file_key = w.file_key, small_key = w.small_key
    FROM w, before WHERE w.id = m.id AND before.id = m.id RETURNING m.status_id
  `;
  invalidate(db, ...rows.flatMap(({ status_id: id }) => (id ? [`status:${id}` as const] : [])));
};

/**
 * Attaches uploads in this order; what was attached before and is not among them is shown by earlier versions alone.
 */
export const attachUploads = async (db: Db, statusId: string, ids: string[]): Promise<void> => {
  await db`
    UPDATE media_attachments SET status_id = NULL, detached_from = ${statusId}
    WHERE status_id = ${statusId} AND id <> ALL(${ids}::bigint[])
  `;
  await db`
    UPDATE media_attachments m
    SET status_id = ${statusId}, scheduled_id = NULL, draft_id = NULL, detached_from = NULL,
      position = n - 1
    FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS w (id, n) WHERE m.id = w.id
  `;
  invalidate(db, `status:${statusId}`);
};

export const holdForScheduled = (db: Db, scheduledId: string, ids: string[]) => db`
  UPDATE media_attachments m SET scheduled_id = ${scheduledId}, draft_id = NULL, position = n - 1
  FROM unnest(${ids}::bigint[]) WITH ORDINALITY AS w (id, n) WHERE m.id = w.id
`;

/** Keeps these uploads for the draft and releases the others that it had, as if they were new. */
export const holdForDraft = async (db: Db, draftId: string, ids: string[], now: Date) => {
  await db`
    UPDATE media_attachments SET draft_id = NULL, created_at = ${now}
    WHERE draft_id = ${draftId} AND id <> ALL(${ids}::bigint[])
  `;
  await db`UPDATE media_attachments SET draft_id = ${draftId} WHERE id = ANY(${ids}::bigint[])`;
};

export const selectDraftMedia = (db: Db, draftIds: string[]) => db<UploadRow[]>`
  SELECT ${uploadColumns(db)} FROM media_attachments
  WHERE draft_id = ANY(${draftIds}::bigint[]) ORDER BY draft_id, id
`;

export const selectScheduledMedia = (db: Db, scheduledIds: string[]) => db<UploadRow[]>`
  SELECT ${uploadColumns(db)} FROM media_attachments
  WHERE scheduled_id = ANY(${scheduledIds}::bigint[]) ORDER BY scheduled_id, position
`;

/** Deletes uploads that nobody used. */
export const deleteUnattached = async (db: Db, before: Date): Promise<boolean> => {
  const { isMore } = await deleteSlice(
    db,
    "media_attachments",
    db`created_at < ${before} AND status_id IS NULL AND scheduled_id IS NULL
      AND detached_from IS NULL AND draft_id IS NULL ORDER BY created_at`,
  );
  return isMore;
};
