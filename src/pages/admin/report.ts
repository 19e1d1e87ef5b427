// Shows all open reports about one account, with what they name and earlier decisions, for one decision about all of
// them. An ended report has a page of its own.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { loadReportsWith, nextInQueue } from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import { assignToSelf, correct, decideReports } from "../../domain/staff/moderation/reports.ts";
import { reopen, resolve, unassign } from "../../domain/staff/moderation/reports.ts";
import { loadCollections } from "../../domain/people/collections/load.ts";
import { collectionUrl } from "../../domain/people/collections/present.ts";
import type { CollectionView } from "../../domain/people/collections/tables.ts";
import { webUrl } from "../../platform/text/web-url.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { shorten } from "../../platform/text/cut.ts";
import { CATEGORIES } from "../../domain/reading/reports/tables.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import type { RuleRow } from "../../domain/base/rules/tables.ts";
import { staffForm } from "./forms.ts";
import { button, entered, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { endText, reportsPart, strikesPart } from "./history.ts";
import { keyList, KEYS_SCRIPT } from "./keys.ts";
import type { KeyLine } from "./keys.ts";
import { NOTES_DONE, addNoteToReport, notesOnReportPart } from "./moderation-notes.ts";
import { accountHead, accountLink, badge, checkbox, select, stateBadges } from "./components.ts";
import { presetText } from "./presets.ts";
import { decisionKeys, decisionPart, decisionOf } from "./report-decision.ts";
import { reportedPosts } from "./report-posts.ts";

const REPORTS = "/admin/reports";

export const REPORT_DONE = {
  resolved: "moderation.reports.resolved",
  reopened: "moderation.reports.reopened",
  assigned: "moderation.reports.assigned_done",
  unassigned: "moderation.reports.unassigned_done",
  corrected: "moderation.reports.corrected",
  decided: "moderation.reports.decided",
  decided_next: "moderation.reports.decided_next",
  ignored: "moderation.reports.ignored",
  ignored_next: "moderation.reports.ignored_next",
  ...NOTES_DONE,
} as const;

const correctionForm = (staff: Staff, { report }: AdminReportView, { rules }: Place): Html => {
  const { t } = staff;
  const named = new Set(report.rule_ids);
  const at = (name: string) => `${name}-${report.id}`;
  const options = CATEGORIES.map((value) => {
    return { value, label: t(`moderation.category.${value}`) };
  });
  return html`<details class="edit">
    <summary>${t("moderation.reports.change_category")}</summary>
    ${form(
      staff,
      `${REPORTS}/${report.id}/correct`,
      html`${select("category", t("moderation.category"), options, report.category, { id: at("category") })}
        ${
          rules.length > 0 &&
          html`<fieldset class="choices">
            <legend>${t("moderation.reports.violated")}</legend>
            ${rules.map(({ id, text }) =>
              checkbox(`rule_${id}`, text, named.has(id), at(`rule_${id}`)),
            )}
          </fieldset>`
        } <button class="button inline">${t("staff.save")}</button>`,
    )}
  </details>`;
};

/** Draws the form with all rules for the first report; the others have it on their own pages. */
const correction = (staff: Staff, view: AdminReportView, place: Place): Html =>
  place.isFirst
    ? correctionForm(staff, view, place)
    : html`<p>
        <a href="${REPORTS}/${view.report.id}">${staff.t("moderation.reports.change_category")}</a>
      </p>`;

/** Draws who works on the report, and buttons for this one alone. */
const workButtons = (
  staff: Staff,
  { report }: AdminReportView,
  { isFirst, isAlone }: Place,
): Html => {
  const { t, who } = staff;
  const path = `${REPORTS}/${report.id}`;
  if (report.action_taken_at !== null) {
    return html`<div class="buttons">
      ${button(staff, { action: `${path}/reopen`, label: t("moderation.reports.reopen") })}
    </div>`;
  }
  const isMine = report.assigned_account_id === who.accountId;
  const verb = isMine ? "unassign" : "assign";
  const key = isFirst ? { key: "a" } : {};
  return html`<div class="buttons">
    ${button(staff, { action: `${path}/${verb}`, label: t(`moderation.reports.${verb}`), ...key })}
    ${!isAlone && button(staff, { action: `${path}/resolve`, label: t("moderation.reports.resolve") })}
  </div>`;
};

type Place = {
  isFirst: boolean;
  isAlone: boolean;
  /** Collections that the page's reports name, by id. */
  collections: ReadonlyMap<string, CollectionView>;
  /** The present rules, read once for all reports. */
  rules: readonly RuleRow[];
};

const collectionLinks = (
  { app }: Staff,
  { report }: AdminReportView,
  { collections }: Place,
): Html[] =>
  report.collection_ids.flatMap((id) => {
    const view = collections.get(id);
    const url = view && webUrl(collectionUrl(app.config.site, view));
    return url ? html`<a href="${url}" rel="noopener noreferrer nofollow">${view.name}</a> ` : [];
  });

/** Characters shown of the rules that a further report names. */
const RULES_LENGTH = 300;

const ruleTexts = (
  { rules, isFirst }: Place,
  { report: { rule_ids: ids } }: AdminReportView,
): string => {
  const named = new Set(ids);
  const texts = rules.filter(({ id }) => named.has(id)).map(({ text }) => text);
  return isFirst ? texts.join("; ") : shorten(texts.join("; "), RULES_LENGTH);
};

/** Draws one report, and who works on it. */
const reportPanel = async (staff: Staff, view: AdminReportView, place: Place): Promise<Html> => {
  const { app, t, language } = staff;
  const { report, account, assigned } = view;
  const { site } = app.config;
  const fact = (name: string, value: HtmlValue): Html =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  const rules = ruleTexts(place, view);
  const end = await endText(staff, view);
  const links = collectionLinks(staff, view, place);
  const facts = [
    links.length > 0 ? fact(t("moderation.reports.collections"), links) : [],
    rules ? fact(t("moderation.reports.rules"), rules) : [],
    report.forwarded
      ? fact(t("moderation.reports.forwarded"), t("moderation.reports.forwarded_to"))
      : [],
    assigned ? fact(t("moderation.reports.assigned_to"), accountLink(site, assigned.account)) : [],
    end ? fact(t("moderation.reports.decision"), end) : [],
  ].flat();
  return html`<section class="panel" data-entry>
    <p>
      ${badge(t(`moderation.category.${report.category}`))} ${accountLink(site, account.account)}
      <span class="soft small">${whenText(report.created_at, language)}</span>
    </p>
    ${report.comment && html`<blockquote class="quote"><p>${report.comment}</p></blockquote>`}
    ${facts.length > 0 && html`<dl class="details-list">${facts}</dl>`}
    ${workButtons(staff, view, place)}
    ${report.action_taken_at === null && correction(staff, view, place)}
  </section>`;
};

const targetPanel = (staff: Staff, { target }: AdminReportView): Html => {
  const { app, actor, t, language } = staff;
  const { account } = target;
  const path = `/admin/accounts/${account.id}`;
  const mayRead = may(actor, "accounts.read");
  const posts = t("moderation.count.posts", { count: Number(account.statuses_count) });
  return html`<section class="panel">
    ${accountHead(app.config.site, account)}
    <p>${stateBadges(staff, target)}</p>
    <p class="soft">
      ${t("moderation.reports.since")} ${whenText(account.created_at, language)} ·
      ${mayRead ? html`<a href="${path}/posts">${posts}</a>` : posts} ·
      ${t("moderation.count.followers", { count: Number(account.followers_count) })}
    </p>
    ${mayRead && html`<p><a href="${path}">${t("moderation.reports.account")}</a></p>`}
  </section>`;
};

const ASSIGN: KeyLine = ["a", "moderation.keys.assign"];
const QUEUE: KeyLine = ["u", "moderation.keys.queue"];
const NEXT: KeyLine = ["g", "moderation.keys.skip"];

/** Returns the newest report, which decides the account's place in the queue. */
const newestOf = (views: AdminReportView[]): string =>
  views.map(({ report }) => report.id).reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b));

