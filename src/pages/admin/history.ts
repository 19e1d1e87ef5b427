// What was decided about an account and reported of it so far, as its page and those of reports show it.

import { html } from "../../platform/text/html.ts";
import type { HtmlValue } from "../../platform/text/html.ts";
import { acct } from "../../domain/accounts/present.ts";
import { may } from "../../domain/moderation/acts.ts";
import { loadAdminReports } from "../../domain/moderation/load.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { pageOfReports } from "../../domain/reports/moderate.ts";
import type { Category } from "../../domain/reports/tables.ts";
import { strikesOf } from "../../domain/strikes/strikes.ts";
import type { StrikeAction } from "../../domain/strikes/tables.ts";
import { countedText } from "../parts.ts";
import type { Staff } from "./frame.ts";
import { badge } from "./parts.ts";

export const CATEGORY_NAMES: Record<Category, string> = {
  spam: "Spam",
  legal: "Legal",
  violation: "Rule violation",
  other: "Other",
};

export const STRIKE_NAMES: Record<StrikeAction, string> = {
  none: "Warned",
  disable: "Frozen",
  mark_statuses_as_sensitive: "Posts marked as sensitive",
  delete_statuses: "Posts deleted",
  sensitive: "Marked as sensitive",
  silence: "Limited",
  suspend: "Suspended",
};

const HISTORY = 50;
const NEWEST = { maxId: null, sinceId: null, minId: null };

export const strikesPart = async ({ app }: Staff, id: string): Promise<HtmlValue> => {
  const strikes = await strikesOf(app, id, HISTORY);
  if (strikes.length === 0) return null;
  return html`<h2>Decisions about this account</h2>
    <ul class="rows">
      ${strikes.map(
        (row) =>
          html`<li>
            <div class="what">
              <strong
                >${STRIKE_NAMES[row.action]} ${row.overruled_at && badge("overruled", "good")}
                ${row.appeal_text !== null && !row.appeal_decided && badge("appealed", "mild")}</strong
              >
              <span>${whenText(row.created_at)}</span>
              ${row.text && html`<span>“${row.text}”</span>`}
            </div>
          </li>`,
      )}
    </ul>`;
};

/** `shown`: the report that the page is about. */
export const reportsPart = async (
  context: Staff,
  id: string,
  shown: string | null = null,
): Promise<HtmlValue> => {
  const { app, actor, who } = context;
  if (!may(actor, "reports.read")) return null;
  const filter = { accountId: null, targetId: id };
  const page = { ...NEWEST, limit: HISTORY };
  const [open, closed] = await Promise.all([
    pageOfReports(app, { ...filter, resolved: false }, page),
    pageOfReports(app, { ...filter, resolved: true }, page),
  ]);
  const ids = [...open, ...closed].filter((other) => other !== shown);
  const views = await loadAdminReports(app, ids, who.accountId);
  if (views.length === 0) return null;
  return html`<h2>${shown === null ? "Reports" : "Other reports"} about this account</h2>
    <ul class="rows">
      ${views.map(
        ({ report, account }) =>
          html`<li>
            <a class="to" href="/admin/reports/${report.id}">
              <strong
                >${CATEGORY_NAMES[report.category]}
                ${report.action_taken_at ? badge("resolved", "good") : badge("open", "bad")}</strong
              >
              <span
                >@${acct(account.account)}, ${whenText(report.created_at)},
                ${countedText(report.status_ids.length, "post", "posts")}</span
              >
            </a>
          </li>`,
      )}
    </ul>`;
};
