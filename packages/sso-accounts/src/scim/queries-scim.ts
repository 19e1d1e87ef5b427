// SQL of what providers tell of their people.

import { firstRow, onlyRow, onlyValue, valuesOf } from "../uses.ts";
import type { Db } from "../uses.ts";
import type { Filter, Json, Page } from "./wire.ts";

export const upsertToken = (db: Db, issuer: string, hash: Buffer, at: Date) => db`
  INSERT INTO scim_tokens (issuer, token_hash, created_at) VALUES (${issuer}, ${hash}, ${at})
  ON CONFLICT (issuer) DO UPDATE SET token_hash = EXCLUDED.token_hash, created_at = EXCLUDED.created_at
`;

export const deleteToken = (db: Db, issuer: string) =>
  db`DELETE FROM scim_tokens WHERE issuer = ${issuer}`;

/** Deletes all that a provider told of. */
export const deleteTold = async (db: Db, issuer: string): Promise<void> => {
  await deleteToken(db, issuer);
  await db`DELETE FROM scim_groups WHERE issuer = ${issuer}`;
  await db`DELETE FROM scim_users WHERE issuer = ${issuer}`;
  await db`
    UPDATE sso_identities SET ended_at = NULL WHERE issuer = ${issuer} AND ended_at IS NOT NULL
  `;
};

export type UserRow = {
  id: string;
  issuer: string;
  user_name: string;
  external_id: string | null;
  active: boolean;
  attributes: Json;
  version: number;
  created_at: Date;
  updated_at: Date;
};

export type GroupRow = {
  id: string;
  issuer: string;
  display_name: string;
  external_id: string | null;
  version: number;
  created_at: Date;
  updated_at: Date;
};

const EVERY: Record<string, (db: Db, value: string) => ReturnType<Db>> = {
  id: (db, value) => db`id::text = ${value}`,
  externalId: (db, value) => db`external_id = ${value}`,
  userName: (db, value) => db`lower(user_name) = lower(${value})`,
  displayName: (db, value) => db`lower(display_name) = lower(${value})`,
};

const matching = (db: Db, issuer: string, filter: Filter | null) =>
  filter === null
    ? db`issuer = ${issuer}`
    : db`issuer = ${issuer} AND ${EVERY[filter.attribute]!(db, filter.value)}`;

export type Kind = "scim_users" | "scim_groups";

export const countResources = (db: Db, kind: Kind, issuer: string, filter: Filter | null) =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${db(kind)} WHERE ${matching(db, issuer, filter)}
  `);

const pageOf = (db: Db, { startIndex, count }: Page) =>
  db`ORDER BY id LIMIT ${count} OFFSET ${startIndex - 1}`;

export const selectUsers = (db: Db, issuer: string, filter: Filter | null, page: Page) => db<
  UserRow[]
>`
  SELECT * FROM scim_users WHERE ${matching(db, issuer, filter)} ${pageOf(db, page)}
`;

export const selectGroups = (db: Db, issuer: string, filter: Filter | null, page: Page) => db<
  GroupRow[]
>`
  SELECT * FROM scim_groups WHERE ${matching(db, issuer, filter)} ${pageOf(db, page)}
