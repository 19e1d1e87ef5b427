// The lock for what an account may have a limited number of, or changes as a whole: requests that come at the same
// moment do it one after the other, each with what the others did.

import type { Tx } from "../../../platform/db/index.ts";
import { lockAccountRow } from "./queries.ts";

/** Until the transaction ends. Rows that refer to the account are written meanwhile. */
export const lockAccount = async (tx: Tx, accountId: string): Promise<void> => {
  await lockAccountRow(tx, accountId);
};
