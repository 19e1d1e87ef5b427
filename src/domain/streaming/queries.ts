// All SQL of the streaming slice.

import type { Db } from "../../platform/db/index.ts";

/** Accounts that are hidden from a person: blocked by either side, or muted until `until` (null: for ever). */
export const selectHidden = (db: Db, accountId: string, now: Date) => db<
  { id: string; until: Date | null }[]
>`
  SELECT target_account_id AS id, NULL::timestamptz AS until
  FROM blocks WHERE account_id = ${accountId}
  UNION ALL
  SELECT account_id, NULL FROM blocks WHERE target_account_id = ${accountId}
  UNION ALL
  SELECT target_account_id, expires_at
  FROM mutes WHERE account_id = ${accountId} AND (expires_at IS NULL OR expires_at > ${now})
`;

/** A person's settings and locale. */
export const selectChoices = async (db: Db, accountId: string) => {
  const [row] = await db<{ locale: string; settings: Record<string, unknown> }[]>`
    SELECT locale, settings FROM users WHERE account_id = ${accountId}
  `;
  return row ?? null;
};
