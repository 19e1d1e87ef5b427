// SQL of identities: which accounts a person uses without their passwords.

import { invalidate } from "../../../../platform/db/commits.ts";
import type { Db, Tx } from "../../../../platform/db/index.ts";

/** Any number that no other advisory lock uses. */
const LINK_LOCK = 325_001;

/** Groups are linked and left one at a time, so that each stays complete and bounded. */
export const lockLinks = (tx: Tx) => tx`SELECT pg_advisory_xact_lock(${LINK_LOCK}::bigint)`;

/** Of a member of a shared account; `identity`: the person's own other account. */
export type Role = "owner" | "author";
export type AccessKind = "identity" | Role;

export type AccessRow = {
  id: string;
  user_id: string;
  account_id: string;
  username: string;
  kind: AccessKind;
  /** Null: the person is invited. */
  accepted_at: Date | null;
  created_at: Date;
  /** The account asks for a code after its password, and that of the person does not. */
  needs_factor: boolean;
};

const hasFactor = (db: Db, userId: "a.user_id" | "a.person_id") =>
  db`EXISTS (SELECT FROM totp_secrets t WHERE t.user_id = ${db(userId)} AND t.confirmed_at IS NOT NULL)`;

/** What this person may use or is invited to, by name. */
export const selectAccess = (db: Db, personId: string) => db<AccessRow[]>`
  SELECT a.id, a.user_id, u.account_id, c.username, a.kind, a.created_at, a.accepted_at,
    ${hasFactor(db, "a.user_id")} AND NOT ${hasFactor(db, "a.person_id")} AS needs_factor
  FROM account_access a
  JOIN users u ON u.id = a.user_id
  JOIN accounts c ON c.id = u.account_id
  WHERE a.person_id = ${personId}
  ORDER BY c.username
`;

const group = (db: Db, userId: string) => db`
  SELECT ${userId}::bigint AS id UNION
  SELECT user_id FROM account_access WHERE person_id = ${userId} AND kind = 'identity'
`;

/** How many accounts there are in the groups of both together. */
export const countLinked = async (db: Db, userId: string, otherId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (${group(db, userId)} UNION ${group(db, otherId)}) AS linked
  `;
  return row!.count;
};

/** Each of the one group with each of the other, in both directions. */
export const insertLinks = async (db: Db, userId: string, otherId: string): Promise<void> => {
  const rows = await db<{ user_id: string }[]>`
    WITH mine AS (${group(db, userId)}), others AS (${group(db, otherId)})
    INSERT INTO account_access (user_id, person_id, kind)
    SELECT mine.id, others.id, 'identity' FROM mine, others UNION ALL
    SELECT others.id, mine.id, 'identity' FROM mine, others
    -- Who was a member has proved more now.
    ON CONFLICT (user_id, person_id) DO UPDATE SET kind = 'identity', accepted_at = now()
    RETURNING user_id
  `;
  invalidate(db, ...new Set(rows.map(({ user_id }) => `user:${user_id}` as const)));
};

export const selectIsLinked = async (db: Db, userId: string, otherId: string): Promise<boolean> => {
  const rows = await db`
    SELECT FROM account_access
    WHERE user_id = ${otherId} AND person_id = ${userId} AND kind = 'identity'
  `;
  return rows.length > 0;
};

/** The ids of what links an account with others, in both directions. */
export const selectLinkIds = async (db: Db, userId: string): Promise<string[]> => {
  const rows = await db<{ id: string }[]>`
    SELECT id FROM account_access
    WHERE kind = 'identity' AND (user_id = ${userId} OR person_id = ${userId})
  `;
  return rows.map(({ id }) => id);
};

/** Sessions, codes and tokens that were left would go with it. `userId`: of a shared account. */
export const deleteAccess = async (db: Db, ids: readonly string[], userId?: string) => {
  await db`DELETE FROM account_access WHERE id = ANY(${ids})`;
  if (userId) invalidate(db, `user:${userId}`);
};
