// Draws earlier decisions and reports about an account, for its page and those of reports.

import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { loadAccounts } from "../../domain/people/accounts/load.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { loadAdminReports } from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { pageOfReports } from "../../domain/reading/reports/moderate.ts";
import { loadStrikes, strikesOf } from "../../domain/reading/strikes/strikes.ts";
import type { StrikeRow } from "../../domain/reading/strikes/tables.ts";
import type { Staff } from "./frame.ts";
import { badge } from "./components.ts";

const HISTORY = 50;
const NEWEST = { maxId: null, sinceId: null, minId: null };

const strikeLine = ({ t, language }: Staff, row: StrikeRow, by: string | null): Html => {
  const { id, action, text, report_id: reportId } = row;
  const isAppealed = row.appeal_text !== null && !row.appeal_decided;
  return html`<li id="strike-${id}">
    <div class="what">
      <strong
        >${t(`moderation.decision.${action}`)}
        ${row.overruled_at && badge(t("moderation.overruled"), "good")}
        ${isAppealed && badge(t("moderation.appealed"), "mild")}</strong
      >
      <span
        >${whenText(row.created_at, language)}${by && html`, ${by}`}
        ${
          reportId && html`· <a href="/admin/reports/${reportId}">${t("moderation.report")}</a>`
        }</span
      >
      ${text && html`<span class="said">“${text}”</span>`}
    </div>
  </li>`;
};

export const strikesPart = async (staff: Staff, id: string): Promise<HtmlValue> => {
  const { app, t } = staff;
  const strikes = await strikesOf(app, id, HISTORY);
  if (strikes.length === 0) return null;
  const ids = strikes.flatMap(({ account_id: by }) => by ?? []);
  const accounts = await loadAccounts(app, [...new Set(ids)]);
  const nameOf = (row: StrikeRow): string | null => {
    const by = accounts.get(row.account_id ?? "");
    return by ? `@${acct(by)}` : null;
  };
  return html`<h2>${t("moderation.decisions")}</h2>
    <ul class="rows">
      ${strikes.map((row) => strikeLine(staff, row, nameOf(row)))}
    </ul>`;
};

/** Loads the decision that ended each report, by the strike's id. */
const decisionsOf = (staff: Staff, views: AdminReportView[]) =>
  loadStrikes(staff.app, [
    ...new Set(views.flatMap(({ report: { strike_id: strikeId } }) => strikeId ?? [])),
  ]);

/** Returns "Limited, by @mia, 3 May"; null for an open report. */
export const endText = async (staff: Staff, view: AdminReportView): Promise<HtmlValue> =>
  endOf(staff, view, await decisionsOf(staff, [view]));

const endOf = (
  { t, language }: Staff,
  { report, takenBy }: AdminReportView,
  strikes: ReadonlyMap<string, StrikeRow>,
): HtmlValue => {
  if (report.action_taken_at === null) return null;
  const strike = strikes.get(report.strike_id ?? "");
  const decision = t(strike ? `moderation.decision.${strike.action}` : "moderation.without_action");
  const by = takenBy && t("moderation.by", { name: `@${acct(takenBy.account)}` });
  return html`${decision}${by && html`, ${by}`}, ${whenText(report.action_taken_at, language)}`;
};

const reportLine = (
  staff: Staff,
  view: AdminReportView,
  { end, isNamed }: { end: HtmlValue; isNamed: boolean },
): Html => {
  const { t, language } = staff;
  const { report, account, target } = view;
  const posts = report.status_ids.length;
  return html`<li>
    <a class="to" href="/admin/reports/${report.id}">
      <strong
        >${isNamed && html`@${acct(target.account)}`}
        ${badge(t(`moderation.category.${report.category}`))}
        ${!end && badge(t("moderation.reports.is_open"), "bad")}</strong
      >
      <span
        >${t("moderation.reports.by", { name: `@${acct(account.account)}` })},
        ${whenText(report.created_at, language)}
        ${posts > 0 && html`· ${t("moderation.count.posts", { count: posts })}`}</span
      >
      ${end && html`<span>${end}</span>`}
    </a>
  </li>`;
};

/** Lists ended reports about anybody, each with what was decided and by whom. */
export const endedLines = async (staff: Staff, views: AdminReportView[]): Promise<Html[]> => {
  const strikes = await decisionsOf(staff, views);
  return views.map((view) =>
    reportLine(staff, view, { end: endOf(staff, view, strikes), isNamed: true }),
  );
};

/** `shown` are the reports that the page is about. */
export const reportsPart = async (
  staff: Staff,
  id: string,
  shown: readonly string[] = [],
): Promise<HtmlValue> => {
  const { app, actor, who, t } = staff;
  if (!may(actor, "reports.read")) return null;
  const filter = { accountId: null, targetId: id };
  const page = { ...NEWEST, limit: HISTORY };
  const [open, closed] = await Promise.all([
    pageOfReports(app, { ...filter, resolved: false }, page),
    pageOfReports(app, { ...filter, resolved: true }, page),
  ]);
  const ids = [...open, ...closed].filter((other) => !shown.includes(other));
  const views = await loadAdminReports(app, ids, who.accountId);
  if (views.length === 0) return null;
  const strikes = await decisionsOf(staff, views);
  const title = shown.length === 0 ? "moderation.reports.about" : "moderation.reports.others";
  return html`<h2 id="reports">${t(title)}</h2>
    <ul class="rows">
      ${views.map((view) =>
        reportLine(staff, view, { end: endOf(staff, view, strikes), isNamed: false }),
      )}
    </ul>`;
};
