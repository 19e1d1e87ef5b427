// Linking the pictures and films of remote statuses (they are not stored here).

import type { Db } from "../../platform/db/index.ts";
import { deleteMediaOf, insertRemoteMedia } from "./queries.ts";
import type { NewRemoteMedia } from "./tables.ts";

export type Attached = { statusId: string; accountId: string; media: NewRemoteMedia[] };

/** Of new statuses, in order; one query, none where there is nothing to attach. */
export const attachRemoteMedia = (db: Db, statuses: Attached[]): Promise<void> =>
  insertRemoteMedia(db, statuses);

/** Of a status that was edited: in place of what it had. */
export const replaceRemoteMedia = async (db: Db, status: Attached): Promise<void> => {
  await deleteMediaOf(db, status.statusId);
  await insertRemoteMedia(db, [status]);
};
