// Links to the media of remote statuses; the files are not stored on this server.

import type { Db } from "../../platform/db/index.ts";
import { deleteMediaOf, insertRemoteMedia } from "./queries.ts";
import type { NewRemoteMedia } from "./tables.ts";

export type Attached = { statusId: string; accountId: string; media: NewRemoteMedia[] };

/** The media of new statuses, in order. One query; none where there is nothing to attach. */
export const attachRemoteMedia = (db: Db, statuses: Attached[]): Promise<void> =>
  insertRemoteMedia(db, statuses);

/** The media of an edited status, in place of what it had. */
export const replaceRemoteMedia = async (db: Db, status: Attached): Promise<void> => {
  await deleteMediaOf(db, status.statusId);
  await insertRemoteMedia(db, [status]);
};