const queueLinks = async ({ app, t }: Staff, views: AdminReportView[]): Promise<Html> => {
  const next = await nextInQueue(app, newestOf(views));
  const isOther = next !== null && !views.some(({ report }) => report.id === next);
  return html`<p class="queue-links">
    <a href="${REPORTS}" data-key="u">${t("moderation.reports.queue")}</a>
    ${isOther && html`<a href="${REPORTS}/${next}" data-key="g">${t("moderation.reports.skip")}</a>`}
  </p>`;
};

const show = async (staff: Staff, problem?: string) => {
  const { actor, t } = staff;
  const views = await loadReportsWith(staff.app, idOf(staff), staff.who.accountId);
  const [view] = views as [AdminReportView];
  const { target, report } = view;
  const isOpen = report.action_taken_at === null;
  const isAlone = views.length === 1;
  const named = views.flatMap((each) => each.report.collection_ids);
  const loaded = await loadCollections(staff.app, [...new Set(named)], null);
  const collections = new Map(loaded.map((each) => [each.id, each]));
  const rules = await currentRules(staff.app);
  const panels = await Promise.all(
    views.map((each, index) =>
      reportPanel(staff, each, { isFirst: index === 0, isAlone, collections, rules }),
    ),
  );
  const name = `@${acct(target.account)}`;
  const ids = views.map(({ report: each }) => each.id);
  const keys = [...(isOpen ? decisionKeys(actor, views) : []), ASSIGN, QUEUE, NEXT];
  return sendAdmin(staff, {
    title: t(isOpen ? "moderation.reports.title_open" : "moderation.reports.title_ended", {
      name,
      count: views.length,
    }),
    problem,
    done: REPORT_DONE,
    back: REPORTS,
    script: KEYS_SCRIPT,
    body: html`${await queueLinks(staff, views)} ${targetPanel(staff, view)} ${panels}
    ${await reportedPosts(staff, views)} ${isOpen && (await decisionPart(staff, views))}
    ${await strikesPart(staff, target.account.id)}
    ${await reportsPart(staff, target.account.id, ids)}
    ${await notesOnReportPart(staff, target.account, report.id)} ${keyList(staff, keys)}`,
  });
};

