// SQL of identities: accounts that people use without their passwords.

import { invalidate } from "../../../../platform/db/commits.ts";
import type { Db } from "../../../../platform/db/index.ts";
import { hasRows, onlyValue, valuesOf } from "../../../../platform/db/rows.ts";

/** Name of the lock under which groups change, so that each stays complete and bounded. */
export const LINKS = "identities";

/** The roles of members of a shared account; `identity` stands for the person's own other account. */
export type Role = "owner" | "author";
export type AccessKind = "identity" | Role;

export type AccessRow = {
  id: string;
  user_id: string;
  account_id: string;
  username: string;
  kind: AccessKind;
  /** Null while the person is invited. */
  accepted_at: Date | null;
  created_at: Date;
  /** Whether the account requires a code after its password, while that of the person does not. */
  needs_factor: boolean;
};

const hasFactor = (db: Db, userId: "a.user_id" | "a.person_id") =>
  db`EXISTS (SELECT FROM totp_secrets t WHERE t.user_id = ${db(userId)} AND t.confirmed_at IS NOT NULL)`;

/** Selects what this person may use or is invited to, by name. */
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

/** Counts the accounts in the groups of both together. */
export const countLinked = (db: Db, userId: string, otherId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (${group(db, userId)} UNION ${group(db, otherId)}) AS linked
  `);

/** Links each account of the one group with each of the other, in both directions. */
export const insertLinks = async (db: Db, userId: string, otherId: string): Promise<void> => {
  const rows = await db<{ user_id: string }[]>`
    WITH mine AS (${group(db, userId)}), others AS (${group(db, otherId)})
    INSERT INTO account_access (user_id, person_id, kind)
    SELECT mine.id, others.id, 'identity' FROM mine, others UNION ALL
    SELECT others.id, mine.id, 'identity' FROM mine, others
    -- A former member has proved to be the same person now.
    ON CONFLICT (user_id, person_id) DO UPDATE SET kind = 'identity', accepted_at = now()
    RETURNING user_id
  `;
  invalidate(db, ...new Set(rows.map(({ user_id }) => `user:${user_id}` as const)));
};

export const selectIsLinked = (db: Db, userId: string, otherId: string): Promise<boolean> =>
  hasRows(db`
    SELECT FROM account_access
    WHERE user_id = ${otherId} AND person_id = ${userId} AND kind = 'identity'
  `);

/** Selects the ids of the links of an account with others, in both directions. */
export const selectLinkIds = (db: Db, userId: string): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    SELECT id FROM account_access
    WHERE kind = 'identity' AND (user_id = ${userId} OR person_id = ${userId})
  `);

/** Deletes accesses with their remaining sessions, codes and tokens. `userId` is that of a shared account. */
export const deleteAccess = async (db: Db, ids: readonly string[], userId?: string) => {
  await db`DELETE FROM account_access WHERE id = ANY(${ids})`;
  if (userId) invalidate(db, `user:${userId}`);
};
