// Deletes an account: the request hides it, and a job deletes its rows (flows/account-removed), because the counts that
// others have of it belong to higher slices.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import "./events.ts";
import {
  deleteAccount,
  deleteUser,
  insertKey,
  insertReserved,
  markRemoved,
  selectKey,
} from "./queries-lifecycle.ts";

/**
 * Removes a remote actor that was deleted, or a person who leaves. The account is hidden and its user cannot sign in
 * from now on; the job deletes the rows. An unknown id changes nothing.
 */
export const removeAccount = (app: App, id: string): Promise<void> =>
  app.sql.begin((tx) => removeAccountIn(app, tx, id));

/** Removes the account as `removeAccount` does, within a transaction. */
export const removeAccountIn = async (
  app: App,
  tx: Db,
  id: string,
  options: { reserve?: boolean } = {},
): Promise<void> => {
  if (!(await markRemoved(tx, id, app.clock.now()))) return;
  await deleteUser(tx, id);
  await app.jobs.add(tx, "account.removed", { id, ...options });
};

/**
 * Deletes the row and all that refers to it, as the last step. The name of a local account stays reserved, so that
 * nobody can pose as it, and its key stays to sign its Delete, unless `reserve` is false.
 */
export const eraseAccount = async (db: Db, id: string, reserve?: boolean): Promise<void> => {
  const key = await selectKey(db, id);
  const row = await deleteAccount(db, id);
  if (!row || !(reserve ?? row.domain === null)) return;
  await insertReserved(db, row);
  if (key !== null) await insertKey(db, id, key);
};
