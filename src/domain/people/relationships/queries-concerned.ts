// SQL of the local people who blocked, muted or noted an account.

import type { Db } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";

/** Selects those after `after`, in the order of their ids. */
export const selectPeopleConcerned = (db: Db, targetId: string, after: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT a.id FROM (
      SELECT account_id FROM blocks WHERE target_account_id = ${targetId}
      UNION SELECT account_id FROM mutes WHERE target_account_id = ${targetId}
      UNION SELECT account_id FROM account_notes WHERE target_account_id = ${targetId}
    ) AS p JOIN accounts a ON a.id = p.account_id AND a.domain IS NULL
    WHERE a.id > ${after} ORDER BY a.id LIMIT ${limit}
  `);
