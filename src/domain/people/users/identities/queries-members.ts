// SQL of shared accounts: who uses them, who is invited to, and what was done in them.

import { invalidate } from "../../../../platform/db/commits.ts";
import type { Db } from "../../../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../../../platform/db/rows.ts";
import type { Role } from "./queries.ts";

export type MemberRow = {
  id: string;
  person_id: string;
  account_id: string;
  username: string;
  role: Role;
  created_at: Date;
  accepted_at: Date | null;
};

/** Selects members of a shared account by name: those who accepted, and those who are invited. */
export const selectMembers = (db: Db, userId: string) => db<MemberRow[]>`
  SELECT x.id, x.person_id, u.account_id, a.username, x.kind AS role, x.created_at, x.accepted_at
  FROM account_access x
  JOIN users u ON u.id = x.person_id
  JOIN accounts a ON a.id = u.account_id
  WHERE x.user_id = ${userId} AND x.kind <> 'identity'
  ORDER BY a.username
`;

export type Candidate = { user_id: string; account_id: string; username: string; usable: boolean };

/** Selects a person of this server by name; `usable` says whether this account can invite them. */
export const selectCandidate = (db: Db, accountId: string, name: string) =>
  firstRow(db<Candidate[]>`
    SELECT u.id AS user_id, a.id AS account_id, a.username,
      u.confirmed_at IS NOT NULL AND u.approved AND NOT u.disabled AND a.suspended_at IS NULL
      AND NOT EXISTS (
        SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_account_id = ${accountId}
      ) AS usable
    FROM accounts a JOIN users u ON u.account_id = a.id
    WHERE a.username = ${name} AND coalesce(a.domain, '') = ''
  `);

/** Invalidates what is cached of the account's tokens. */
const changed = (db: Db, userId: string): void => invalidate(db, `user:${userId}`);

/** Returns its id; null where that person has access already, or is invited. */
export const insertInvitation = async (
  db: Db,
  { userId, personId, role }: { userId: string; personId: string; role: Role },
): Promise<string | null> => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO account_access (user_id, person_id, kind, accepted_at)
    VALUES (${userId}, ${personId}, ${role}, NULL)
    ON CONFLICT (user_id, person_id) DO NOTHING
    RETURNING id
  `;
  changed(db, userId);
  return row?.id ?? null;
};

/** Selects and locks what the person is invited to by this row; null for nothing. */
export const selectInvitation = (db: Db, personId: string, id: string) =>
  firstRow(db<{ user_id: string; username: string; accepted_at: Date | null }[]>`
    SELECT x.user_id, a.username, x.accepted_at
    FROM account_access x
    JOIN users u ON u.id = x.user_id
    JOIN accounts a ON a.id = u.account_id
    WHERE x.id = ${id} AND x.person_id = ${personId} AND x.kind <> 'identity'
    FOR UPDATE OF x
  `);

export const countShared = (db: Db, personId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM account_access
    WHERE person_id = ${personId} AND kind <> 'identity' AND accepted_at IS NOT NULL
  `);

export const updateAccepted = async (db: Db, id: string, userId: string, at: Date) => {
  await db`UPDATE account_access SET accepted_at = ${at} WHERE id = ${id}`;
  changed(db, userId);
};

export const updateRole = async (db: Db, id: string, userId: string, role: Role) => {
  await db`UPDATE account_access SET kind = ${role} WHERE id = ${id}`;
  changed(db, userId);
};

export type NewAct = {
  user_id: string;
  /** Id of the acting member; null where the account's own password was used. */
  person_id: string | null;
  act: string;
  detail: string | null;
  status_id: string | null;
};

export const insertAct = (db: Db, { user_id, person_id, act, detail, status_id }: NewAct) =>
  onlyValue(db<{ id: string }[]>`
    INSERT INTO shared_acts (user_id, by_name, act, detail, status_id)
    VALUES (${user_id}, (
      SELECT a.username FROM users u JOIN accounts a ON a.id = u.account_id WHERE u.id = ${person_id}
    ), ${act}, ${detail}, ${status_id})
    RETURNING id
  `);

export const updateActStatus = (db: Db, id: string, statusId: string) =>
  db`UPDATE shared_acts SET status_id = ${statusId} WHERE id = ${id}`;

export const deleteAct = (db: Db, id: string) => db`DELETE FROM shared_acts WHERE id = ${id}`;

export type ActRow = {
  id: string;
  by_name: string | null;
  act: string;
  detail: string | null;
  status_id: string | null;
  created_at: Date;
};

/** Selects the newest first; below `maxId` where it is given. */
export const selectActs = (db: Db, userId: string, maxId: string | null, limit: number) => db<
  ActRow[]
>`
  SELECT id, by_name, act, detail, status_id, created_at FROM shared_acts
  WHERE user_id = ${userId} AND (${maxId}::bigint IS NULL OR id < ${maxId})
  ORDER BY id DESC LIMIT ${limit}
`;
