// Accounts and reports as moderators see them.

import type { App } from "../../platform/app.ts";
import { inOrder } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { asPerson } from "../../platform/viewer.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { loadStaffRows } from "../people/staff.ts";
import type { StaffRow } from "../people/staff.ts";
import { loadReports } from "../reports/load.ts";
import type { ReportView } from "../reports/tables.ts";
import { loadStatuses } from "../statuses/load.ts";
import { seenByModerators } from "../statuses/rules.ts";
import type { SeenStatus } from "../statuses/tables.ts";
import { selectAccountPage, selectPostsOf } from "./queries.ts";
import type { AccountFilter } from "./queries.ts";

/** `user` null: of another server, or its user is deleted. */
export type AdminAccountView = { account: AccountView; user: StaffRow | null };

/** By id; unknown ones are absent. */
export const loadAdminAccounts = async (
  app: App,
  ids: string[],
): Promise<Map<string, AdminAccountView>> => {
  const [accounts, users] = await Promise.all([loadAccounts(app, ids), loadStaffRows(app, ids)]);
  return new Map(
    [...accounts].map(([id, account]) => [id, { account, user: users.get(id) ?? null }]),
  );
};

export const getAdminAccount = async (app: App, id: string): Promise<AdminAccountView> => {
  const view = (await loadAdminAccounts(app, [id])).get(id);
  if (!view) throw new NotFound();
  return view;
};

export const listAdminAccounts = async (
  app: App,
  filter: AccountFilter,
  page: Page,
): Promise<AdminAccountView[]> => {
  const ids = inOrder(page, await selectAccountPage(app.sql, filter, page));
  const views = await loadAdminAccounts(app, ids);
  return ids.flatMap((id) => views.get(id) ?? []);
};

/** All that an account wrote, the newest first, whoever may see it. */
export const postsOfAccount = async (
  app: App,
  accountId: string,
  page: Page,
  viewerId: string,
): Promise<SeenStatus[]> => {
  const ids = await selectPostsOf(app.sql, accountId, page);
  const views = await loadStatuses(app, ids, asPerson(viewerId));
  const byId = new Map(views.filter(seenByModerators).map((view) => [view.id, view]));
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

/** In the order of the ids; a fixed number of queries. */
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
  const loaded = await loadStatuses(app, statusIds, asPerson(viewerId));
  const statuses = new Map(loaded.filter(seenByModerators).map((view) => [view.id, view]));
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
