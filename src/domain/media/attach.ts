// Linking the pictures and films of remote statuses (they are not stored here).

import type { Db } from "../../platform/db/index.ts";
import { replaceRemoteMedia } from "./queries.ts";
import type { NewRemoteMedia } from "./tables.ts";

/** Makes `media` the attachments of the status, in order. */
export const attachRemoteMedia = (
  db: Db,
  statusId: string,
  accountId: string,
  media: NewRemoteMedia[],
): Promise<void> => replaceRemoteMedia(db, statusId, accountId, media);
