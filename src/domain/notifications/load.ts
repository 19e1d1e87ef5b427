// Notification rows → views, in a fixed number of queries: senders, statuses, and what hangs on them.

import type { App } from "../../platform/app.ts";
import { inOrder } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { loadAccounts } from "../accounts/load.ts";
import { loadVisible } from "../statuses/load.ts";
import { selectNotification, selectPage } from "./queries.ts";
import type { NotificationFilter } from "./queries.ts";
import type { NotificationRow, NotificationView } from "./tables.ts";

/** Views of one person's rows, without those whose status that person may not see (any more). */
const viewsOf = async (
  app: App,
  accountId: string,
  rows: NotificationRow[],
): Promise<NotificationView[]> => {
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))];
  const [accounts, statuses] = await Promise.all([
    loadAccounts(
      app,
      rows.map((row) => row.from_account_id),
    ),
    loadVisible(app, statusIds, accountId),
  ]);
  const byId = new Map(statuses.map((view) => [view.id, view]));
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id);
    const status = row.status_id === null ? null : byId.get(row.status_id);
    return account && status !== undefined ? [{ ...row, account, status }] : [];
  });
};

/** A page of one's notifications, and the ids that page it (those found, before any is left out). */
export const listNotifications = async (
  app: App,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
): Promise<{ views: NotificationView[]; ids: string[] }> => {
  const found = await selectPage(app.sql, accountId, page, filter, app.clock.now());
  const rows = inOrder(page, [...found]);
  return { views: await viewsOf(app, accountId, rows), ids: rows.map((row) => row.id) };
};

/** One notification as its owner would see it in the list; null when it would not be there. */
export const findNotification = async (app: App, id: string): Promise<NotificationView | null> => {
  const row = await selectNotification(app.sql, id, app.clock.now());
  const [view] = row ? await viewsOf(app, row.account_id, [row]) : [];
  return view ?? null;
};

/** One's own notification; NotFound for everything else. */
export const getNotification = async (
  app: App,
  accountId: string,
  id: string,
): Promise<NotificationView> => {
  const view = await findNotification(app, id);
  if (view?.account_id !== accountId) throw new NotFound();
  return view;
};
