// Groups of notifications: a page, one, and its senders, in a fixed number of queries.

import type { App } from "../../platform/app.ts";
import { inOrder, parseId } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { isListed, listAccounts, loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { readGroupPage } from "./cached-page.ts";
import { loadSubjects } from "./load.ts";
import { deleteGroup, selectGroup, selectSenders } from "./queries-groups.ts";
import type { GroupFilter, GroupName } from "./queries-groups.ts";
import type { GroupRow, GroupView } from "./tables.ts";

/** Without groups whose subject that person may not see (any more). */
const viewsOf = async (app: App, accountId: string, rows: GroupRow[]): Promise<GroupView[]> => {
  const [accounts, subjectOf] = await Promise.all([
    loadAccounts(app, [...new Set(rows.flatMap((row) => row.sender_ids))]),
    loadSubjects(app, accountId, rows),
  ]);
  return rows.flatMap((row) => {
    const senders = row.sender_ids.flatMap((id) => accounts.get(id) ?? []).filter(isListed);
    const subject = subjectOf(row);
    if (senders.length === 0 || !subject) return [];
    const { status, report, collection, warning, severance } = subject;
    return [{ ...row, status, report, collection, warning, severance, senders }];
  });
};

/** `floor`: the lowest id that the page could have. */
export type GroupPage = { views: GroupView[]; ids: string[]; floor: string };

/** A page of one's groups, with the ids of all rows found, for paging. */
export const listGroups = async (
  app: App,
  accountId: string,
  page: Page,
  filter: GroupFilter,
): Promise<GroupPage> => {
  const rows = inOrder(page, [...(await readGroupPage(app, accountId, page, filter))]);
  const isFull = rows.length >= page.limit;
  const floor = (isFull ? rows.at(-1)?.id : null) ?? page.minId ?? page.sinceId ?? "0";
  return { views: await viewsOf(app, accountId, rows), ids: rows.map((row) => row.id), floor };
};

const ALONE = /^ungrouped-(\d{1,19})$/;

/** What a key from outside names; NotFound where it can name nothing. */
const nameOf = (key: string): GroupName => {
  const [, id] = ALONE.exec(key) ?? [];
  if (id === undefined) return { key };
  const known = parseId(id);
  if (known === null) throw new NotFound();
  return { id: known };
};

/** One's own group; NotFound for others. */
export const getGroup = async (app: App, accountId: string, key: string): Promise<GroupView> => {
  const rows = await selectGroup(app.sql, accountId, nameOf(key), app.clock.now());
  const [view] = await viewsOf(app, accountId, [...rows]);
  if (!view) throw new NotFound();
  return view;
};

/** A page of those who did it, with the ids of their notifications; NotFound where there is no such group. */
export const listSenders = async (
  app: App,
  accountId: string,
  key: string,
  page: Page,
): Promise<{ views: AccountView[]; ids: string[] }> => {
  const name = nameOf(key);
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
export const dismissGroup = (app: App, accountId: string, key: string): Promise<void> =>
  deleteGroup(app.sql, accountId, nameOf(key));
