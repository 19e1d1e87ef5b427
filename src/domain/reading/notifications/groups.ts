// Loads groups of notifications (a page, one, and its senders) in a fixed number of queries.

import type { App } from "../../../platform/app.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import { parseId } from "../../../platform/ids/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { NotFound, orNotFound } from "../../../platform/errors.ts";
import { isListed, listAccounts } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { presentId } from "../timelines/former-ids.ts";
import { floorOf, groupRows, readGroupPage, seenGroups } from "./cached-page.ts";
import { loadPeople, loadSubjects } from "./load.ts";
import { deleteGroup, selectGroup, selectSenders } from "./queries-groups.ts";
import type { GroupFilter, GroupName } from "./queries-groups.ts";
import type { GroupRow, GroupRows, GroupView, GroupsView } from "./tables.ts";

/** Returns the senders of a row that are listed; the row's own array where all are. */
const shownOf = ({ sender_ids: ids }: GroupRow, listed: ReadonlySet<string> | null): string[] =>
  listed ? ids.filter((id) => listed.has(id)) : ids;

/** Leaves out accounts and statuses that only groups outside the page name. */
const named = (groups: GroupView[], { accounts, statuses }: GroupsView): GroupsView => {
  const senders = new Set(groups.flatMap(({ senderIds }) => senderIds));
  const subjects = new Set(groups.map(({ row }) => row.status_id));
  return {
    groups,
    accounts: accounts.filter(({ id }) => senders.has(id)),
    statuses: statuses.filter(({ id }) => subjects.has(id)),
  };
};

/** Leaves out groups whose subject that person may not see (any more). */
const viewsOf = async (
  app: App,
  accountId: string,
  { rows, senderIds, statusIds }: GroupRows,
): Promise<GroupsView> => {
  const known = await loadPeople(app, accountId, senderIds);
  const { statuses, subjectOf } = await loadSubjects(app, accountId, { rows, statusIds });
  const accounts = known.filter((view) => view !== undefined).filter(isListed);
  const listed =
    accounts.length === senderIds.length ? null : new Set(accounts.map(({ id }) => id));
  const groups: GroupView[] = [];
  for (const row of rows) {
    const subject = subjectOf(row);
    const shown = shownOf(row, listed);
    if (subject && shown.length > 0) groups.push({ row, senderIds: shown, subject });
  }
  const all = { groups, accounts, statuses };
  return groups.length === rows.length ? all : named(groups, all);
};

/** `floor` is the lowest id that the page could have. */
type GroupPage = { view: GroupsView; ids: string[]; floor: string };

/** Returns a page of one's groups, with the ids of all rows found, for paging. */
export const listGroups = async (
  app: App,
  accountId: string,
  page: Page,
  filter: GroupFilter,
): Promise<GroupPage> => {
  const rows = await readGroupPage(app, accountId, page, filter);
  const view = await viewsOf(app, accountId, rows);
  return { view, ids: rows.rows.map((row) => row.id), floor: floorOf(page, rows.rows) };
};

const ALONE = /^ungrouped-(\d{1,19})$/;

/** Reads a key from outside; throws NotFound where it can name nothing. */
const nameOf = async (app: App, accountId: string, key: string): Promise<GroupName> => {
  const [, id] = ALONE.exec(key) ?? [];
  if (id === undefined) return { key };
  const known = orNotFound(parseId(id));
  return { id: await presentId(app, accountId, known) };
};

/** Returns one's own group; throws NotFound for others. */
export const getGroup = async (app: App, accountId: string, key: string): Promise<GroupsView> => {
  const name = await nameOf(app, accountId, key);
  const rows = await seenGroups(app, selectGroup(app.sql, accountId, name, app.clock.now()));
  const view = await viewsOf(app, accountId, groupRows(rows));
  if (view.groups.length === 0) throw new NotFound();
  return view;
};

/**
 * Returns a page of the group's senders, with the ids of their notifications; throws NotFound where there is no such
 * group.
 */
export const listSenders = async (
  app: App,
  accountId: string,
  key: string,
  page: Page,
): Promise<{ views: AccountView[]; ids: string[] }> => {
  const name = await nameOf(app, accountId, key);
  const now = app.clock.now();
  const rows = inOrder(page, [...(await selectSenders(app.sql, accountId, name, page, now))]);
  if (rows.length === 0) await getGroup(app, accountId, key);
  const views = await listAccounts(
    app,
    rows.map((row) => row.from_account_id),
  );
  return { views: views.filter(isListed), ids: rows.map((row) => row.id) };
};

/** Deletes the notifications of one's own group. */
export const dismissGroup = async (app: App, accountId: string, key: string): Promise<void> =>
  deleteGroup(app.sql, accountId, await nameOf(app, accountId, key));
