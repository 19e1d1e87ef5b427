// The queue of reports for the staff: an entry for each account with open ones, and the ended reports.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { listReportQueue, loadAdminReports } from "../../domain/staff/moderation/load.ts";
import type { ReportQueueEntry } from "../../domain/staff/moderation/load.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { pageOfReports } from "../../domain/reading/reports/moderate.ts";
import { entered, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { endedLines } from "./history.ts";
import { keyList, KEYS_SCRIPT } from "./keys.ts";
import { badge, empty, stateBadges, tabs } from "./components.ts";
import { accountReportPages, REPORT_DONE } from "./report.ts";

const REPORTS = "/admin/reports";
const ENDED = `${REPORTS}?resolved=1`;
const LIMIT = 40;
const SHOWN = 200;

const queueEntry = (staff: Staff, { group, newest, assigned }: ReportQueueEntry): Html => {
  const { t, language } = staff;
  const { report, target, account } = newest;
  const posts = report.status_ids.length;
  const by = t("moderation.reports.last_by", { name: `@${acct(account.account)}` });
  const names = assigned.map((each) => `@${acct(each)}`).join(", ");
  return html`<li data-entry>
    <a class="to" data-open href="${REPORTS}/${report.id}">
      <strong
        >@${acct(target.account)}
        ${badge(t("moderation.reports.count", { count: group.count }), "bad")}
        ${group.categories.map((category) => badge(t(`moderation.category.${category}`)))}
        ${stateBadges(staff, target)}</strong
      >
      <span
        >${by}, ${whenText(report.created_at, language)}
        ${posts > 0 && html`· ${t("moderation.count.posts", { count: posts })}`}
        ${names && html`· ${t("moderation.reports.assigned", { names })}`}</span
      >
      ${report.comment && html`<span>“${report.comment.slice(0, SHOWN)}”</span>`}
    </a>
  </li>`;
};

const openPart = async (staff: Staff): Promise<HtmlValue> => {
  const { app, who, t } = staff;
  const { maxId: below } = pageOf(staff, LIMIT);
  const entries = await listReportQueue(app, { below, limit: LIMIT }, who.accountId);
  if (entries.length === 0) return empty(t("moderation.reports.none"));
  const ids = entries.map(({ group }) => group.newest);
  return html`<ul class="rows">
      ${entries.map((entry) => queueEntry(staff, entry))}
    </ul>
    ${keyList(staff, [])} ${olderLink(staff, ids, LIMIT)}`;
};

const endedPart = async (staff: Staff): Promise<HtmlValue> => {
  const { app, who, t } = staff;
  const filter = { resolved: true, accountId: null, targetId: null };
  const ids = await pageOfReports(app, filter, pageOf(staff, LIMIT));
  const views = await loadAdminReports(app, ids, who.accountId);
  if (views.length === 0) return empty(t("moderation.reports.none_ended"));
  return html`<ul class="rows">
      ${await endedLines(staff, views)}
    </ul>
    ${olderLink(staff, ids, LIMIT)}`;
};

const showList = async (staff: Staff) => {
  const { t } = staff;
  const isEnded = entered(staff)["resolved"] === "1";
  const title = t("staff.section.reports");
  const views = [
    [REPORTS, t("moderation.reports.open")],
    [ENDED, t("moderation.reports.ended")],
  ] as const;
  return sendAdmin(staff, {
    title,
    done: REPORT_DONE,
    script: KEYS_SCRIPT,
    body: html`${tabs(title, isEnded ? ENDED : REPORTS, views)}
    ${await (isEnded ? endedPart(staff) : openPart(staff))}`,
  });
};

export const reportPages = (pages: Server, app: App): void => {
  pages.get(REPORTS, staffPage(app, ["reports.read"], showList));
  accountReportPages(pages, app);
};
