// Media that moderators hide behind a warning.

import type { Db } from "../../platform/db/index.ts";
import { updateSensitive } from "./queries-write.ts";

/** Gives those that were not yet. The author may change it again by editing the post. */
export const markSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, true);

export const unmarkSensitive = (db: Db, ids: string[]): Promise<string[]> =>
  updateSensitive(db, ids, false);
