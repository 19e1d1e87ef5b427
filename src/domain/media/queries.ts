// All SQL of the media slice.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { NewRemoteMedia } from "./tables.ts";

/** Replaces what is attached to a status (a remote one, created or edited), in order. */
export const replaceRemoteMedia = async (
  db: Db,
  statusId: string,
  accountId: string,
  media: NewRemoteMedia[],
): Promise<void> => {
  await db`DELETE FROM media_attachments WHERE status_id = ${statusId}`;
  invalidate(db, `status:${statusId}`);
  if (media.length === 0) return;
  const rows = media.map((item, position) => ({
    ...item,
    meta: db.json(item.meta as never),
    remote_url: item.url,
    status_id: statusId,
    account_id: accountId,
    position,
  }));
  await db`INSERT INTO media_attachments ${db(rows as never)}`;
};
