// Appeals for the staff: what was decided, what the person says, and the second decision.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { approveAppeal, rejectAppeal } from "../../domain/moderation/appeals.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { listAppealed } from "../../domain/strikes/appeals.ts";
import type { StrikeView } from "../../domain/strikes/tables.ts";
import { STRIKE_NAMES } from "./history.ts";
import { formsOf } from "./forms.ts";
import { button, entered, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { accountHead, badge, empty, tabs } from "./parts.ts";

const APPEALS = "/admin/appeals";
const ACTS = ["appeals.decide"] as const;
const LIMIT = 30;

const TABS = [
  [APPEALS, "Waiting"],
  [`${APPEALS}?decided=1`, "Decided"],
] as const;

const DONE = {
  approved: "The decision has been taken back, and the person has been told.",
  rejected: "The decision stays, and the person has been told.",
};

const appeal = (context: Staff, strike: StrikeView): Html => {
  const path = `${APPEALS}/${strike.id}`;
  const of = strike.target.username;
  const link = strike.report_id ? `/admin/reports/${strike.report_id}` : null;
  return html`<section class="panel">
    ${accountHead(context.app.config.site, strike.target)}
    <p>
      <strong>${STRIKE_NAMES[strike.action]}</strong> ${whenText(strike.created_at)}
      ${link && html`· <a href="${link}">Report</a>`} ·
      <a href="/admin/accounts/${strike.target_account_id}">Account and its history</a>
    </p>
    ${strike.text && html`<p class="soft">The reason that was given: “${strike.text}”</p>`}
    <blockquote class="quote"><p>${strike.appeal_text}</p></blockquote>
    ${
      strike.appeal_decided
        ? strike.appeal_approved
          ? badge("Accepted", "good")
          : badge("Rejected", "bad")
        : html`<div class="buttons">
            ${button(context, { action: `${path}/approve`, label: "Take the decision back", of, kind: "" })}
            ${button(context, { action: `${path}/reject`, label: "Reject", of, kind: "bad" })}
          </div>`
    }
  </section>`;
};

const show: Show = async (context, problem) => {
  const decided = entered(context)["decided"] === "1";
  const strikes = await listAppealed(context.app, decided, pageOf(context, LIMIT));
  const ids = strikes.map(({ id }) => id);
  return sendAdmin(context, {
    title: "Appeals",
    problem,
    done: DONE,
    body: html`${tabs("Appeals", TABS[decided ? 1 : 0][0], TABS)}
    ${
      strikes.length === 0
        ? empty(decided ? "No appeal has been decided yet." : "No appeals are waiting.")
        : strikes.map((strike) => appeal(context, strike))
    }
    ${olderLink(context, ids, LIMIT)}`,
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
