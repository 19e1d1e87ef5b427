// Shows all open reports about one account, with what they name and earlier decisions, for one decision about all of
// them. An ended report has a page of its own.

import type { ActButton, Inline, KeyLine, Part } from "../../../web/src/served/part-pages.ts";
import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { webUrl } from "../../platform/text/web-url.ts";
import { shorten } from "../../platform/text/cut.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { loadReportsWith, nextInQueue } from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import { ACTION_TYPES } from "../../domain/staff/moderation/accounts.ts";
import {
  assignToSelf,
  correct,
  decideReports,
  reopen,
  resolve,
  unassign,
} from "../../domain/staff/moderation/reports.ts";
import { loadCollections } from "../../domain/people/collections/load.ts";
import { collectionUrl } from "../../domain/people/collections/present.ts";
import type { CollectionView } from "../../domain/people/collections/tables.ts";
import { CATEGORIES } from "../../domain/reading/reports/tables.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import type { RuleRow } from "../../domain/base/rules/tables.ts";
import { actionPart } from "./account.ts";
import { accountLink, accountOf, atName, stateBadges } from "./people.ts";
import { outside } from "./page-parts.ts";
import { reportNoteParts, NOTES_DONE, REPORT_NOTE_FORM } from "./moderation-notes.ts";
import { reportParts, strikeParts, decisionText, endText } from "./history.ts";
import { drawnWith, formsOf, onEntry, staffForm } from "./forms.ts";
import { entered, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT } from "./keys.ts";
import { presetText } from "./presets.ts";
import { decisionKeys, decisionPart, decisionOf } from "./report-decision.ts";
import { reportedPosts } from "./report-posts.ts";

const REPORTS = "/admin/reports";

export const REPORT_DONE = {
  resolved: "moderation.reports.resolved",
  decided: "moderation.reports.decided",
  decided_next: "moderation.reports.decided_next",
  ignored: "moderation.reports.ignored",
  ignored_next: "moderation.reports.ignored_next",
  ...NOTES_DONE,
} as const;

/** Returns the form with all rules; of several reports, for the one that `?edit=` names, and links for the others. */
const correction = (staff: Staff, { report }: AdminReportView, place: Place): Part => {
  const { rules, isAlone } = place;
  const path = `${REPORTS}/${report.id}`;
  const label = "moderation.reports.change_category";
  const isWanted = entered(staff)["edit"] === report.id;
  if (!isAlone && !isWanted)
    return { text: { link: `?edit=${report.id}#edit`, text: staff.t(label) } };
  return {
    edit: {
      anchor: "edit",
      open: isWanted,
      ...drawnWith(staff, `${path}/correct`, {
        category: report.category,
        rule_ids: report.rule_ids,
      }),
      label,
      fields: [
        {
          name: "category",
          label: "moderation.category",
          options: CATEGORIES.map((value) => [value, `moderation.category.${value}`]),
        },
        rules.length > 0 && {
          legend: "moderation.reports.violated",
          boxes: rules.map(({ id, text }) => ({ name: `rule_${id}`, label: { plain: text } })),
        },
      ],
      values: {
        category: report.category,
        ...Object.fromEntries((report.rule_ids ?? []).map((id) => [`rule_${id}`, true])),
      },
      of: report.id,
    },
  };
};

/** Returns buttons for this report alone. */
const workActs = (
  { who }: Staff,
  { report }: AdminReportView,
  { isFirst, isAlone }: Place,
): (ActButton | false)[] => {
  const act = (verb: "reopen" | "assign" | "unassign" | "resolve"): ActButton => ({
    action: `${REPORTS}/${report.id}/${verb}`,
    label: `moderation.reports.${verb}`,
  });
  if (report.action_taken_at !== null) return [act("reopen")];
  const isMine = report.assigned_account_id === who.accountId;
  const press = isFirst ? "a" : undefined;
  return [{ ...act(isMine ? "unassign" : "assign"), press }, !isAlone && act("resolve")];
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
): Inline[] =>
  report.collection_ids.flatMap((id) => {
    const view = collections.get(id);
    const url = view && webUrl(collectionUrl(app.config.site, view));
    return url ? outside(url, view.name) : [];
  });

