// SQL of follows that began under a former name of the server (decision 0149): which of them the other server does not
// know under the present one yet.

import { deleteOlder } from "../../platform/db/delete-older.ts";
import type { Db } from "../../platform/db/index.ts";
import type { Pair } from "./events.ts";

export const selectIsFormer = async (db: Db, { accountId, targetId }: Pair): Promise<boolean> => {
  const [row] = await db<[{ there: boolean }]>`
    SELECT EXISTS (
      SELECT FROM former_follows WHERE account_id = ${accountId} AND target_account_id = ${targetId}
    ) AS there
  `;
  return row.there;
};

/** False when there was none. */
export const deleteFormer = async (db: Db, { accountId, targetId }: Pair): Promise<boolean> =>
  (
    await db`
      DELETE FROM former_follows WHERE account_id = ${accountId} AND target_account_id = ${targetId}
    `
  ).count > 0;

export const deleteFormerBefore = (db: Db, before: Date) =>
  deleteOlder(db, "former_follows", "created_at", before);
