// The address of somebody whose account is deleted after a suspension.

import type { Db } from "../../platform/db/index.ts";
import { blockEmail } from "../blocklists/lists.ts";
import { selectAddress } from "./queries.ts";

/** Nothing for accounts of other servers. */
export const blockAddressOf = async (db: Db, accountId: string): Promise<void> => {
  const email = await selectAddress(db, accountId);
  if (email !== null) await blockEmail(db, email, accountId);
};
