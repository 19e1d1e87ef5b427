// All SQL of the roles slice.

import { EVERYTHING, invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyValue } from "../../../platform/db/rows.ts";
import type { RoleRow } from "./tables.ts";

/** Key that invalidates the role of everybody who has no other. */
export const EVERYBODY_CHANGED = "everybody:";

const columns = (db: Db) =>
  db`id, name, color, permissions::text AS permissions, highlighted, position, max_characters`;

/** Selects the most powerful role first. */
export const selectRoles = (db: Db) => db<RoleRow[]>`
  SELECT ${columns(db)} FROM roles ORDER BY position DESC, id
`;

export const selectRoleByName = (db: Db, name: string): Promise<RoleRow | null> =>
  firstRow(db<RoleRow[]>`
    SELECT ${columns(db)} FROM roles WHERE lower(name) = lower(${name}) AND name <> ''
  `);

/** Selects a role that nobody else changes before the transaction ends. */
export const lockRole = (db: Db, id: string): Promise<RoleRow | null> =>
  firstRow(db<RoleRow[]>`SELECT ${columns(db)} FROM roles WHERE id = ${id} FOR UPDATE`);

export const selectRoleCount = (db: Db): Promise<number> =>
  onlyValue(db<{ count: number }[]>`SELECT count(*)::int AS count FROM roles`);

export const insertRole = (db: Db, role: Omit<RoleRow, "id">): Promise<string> =>
  onlyValue(db<{ id: string }[]>`INSERT INTO roles ${db(role)} RETURNING id`);

/** Invalidates what is cached of the people who have the role. */
const invalidateHolders = async (db: Db, id: string): Promise<void> => {
  const rows = await db<{ id: string; account_id: string }[]>`
    SELECT id, account_id FROM users WHERE role_id = ${id} AND role_id <> -99
  `;
  for (const row of rows) invalidate(db, `account:${row.account_id}`, `user:${row.id}`);
};

export const updateRole = async (db: Db, id: string, change: Partial<Omit<RoleRow, "id">>) => {
  await db`UPDATE roles SET ${db(change as never)} WHERE id = ${id}`;
  // Everybody without another role has this one.
  if (id === "-99") invalidate(db, EVERYTHING, EVERYBODY_CHANGED);
  else await invalidateHolders(db, id);
};

/** Counts the people who have the role, at most `cap`. */
export const selectHolders = (db: Db, id: string, cap: number): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM users WHERE role_id = ${id} AND role_id <> -99 LIMIT ${cap}
    ) AS held
  `);

export const deleteRole = (db: Db, id: string) => db`DELETE FROM roles WHERE id = ${id}`;
