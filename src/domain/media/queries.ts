// All SQL of the media slice.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { NewRemoteMedia } from "./tables.ts";

export const insertRemoteMedia = async (
  db: Db,
  statuses: { statusId: string; accountId: string; media: NewRemoteMedia[] }[],
): Promise<void> => {
  const rows = statuses.flatMap(({ statusId, accountId, media }) =>
    media.map((item, position) => ({
      ...item,
      meta: db.json(item.meta as never),
      remote_url: item.url,
      status_id: statusId,
      account_id: accountId,
      position,
    })),
  );
  if (rows.length === 0) return;
  await db`INSERT INTO media_attachments ${db(rows as never)}`;
  invalidate(db, ...statuses.map(({ statusId }) => `status:${statusId}` as const));
};

export const deleteMediaOf = async (db: Db, statusId: string): Promise<void> => {
  await db`DELETE FROM media_attachments WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
};
