// The counts of many accounts at once, for what came in from elsewhere.

import type { Db } from "../../platform/db/index.ts";
import { addManyStatuses } from "./queries-counts.ts";

/** How many statuses more (or fewer), and when the newest was written. */
export type Written = { id: string; statuses: number; at: Date | null };

/** Each account may stand in the list once. */
export const addManyWritten = (db: Db, written: Written[]): Promise<void> =>
  addManyStatuses(db, written);
