// Manages the rules of the server: adds, changes, moves and removes them.

import type { Field, Row } from "../../../web/src/served/part-pages.ts";
import { shorten } from "../../platform/text/cut.ts";
import type { RuleRow } from "../../domain/base/rules/tables.ts";
import {
  createRule,
  deleteRule,
  moveRuleAs,
  updateRule,
} from "../../domain/staff/moderation/server.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import { lines, removal } from "./page-parts.ts";
import { carryOut, drawnWith, onEntry, pageWithForms } from "./forms.ts";
import { entered, sendAdmin } from "./frame.ts";
import type { Staff } from "./frame.ts";

const RULES = "/admin/rules";
const ACTS = ["rules.write"] as const;

const FIELDS: readonly Field[] = [
  { name: "text", label: "staff.rules.rule", max: 1000 },
  lines("hint", "staff.rules.explanation", 5000, {
    optional: true,
    hint: "staff.rules.explanation_hint",
  }),
];

/** Characters of an explanation in the list, and of a rule in the names of its buttons. */
const HINT_SHOWN = 300;
const NAME_SHOWN = 60;

const rowOf = (context: Staff, rule: RuleRow, place: number, count: number): Row => {
  const { id, text, hint } = rule;
  const path = `${RULES}/${id}`;
  const of = shorten(text, NAME_SHOWN);
  return {
    id,
    title: `${place + 1}. ${text}`,
    lines: [shorten(hint, HINT_SHOWN)],
    acts: [
      place > 0 && { action: `${path}/up`, label: "staff.rules.up", of },
      place < count - 1 && { action: `${path}/down`, label: "staff.rules.down", of },
      removal(path, of),
    ],
    editOnDemand: {
      list: RULES,
      ...drawnWith(context, `${path}/update`, { text, hint }),
      fields: FIELDS,
      values: rule,
    },
  };
};

const showRules = async (context: Staff) => {
  const { t } = context;
  const rules = await currentRules(context.app);
  const open = rules.length === 0;
  return sendAdmin(context, {
    parts: [
      { text: t("staff.rules.about") },
      {
        rows: rules.map((rule, place) => rowOf(context, rule, place, rules.length)),
        none: "staff.rules.none",
      },
      { add: { action: RULES, title: "staff.rules.add", fields: FIELDS, of: "new", open } },
    ],
  });
};

const words = (context: Staff) => {
  const { text = "", hint = "" } = entered(context);
  return { text, hint };
};

export const rulePages = pageWithForms({ path: RULES, read: ACTS, show: showRules }, [
  ["", "staff.rules.added", carryOut(createRule, words)],
  ["/:id/update", "staff.rules.saved", onEntry(updateRule, words)],
  ["/:id/up", "staff.rules.saved", onEntry(moveRuleAs, () => true)],
  ["/:id/down", "staff.rules.saved", onEntry(moveRuleAs, () => false)],
  ["/:id/delete", "staff.rules.removed", onEntry(deleteRule)],
]);
