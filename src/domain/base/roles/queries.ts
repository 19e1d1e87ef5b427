// All SQL of the roles slice.

import { EVERYTHING, invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import type { RoleRow } from "./tables.ts";

/** Key that invalidates the role of everybody who has no other. */
export const EVERYBODY_CHANGED = "everybody:";

const columns = (db: Db) =>
  db`id, name, color, permissions::text AS permissions, highlighted, position, max_characters`;

/** Selects the most powerful role first. */
export const selectRoles = (db: Db) => db<RoleRow[]>`
  SELECT ${columns(db)} FROM roles ORDER BY position DESC, id
`;

export const selectRoleByName = async (db: Db, name: string): Promise<RoleRow | null> => {
  const [row] = await db<RoleRow[]>`
    SELECT ${columns(db)} FROM roles WHERE lower(name) = lower(${name}) AND name <> ''
  `;
  return row ?? null;
};

export const selectRoleCount = async (db: Db): Promise<number> => {
  const [row] = await db<{ count: number }[]>`SELECT count(*)::int AS count FROM roles`;
  return row!.count;
};

export const insertRole = async (db: Db, role: Omit<RoleRow, "id">): Promise<string> => {
  const [row] = await db<{ id: string }[]>`INSERT INTO roles ${db(role)} RETURNING id`;
  return row!.id;
};

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
export const selectHolders = async (db: Db, id: string, cap: number): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM (
      SELECT FROM users WHERE role_id = ${id} AND role_id <> -99 LIMIT ${cap}
    ) AS held
  `;
  return row!.count;
};

export const deleteRole = (db: Db, id: string) => db`DELETE FROM roles WHERE id = ${id}`;
