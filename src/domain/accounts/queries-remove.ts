// SQL that takes accounts away.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { OWNER_CHANGED } from "./events.ts";

/** Hides the account at once; false when there is none. */
export const markRemoved = async (db: Db, id: string, at: Date): Promise<boolean> => {
  const rows = await db`
    UPDATE accounts SET suspended_at = coalesce(suspended_at, ${at}) WHERE id = ${id} RETURNING id
  `;
  invalidate(db, `account:${id}`);
  return rows.length > 0;
};

export const deleteUser = async (db: Db, accountId: string) => {
  await db`DELETE FROM users WHERE account_id = ${accountId}`;
  invalidate(db, `account:${accountId}`, OWNER_CHANGED);
};

export type ReservedAccount = {
  id: string;
  username: string;
  domain: string | null;
  uri: string;
  url: string;
  inbox_url: string;
  shared_inbox_url: string | null;
  outbox_url: string | null;
  followers_url: string | null;
  following_url: string | null;
  featured_url: string | null;
  public_key: string;
  private_key: string | null;
  suspended_at: Date | null;
  created_at: Date;
};

/** Deletes it with everything that hangs on it (ON DELETE CASCADE); null when there is none. */
export const deleteAccount = async (db: Db, id: string): Promise<ReservedAccount | null> => {
  const [row] = await db<ReservedAccount[]>`
    DELETE FROM accounts WHERE id = ${id}
    RETURNING id, username, domain, uri, url, inbox_url, shared_inbox_url, outbox_url,
      followers_url, following_url, featured_url, public_key, private_key, suspended_at, created_at
  `;
  // Statuses, and what hung on them elsewhere, went with it.
  if (row) invalidate(db, "all");
  return row ?? null;
};

export const insertReserved = async (db: Db, account: ReservedAccount): Promise<void> => {
  await db`INSERT INTO accounts ${db(account as never)}`;
  await db`INSERT INTO account_stats (account_id) VALUES (${account.id})`;
};

/** Where other servers know the account: those it follows and those that follow it. */
export const selectAcquaintedInboxes = async (db: Db, id: string): Promise<string[]> => {
  const rows = await db<{ inbox: string }[]>`
    SELECT DISTINCT coalesce(nullif(a.shared_inbox_url, ''), a.inbox_url) AS inbox
    FROM (
      SELECT account_id AS other FROM follows WHERE target_account_id = ${id}
      UNION
      SELECT target_account_id FROM follows WHERE account_id = ${id}
    ) AS known
    JOIN accounts a ON a.id = known.other
    WHERE a.domain IS NOT NULL AND a.inbox_url <> ''
  `;
  return rows.map((row) => row.inbox);
};
