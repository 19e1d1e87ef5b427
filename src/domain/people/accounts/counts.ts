// Changes the counts of accounts in the transactions of higher slices.

import type { Db } from "../../../platform/db/index.ts";
import { updateTotals } from "./queries.ts";

/** These add to the counts of statuses or follows, of which each account may occur once. */
export {
  addManyFollowCounts as addFollowCounts,
  addStatusesWritten as addWritten,
} from "./queries.ts";

/** The counts that its own server states; null where it states none. */
export type RemoteTotals = {
  statuses: number | null;
  followers: number | null;
  following: number | null;
};

/** Sets the totals of a remote account. Changes seen here count from there until they are set again. */
export const setRemoteTotals = async (db: Db, id: string, totals: RemoteTotals): Promise<void> => {
  if (Object.values(totals).some((total) => total !== null)) await updateTotals(db, id, totals);
};
