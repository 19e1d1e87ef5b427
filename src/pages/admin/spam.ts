// Lists posts that rules against spam held, decided one by one or several at once, and the rules.

import type { ActButton, Field, Inline, Row } from "../../../web/src/served/part-pages.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { formErrorText } from "../../platform/http/error-text.ts";
import type { Key } from "../../platform/text/texts.ts";
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
import { ACTIONS } from "../../domain/base/spam/tables.ts";
import type { RuleRow } from "../../domain/base/spam/tables.ts";
import { removal } from "./page-parts.ts";
import { heldParts, chosenHeld } from "./held.ts";
import { unlessDecided } from "./audit.ts";
import { carryOut, onEntry, pageWithForms } from "./forms.ts";
import { entered, idOf, sendAdmin } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { KEYS_SCRIPT } from "./keys.ts";
import { byName, listed } from "../../../texts/lists.ts";

const SPAM = "/admin/spam";
const HELD = {
  type: "held_post",
  actions: ["held_post.approve", "held_post.discard"],
} as const;
const READ = ["spam.read"] as const;
const WRITE = ["spam.write"] as const;

const decideChosen = async (staff: Staff): Promise<void> => {
  const { app, actor, t } = staff;
  const { verdict, ids } = chosenHeld(staff);
  const { done, refused } = await decideHeld(app, actor, verdict, ids);
  if (refused.length === 0) return;
  const reasons = new Set(refused.map(({ why }) => formErrorText(t, why)));
  const why = [...reasons].join(" ");
  const left = t("moderation.spam.left", { count: refused.length, why });
  const sentence = t("moderation.spam.count_decided", { count: done });
  throw new Unprocessable([sentence, left].join(" "));
};

const valueText = ({ t, language }: Staff, value: unknown): string =>
  value === "local" || value === "remote"
    ? t(`moderation.spam.origin.${value}`)
    : listed(language, [value].flat().map(String));

const conditionTexts = (staff: Staff, { conditions }: RuleRow): string[] =>
  CONDITIONS.filter((name) => conditions[name] !== undefined).map((name) =>
    staff.t("words.pair", {
      name: staff.t(`moderation.spam.condition.${name}`),
      value: valueText(staff, conditions[name]),
    }),
  );

const triedText = ({ t }: Staff, { tried, tried_at: at }: RuleRow): Inline =>
  tried &&
  at && {
    say: "moderation.spam.tried_text",
    with: {
      time: at,
      matched: tried.matched,
      posts: t("moderation.count.posts", { count: tried.looked }),
      accounts: t("moderation.count.accounts", { count: tried.accounts }),
    },
  };

const ruleRow = (staff: Staff, rule: RuleRow): Row => {
  const { t } = staff;
  const { id, name, enabled, hits } = rule;
  const act = (verb: string, label: Key): ActButton => ({
    action: `${SPAM}/${id}/${verb}`,
    label,
    of: name,
  });
  const actions = rule.actions.map((action) => t(`moderation.spam.action.${action}`));
  return {
    title: name,
    badges: [
      enabled
        ? { badge: "moderation.spam.is_on", kind: "good" }
        : { badge: "moderation.spam.is_off" },
    ],
    lines: [
      { joined: conditionTexts(staff, rule) },
      { joined: [...actions, t("moderation.spam.matches", { count: Number(hits) })] },
      triedText(staff, rule),
    ],
    acts: [
      !enabled && act("dry_run", "moderation.spam.dry_run"),
      enabled && act("disable", "moderation.spam.switch_off"),
      !enabled && rule.tried_at && act("enable", "moderation.spam.switch_on"),
      Number(hits) > 0 && act("undo", "moderation.spam.undo"),
      removal(`${SPAM}/${id}`, name, "moderation.spam.remove"),
    ],
  };
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

const FIELDS: readonly Field[] = [
  { name: "name", label: "moderation.spam.name", max: 100 },
  {
    name: "origin",
    label: "moderation.spam.condition.origin",
    options: ORIGINS.map((value) => [value, `moderation.spam.origin.${value}`]),
  },
  {
    name: "conditions",
    legend: "moderation.spam.conditions",
    wide: true,
    set: CONDITIONS.slice(1).map((name) => ({
      name,
      label: `moderation.spam.condition.${name}` as const,
      optional: true,
      max: 5000,
    })),
  },
  {
    name: "actions",
    legend: "moderation.spam.what_happens",
    boxes: ACTIONS.map((action) => ({
      name: `do_${action}`,
      label: `moderation.spam.action.${action}` as const,
    })),
  },
];

const showSpam: Show = async (staff) => {
  const { app, actor, t, language } = staff;
  const [matches, rules] = [await listHeldPosts(app, actor), await listSpamRules(app, actor)];
  const byTitle = byName(language, rules, ({ name }) => name);
  const authors = await loadAccounts(app, [...new Set(matches.map((match) => match.account_id))]);
  return sendAdmin(staff, {
    script: KEYS_SCRIPT,
    parts: [
      { heading: "moderation.spam.held" },
      ...heldParts(staff, matches, authors),
      { heading: "moderation.spam.rules" },
      { rows: byTitle.map((rule) => ruleRow(staff, rule)), none: "moderation.spam.no_rules" },
      {
        add: {
          action: SPAM,
          title: "moderation.spam.add",
          before: [{ text: t("moderation.spam.add_hint"), isSoft: true }],
          fields: FIELDS,
          submit: "moderation.spam.add_button",
        },
      },
    ],
  });
};

const newRuleFrom = (context: Staff) => {
  const fields = entered(context);
  const conditions = Object.fromEntries(CONDITIONS.map((name) => [name, fields[name]?.trim()]));
  const actions = ACTIONS.filter((action) => fields[`do_${action}`] === "1");
  return { name: fields["name"], conditions, actions };
};

const ruleOf = (staff: Staff): Promise<RuleRow> => getSpamRule(staff.app, staff.actor, idOf(staff));

const enable = (enabled: boolean) => async (staff: Staff) =>
  enableSpamRule(staff.app, staff.actor, await ruleOf(staff), enabled);

export const spamPages = pageWithForms({ path: SPAM, read: READ, write: WRITE, show: showSpam }, [
  ["", "moderation.spam.added", carryOut(addSpamRule, newRuleFrom)],
  ["/held/:id/approve", "moderation.spam.approved", unlessDecided(HELD, onEntry(approveHeld))],
  ["/held/:id/discard", "moderation.spam.discarded", unlessDecided(HELD, onEntry(discardHeld))],
  ["/held/several", "moderation.spam.decided", decideChosen],
  ["/:id/dry_run", "moderation.spam.tried", carryOut(trySpamRule, ruleOf)],
  ["/:id/enable", "moderation.spam.on", enable(true)],
  ["/:id/disable", "moderation.spam.off", enable(false)],
  ["/:id/undo", "moderation.spam.undone", carryOut(undoSpamRule, ruleOf)],
  ["/:id/delete", "moderation.spam.removed", carryOut(removeSpamRule, ruleOf)],
]);
