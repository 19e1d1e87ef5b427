// SQL of groups: the groups themselves, their moderators, and the acts of these.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { hasRows, onlyValue } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { GroupActRow, GroupRow, NewGroupAct } from "./tables.ts";

/** Key that is invalidated when the first group is made. */
export const GROUPS_CHANGED = "groups:";

export const selectAnyGroup = async (db: Db): Promise<boolean> =>
  (await db`SELECT FROM groups LIMIT 1`).length > 0;

export const insertGroup = async (
  db: Db,
  group: Pick<GroupRow, "account_id" | "owner_id" | "rules" | "holds_posts">,
): Promise<void> => {
  await db`INSERT INTO groups ${db(group)}`;
  invalidate(db, GROUPS_CHANGED);
};

type GroupChange = Partial<Pick<GroupRow, "owner_id" | "rules" | "holds_posts">>;

export const updateGroup = (db: Db, id: string, change: GroupChange) => db`
  UPDATE groups SET ${db(change)} WHERE account_id = ${id}
`;

/** Leaves out those that are deleted or suspended. */
export const selectGroups = (db: Db, ids: string[]) => db<GroupRow[]>`
  SELECT g.account_id, g.owner_id, g.rules, g.holds_posts, g.created_at
  FROM groups g JOIN accounts a ON a.id = g.account_id AND a.suspended_at IS NULL
  WHERE g.account_id = ANY(${ids}::bigint[])
`;

/** Selects groups that somebody owns or moderates, the newest first; both are bounded. */
export const selectManaged = (db: Db, accountId: string) => db<{ id: string }[]>`
  SELECT a.id FROM accounts a
  WHERE a.suspended_at IS NULL AND a.id IN (
    SELECT account_id FROM groups WHERE owner_id = ${accountId}
    UNION ALL
    SELECT group_id FROM group_moderators WHERE account_id = ${accountId}
  )
  ORDER BY a.id DESC
`;

/** Selects a page of all groups, by their accounts. */
export const selectGroupPage = (db: Db, after: string, limit: number) => db<GroupRow[]>`
  SELECT account_id, owner_id, rules, holds_posts, created_at FROM groups
  WHERE account_id > ${after} ORDER BY account_id LIMIT ${limit}
`;

/** Selects groups of any server that somebody follows, by the follow. */
export const selectJoined = (db: Db, accountId: string, page: Page) => db<
  { id: string; page_id: string }[]
>`
  SELECT a.id, f.id AS page_id
  FROM follows f JOIN accounts a ON a.id = f.target_account_id
  WHERE f.account_id = ${accountId} AND a.actor_type = 'Group' AND a.suspended_at IS NULL
    AND ${inPage(db, page, "f.id")}
`;

/** Selects groups of this server that want to be found and that somebody has not joined, the newest first. */
export const selectFindable = (db: Db, accountId: string, page: Page) => db<
  { id: string; page_id: string }[]
>`
  SELECT a.id, a.id AS page_id FROM groups g JOIN accounts a ON a.id = g.account_id
  WHERE a.discoverable AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    AND a.moved_to_account_id IS NULL
    AND NOT EXISTS (
      SELECT FROM follows f WHERE f.account_id = ${accountId} AND f.target_account_id = a.id
    )
    AND NOT EXISTS (
      SELECT FROM blocks b WHERE b.account_id = a.id AND b.target_account_id = ${accountId}
    )
    AND NOT EXISTS (
      SELECT FROM blocks b WHERE b.account_id = ${accountId} AND b.target_account_id = a.id
    )
    AND ${inPage(db, page, "a.id")}
`;

/** Prevents others from making the account the owner or a moderator of a group until the end of the transaction. */
export const lockModeration = (db: Db, accountId: string) => db`
  SELECT pg_advisory_xact_lock(hashtextextended(${`group-moderation:${accountId}`}, 0))
`;

export const countOwned = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM groups WHERE owner_id = ${accountId}
  `);

export const countModerated = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<[{ count: number }]>`
    SELECT count(*)::int AS count FROM group_moderators WHERE account_id = ${accountId}
  `);

/** Selects moderators in the order of their accounts. */
export const selectModerators = (db: Db, groupIds: string[]) => db<
  { group_id: string; account_id: string }[]
>`
  SELECT group_id, account_id FROM group_moderators WHERE group_id = ANY(${groupIds}::bigint[])
  ORDER BY account_id
`;

/** Returns whether it is new. */
export const insertModerator = (db: Db, groupId: string, accountId: string) =>
  hasRows(db`
    INSERT INTO group_moderators (group_id, account_id) VALUES (${groupId}, ${accountId})
    ON CONFLICT DO NOTHING
  `);

/** Returns whether there was one. */
export const deleteModerator = (db: Db, groupId: string, accountId: string) =>
  hasRows(db`
    DELETE FROM group_moderators WHERE group_id = ${groupId} AND account_id = ${accountId}
  `);

export type Waiting = { id: string; requests: number; held: number };

/** Counts requests and posts that wait for moderators, up to `cap`. */
export const selectWaiting = (db: Db, groupIds: string[], cap: number) => db<Waiting[]>`
  SELECT g.id,
    (SELECT count(*)::int FROM (
      SELECT FROM follow_requests WHERE target_account_id = g.id LIMIT ${cap}
    ) r) AS requests,
    (SELECT count(*)::int FROM (
      SELECT FROM group_posts WHERE group_id = g.id AND state = 'held' LIMIT ${cap}
    ) p) AS held
  FROM unnest(${groupIds}::bigint[]) AS g (id)
`;

export const insertAct = async (db: Db, act: NewGroupAct, at: Date): Promise<void> => {
  const { groupId, accountId, action, targetId = null, statusId = null } = act;
  await db`
    INSERT INTO group_acts (group_id, account_id, action, target_id, status_id, created_at)
    VALUES (${groupId}, ${accountId}, ${action}, ${targetId}, ${statusId}, ${at})
  `;
};

export const selectActs = (db: Db, groupId: string, page: Page) => db<GroupActRow[]>`
  SELECT id, account_id, action, target_id, status_id, created_at FROM group_acts
  WHERE group_id = ${groupId} AND ${inPage(db, page)}
`;
