// Linking the pictures and films of many new remote statuses at once.

import type { Db } from "../../platform/db/index.ts";
import { insertRemoteMedia } from "./queries-many.ts";
import type { NewRemoteMedia } from "./tables.ts";

export type Attached = { statusId: string; accountId: string; media: NewRemoteMedia[] };

/** Of statuses that have none yet; each list keeps its order. */
export const attachManyRemoteMedia = (db: Db, statuses: Attached[]): Promise<void> =>
  insertRemoteMedia(db, statuses);
