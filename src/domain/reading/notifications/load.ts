// Loads notification views in a fixed number of queries: senders, statuses, and other subjects.

import type { App } from "../../../platform/app.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { NotFound } from "../../../platform/errors.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { loadAccounts, loadEach } from "../../people/accounts/load.ts";
import { loadCollections } from "../../people/collections/load.ts";
import { loadReports } from "../reports/load.ts";
import { loadSeverances } from "../severed-relationships/severed-relationships.ts";
import { loadVisible } from "../../posts/statuses/load.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";
import { loadStrikes } from "../strikes/strikes.ts";
import { readPage, seenRows, withStatusIds } from "./cached-page.ts";
import { selectNotifications } from "./queries.ts";
import type {
  About,
  ListedView,
  NotificationFilter,
  NotificationType,
  NotificationView,
  Rows,
  Seen,
  SubjectView,
} from "./tables.ts";

const subjectsOf = (rows: About[], types: NotificationType[]): string[] => [
  ...new Set(rows.flatMap((row) => (types.includes(row.type) ? (row.subject_id ?? []) : []))),
];

/**
 * Permissions to see reports: administrators, and those who manage reports (limits.json of the contract,
 * role_permission_bits).
 */
const SEES_REPORTS = 1n | 16n;

/** Loads reports only for people who manage them now: a role may have been taken away. */
const loadOwnReports = async (app: App, accountId: string, ids: string[]) => {
  if (ids.length === 0) return loadReports(app, []);
  const role = (await loadAccounts(app, [accountId])).get(accountId)?.role;
  const maySee = (BigInt(role?.permissions ?? 0) & SEES_REPORTS) !== 0n;
  return loadReports(app, maySee ? ids : []);
};

const loadOthers = async (app: App, accountId: string, rows: About[]) => {
  const [reports, collections, warnings, severances] = await Promise.all([
    loadOwnReports(app, accountId, subjectsOf(rows, ["admin.report"])),
    loadCollections(app, subjectsOf(rows, ["added_to_collection", "collection_update"]), accountId),
    loadStrikes(app, subjectsOf(rows, ["moderation_warning"])),
    loadSeverances(app, accountId, subjectsOf(rows, ["severed_relationships"])),
  ]);
  const collectionsById = new Map(collections.map((view) => [view.id, view]));
  return ({ type, subject_id: id }: About): Omit<SubjectView, "status"> | null => {
    const report = type === "admin.report" ? reports.get(id ?? "") : null;
    const collection = type.includes("collection") ? collectionsById.get(id ?? "") : null;
    const warning = type === "moderation_warning" ? warnings.get(id ?? "") : null;
    const severance = type === "severed_relationships" ? severances.get(id ?? "") : null;
    if (report === undefined || collection === undefined) return null;
    if (severance === undefined || warning === undefined) return null;
    return { report, collection, warning, severance };
  };
};

/** Most notifications are about a status alone. */
const NOTHING = { report: null, collection: null, warning: null, severance: null };
const noOthers = () => NOTHING;

/**
 * Loads the subjects of rows (statuses, reports, collections), each kind where there are any; null where that person
 * may not see it (any more).
 */
export const loadSubjects = async (
  app: App,
  accountId: string,
  { rows, statusIds }: Rows<About>,
): Promise<{ statuses: SeenStatus[]; subjectOf: (row: About) => SubjectView | null }> => {
  const others = rows.filter((row) => row.subject_id !== null);
  const [statuses, otherOf] = await Promise.all([
    loadVisible(app, statusIds, asPerson(accountId)),
    others.length === 0 ? noOthers : loadOthers(app, accountId, others),
  ]);
  const byId = new Map<string, SeenStatus>();
  for (const view of statuses) byId.set(view.id, view);
  const subjectOf = (row: About): SubjectView | null => {
    const status = row.status_id === null ? null : byId.get(row.status_id);
    const other = row.subject_id === null ? NOTHING : otherOf(row);
    if (status === undefined || !other) return null;
    // Copies member by member: spreading a second object takes three times as long.
    const { report, collection, warning, severance } = other;
    return { status, report, collection, warning, severance };
  };
  return { statuses, subjectOf };
};

/**
 * Loads the senders, undefined where one is unknown, with the recipient in one query, before the statuses, whose
 * authors are then cached.
 */
export const loadPeople = async (app: App, accountId: string, senderIds: string[]) =>
  (await loadEach(app, [...senderIds, accountId])).slice(0, -1);

/** Makes views of one person's rows, without those whose subject that person may not see (any more). */
const viewsOf = async <T extends About & { from_account_id: string }>(
  app: App,
  accountId: string,
  all: Rows<T>,
): Promise<Seen<T>[]> => {
  const { rows } = all;
  const senderIds = rows.map((row) => row.from_account_id);
  const accounts = await loadPeople(app, accountId, senderIds);
  const { subjectOf } = await loadSubjects(app, accountId, all);
  const views: Seen<T>[] = [];
  for (const [n, row] of rows.entries()) {
    const account = accounts[n];
    const subject = subjectOf(row);
    if (!account || account.suspended_at || !subject) continue;
    const { status, report, collection, warning, severance } = subject;
    views.push({ ...row, status, report, collection, warning, severance, account });
  }
  return views;
};

/** Returns a page of one's notifications, with the ids of all rows found, for paging. */
export const listNotifications = async (
  app: App,
  accountId: string,
  page: Page,
  filter: NotificationFilter,
): Promise<{ views: ListedView[]; ids: string[] }> => {
  const rows = await readPage(app, accountId, page, filter);
  return { views: await viewsOf(app, accountId, rows), ids: rows.rows.map((row) => row.id) };
};

/** Returns notifications as in their owners' lists; those that would not be in the list are left out. */
export const findNotifications = async (app: App, ids: string[]): Promise<NotificationView[]> => {
  const rows = await seenRows(app, selectNotifications(app.sql, ids, app.clock.now()));
  const byOwner = Map.groupBy(rows, (row) => row.account_id);
  const views = await Promise.all(
    [...byOwner].map(([id, own]) => viewsOf(app, id, withStatusIds(own))),
  );
  return views.flat();
};

/** Returns one's own notification; throws NotFound for others. */
export const getNotification = async (
  app: App,
  accountId: string,
  id: string,
): Promise<NotificationView> => {
  const [view] = await findNotifications(app, [id]);
  if (view?.account_id !== accountId) throw new NotFound();
  return view;
};
