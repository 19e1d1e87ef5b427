// Draws earlier decisions and reports about an account, for its page and those of reports.

import type { Inline, Part, Row } from "../../../web/src/served/part-pages.ts";
import { newestPage } from "../../platform/db/paging.ts";
import { loadAccounts } from "../../domain/people/accounts/load.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { loadAdminReports } from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import { pageOfReports } from "../../domain/reading/reports/moderate.ts";
import { loadStrikes, strikesOf } from "../../domain/reading/strikes/strikes.ts";
import type { StrikeRow } from "../../domain/reading/strikes/tables.ts";
import { atName } from "./people.ts";
import type { Staff } from "./frame.ts";

const HISTORY = 50;

const strikeRow = ({ t }: Staff, row: StrikeRow, by: string | null): Row => {
  const { id, action, text, report_id: reportId } = row;
  const isAppealed = row.appeal_text !== null && !row.appeal_decided;
  return {
    anchor: `strike-${id}`,
    title: t(`moderation.decision.${action}`),
    badges: [
      row.overruled_at && { badge: "moderation.overruled", kind: "good" },
      isAppealed && { badge: "moderation.appealed" },
    ],
    lines: [
      {
        joined: [
          row.created_at,
          by,
          reportId && { link: `/admin/reports/${reportId}`, text: t("moderation.report") },
        ],
      },
      text && { said: `“${text}”` },
    ],
  };
};

export const strikeParts = async (staff: Staff, id: string): Promise<Part[]> => {
  const { app } = staff;
  const strikes = await strikesOf(app, id, HISTORY);
  if (strikes.length === 0) return [];
  const ids = strikes.flatMap(({ account_id: by }) => by ?? []);
  const accounts = await loadAccounts(app, [...new Set(ids)]);
  const nameOf = (row: StrikeRow): string | null => {
    const by = accounts.get(row.account_id ?? "");
    return by ? atName(by) : null;
  };
  return [
    { heading: "moderation.decisions" },
    { rows: strikes.map((row) => strikeRow(staff, row, nameOf(row))) },
  ];
};

/** Loads the decision that ended each report, by the strike's id. */
const decisionsOf = (staff: Staff, views: AdminReportView[]) =>
  loadStrikes(staff.app, [
    ...new Set(views.flatMap(({ report: { strike_id: strikeId } }) => strikeId ?? [])),
  ]);

/** Returns "Limited · by @mia · 3 May"; null for an open report. */
export const endText = async (staff: Staff, view: AdminReportView): Promise<Inline> =>
  endOf(staff, view, await decisionsOf(staff, [view]));

/** Returns "Limited", or that there was no action. */
export const decisionText = async (staff: Staff, view: AdminReportView): Promise<string> =>
  decidedAs(staff, view, await decisionsOf(staff, [view]));

const decidedAs = (
  { t }: Staff,
  { report }: AdminReportView,
  strikes: ReadonlyMap<string, StrikeRow>,
): string => {
  const strike = strikes.get(report.strike_id ?? "");
  return t(strike ? `moderation.decision.${strike.action}` : "moderation.without_action");
};

const endOf = (
  staff: Staff,
  view: AdminReportView,
  strikes: ReadonlyMap<string, StrikeRow>,
): Inline => {
  const { report, takenBy } = view;
  if (report.action_taken_at === null) return null;
  const end = decidedAs(staff, view, strikes);
  const by = takenBy && staff.t("moderation.by", { name: atName(takenBy.account) });
  return { joined: [end, by, report.action_taken_at] };
};

const reportRow = (
  { t }: Staff,
  { report, account, target }: AdminReportView,
  { end, isNamed }: { end: Inline; isNamed: boolean },
): Row => {
  const posts = report.status_ids.length;
  const by = t("moderation.reports.by", { name: atName(account.account) });
  return {
    href: `/admin/reports/${report.id}`,
    title: isNamed && atName(target.account),
    badges: [
      { badge: `moderation.category.${report.category}` },
      !end && { badge: "moderation.reports.is_open", kind: "bad" },
    ],
    lines: [
      {
        joined: [by, report.created_at, posts > 0 && t("moderation.count.posts", { count: posts })],
      },
      end,
    ],
  };
};

const reportRows = async (
  staff: Staff,
  views: AdminReportView[],
  isNamed: boolean,
): Promise<Row[]> => {
  const strikes = await decisionsOf(staff, views);
  return views.map((view) => reportRow(staff, view, { end: endOf(staff, view, strikes), isNamed }));
};

/** Returns ended reports about anybody, each with what was decided and by whom. */
export const endedRows = (staff: Staff, views: AdminReportView[]): Promise<Row[]> =>
  reportRows(staff, views, true);

/** `shown` are the reports that the page is about. */
export const reportParts = async (
  staff: Staff,
  id: string,
  shown: readonly string[] = [],
): Promise<Part[]> => {
  const { app, actor, who } = staff;
  if (!may(actor, "reports.read")) return [];
  const filter = { accountId: null, targetId: id };
  const page = newestPage(HISTORY);
  const [open, closed] = await Promise.all([
    pageOfReports(app, { ...filter, resolved: false }, page),
    pageOfReports(app, { ...filter, resolved: true }, page),
  ]);
  const ids = [...open, ...closed].filter((other) => !shown.includes(other));
  const views = await loadAdminReports(app, ids, who.accountId);
  if (views.length === 0) return [];
  const heading = shown.length === 0 ? "moderation.reports.about" : "moderation.reports.others";
  return [{ heading, anchor: "reports" }, { rows: await reportRows(staff, views, false) }];
};
