// What the owner and the moderators of a group read of it: who waits or is banned, posts that wait, what was done.

import type { App } from "../../../platform/app.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import { listPeople, LISTS } from "../../people/relationships/list-people.ts";
import type { People } from "../../people/relationships/list-people.ts";
import { loadForModerators } from "../../posts/statuses/load.ts";
import { requireRole } from "./access.ts";
import { selectActs } from "./queries.ts";
import { selectHeld } from "./queries-posts.ts";

/** `by` reads a list of the group. Forbidden for whoever has no role in it, NotFound where there is none. */
export type GroupReading = { groupId: string; by: string };

/** By the name of the list in the API. */
const PEOPLE = { follow_requests: LISTS.requests, bans: LISTS.blocks };
export type GroupPeople = keyof typeof PEOPLE;

export const listGroupPeople = async (
  app: App,
  { groupId, by }: GroupReading,
  list: GroupPeople,
  page: Page,
): Promise<People> => {
  await requireRole(app, groupId, by, "moderator");
  return listPeople(app, PEOPLE[list], groupId, page);
};

/** Also of who blocks the moderator, or is nobody's any more: else nobody could decide on them. */
export const listHeldPosts = async (app: App, { groupId, by }: GroupReading, page: Page) => {
  await requireRole(app, groupId, by, "moderator");
  const rows = inOrder(page, [...(await selectHeld(app.sql, groupId, page))]);
  const pageIds = rows.map(({ id }) => id);
  return { pageIds, views: await loadForModerators(app, pageIds, by) };
};

export const listGroupActs = async (app: App, { groupId, by }: GroupReading, page: Page) => {
  await requireRole(app, groupId, by, "moderator");
  const rows = inOrder(page, [...(await selectActs(app.sql, groupId, page))]);
  const named = rows.flatMap((row) => [row.account_id, row.target_id]).filter((id) => id !== null);
  return {
    pageIds: rows.map(({ id }) => id),
    rows,
    accounts: await loadAccounts(app, [...new Set(named)]),
  };
};
