// Deletes all that an account wrote and did with statuses, before the account itself is deleted. In
// batches: each is a transaction that invalidates what it changed and nothing else, however much
// there is.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { deleteActs, selectStatusIdsOf } from "./queries-delete-all.ts";
import { selectForDeletion } from "./queries-write.ts";
import { deleteCounted } from "./remove.ts";

/** Rows of each kind in one transaction. */
const BATCH = 500;

/** One batch, within the transaction; false when nothing was left. */
export const deleteBatchOf = async (tx: Tx, accountId: string): Promise<boolean> => {
  const ids = await selectStatusIdsOf(tx, accountId, BATCH);
  const rows = [...(await selectForDeletion(tx, ids))];
  // No tombstones: their URIs belong to the account, which is known to be deleted.
  if (rows.length > 0) await deleteCounted(tx, rows, []);
  return (await deleteActs(tx, accountId, BATCH)) > 0 || rows.length > 0;
};

/** Continues where it stopped when the process dies in between and the job runs again. */
export const deleteStatusesOf = async (app: App, accountId: string): Promise<void> => {
  while (await app.sql.begin((tx) => deleteBatchOf(tx, accountId)));
};
