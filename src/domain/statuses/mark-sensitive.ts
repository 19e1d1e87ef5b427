// Media that moderators hide behind a warning.

import type { Db } from "../../platform/db/index.ts";
import { updateSensitive } from "./queries-write.ts";

/** The author may change it again by editing the post. */
export const markSensitive = (db: Db, ids: string[]): Promise<void> => updateSensitive(db, ids);
