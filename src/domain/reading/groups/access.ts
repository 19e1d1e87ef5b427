// Knows which groups exist, and who may do what in them: the owner everything, moderators what concerns members and
// posts (docs/design/groups.md).

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden, orNotFound } from "../../../platform/errors.ts";
import { GROUPS_CHANGED, selectAnyGroup, selectGroups, selectModerators } from "./queries.ts";
import type { GroupRole, GroupRow } from "./tables.ts";

/** Caches whether there is any group, so that servers without groups query nothing about them. */
export const hasGroups = listenedValue<boolean>({
  name: "groups",
  channel: "settings",
  key: GROUPS_CHANGED,
  read: selectAnyGroup,
});

/** Throws NotFound also for those that are deleted or suspended. */
export const getGroup = async (app: App, id: string, db: Db = app.sql): Promise<GroupRow> =>
  orNotFound((await selectGroups(db, [id]))[0]);

export const roleIn = (
  group: GroupRow,
  moderatorIds: string[],
  accountId: string | null,
): GroupRole | null => {
  if (accountId === null) return null;
  if (group.owner_id === accountId) return "owner";
  return moderatorIds.includes(accountId) ? "moderator" : null;
};

/** Returns the group where the account has at least that role in it; else throws Forbidden. */
export const requireRole = async (
  app: App,
  groupId: string,
  accountId: string,
  role: GroupRole,
): Promise<GroupRow> => {
  const group = await getGroup(app, groupId);
  if (group.owner_id === accountId) return group;
  if (role === "owner") throw new Forbidden();
  const moderators = await selectModerators(app.sql, [groupId]);
  if (!moderators.some(({ account_id: id }) => id === accountId)) throw new Forbidden();
  return group;
};
