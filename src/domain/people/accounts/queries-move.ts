// SQL of aliases and of accounts that move.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue } from "../../../platform/db/rows.ts";
import { INBOXES_CHANGED } from "./events.ts";

/** Serialises the moves of an account; returns null when there is none. */
export const lockMoving = (db: Db, id: string) =>
  firstRow(db<{ also_known_as: string[]; moved_to_account_id: string | null }[]>`
    SELECT also_known_as, moved_to_account_id FROM accounts WHERE id = ${id} FOR NO KEY UPDATE
  `);

export const updateAliases = async (db: Db, id: string, aliases: string[]): Promise<void> => {
  await db`UPDATE accounts SET also_known_as = ${aliases}, updated_at = now() WHERE id = ${id}`;
  invalidate(db, `account:${id}`);
};

export const updateMovedTo = async (db: Db, id: string, targetId: string | null) => {
  const [row] = await db<{ user_id: string | null }[]>`
    UPDATE accounts a SET moved_to_account_id = ${targetId}, updated_at = now()
    WHERE id = ${id}
    RETURNING (SELECT u.id FROM users u WHERE u.account_id = a.id) AS user_id
  `;
  invalidate(db, `account:${id}`);
  if (row?.user_id) invalidate(db, `user:${row.user_id}`, `person:${id}`);
};

/** Leaves out a suspension that the account's own server set, which has to repeat it. */
export const copyStanding = async (db: Db, fromId: string, toId: string): Promise<void> => {
  await db`
    UPDATE accounts t SET
      suspended_at = coalesce(
        t.suspended_at, CASE WHEN NOT f.suspended_remotely THEN f.suspended_at END
      ),
      silenced_at = coalesce(t.silenced_at, f.silenced_at),
      sensitized_at = coalesce(t.sensitized_at, f.sensitized_at)
    FROM accounts f WHERE f.id = ${fromId} AND t.id = ${toId} AND t.domain IS NOT NULL
  `;
  invalidate(db, `account:${toId}`, `key:${toId}`, INBOXES_CHANGED);
};

export const insertMove = (db: Db, accountId: string, targetId: string, at: Date) => db`
  INSERT INTO account_moves (account_id, target_account_id, created_at)
  VALUES (${accountId}, ${targetId}, ${at})
`;

/** Selects when the account moved last; null for never. */
export const selectLastMove = (db: Db, accountId: string): Promise<Date | null> =>
  firstValue(db<{ created_at: Date }[]>`
    SELECT created_at FROM account_moves WHERE account_id = ${accountId}
    ORDER BY created_at DESC LIMIT 1
  `);