`;

/** Locks it, where it is to be changed. */
export const selectUser = (db: Db, issuer: string, id: string, isChanged = false) =>
  firstRow(db<UserRow[]>`
    SELECT * FROM scim_users WHERE issuer = ${issuer} AND id = ${id} ${isChanged ? db`FOR UPDATE` : db``}
  `);

export const selectGroup = (db: Db, issuer: string, id: string, isChanged = false) =>
  firstRow(db<GroupRow[]>`
    SELECT * FROM scim_groups WHERE issuer = ${issuer} AND id = ${id} ${isChanged ? db`FOR UPDATE` : db``}
  `);

export type UserFields = Pick<UserRow, "user_name" | "external_id" | "active" | "attributes">;
export type GroupFields = Pick<GroupRow, "display_name" | "external_id">;

const userColumns = (db: Db, { attributes, ...row }: UserFields) =>
  db({ ...row, attributes: db.json(attributes as never) } as never);

export const insertUser = (db: Db, issuer: string, fields: UserFields, at: Date) =>
  onlyRow(db<UserRow[]>`
    INSERT INTO scim_users (issuer, user_name, external_id, active, attributes, created_at, updated_at)
    VALUES (${issuer}, ${fields.user_name}, ${fields.external_id}, ${fields.active},
      ${db.json(fields.attributes as never)}, ${at}, ${at})
    RETURNING *
  `);

export const updateUser = (db: Db, id: string, fields: UserFields, at: Date) =>
  onlyRow(db<UserRow[]>`
    UPDATE scim_users SET ${userColumns(db, fields)}, version = version + 1, updated_at = ${at}
    WHERE id = ${id} RETURNING *
  `);

export const deleteUser = (db: Db, id: string) => db`DELETE FROM scim_users WHERE id = ${id}`;

export const insertGroup = (db: Db, issuer: string, fields: GroupFields, at: Date) =>
  onlyRow(db<GroupRow[]>`
    INSERT INTO scim_groups (issuer, display_name, external_id, created_at, updated_at)
    VALUES (${issuer}, ${fields.display_name}, ${fields.external_id}, ${at}, ${at})
    RETURNING *
  `);

export const updateGroup = (db: Db, id: string, fields: GroupFields, at: Date) =>
  onlyRow(db<GroupRow[]>`
    UPDATE scim_groups SET ${db(fields)}, version = version + 1, updated_at = ${at}
    WHERE id = ${id} RETURNING *
  `);

export const deleteGroup = (db: Db, id: string) => db`DELETE FROM scim_groups WHERE id = ${id}`;

export type MemberRow = { group_id: string; user_id: string; user_name: string };

export const selectMembers = (db: Db, groupIds: readonly string[]) => db<MemberRow[]>`
  SELECT m.group_id, m.user_id, u.user_name
  FROM scim_members m JOIN scim_users u ON u.id = m.user_id
  WHERE m.group_id = ANY(${groupIds}) ORDER BY m.user_id
`;

export type GroupOfRow = { user_id: string; group_id: string; display_name: string };

export const selectGroupsOf = (db: Db, userIds: readonly string[]) => db<GroupOfRow[]>`
  SELECT m.user_id, g.id AS group_id, g.display_name
  FROM scim_members m JOIN scim_groups g ON g.id = m.group_id
  WHERE m.user_id = ANY(${userIds}) ORDER BY g.id
`;

/** Makes these the members; returns how many of them the provider has told of. */
export const replaceMembers = async (
  db: Db,
  issuer: string,
  groupId: string,
  userIds: readonly string[],
): Promise<number> => {
  await db`DELETE FROM scim_members WHERE group_id = ${groupId} AND user_id <> ALL(${userIds})`;
  const known = await valuesOf(db<{ id: string }[]>`
    SELECT id FROM scim_users WHERE issuer = ${issuer} AND id = ANY(${userIds})
  `);
  await db`
    INSERT INTO scim_members (group_id, user_id)
    SELECT ${groupId}, id FROM unnest(${known}::bigint[]) AS id ON CONFLICT DO NOTHING
  `;
  return known.length;
};

/** Notes that the provider deleted somebody who has an account. */
export const endIdentity = (db: Db, id: string, at: Date) =>
  db`UPDATE sso_identities SET ended_at = ${at} WHERE id = ${id}`;

/** Notes that the provider tells of somebody again whom it may have deleted before. */
export const revive = (db: Db, { issuer, external_id }: UserRow) => db`
  UPDATE sso_identities SET ended_at = NULL
  WHERE issuer = ${issuer} AND subject = ${external_id} AND ended_at IS NOT NULL
`;

/** Selects whose accounts the staff keeps closed, whatever the provider says. */
export const selectClosed = (db: Db, issuer: string, subjects: readonly (string | null)[]) =>
  valuesOf(db<{ subject: string }[]>`
    SELECT i.subject
    FROM sso_identities i JOIN users u ON u.id = i.user_id JOIN accounts a ON a.id = u.account_id
    WHERE i.issuer = ${issuer} AND i.subject = ANY(${subjects as string[]})
      AND (u.disabled OR a.suspended_at IS NOT NULL)
  `);

export type AccountRow = {
  identity_id: string;
  user_id: string;
  role_id: string;
};

/** Selects the account of somebody who has signed in. */
export const selectAccountOf = (db: Db, issuer: string, subject: string) =>
  firstRow(db<AccountRow[]>`
    SELECT i.id AS identity_id, i.user_id, u.role_id
    FROM sso_identities i JOIN users u ON u.id = i.user_id
    WHERE i.issuer = ${issuer} AND i.subject = ${subject}
  `);

export const selectTokens = (db: Db) =>
  db<{ issuer: string; created_at: Date }[]>`SELECT issuer, created_at FROM scim_tokens`;
