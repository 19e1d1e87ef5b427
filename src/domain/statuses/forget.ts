// Before an account goes with all that it wrote: the counts of others are put right.

import type { Db } from "../../platform/db/index.ts";
import { selectRebloggersOf, uncountActsOf } from "./queries-forget.ts";
import { subtractStatuses } from "./queries-write.ts";

/** Part of a removal's transaction; the rows themselves go with the account's. */
export const forgetStatuses = async (db: Db, accountId: string): Promise<void> => {
  await uncountActsOf(db, accountId);
  await subtractStatuses(db, await selectRebloggersOf(db, accountId));
};
