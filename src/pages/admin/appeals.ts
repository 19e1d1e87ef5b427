// Shows appeals to the staff: what was decided, what the person says, and the second decision.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { approveAppeal, rejectAppeal } from "../../domain/staff/moderation/appeals.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { listAppealed } from "../../domain/reading/strikes/appeals.ts";
import type { StrikeView } from "../../domain/reading/strikes/tables.ts";
import { formsOf } from "./forms.ts";
import { button, entered, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT } from "./keys.ts";
import type { KeyLine } from "./keys.ts";
import { accountHead, badge, empty, tabs } from "./components.ts";

const APPEALS = "/admin/appeals";
const DECIDED = `${APPEALS}?decided=1`;
const ACTS = ["appeals.decide"] as const;
const LIMIT = 30;

const KEYS: readonly KeyLine[] = [
  ["a", "moderation.appeals.accept"],
  ["r", "moderation.appeals.reject"],
];

const DONE = {
  approved: "moderation.appeals.approved",
  rejected: "moderation.appeals.rejected",
} as const;

const appeal = (context: Staff, strike: StrikeView): Html => {
  const { app, t, language } = context;
  const path = `${APPEALS}/${strike.id}`;
  const of = strike.target.username;
  const link = strike.report_id ? `/admin/reports/${strike.report_id}` : null;
  return html`<section class="panel" data-entry>
    ${accountHead(app.config.site, strike.target)}
    <p>
      <strong>${t(`moderation.decision.${strike.action}`)}</strong>
      ${whenText(strike.created_at, language)}
      ${link && html`· <a href="${link}">${t("moderation.report")}</a>`} ·
      <a data-open href="/admin/accounts/${strike.target_account_id}#strike-${strike.id}"
        >${t("moderation.reports.account")}</a
      >
    </p>
    ${strike.text && html`<p class="soft">${t("moderation.appeals.reason", { text: strike.text })}</p>`}
    <blockquote class="quote"><p>${strike.appeal_text}</p></blockquote>
    ${
      strike.appeal_decided
        ? strike.appeal_approved
          ? badge(t("moderation.appeals.is_accepted"), "good")
          : badge(t("moderation.appeals.is_rejected"), "bad")
        : html`<div class="buttons">
            ${button(context, { action: `${path}/approve`, label: t("moderation.appeals.accept"), of, kind: "", key: "a" })}
            ${button(context, { action: `${path}/reject`, label: t("moderation.appeals.reject"), of, kind: "bad", key: "r" })}
          </div>`
    }
  </section>`;
};

const show: Show = async (context, problem) => {
  const { t } = context;
  const decided = entered(context)["decided"] === "1";
  const title = t("staff.section.appeals");
  const views = [
    [APPEALS, t("moderation.appeals.waiting")],
    [DECIDED, t("moderation.appeals.decided")],
  ] as const;
  const strikes = await listAppealed(context.app, decided, pageOf(context, LIMIT));
  const ids = strikes.map(({ id }) => id);
  return sendAdmin(context, {
    title,
    problem,
    done: DONE,
    script: KEYS_SCRIPT,
    body: html`${tabs(title, decided ? DECIDED : APPEALS, views)}
    ${
      strikes.length === 0
        ? empty(t(decided ? "moderation.appeals.none_decided" : "moderation.appeals.none"))
        : strikes.map((strike) => appeal(context, strike))
    }
    ${!decided && strikes.length > 0 && keyList(context, KEYS)} ${olderLink(context, ids, LIMIT)}`,
  });
};

export const appealPages = (pages: Server, app: App): void => {
  pages.get(APPEALS, staffPage(app, ACTS, show));
  const take = formsOf(pages, app, APPEALS, ACTS, show);
  take(`${APPEALS}/:id/approve`, "approved", (context) =>
    approveAppeal(app, context.actor, idOf(context)),
  );
  take(`${APPEALS}/:id/reject`, "rejected", (context) =>
    rejectAppeal(app, context.actor, idOf(context)),
  );
};
