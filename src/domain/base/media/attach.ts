// Attaches media to statuses: what remote ones link to, and what people uploaded before they post.

import type { Db, Tx } from "../../../platform/db/index.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { MAX_ATTACHED } from "./limits.ts";
import {
  attachUploads,
  holdForDraft,
  holdForScheduled,
  lockUploads,
  selectDraftMedia,
  selectScheduledMedia,
  updateMedia,
} from "./queries.ts";
import type { MediaChange } from "./queries.ts";
import type { MediaView, NewRemoteMedia, UploadRow } from "./tables.ts";

export {
  insertRemoteMedia,
  releaseUploads as releaseMedia,
  replaceRemoteMedia,
  updateMedia as changeMedia,
} from "./queries.ts";
export type { MediaChange };

/** Where the uploads may be already: in the status that is edited, or in the scheduled post that is published. */
export type From = { statusId?: string | undefined; scheduledId?: string | undefined };

const isFree = (row: UploadRow, { statusId, scheduledId }: From): boolean =>
  (row.status_id === null || row.status_id === statusId) &&
  (row.scheduled_id === null || row.scheduled_id === scheduledId);

const checkState = (rows: UploadRow[]): void => {
  if (rows.some(({ state }) => state === "waiting")) {
    throw new Unprocessable(
      "Cannot attach files that have not finished processing. Try again in a moment!",
    );
  }
  const failed = rows.find(({ state }) => state === "failed");
  if (failed) throw new Unprocessable(`Cannot attach a file: ${failed.fault}`);
};

const checkMixing = (rows: UploadRow[]): void => {
  if (rows.length > 1 && rows.some(({ type }) => type !== "image")) {
    throw new Unprocessable("Cannot attach a video or a recording together with other files");
  }
};

const missingUpload = (id: string) =>
  new Unprocessable(`Media ${id.slice(0, 20)} not found or already attached to another post`);

/** Checks how many attachments a post has, before the database is asked. */
export const checkCount = (ids: readonly string[]): void => {
  if (ids.length > MAX_ATTACHED) {
    throw new Unprocessable(`Cannot attach more than ${MAX_ATTACHED} files`);
  }
};

/**
 * Returns a person's uploads in the order of the ids, each once, and locks them until the transaction ends. Throws
 * Unprocessable where one cannot be attached.
 */
export const lockAttachable = async (
  db: Db,
  accountId: string,
  ids: readonly string[],
  from: From = {},
): Promise<UploadRow[]> => {
  const distinct = [...new Set(ids)];
  if (distinct.length === 0) return [];
  const known = distinct.filter((id) => /^\d{1,19}$/.test(id));
  const uploads = await lockUploads(db, accountId, known, from.statusId ?? null);
  const free = new Map(uploads.filter((row) => isFree(row, from)).map((row) => [row.id, row]));
  const missing = distinct.find((id) => !free.has(id));
  if (missing !== undefined) throw missingUpload(missing);
  const rows = distinct.map((id) => free.get(id)!);
  checkState(rows);
  checkMixing(rows);
  return rows;
};

/** Attaches uploads to a status of their owner in this order, and detaches those that it had. */
export const attachOwn = async (
  tx: Tx,
  statusId: string,
  accountId: string,
  ids: readonly string[],
  from: From = {},
): Promise<void> => {
  const rows = await lockAttachable(tx, accountId, ids, from);
  await attachUploads(
    tx,
    statusId,
    rows.map(({ id }) => id),
  );
};

/** Keeps uploads for a scheduled post of their owner. */
export const keepForScheduled = async (
  tx: Tx,
  scheduledId: string,
  accountId: string,
  ids: readonly string[],
): Promise<void> => {
  const rows = await lockAttachable(tx, accountId, ids);
  if (rows.length === 0) return;
  await holdForScheduled(
    tx,
    scheduledId,
    rows.map(({ id }) => id),
  );
};

/**
 * Keeps these uploads of its owner for a draft, also those that are still processed, and releases all others that it
 * kept. A post may take them from the draft; another draft may not.
 */
export const keepForDraft = async (
  tx: Tx,
  draftId: string,
  accountId: string,
  ids: readonly string[],
  now: Date,
): Promise<void> => {
  const distinct = [...new Set(ids)];
  const known = distinct.filter((id) => /^\d{1,19}$/.test(id));
  const uploads = known.length > 0 ? await lockUploads(tx, accountId, known, null) : [];
  const free = uploads.filter(
    (row) => isFree(row, {}) && (row.draft_id === null || row.draft_id === draftId),
  );
  const missing = distinct.find((id) => !free.some((row) => row.id === id));
  if (missing !== undefined) throw missingUpload(missing);
  await holdForDraft(tx, draftId, distinct, now);
};

/** Returns the uploads that drafts keep, by the ids of the drafts. */
export const loadDraftMedia = async (
  db: Db,
  draftIds: string[],
): Promise<Map<string, MediaView[]>> =>
  Map.groupBy(await selectDraftMedia(db, draftIds), ({ draft_id: id }) => id!);

/** Returns whether the change makes any difference. */
export const changesMedia = (media: MediaView, { description, focus, small }: MediaChange) => {
  const before = media.meta["focus"] as { x: number; y: number } | undefined;
  return (
    small !== undefined ||
    (description !== undefined && description !== media.description) ||
    (focus !== undefined && (focus.x !== (before?.x ?? 0) || focus.y !== (before?.y ?? 0)))
  );
};

type Focus = { x: number; y: number };

/** Stores the focus of attachments, around which previews are cropped, as their server sends it now. */
export const refocusRemote = async (
  db: Db,
  before: MediaView[],
  fresh: NewRemoteMedia[],
): Promise<void> => {
  for (const [n, media] of before.entries()) {
    const focus = (fresh[n]?.meta["focus"] ?? { x: 0, y: 0 }) as Focus;
    if (changesMedia(media, { focus })) await updateMedia(db, media.id, { focus });
  }
};

/** Returns the uploads of scheduled posts by the ids of the posts, in order. */
export const loadScheduledMedia = async (
  db: Db,
  scheduledIds: string[],
): Promise<Map<string, MediaView[]>> => {
  const rows = await selectScheduledMedia(db, scheduledIds);
  return Map.groupBy(rows, ({ scheduled_id: id }) => id!);
};
