// Locks a name until the transaction ends: what is counted and then added under it is added one after the other. Things
// of a person are locked by the account (people/accounts/lock.ts).

import type { Db } from "./index.ts";

export const lockNamed = async (db: Db, name: string): Promise<void> => {
  await db`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`;
};