/** Characters shown of the rules that a further report names. */
const RULES_LENGTH = 300;

const ruleTexts = (
  { rules, isFirst }: Place,
  { report: { rule_ids: ids } }: AdminReportView,
): string => {
  const named = new Set(ids);
  const texts = rules.filter(({ id }) => named.has(id)).map(({ text }) => text);
  const text = texts.join(" · ");
  return isFirst ? text : shorten(text, RULES_LENGTH);
};

/** Returns one report, and who works on it. */
const reportPanel = async (staff: Staff, view: AdminReportView, place: Place): Promise<Part> => {
  const { t } = staff;
  const { report, account, assigned } = view;
  const rules = ruleTexts(place, view);
  const end = await endText(staff, view);
  const links = collectionLinks(staff, view, place);
  return {
    isEntry: true,
    panel: [
      {
        text: [
          { badge: `moderation.category.${report.category}` },
          accountLink(staff, account.account),
          { soft: report.created_at },
        ],
      },
      report.comment && { quote: report.comment },
      {
        facts: [
          links.length > 0 && ["moderation.reports.collections", links],
          rules && ["moderation.reports.rules", rules],
          report.forwarded === true && [
            "moderation.reports.forwarded",
            t("moderation.reports.forwarded_to"),
          ],
          assigned && ["moderation.reports.assigned_to", accountLink(staff, assigned.account)],
          end ? ["moderation.reports.decision", end] : null,
        ],
      },
      { acts: workActs(staff, view, place) },
      report.action_taken_at === null && correction(staff, view, place),
    ],
  };
};

const targetPanel = (staff: Staff, { target }: AdminReportView): Part => {
  const { actor, t } = staff;
  const { account } = target;
  const path = `/admin/accounts/${account.id}`;
  const mayRead = may(actor, "accounts.read");
  const posts = t("moderation.count.posts", { count: Number(account.statuses_count) });
  const followers = t("moderation.count.followers", { count: Number(account.followers_count) });
  const since: Inline = { say: "moderation.reports.since", with: { time: account.created_at } };
  return {
    panel: [
      { who: accountOf(staff, account) },
      { text: stateBadges(target) },
      {
        text: {
          joined: [since, mayRead ? { link: `${path}/posts`, text: posts } : posts, followers],
        },
        isSoft: true,
      },
      mayRead && { text: { link: path, text: t("moderation.reports.account") } },
    ],
  };
};

const ASSIGN: KeyLine = ["a", "moderation.keys.assign"];
const QUEUE: KeyLine = ["u", "moderation.keys.queue"];
const NEXT: KeyLine = ["g", "moderation.keys.skip"];

/** Returns the newest report, which decides the account's place in the queue. */
const newestOf = (views: AdminReportView[]): string =>
  views.map(({ report }) => report.id).reduce((a, b) => (BigInt(a) > BigInt(b) ? a : b));

const queueLinks = async ({ app, t }: Staff, views: AdminReportView[]): Promise<Part> => {
  const next = await nextInQueue(app, newestOf(views));
  const isOther = next !== null && !views.some(({ report }) => report.id === next);
  const skip = t("moderation.reports.skip");
  return {
    links: [
      { link: REPORTS, text: t("moderation.reports.queue"), press: "u" },
      isOther && { link: `${REPORTS}/${next}`, text: skip, press: "g" },
    ],
    kind: "queue-links",
  };
};

/** Returns what was entered for a decision that came too late, in the form of acts on the account. */
const lateParts = async (staff: Staff, { target }: AdminReportView): Promise<Part[]> => {
  const { decision, ...values } = entered(staff);
  const type = ACTION_TYPES.find((known) => known === decision) ?? "none";
  const mail = values["mail"] === "1";
  const form = await actionPart(staff, target, { ...values, type, mail });
  const kept: Part = form ?? { text: { copied: values["text"] ?? "" } };
  return [{ text: staff.t("moderation.reports.late"), isSoft: true }, kept];
};

