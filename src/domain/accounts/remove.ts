// Removing an account for good: hidden in the request, taken apart by a job (flows/account-removed),
// because what others counted of it belongs to higher slices.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import "./events.ts";
import {
  deleteAccount,
  deleteUser,
  insertReserved,
  markRemoved,
  selectAcquaintedInboxes,
} from "./queries-lifecycle.ts";

/**
 * A remote actor that is gone, or a person who leaves. From now on nobody sees it and its person
 * cannot sign in; the job takes its rows away. An unknown id changes nothing.
 */
export const removeAccount = (app: App, id: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    if (!(await markRemoved(tx, id, app.clock.now()))) return;
    await deleteUser(tx, id);
    await app.jobs.add(tx, "account.removed", { id });
  });

/**
 * The last step: the row with everything that hangs on it. The name of one of ours stays taken, so
 * that nobody becomes who it was, and its key stays to sign its farewell.
 */
export const eraseAccount = async (db: Db, id: string): Promise<void> => {
  const row = await deleteAccount(db, id);
  if (row && row.domain === null) await insertReserved(db, row);
};

/** The inboxes that a farewell goes to; read before the relations are taken away. */
export const acquaintedInboxes = (db: Db, id: string): Promise<string[]> =>
  selectAcquaintedInboxes(db, id);
