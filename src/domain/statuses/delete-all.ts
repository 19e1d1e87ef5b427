// Deletes all that an account wrote and did with statuses, before the account itself is deleted. In
// batches: each is a transaction that invalidates what it changed and nothing else, however much
// there is.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { deleteActs, selectStatusIdsOf } from "./queries-delete-all.ts";
import { selectForDeletion, selectOwnReblogsOf } from "./queries-remove.ts";
import { deleteCounted, removeStatuses } from "./remove.ts";

/** Rows of each kind in one transaction. */
const BATCH = 500;

/**
 * One batch of statuses, within the transaction; false when nothing was left. Again after a restart it goes on.
 * `isShutOut`: the account goes from here alone, so that boosts by people here are undone where they were sent to.
 */
export const deleteStatusesOf = async (
  tx: Tx,
  accountId: string,
  { app, isShutOut }: { app: App; isShutOut: boolean },
): Promise<boolean> => {
  const ids = await selectStatusIdsOf(tx, accountId, BATCH);
  if (isShutOut) await removeStatuses(app, tx, await selectOwnReblogsOf(tx, ids));
  const rows = [...(await selectForDeletion(tx, ids))];
  // No tombstones: their URIs belong to the account, which is known to be deleted.
  if (rows.length > 0) await deleteCounted(tx, rows, []);
  return rows.length > 0;
};

/** The same of what it did with those of others. */
export const deleteActsOf = async (tx: Tx, accountId: string): Promise<boolean> =>
  (await deleteActs(tx, accountId, BATCH)) > 0;
