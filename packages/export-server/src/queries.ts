// SQL that selects the people of an export.

import type { Db } from "./uses.ts";

export const PAGE = 200;

export type Member = { id: string; username: string };

/** Selects the accounts of all who have a user here, whatever their state. */
export const selectMembers = (db: Db, after: string) => db<Member[]>`
  SELECT a.id, a.username::text AS username
  FROM accounts a JOIN users u ON u.account_id = a.id
  WHERE a.domain IS NULL AND a.id > ${after} ORDER BY a.id LIMIT ${PAGE}
`;

export const countMembers = async (db: Db): Promise<number> => {
  const [row] = await db<[{ count: number }]>`SELECT count(*)::int AS count FROM users`;
  return row.count;
};

type MemberRow = Record<string, unknown> & { id: string };

const secrets = (db: Db) => db`,
  u.email::text AS email, u.password_hash,
  (SELECT k.private_key FROM account_keys k WHERE k.account_id = a.id) AS private_key
`;

/** Selects people with what the staff sees; `withSecrets` adds what lets them sign in and sign. */
export const selectMemberRows = (db: Db, after: string, withSecrets: boolean) => db<MemberRow[]>`
  SELECT a.id, a.username::text AS username, a.uri, nullif(r.name, '') AS role, u.locale, u.time_zone,
    u.created_at, u.confirmed_at, u.approved, u.disabled, a.suspended_at, a.silenced_at,
    a.sensitized_at, u.last_active_at, u.sign_up_reason,
    (SELECT i.account_id FROM invites i WHERE i.id = u.invite_id) AS invited_by,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('issuer', s.issuer, 'subject', s.subject) ORDER BY s.id), '[]')
      FROM sso_identities s WHERE s.user_id = u.id) AS identities
    ${withSecrets ? secrets(db) : db``}
  FROM accounts a JOIN users u ON u.account_id = a.id JOIN roles r ON r.id = u.role_id
  WHERE a.domain IS NULL AND a.id > ${after} ORDER BY a.id LIMIT ${PAGE}
`;
