// Locks an account while something with a limit is added to it, or it is changed as a whole: requests at the same
// moment run one after the other, and each sees what the others did.

import type { Tx } from "../../../platform/db/index.ts";
import { lockAccountRow } from "./queries.ts";

/** Locks the account until the transaction ends; rows that refer to it can be written meanwhile. */
export const lockAccount = async (tx: Tx, accountId: string): Promise<void> => {
  await lockAccountRow(tx, accountId);
};
