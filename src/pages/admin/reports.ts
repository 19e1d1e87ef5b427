// Reports for the staff: the list, and one of them with its posts and what can be decided.

import type { App } from "../../platform/app.ts";
import { NotFound, Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { plainText } from "../../platform/text/plain.ts";
import { acct } from "../../domain/accounts/present.ts";
import { may } from "../../domain/moderation/acts.ts";
import { actOnAccount } from "../../domain/moderation/accounts.ts";
import { loadAdminReports } from "../../domain/moderation/load.ts";
import type { AdminReportView } from "../../domain/moderation/load.ts";
import {
  actOnReportedPosts,
  assignToSelf,
  correct,
  reopen,
  resolve,
  unassign,
} from "../../domain/moderation/reports.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { pageOfReports } from "../../domain/reports/moderate.ts";
import { CATEGORIES } from "../../domain/reports/tables.ts";
import { currentRules } from "../../domain/rules/rules.ts";
import { timeOfId } from "../../platform/ids/index.ts";
import { evidenceFor, listPresets } from "../../domain/strikes/strikes.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { listModerationNotes } from "../../domain/moderation/moderation-notes.ts";
import { presetChoice, presetText } from "./presets.ts";
import { staffForm } from "./forms.ts";
import { button, entered, form, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { CATEGORY_NAMES, reportsPart, strikesPart } from "./history.ts";
import {
  accountHead,
  accountLink,
  badge,
  checkbox,
  empty,
  mediaRejectedOf,
  postQuote,
  select,
  stateBadges,
  tabs,
} from "./parts.ts";

const REPORTS = "/admin/reports";
const LIMIT = 40;

const row = (context: Staff, view: AdminReportView): Html => {
  const { report, target, account, assigned } = view;
  const posts = report.status_ids.length;
  return html`<li>
    <a class="to" href="${REPORTS}/${report.id}">
      <strong
        >@${acct(target.account)} ${badge(CATEGORY_NAMES[report.category])}
        ${stateBadges(context, target)}</strong
      >
      <span
        >Reported by @${acct(account.account)} ${whenText(report.created_at)}
        ${posts > 0 && html`· ${posts} ${posts === 1 ? "post" : "posts"}`}
        ${assigned && html`· assigned to @${acct(assigned.account)}`}</span
      >
      ${report.comment && html`<br /><span>“${report.comment.slice(0, 200)}”</span>`}
    </a>
  </li>`;
};

const TABS = [
  [REPORTS, "Open"],
  [`${REPORTS}?resolved=1`, "Resolved"],
] as const;

const showList = async (context: Staff) => {
  const { app, who } = context;
  const resolved = entered(context)["resolved"] === "1";
  const filter = { resolved, accountId: null, targetId: null };
  const ids = await pageOfReports(app, filter, pageOf(context, LIMIT));
  const views = await loadAdminReports(app, ids, who.accountId);
  return sendAdmin(context, {
    title: context.t("moderation.reports.title"),
    body: html`${tabs("Reports", TABS[resolved ? 1 : 0][0], TABS)}
    ${
      views.length === 0
        ? empty(resolved ? "No report has been resolved yet." : "No open reports.")
        : html`<ul class="rows">
            ${views.map((view) => row(context, view))}
          </ul>`
    }
    ${olderLink(context, ids, LIMIT)}`,
  });
};

const DONE = {
  resolved: "The report has been resolved.",
  reopened: "The report is open again.",
  assigned: "The report is assigned to you.",
  unassigned: "The report is assigned to nobody.",
  corrected: "The report has been changed.",
  decided: "Done. The report has been resolved, and the person has been told.",
};

type Decision = { label: string; kind: "plain" | "bad"; posts?: true; local?: true };

/** In the order of how much they change; the first one changes nothing. */
const DECISIONS = {
  resolve: { label: "Resolve without action", kind: "plain" },
  none: { label: "Warn", kind: "plain" },
  mark_statuses_as_sensitive: { label: "Mark posts as sensitive", kind: "plain", posts: true },
  delete_statuses: { label: "Delete posts", kind: "bad", posts: true },
  sensitive: { label: "Mark account as sensitive", kind: "plain" },
  silence: { label: "Limit account", kind: "bad" },
  disable: { label: "Freeze account", kind: "bad", local: true },
  suspend: { label: "Suspend account", kind: "bad" },
} satisfies Record<string, Decision>;

type DecisionName = keyof typeof DECISIONS;

/** Written on the page of the account, where they are added. */
const notesOf = async (staff: Staff, target: AccountView): Promise<HtmlValue> => {
  const notes = await listModerationNotes(staff.app, staff.actor, target);
  return (
    notes.length > 0 &&
    html`<h2>Notes</h2>
      <ul class="rows">
        ${notes.map(
          (note) =>
            html`<li>
              <div class="what">
                <span class="said">${note.text}</span>
                <span
                  >${note.author ? `@${note.author.username}, ` : ""}${whenText(note.created_at)}</span
                >
              </div>
            </li>`,
        )}
      </ul>`
  );
};

const decisionForm = async (
  context: Staff,
  { report, target, statuses }: AdminReportView,
): Promise<Html> => {
  const presets = await listPresets(context.app);
  const isLocal = target.account.domain === null;
  const offered = Object.entries<Decision>(DECISIONS).filter(
    ([, { posts, local }]) => (!posts || statuses.length > 0) && (!local || isLocal),
  );
  return html`<section class="panel">
    <h2>Decide</h2>
    ${form(
      context,
      `${REPORTS}/${report.id}/decide`,
      html`${presetChoice(presets, entered(context)["preset"])}
        ${inputField({
          name: "text",
          label: "Reason",
          type: "textarea",
          value: entered(context)["text"] ?? "",
          optional: true,
          maxlength: 5000,
          hint: isLocal
            ? "Sent to the person with the decision, and kept in the history of the account."
            : "Kept in the history of the account.",
        })}
        ${isLocal && html`<div class="choices">${checkbox("mail", "Also send an email", true)}</div>`}
        <div class="buttons">
          ${offered.map(
            ([name, { label, kind }]) =>
              html`<button class="button ${kind}" name="decision" value="${name}">
                ${label}
              </button>`,
          )}
        </div>`,
    )}
  </section>`;
};

const correctionForm = async (context: Staff, { report }: AdminReportView): Promise<Html> => {
  const rules = await currentRules(context.app);
  const named = new Set(report.rule_ids);
  const options = CATEGORIES.map((value) => ({ value, label: CATEGORY_NAMES[value] }));
  return html`<details class="add">
    <summary>Change category</summary>
    ${form(
      context,
      `${REPORTS}/${report.id}/correct`,
      html`${select("category", "Category", options, report.category)}
        ${
          rules.length > 0 &&
          html`<fieldset class="choices">
            <legend>Rules that were violated</legend>
            ${rules.map(({ id, text }) => checkbox(`rule_${id}`, text, named.has(id)))}
          </fieldset>`
        } <button class="button inline">Save</button>`,
    )}
  </details>`;
};

const facts = async (context: Staff, view: AdminReportView): Promise<Html> => {
  const { report, account, assigned, takenBy } = view;
  const named = new Set(report.rule_ids);
  const rules = (await currentRules(context.app)).filter(({ id }) => named.has(id));
  const { site } = context.app.config;
  const fact = (name: string, value: HtmlValue) =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  return html`<dl class="details-list">
    ${fact("Category", CATEGORY_NAMES[report.category])}
    ${rules.length > 0 && fact("Rules", rules.map(({ text }) => text).join("; "))}
    ${fact("Reported by", accountLink(site, account.account))}
    ${fact("Reported", whenText(report.created_at))}
    ${report.forwarded && fact("Forwarded", "to the server of the account")}
    ${fact("Assigned to", assigned ? accountLink(site, assigned.account) : "nobody")}
    ${
      report.action_taken_at &&
      fact(
        "Resolved",
        html`${whenText(report.action_taken_at)}
        ${takenBy && html`by ${accountLink(site, takenBy.account)}`}`,
      )
    }
  </dl>`;
};

const workButtons = (context: Staff, { report }: AdminReportView): Html => {
  const path = `${REPORTS}/${report.id}`;
  const isMine = report.assigned_account_id === context.who.accountId;
  const assign = isMine
    ? { verb: "unassign", label: "Unassign" }
    : { verb: "assign", label: "Assign to me" };
  const isOpen = report.action_taken_at === null;
  return html`<div class="buttons">
    ${isOpen && button(context, { action: `${path}/${assign.verb}`, label: assign.label })}
    ${!isOpen && button(context, { action: `${path}/reopen`, label: "Open again" })}
  </div>`;
};

const getView = async (context: Staff): Promise<AdminReportView> => {
  const [view] = await loadAdminReports(context.app, [idOf(context)], context.who.accountId);
  if (!view) throw new NotFound();
  return view;
};

const showOne = async (context: Staff, problem?: string) => {
  const view = await getView(context);
  const { site } = context.app.config;
  const { report, target, statuses } = view;
  const evidence = await evidenceFor(context.app, report.id);
  const known = new Set([...statuses, ...evidence].map(({ id }) => id));
  const missing = report.status_ids.filter((id) => !known.has(id));
  const isOpen = report.action_taken_at === null;
  const rejected = await mediaRejectedOf(context.app, statuses);
  return sendAdmin(context, {
    title: `Report about @${acct(target.account)}`,
    problem,
    done: DONE,
    body: html`<section class="panel">
        ${accountHead(site, target.account)}
        <p>
          ${stateBadges(context, target)}
          ${
            may(context.actor, "accounts.read") &&
            html`<a href="/admin/accounts/${target.account.id}">Account and its history</a>`
          }
        </p>
        ${await facts(context, view)}
        ${report.comment && html`<blockquote class="quote"><p>${report.comment}</p></blockquote>`}
        ${workButtons(context, view)}
      </section>
      ${statuses.length > 0 && html`<h2>Reported posts</h2>`}
      ${statuses.map((status) => postQuote(context, status, rejected))}
      ${evidence.map(
        ({ content, created_at: at }) =>
          html`<blockquote class="quote">
            <p>${plainText(content)}</p>
            <p class="soft small">Deleted post, ${whenText(new Date(at))}</p>
          </blockquote>`,
      )}
      ${missing.map(
        (id) =>
          html`<blockquote class="quote">
            <p class="soft">
              A post of ${whenText(timeOfId(id))} that no longer exists here (${id})
            </p>
          </blockquote>`,
      )}
      ${isOpen && (await decisionForm(context, view))}
      ${isOpen && (await correctionForm(context, view))}
      ${await strikesPart(context, target.account.id)}
      ${await reportsPart(context, target.account.id, report.id)}
      ${may(context.actor, "accounts.read") && (await notesOf(context, target.account))}`,
  });
};

const decide = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const id = idOf(context);
  const { decision = "", text: reason = "", preset, mail } = entered(context);
  if (!Object.hasOwn(DECISIONS, decision)) throw new Unprocessable("Choose what to do.");
  const name = decision as DecisionName;
  if (name === "resolve") {
    await resolve(app, actor, id);
    return `${REPORTS}/${id}?done=resolved`;
  }
  const text = [await presetText(app, preset), reason.trim()].filter(Boolean).join("\n\n");
  const notice = { text, mail: mail === "1" };
  if (name === "delete_statuses" || name === "mark_statuses_as_sensitive") {
    await actOnReportedPosts(app, actor, id, { action: name, ...notice });
  } else {
    const { target } = await getView(context);
    await actOnAccount(app, actor, target.account.id, { type: name, reportId: id, ...notice });
  }
  return `${REPORTS}/${id}?done=decided`;
};

const takeCorrection = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const fields = entered(context);
  const category = CATEGORIES.find((category) => category === fields["category"]);
  const named = Object.keys(fields).flatMap((name) => /^rule_(\d+)$/.exec(name)?.[1] ?? []);
  const rule_ids = category === "violation" ? named : [];
  await correct(app, actor, idOf(context), { category, rule_ids });
  return `${REPORTS}/${idOf(context)}?done=corrected`;
};

export const reportPages = (pages: Server, app: App): void => {
  pages.get(REPORTS, staffPage(app, ["reports.read"], showList));
  pages.get(`${REPORTS}/:id`, staffPage(app, ["reports.read"], showOne));
  const forms: Record<string, (context: Staff) => Promise<string>> = {
    decide,
    correct: takeCorrection,
  };
  for (const [verb, command, done] of [
    ["assign", assignToSelf, "assigned"],
    ["unassign", unassign, "unassigned"],
    ["reopen", reopen, "reopened"],
  ] as const) {
    forms[verb] = async (context) => {
      await command(app, context.actor, idOf(context));
      return `${REPORTS}/${idOf(context)}?done=${done}`;
    };
  }
  for (const [verb, work] of Object.entries(forms)) {
    pages.post(`${REPORTS}/:id/${verb}`, staffForm(app, ["reports.write"], work, showOne));
  }
};