/** Says who decided, and what, to somebody whose own decision came too late. */
const tooLate = async (staff: Staff, view: AdminReportView): Promise<Staff> => {
  const { t } = staff;
  const decision = await decisionText(staff, view);
  const name = view.takenBy ? atName(view.takenBy.account) : t("audit.actor.command_line");
  const problem = t("moderation.reports.decided_by", { name, decision });
  return { ...staff, refused: { status: 422, problem } };
};

const show = async (context: Staff) => {
  const { actor } = context;
  const views = await loadReportsWith(context.app, idOf(context), context.who.accountId);
  const [view] = views as [AdminReportView];
  const { target, report } = view;
  const isOpen = report.action_taken_at === null;
  const isLate = !isOpen && context.refused !== undefined && "decision" in entered(context);
  const staff = isLate ? await tooLate(context, view) : context;
  const named = views.flatMap((each) => each.report.collection_ids);
  const loaded = await loadCollections(staff.app, [...new Set(named)], null);
  const place = {
    isAlone: views.length === 1,
    collections: new Map(loaded.map((each) => [each.id, each])),
    rules: await currentRules(staff.app),
  };
  const panels = await Promise.all(
    views.map((each, index) => reportPanel(staff, each, { isFirst: index === 0, ...place })),
  );
  const name = atName(target.account);
  const title = isOpen ? "moderation.reports.title_open" : "moderation.reports.title_ended";
  const ids = views.map(({ report: each }) => each.id);
  return sendAdmin(staff, {
    title: [title, { name, count: views.length }],
    done: REPORT_DONE,
    back: REPORTS,
    script: KEYS_SCRIPT,
    parts: [
      await queueLinks(staff, views),
      targetPanel(staff, view),
      ...panels,
      ...(await reportedPosts(staff, views)),
      isOpen && (await decisionPart(staff, views)),
      ...(isLate ? await lateParts(staff, view) : []),
      ...(await strikeParts(staff, target.account.id)),
      ...(await reportParts(staff, target.account.id, ids)),
      ...(await reportNoteParts(staff, target.account, report.id)),
      keyList([...(isOpen ? decisionKeys(actor, views) : []), ASSIGN, QUEUE, NEXT]),
    ],
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

const correctionFrom = (staff: Staff) => {
  const fields = entered(staff);
  const category = CATEGORIES.find((category) => category === fields["category"]);
  const named = Object.keys(fields).flatMap((name) => /^rule_(\d+)$/.exec(name)?.[1] ?? []);
  const rule_ids = category === "violation" ? named : [];
  return { category, rule_ids };
};

/** Ends this report alone, and stays with the others about the account. */
const resolveAlone = async (staff: Staff): Promise<string> => {
  const { app, actor, who } = staff;
  const [view, other = view] = await loadReportsWith(app, idOf(staff), who.accountId);
  await resolve(app, actor, idOf(staff));
  return `${REPORTS}/${other!.report.id}?done=resolved`;
};

export const accountReportPages = (pages: Server, app: App): void => {
  pages.get(`${REPORTS}/:id`, staffPage(app, ["reports.read"], show));
  const take = (verb: string, work: (staff: Staff) => Promise<string>) =>
    pages.post(`${REPORTS}/:id/${verb}`, staffForm(app, ["reports.write"], work, show));
  take("decide", decide);
  take("resolve", resolveAlone);
  const home = (staff: Staff): string => `${REPORTS}/${idOf(staff)}`;
  formsOf(pages, app, home, ["reports.read"], show)(...REPORT_NOTE_FORM);
  const stay = formsOf(pages, app, home, ["reports.write"], show);
  stay(`${REPORTS}/:id/correct`, "moderation.reports.corrected", onEntry(correct, correctionFrom));
  stay(`${REPORTS}/:id/assign`, "moderation.reports.assigned_done", onEntry(assignToSelf));
  stay(`${REPORTS}/:id/unassign`, "moderation.reports.unassigned_done", onEntry(unassign));
  stay(`${REPORTS}/:id/reopen`, "moderation.reports.reopened", onEntry(reopen));
};
