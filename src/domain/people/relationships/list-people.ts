// Lists accounts in a relation, paged by the relation's id.

import type { App } from "../../../platform/app.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { listAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { loadRelations } from "./load.ts";
import { selectPeople } from "./queries.ts";
import type { PeopleList } from "./queries.ts";

const FOLLOWERS: PeopleList = { table: "follows", of: "target_account_id", list: "account_id" };
const FOLLOWING: PeopleList = { table: "follows", of: "account_id", list: "target_account_id" };
const REQUESTS: PeopleList = {
  table: "follow_requests",
  of: "target_account_id",
  list: "account_id",
};
const BLOCKS: PeopleList = { table: "blocks", of: "account_id", list: "target_account_id" };
const MUTES: PeopleList = { table: "mutes", of: "account_id", list: "target_account_id" };

export const LISTS = {
  followers: FOLLOWERS,
  following: FOLLOWING,
  requests: REQUESTS,
  blocks: BLOCKS,
  mutes: MUTES,
};

export type People = { views: AccountView[]; pageIds: string[] };

/** `hideFor` is a viewer who is not shown accounts with a block between them. */
export const listPeople = async (
  app: App,
  list: PeopleList,
  accountId: string,
  page: Page,
  hideFor: string | null = null,
): Promise<People> => {
  const now = app.clock.now();
  const people = await selectPeople(app.sql, list, accountId, page, { hideFor, now });
  const rows = inOrder(page, [...people]);
  const views = await listAccounts(
    app,
    rows.map((row) => row.id),
  );
  return { views, pageIds: rows.map((row) => row.page_id) };
};

/**
 * Returns whether the followers and follows of the account are hidden from the viewer: those of suspended accounts, of
 * accounts that hide them, and of accounts that block the viewer.
 */
export const hidesPeople = async (
  app: App,
  view: AccountView,
  viewer: string | null,
): Promise<boolean> => {
  if (view.suspended_at !== null) return true;
  if (view.id === viewer) return false;
  if (view.hide_collections) return true;
  if (viewer === null) return false;
  return (await loadRelations(app, viewer, [view.id])).get(view.id)!.blocked_by;
};
