// Lists for the owner and the moderators of a group: requests, bans, posts that wait, and acts.

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

/** `by` reads a list of the group. Throws Forbidden without a role in it, NotFound where there is no group. */
export type GroupReading = { groupId: string; by: string };

/** Maps names of lists in the API to relations. */
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

/** Includes posts of people who block the moderator, or were deleted; otherwise nobody could decide on them. */
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
