// SQL of follows that began under a former domain of the server (docs/design/moving.md), and that the other server does
// not know under the present one yet.

import type { Db } from "../../../platform/db/index.ts";
import { onlyValue } from "../../../platform/db/rows.ts";
import type { Pair } from "./events.ts";
import { unnested } from "./queries-write.ts";

export const selectIsFormer = (db: Db, { accountId, targetId }: Pair): Promise<boolean> =>
  onlyValue(db<[{ there: boolean }]>`
    SELECT EXISTS (
      SELECT FROM former_follows WHERE account_id = ${accountId} AND target_account_id = ${targetId}
    ) AS there
  `);

/** Returns those that existed. */
export const deleteFormer = async (db: Db, pairs: Pair[]): Promise<Pair[]> => {
  const rows = await db<{ account_id: string; target_account_id: string }[]>`
    DELETE FROM former_follows f
    USING ${unnested(db, pairs)} AS p (account_id, target_id)
    WHERE f.account_id = p.account_id AND f.target_account_id = p.target_id
    RETURNING f.account_id, f.target_account_id
  `;
  return rows.map((row) => ({ accountId: row.account_id, targetId: row.target_account_id }));
};
