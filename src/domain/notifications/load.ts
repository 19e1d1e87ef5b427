// Notification rows → views, in a fixed number of queries: senders, statuses, and other subjects.

import type { App } from "../../platform/app.ts";
import { inOrder } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { asPerson } from "../../platform/viewer.ts";
import { loadAccounts } from "../accounts/load.ts";
import { loadCollections } from "../collections/load.ts";
import { loadReports } from "../reports/load.ts";
import { loadSeverances } from "../severances/severances.ts";
import { loadVisible } from "../statuses/load.ts";
import { loadStrikes } from "../strikes/strikes.ts";
import { readPage, seenRows } from "./cached-page.ts";
import { selectNotifications } from "./queries.ts";
import type {
  NotificationFilter,
  NotificationRow,
  NotificationType,
  NotificationView,
  SubjectView,
} from "./tables.ts";

/** What names a subject, in a notification and in a group. */
type About = { type: NotificationType; status_id: string | null; subject_id: string | null };

const subjectsOf = (rows: About[], types: NotificationType[]): string[] => [
  ...new Set(rows.flatMap((row) => (types.includes(row.type) ? (row.subject_id ?? []) : []))),
];

/** Administrators, and those who manage reports (contract: limits.json, role_permission_bits). */
const SEES_REPORTS = 1n | 16n;

/** Only for those who manage reports now: a role may have been taken away. */
const loadOwnReports = async (app: App, accountId: string, ids: string[]) => {
  if (ids.length === 0) return loadReports(app, []);
  const role = (await loadAccounts(app, [accountId])).get(accountId)?.role;
  const maySee = (BigInt(role?.permissions ?? 0) & SEES_REPORTS) !== 0n;
  return loadReports(app, maySee ? ids : []);
};

const NOTHING = { report: null, collection: null, warning: null, severance: null };

/**
 * What the rows are about: statuses, reports and collections, each read where there are any; null where that
 * person may not see it (any more).
 */
export const loadSubjects = async (app: App, accountId: string, rows: About[]) => {
  const statusIds = [...new Set(rows.flatMap((row) => row.status_id ?? []))];
  // Most are about a status alone.
  const others = rows.filter((row) => row.subject_id !== null);
  const collectionIds = subjectsOf(others, ["added_to_collection", "collection_update"]);
  const [visible, reports, collections, warnings, severances] = await Promise.all([
    loadVisible(app, statusIds, asPerson(accountId)),
    loadOwnReports(app, accountId, subjectsOf(others, ["admin.report"])),
    loadCollections(app, collectionIds, accountId),
    loadStrikes(app, subjectsOf(others, ["moderation_warning"])),
    loadSeverances(app, accountId, subjectsOf(others, ["severed_relationships"])),
  ]);
  const statusesById = new Map(visible.map((view) => [view.id, view]));
  const collectionsById = new Map(collections.map((view) => [view.id, view]));
  return ({ type, status_id: statusId, subject_id: id }: About): SubjectView | null => {
    const status = statusId === null ? null : statusesById.get(statusId);
    if (id === null && status !== undefined) return { ...NOTHING, status };
    const report = type === "admin.report" ? reports.get(id ?? "") : null;
    const collection = type.includes("collection") ? collectionsById.get(id ?? "") : null;
    const warning = type === "moderation_warning" ? warnings.get(id ?? "") : null;
    const severance = type === "severed_relationships" ? severances.get(id ?? "") : null;
    if (status === undefined || report === undefined || collection === undefined) return null;
    if (severance === undefined || warning === undefined) return null;
    return { status, report, collection, warning, severance };
  };
};

/** Views of one person's rows, without those whose subject that person may not see (any more). */
const viewsOf = async (
  app: App,
  accountId: string,
  rows: NotificationRow[],
): Promise<NotificationView[]> => {
  const [accounts, subjectOf] = await Promise.all([
    loadAccounts(
      app,
      rows.map((row) => row.from_account_id),
    ),
    loadSubjects(app, accountId, rows),
  ]);
  return rows.flatMap((row) => {
    const account = accounts.get(row.from_account_id);
    const subject = subjectOf(row);
    if (!account || account.suspended_at || !subject) return [];
    // Member by member: spreading a second object takes three times as long.
    const { status, report, collection, warning, severance } = subject;
    return [{ ...row, status, report, collection, warning, severance, account }];
  });
};

/** A page of one's notifications, with the ids of all rows found, for paging. */
export const listNotifications = async (
  app: App,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
): Promise<{ views: NotificationView[]; ids: string[] }> => {
  const rows = inOrder(page, [...(await readPage(app, accountId, page, filter))]);
  return { views: await viewsOf(app, accountId, rows), ids: rows.map((row) => row.id) };
};

/** Notifications as in their owners' lists; those that would not be in the list are left out. */
export const findNotifications = async (app: App, ids: string[]): Promise<NotificationView[]> => {
  const rows = await seenRows(app, selectNotifications(app.sql, ids, app.clock.now()));
  const byOwner = Map.groupBy(rows, (row) => row.account_id);
  const views = await Promise.all([...byOwner].map(([id, own]) => viewsOf(app, id, own)));
  return views.flat();
};

/** One's own notification; NotFound for others. */
export const getNotification = async (
  app: App,
  accountId: string,
  id: string,
): Promise<NotificationView> => {
  const [view] = await findNotifications(app, [id]);
  if (view?.account_id !== accountId) throw new NotFound();
  return view;
};
