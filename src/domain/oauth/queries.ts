// All SQL of the oauth slice.

import type { Db } from "../../platform/db/index.ts";
import type { UserSettings } from "../accounts/tables.ts";

export type CredentialsRow = {
  token_id: string;
  app_id: string | null;
  scopes: string[];
  revoked: boolean;
  user_id: string | null;
  account_id: string | null;
  username: string | null;
  permissions: string | null;
  locale: string | null;
  settings: UserSettings | null;
  suspended: boolean;
  confirmed: boolean;
  approved: boolean;
  disabled: boolean;
  moved: boolean;
};

export const selectCredentials = async (db: Db, hash: Buffer) => {
  const [row] = await db<CredentialsRow[]>`
    SELECT
      t.id AS token_id, t.app_id, t.scopes, t.revoked_at IS NOT NULL AS revoked,
      u.id AS user_id, u.account_id, a.username, r.permissions, u.locale,
      u.settings,
      a.suspended_at IS NOT NULL AS suspended,
      u.confirmed_at IS NOT NULL AS confirmed,
      coalesce(u.approved, false) AS approved,
      coalesce(u.disabled, false) AS disabled,
      a.moved_to_account_id IS NOT NULL AS moved
    FROM oauth_tokens t
    LEFT JOIN users u ON u.id = t.user_id
    LEFT JOIN accounts a ON a.id = u.account_id
    LEFT JOIN roles r ON r.id = u.role_id
    WHERE t.token_hash = ${hash}
  `;
  return row ?? null;
};

export type NewToken = { app_id: string | null; user_id: string | null; scopes: string[] };

export const insertToken = async (
  db: Db,
  token: NewToken & { token_hash: Buffer; code_hash?: Buffer | null },
) => {
  const [row] = await db<{ id: string; created_at: Date }[]>`
    INSERT INTO oauth_tokens ${db(token)} RETURNING id, created_at
  `;
  return row!;
};
