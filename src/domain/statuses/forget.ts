// Before an account goes with all that it wrote: the counts of others are put right.

import type { Db } from "../../platform/db/index.ts";
import { addWritten } from "../accounts/counts.ts";
import { selectRebloggersOf, uncountActsOf } from "./queries-forget.ts";

/** Part of a removal's transaction; the rows themselves go with the account's. */
export const forgetStatuses = async (db: Db, accountId: string): Promise<void> => {
  await uncountActsOf(db, accountId);
  const fewer = new Map<string, number>();
  for (const id of await selectRebloggersOf(db, accountId)) fewer.set(id, (fewer.get(id) ?? 0) - 1);
  await addWritten(
    db,
    [...fewer].map(([id, statuses]) => ({ id, statuses })),
  );
};
