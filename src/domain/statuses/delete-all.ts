// All that an account wrote and did with statuses is taken away before the account itself, in pieces:
// each is a transaction that invalidates what it changed, and however much there is, nothing else of
// what is cached.

import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { deleteActs, selectStatusIdsOf } from "./queries-delete-all.ts";
import { selectForDeletion } from "./queries-write.ts";
import { deleteCounted } from "./remove.ts";

/** Of statuses and of each kind of act in a transaction. */
const BATCH = 500;

/** One piece, within the transaction; false when nothing was left. */
export const deleteBatchOf = async (tx: Tx, accountId: string): Promise<boolean> => {
  const ids = await selectStatusIdsOf(tx, accountId, BATCH);
  const rows = [...(await selectForDeletion(tx, ids))];
  // Their addresses are the account's, which is known to be gone.
  if (rows.length > 0) await deleteCounted(tx, rows, []);
  return (await deleteActs(tx, accountId, BATCH)) > 0 || rows.length > 0;
};

/** Done again where it was left, should the process die in between. */
export const deleteStatusesOf = async (app: App, accountId: string): Promise<void> => {
  while (await app.sql.begin((tx) => deleteBatchOf(tx, accountId)));
};
