// Lists posts that rules against spam held, decided one by one or several at once, and the rules.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { formErrorText } from "../../platform/http/error-text.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import { loadAccounts } from "../../domain/people/accounts/load.ts";
import {
  addSpamRule,
  approveHeld,
  discardHeld,
  enableSpamRule,
  getSpamRule,
  listHeldPosts,
  listSpamRules,
  removeSpamRule,
  trySpamRule,
  undoSpamRule,
} from "../../domain/staff/moderation/spam.ts";
import { decideHeld } from "../../domain/staff/moderation/held.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import type { Faults } from "../../domain/people/users/pages/components.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { ACTIONS } from "../../domain/base/spam/tables.ts";
import type { RuleRow } from "../../domain/base/spam/tables.ts";
import { formsOf } from "./forms.ts";
import { button, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { chosenHeld, heldPart, SEVERAL_HELD } from "./held.ts";
import { KEYS_SCRIPT } from "./keys.ts";
import { addPart, badge, checkbox, empty, select } from "./components.ts";

const SPAM = "/admin/spam";
const READ = ["spam.read"] as const;
const WRITE = ["spam.write"] as const;

const DONE = {
  added: "moderation.spam.added",
  tried: "moderation.spam.tried",
  on: "moderation.spam.on",
  off: "moderation.spam.off",
  undone: "moderation.spam.undone",
  removed: "moderation.spam.removed",
  approved: "moderation.spam.approved",
  discarded: "moderation.spam.discarded",
  decided: "moderation.spam.decided",
} as const;

const decideChosen = async (staff: Staff): Promise<void> => {
  const { app, actor, t } = staff;
  const { verdict, ids } = chosenHeld(staff);
  const { done, refused } = await decideHeld(app, actor, verdict, ids);
  if (refused.length === 0) return;
  const reasons = new Set(refused.map(({ why }) => formErrorText(t, why)));
  const left = t("moderation.spam.left", { count: refused.length });
  const sentence = t("moderation.spam.count_decided", { count: done });
  throw new Unprocessable([sentence, left, ...reasons].join(" "));
};

const valueText = (t: Say, value: unknown): string =>
  value === "local" || value === "remote"
    ? t(`moderation.spam.origin.${value}`)
    : [value].flat().join(", ");

const conditionText = (t: Say, { conditions }: RuleRow): string =>
  CONDITIONS.filter((name) => conditions[name] !== undefined)
    .map((name) => `${t(`moderation.spam.condition.${name}`)}: ${valueText(t, conditions[name])}`)
    .join("; ");

const triedText = ({ t, language }: Staff, { tried, tried_at: at }: RuleRow): Html | null =>
  tried && at
    ? html`<span
        >${sentence(t, "moderation.spam.tried_text", {
          time: whenText(at, language),
          matched: tried.matched,
          posts: t("moderation.count.posts", { count: tried.looked }),
          accounts: t("moderation.count.accounts", { count: tried.accounts }),
        })}</span
      >`
    : null;

const ruleItem = (staff: Staff, rule: RuleRow): Html => {
  const { t } = staff;
  const path = `${SPAM}/${rule.id}`;
  const act = (verb: string, key: Key, kind: "plain" | "bad" = "plain") =>
    button(staff, { action: `${path}/${verb}`, label: t(key), of: rule.name, kind });
  const state = rule.enabled
    ? badge(t("moderation.spam.is_on"), "good")
    : badge(t("moderation.spam.is_off"));
  return html`<li>
    <div class="what">
      <strong>${rule.name} ${state}</strong>
      <span>${conditionText(t, rule)}</span>
      <span
        >${rule.actions.map((action) => t(`moderation.spam.action.${action}`)).join(", ")}:
        ${t("moderation.spam.matches", { count: Number(rule.hits) })}</span
      >
      ${triedText(staff, rule)}
    </div>
    <div class="buttons">
      ${!rule.enabled && act("dry_run", "moderation.spam.dry_run")}
      ${
        rule.enabled
          ? act("disable", "moderation.spam.switch_off")
          : rule.tried_at && act("enable", "moderation.spam.switch_on")
      }
      ${Number(rule.hits) > 0 && act("undo", "moderation.spam.undo")}
      ${act("delete", "moderation.spam.remove", "bad")}
    </div>
  </li>`;
};

const CONDITIONS = [
  "origin",
  "account_age_below",
  "followers_below",
  "links",
  "mentions",
  "strangers",
  "domains",
  "link_domains",
  "words",
  "pattern",
  "same_text",
] as const;

const ORIGINS = ["any", "local", "remote"] as const;

type Values = Partial<Record<string, string>>;

const fields = ({ t }: Staff, values: Values, faults: Faults): Html[] => [
  inputField({
    name: "name",
    label: t("moderation.spam.name"),
    value: values["name"] ?? "",
    maxlength: 100,
    fault: faults["name"],
  }),
  select(
    "origin",
    t("moderation.spam.condition.origin"),
    ORIGINS.map((value) => ({ value, label: t(`moderation.spam.origin.${value}`) })),
    values["origin"] ?? "any",
  ),
  ...CONDITIONS.slice(1).map((name) =>
    inputField({
      name,
      label: t(`moderation.spam.condition.${name}`),
      value: values[name] ?? "",
      optional: true,
      maxlength: 5000,
      fault: faults[name],
    }),
  ),
  html`<fieldset class="checks">
    <legend>${t("moderation.spam.what_happens")}</legend>
    ${ACTIONS.map((action) =>
      checkbox(
        `do_${action}`,
        t(`moderation.spam.action.${action}`),
        values[`do_${action}`] === "1",
      ),
    )}
  </fieldset>`,
  // These faults concern the rule as a whole.
  ...["conditions", "actions"].flatMap((name) =>
    faults[name] ? html`<p class="fault">${faults[name]}</p>` : [],
  ),
];

const showSpam = async (staff: Staff, problem?: string, faults: Faults = {}) => {
  const { app, actor, t } = staff;
  const [matches, rules] = [await listHeldPosts(app, actor), await listSpamRules(app, actor)];
  const authors = await loadAccounts(app, [...new Set(matches.map((match) => match.account_id))]);
  return sendAdmin(staff, {
    title: t("staff.section.spam"),
    problem,
    done: DONE,
    script: KEYS_SCRIPT,
    body: html`<h2>${t("moderation.spam.held")}</h2>
      ${heldPart(staff, matches, authors)}
      <h2>${t("moderation.spam.rules")}</h2>
      ${
        rules.length === 0
          ? empty(t("moderation.spam.no_rules"))
          : html`<ul class="rows">
              ${rules.map((rule) => ruleItem(staff, rule))}
            </ul>`
      }
      ${addPart(
        t("moderation.spam.add"),
        enteredAt(staff, SPAM)["name"] !== undefined,
        form(
          staff,
          SPAM,
          html`<p class="soft">${t("moderation.spam.add_hint")}</p>
            ${fields(staff, enteredAt(staff, SPAM), faults)}
            <button class="button inline">${t("moderation.spam.add_button")}</button>`,
        ),
      )}`,
  });
};

const add = (context: Staff): Promise<string> => {
  const fields = entered(context);
  const conditions = Object.fromEntries(CONDITIONS.map((name) => [name, fields[name]?.trim()]));
  const actions = ACTIONS.filter((action) => fields[`do_${action}`] === "1");
  return addSpamRule(context.app, context.actor, { name: fields["name"], conditions, actions });
};

export const spamPages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, SPAM, WRITE, showSpam);
  const withRule =
    (work: (context: Staff, rule: RuleRow) => Promise<unknown>) => async (context: Staff) =>
      work(context, await getSpamRule(app, context.actor, idOf(context)));
  const on = (enabled: boolean) =>
    withRule(({ actor }, rule) => enableSpamRule(app, actor, rule, enabled));
  pages.get(SPAM, staffPage(app, READ, showSpam));
  take(SPAM, "added", add);
  take(`${SPAM}/held/:id/approve`, "approved", (context) =>
    approveHeld(app, context.actor, idOf(context)),
  );
  take(`${SPAM}/held/:id/discard`, "discarded", (context) =>
    discardHeld(app, context.actor, idOf(context)),
  );
  take(SEVERAL_HELD, "decided", decideChosen);
  take(
    `${SPAM}/:id/dry_run`,
    "tried",
    withRule(({ actor }, rule) => trySpamRule(app, actor, rule)),
  );
  take(`${SPAM}/:id/enable`, "on", on(true));
  take(`${SPAM}/:id/disable`, "off", on(false));
  take(
    `${SPAM}/:id/undo`,
    "undone",
    withRule(({ actor }, rule) => undoSpamRule(app, actor, rule)),
  );
  take(
    `${SPAM}/:id/delete`,
    "removed",
    withRule(({ actor }, rule) => removeSpamRule(app, actor, rule)),
  );
};
