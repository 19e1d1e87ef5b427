// Loads accounts and reports as moderators see them.

import type { App } from "../../../platform/app.ts";
import { inOrder, newestPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { NotFound, orNotFound } from "../../../platform/errors.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { loadStaffRows } from "../../people/users/staff.ts";
import type { StaffRow } from "../../people/users/staff.ts";
import { loadReports } from "../../reading/reports/load.ts";
import { openReportGroups, pageOfReports } from "../../reading/reports/moderate.ts";
import type { ReportGroup } from "../../reading/reports/moderate.ts";
import type { ReportView } from "../../reading/reports/tables.ts";
import { loadForModerators } from "../../posts/statuses/load.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";
import { selectPostsOf } from "./queries.ts";
import {
  MAX_ORDERED,
  ORDERS,
  selectAccountPage,
  selectFigures,
  selectOrdered,
} from "./queries-accounts.ts";
import type { AccountFigures, AccountFilter, Listing, Order } from "./queries-accounts.ts";

/** `user` is null for accounts of other servers, or where the user is deleted. */
export type AdminAccountView = { account: AccountView; user: StaffRow | null };

/** Returns them by id; unknown ones are absent. */
export const loadAdminAccounts = async (
  app: App,
  ids: string[],
): Promise<Map<string, AdminAccountView>> => {
  const [accounts, users] = await Promise.all([loadAccounts(app, ids), loadStaffRows(app, ids)]);
  return new Map(
    [...accounts].map(([id, account]) => [id, { account, user: users.get(id) ?? null }]),
  );
};

export const getAdminAccount = async (app: App, id: string): Promise<AdminAccountView> =>
  orNotFound((await loadAdminAccounts(app, [id])).get(id));

export const listAdminAccounts = async (
  app: App,
  filter: AccountFilter,
  page: Page,
): Promise<AdminAccountView[]> => {
  const ids = inOrder(page, await selectAccountPage(app.sql, filter, page));
  const views = await loadAdminAccounts(app, ids);
  return ids.flatMap((id) => views.get(id) ?? []);
};

export { MAX_ORDERED, ORDERS };
export type { Order };

export type ListedAccount = AdminAccountView & Omit<AccountFigures, "id">;

export type AccountList = {
  views: ListedAccount[];
  /** Whether more match than are ordered (MAX_ORDERED). */
  isCut: boolean;
};

/** Returns a page of the accounts in an order, with the figures that the staff compares. */
export const listAccountsInOrder = async (
  app: App,
  filter: AccountFilter,
  listing: Listing,
): Promise<AccountList> => {
  const { ids, isCut } = await selectOrdered(app.sql, filter, listing);
  const [views, rows] = await Promise.all([
    loadAdminAccounts(app, ids),
    selectFigures(app.sql, ids),
  ]);
  const figures = new Map(rows.map((row) => [row.id, row]));
  return {
    views: ids.flatMap((id) => {
      const view = views.get(id);
      return view ? [{ ...figures.get(id)!, ...view }] : [];
    }),
    isCut,
  };
};

/** Returns all posts of an account, the newest first, of any audience. */
export const postsOfAccount = async (
  app: App,
  accountId: string,
  page: Page,
  viewerId: string,
): Promise<SeenStatus[]> => {
  const ids = await selectPostsOf(app.sql, accountId, page);
  const views = await loadForModerators(app, ids, viewerId);
  const byId = new Map(views.map((view) => [view.id, view]));
  return ids.flatMap((id) => byId.get(id) ?? []);
};

export type AdminReportView = {
  report: ReportView;
  account: AdminAccountView;
  target: AdminAccountView;
  assigned: AdminAccountView | null;
  takenBy: AdminAccountView | null;
  statuses: SeenStatus[];
};

/** Returns them in the order of the ids, with a fixed number of queries. */
export const loadAdminReports = async (
  app: App,
  ids: string[],
  viewerId: string,
): Promise<AdminReportView[]> => {
  const reports = await loadReports(app, ids);
  const rows = ids.flatMap((id) => reports.get(id) ?? []);
  const involved = rows.flatMap((row) => [
    row.account_id,
    row.target_account_id,
    row.assigned_account_id ?? [],
    row.action_taken_by_account_id ?? [],
  ]);
  const accounts = await loadAdminAccounts(app, [...new Set(involved.flat())]);
  const statusIds = [...new Set(rows.flatMap((row) => row.status_ids))];
  const loaded = await loadForModerators(app, statusIds, viewerId);
  const statuses = new Map(loaded.map((view) => [view.id, view]));
  const byId = (id: string | null) => (id === null ? null : (accounts.get(id) ?? null));
  return rows.flatMap((report) => {
    const account = byId(report.account_id);
    const target = byId(report.target_account_id);
    if (!account || !target) return [];
    return {
      report,
      account,
      target,
      assigned: byId(report.assigned_account_id),
      takenBy: byId(report.action_taken_by_account_id),
      statuses: report.status_ids.flatMap((id) => statuses.get(id) ?? []),
    };
  });
};

/** The open reports about one account, as an entry of the queue. */
export type ReportQueueEntry = {
  group: ReportGroup;
  /** Newest report of the group. */
  newest: AdminReportView;
  assigned: AccountView[];
};

/** Returns a page of the queue, last reported first; `below` is the newest of the entry before. */
export const listReportQueue = async (
  app: App,
  { below, limit }: { below: string | null; limit: number },
  viewerId: string,
): Promise<ReportQueueEntry[]> => {
  const groups = await openReportGroups(app, below, limit);
  const ids = groups.map(({ newest }) => newest);
  const assignedIds = [...new Set(groups.flatMap((group) => group.assigned_ids))];
  const [views, assigned] = await Promise.all([
    loadAdminReports(app, ids, viewerId),
    loadAccounts(app, assignedIds),
  ]);
  const byId = new Map(views.map((view) => [view.report.id, view]));
  return groups.flatMap((group) => {
    const newest = byId.get(group.newest);
    if (!newest) return [];
    return { group, newest, assigned: group.assigned_ids.flatMap((id) => assigned.get(id) ?? []) };
  });
};

/**
 * Open reports about one account that are listed; further ones are decided with them, or listed when these are done.
 */
const MAX_ABOUT = 50;

/** Returns all open reports about the account of this one, itself first; for a resolved one itself alone. */
export const loadReportsWith = async (
  app: App,
  id: string,
  viewerId: string,
): Promise<AdminReportView[]> => {
  const [view] = await loadAdminReports(app, [id], viewerId);
  if (!view) throw new NotFound();
  const { report } = view;
  if (report.action_taken_at !== null) return [view];
  const filter = { resolved: false, accountId: null, targetId: report.target_account_id };
  const all = await pageOfReports(app, filter, newestPage(MAX_ABOUT));
  const ids = all.filter((other) => other !== id);
  return [view, ...(await loadAdminReports(app, ids, viewerId))];
};

/** Returns the report that leads to the next entry of the queue, or to its beginning; null where it is empty. */
export const nextInQueue = async (app: App, id: string): Promise<string | null> => {
  const [next] = await openReportGroups(app, id, 1);
  const [first] = next ? [next] : await openReportGroups(app, null, 1);
  return first?.newest ?? null;
};

/** Returns by id the known posts that these reply to. */
export const answeredBy = async (
  app: App,
  statuses: SeenStatus[],
  viewerId: string,
): Promise<Map<string, SeenStatus>> => {
  const ids = [...new Set(statuses.flatMap(({ in_reply_to_id: id }) => id ?? []))];
  const views = await loadForModerators(app, ids, viewerId);
  return new Map(views.map((view) => [view.id, view]));
};