/** Decides, and redirects to the next account in the queue, or to the empty queue. */
const decide = async (staff: Staff): Promise<string> => {
  const { app, actor, who } = staff;
  const id = idOf(staff);
  const newest = newestOf(await loadReportsWith(app, id, who.accountId));
  const fields = entered(staff);
  const name = decisionOf(fields["decision"]);
  if (!name) throw new Unprocessable(staff.t("moderation.choose_act"));
  const preset = await presetText(app, fields["preset"]);
  const text = [preset, fields["text"]?.trim() ?? ""].filter(Boolean).join("\n\n");
  await decideReports(app, actor, id, { name, text, mail: fields["mail"] === "1" });
  const done = name === "resolve" ? "ignored" : "decided";
  const next = await nextInQueue(app, newest);
  return next === null ? `${REPORTS}?done=${done}` : `${REPORTS}/${next}?done=${done}_next`;
};

const takeCorrection = async (staff: Staff): Promise<string> => {
  const { app, actor } = staff;
  const fields = entered(staff);
  const category = CATEGORIES.find((category) => category === fields["category"]);
  const named = Object.keys(fields).flatMap((name) => /^rule_(\d+)$/.exec(name)?.[1] ?? []);
  const rule_ids = category === "violation" ? named : [];
  await correct(app, actor, idOf(staff), { category, rule_ids });
  return `${REPORTS}/${idOf(staff)}?done=corrected`;
};

/** Ends this report alone, and stays with the others about the account. */
const resolveAlone = async (staff: Staff): Promise<string> => {
  const { app, actor, who } = staff;
  const [view, other = view] = await loadReportsWith(app, idOf(staff), who.accountId);
  await resolve(app, actor, idOf(staff));
  return `${REPORTS}/${other!.report.id}?done=resolved`;
};

const ALONE = {
  assign: [assignToSelf, "assigned"],
  unassign: [unassign, "unassigned"],
  reopen: [reopen, "reopened"],
} as const;

export const accountReportPages = (pages: Server, app: App): void => {
  pages.get(`${REPORTS}/:id`, staffPage(app, ["reports.read"], show));
  const take = (verb: string, work: (staff: Staff) => Promise<string>) =>
    pages.post(`${REPORTS}/:id/${verb}`, staffForm(app, ["reports.write"], work, show));
  pages.post(`${REPORTS}/:id/notes`, staffForm(app, ["reports.read"], addNoteToReport, show));
  take("decide", decide);
  take("correct", takeCorrection);
  take("resolve", resolveAlone);
  for (const [verb, [command, done]] of Object.entries(ALONE)) {
    take(verb, async (staff) => {
      await command(app, staff.actor, idOf(staff));
      return `${REPORTS}/${idOf(staff)}?done=${done}`;
    });
  }
};
