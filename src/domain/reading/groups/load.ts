// Loads groups with their moderators and what waits for the viewer, in a fixed number of queries.

import type { App } from "../../../platform/app.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { getGroup, hasGroups, roleIn } from "./access.ts";
import { MAX_COUNTED } from "./limits.ts";
import {
  selectGroupPage,
  selectGroups,
  selectManaged,
  selectModerators,
  selectWaiting,
} from "./queries.ts";
import type { GroupRole, GroupRow } from "./tables.ts";

export type GroupView = GroupRow & {
  account: AccountView;
  owner: AccountView | null;
  moderators: AccountView[];
  /** The viewer's role. */
  role: GroupRole | null;
  /** Set only for viewers with a role. */
  waiting: { requests: number; held: number } | null;
};

const viewsOf = async (app: App, rows: GroupRow[], viewer: string | null): Promise<GroupView[]> => {
  const ids = rows.map(({ account_id: id }) => id);
  const moderators = await selectModerators(app.sql, ids);
  const moderatorsOf = (groupId: string) =>
    moderators.filter((row) => row.group_id === groupId).map((row) => row.account_id);
  const roles = new Map(
    rows.map((row) => [row.account_id, roleIn(row, moderatorsOf(row.account_id), viewer)]),
  );
  const managed = ids.filter((id) => roles.get(id));
  const waiting = managed.length > 0 ? await selectWaiting(app.sql, managed, MAX_COUNTED) : [];
  const people = [
    ...ids,
    ...rows.map((row) => row.owner_id),
    ...moderators.map((m) => m.account_id),
  ];
  const accounts = await loadAccounts(app, [...new Set(people.filter((id) => id !== null))]);
  return rows.flatMap((row) => {
    const account = accounts.get(row.account_id);
    if (!account) return [];
    const counts = waiting.find(({ id }) => id === row.account_id);
    return {
      ...row,
      account,
      owner: (row.owner_id && accounts.get(row.owner_id)) || null,
      moderators: moderatorsOf(row.account_id).flatMap((id) => accounts.get(id) ?? []),
      role: roles.get(row.account_id) ?? null,
      waiting: counts ? { requests: counts.requests, held: counts.held } : null,
    };
  });
};

/** Loads a group as `viewer` sees it; null for nobody signed in. */
export const loadGroup = async (app: App, id: string, viewer: string | null): Promise<GroupView> =>
  (await viewsOf(app, [await getGroup(app, id)], viewer))[0]!;

/** Returns groups that somebody owns or moderates, the newest first. */
export const loadManaged = async (app: App, accountId: string): Promise<GroupView[]> => {
  const ids = (await selectManaged(app.sql, accountId)).map(({ id }) => id);
  const views = await viewsOf(app, await selectGroups(app.sql, ids), accountId);
  return ids.flatMap((id) => views.find((view) => view.account_id === id) ?? []);
};

/** Returns how many groups somebody runs, and what waits for them there; asks little where nobody runs any. */
export const countWaiting = async (
  app: App,
  accountId: string,
): Promise<{ count: number; groups: number }> => {
  const ids = (await hasGroups(app))
    ? (await selectManaged(app.sql, accountId)).map(({ id }) => id)
    : [];
  const waiting = ids.length > 0 ? await selectWaiting(app.sql, ids, MAX_COUNTED) : [];
  const count = waiting.reduce((sum, each) => sum + each.requests + each.held, 0);
  return { count, groups: ids.length };
};

/** Returns the moderators of a group, its owner first; throws NotFound where the account is no group. */
export const allModeratorsOf = async (app: App, groupId: string): Promise<AccountView[]> => {
  const { owner, moderators } = await loadGroup(app, groupId, null);
  return [...(owner ? [owner] : []), ...moderators];
};

const PAGE = 100;

/** Yields all groups of this server, a page at a time, and at least one page. */
export const allGroups = async function* (app: App): AsyncGenerator<GroupView[]> {
  for (let after = "0"; ;) {
    const rows = await selectGroupPage(app.sql, after, PAGE);
    yield viewsOf(app, rows, null);
    if (rows.length < PAGE) return;
    after = rows.at(-1)!.account_id;
  }
};
