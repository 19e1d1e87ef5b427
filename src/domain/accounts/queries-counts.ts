// SQL that counts the statuses of many accounts at once.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";

/** In the order of the ids, so that two of these never lock each other out. */
export const addManyStatuses = async (
  db: Db,
  written: { id: string; statuses: number; at: Date | null }[],
): Promise<void> => {
  if (written.length === 0) return;
  await db`
    INSERT INTO account_stats AS s (account_id, statuses_count, last_status_at)
    SELECT id, statuses, at
    FROM jsonb_to_recordset(${db.json(written as never)})
      AS w (id bigint, statuses bigint, at timestamptz)
    ORDER BY id
    ON CONFLICT (account_id) DO UPDATE SET
      statuses_count = greatest(0, s.statuses_count + excluded.statuses_count),
      last_status_at = greatest(s.last_status_at, excluded.last_status_at)
  `;
  invalidate(db, ...written.map(({ id }) => `account:${id}` as const));
};
