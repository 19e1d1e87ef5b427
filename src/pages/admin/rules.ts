// Manages the rules of the server: adds, changes, moves and removes them.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { shorten } from "../../platform/text/cut.ts";
import type { Say } from "../../platform/text/texts.ts";
import {
  createRule,
  deleteRule,
  moveRuleAs,
  updateRule,
} from "../../domain/staff/moderation/server.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import type { RuleRow } from "../../domain/base/rules/tables.ts";
import { formsOf } from "./forms.ts";
import { button, editOnDemand, entered, enteredAt, form, idOf, sendAdmin } from "./frame.ts";
import { staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { addPart, empty } from "./components.ts";

const RULES = "/admin/rules";
const ACTS = ["rules.write"] as const;

const DONE = {
  added: "staff.rules.added",
  saved: "staff.rules.saved",
  removed: "staff.rules.removed",
} as const;

const fields = (t: Say, text: string, hint: string, of = "new"): Html[] => [
  inputField({
    name: "text",
    id: `text-${of}`,
    label: t("staff.rules.rule"),
    value: text,
    maxlength: 1000,
  }),
  inputField({
    name: "hint",
    id: `hint-${of}`,
    label: t("staff.rules.explanation"),
    type: "textarea",
    value: hint,
    optional: true,
    maxlength: 5000,
    hint: t("staff.rules.explanation_hint"),
  }),
];

/** Characters of an explanation in the list, and of a rule in the names of its buttons. */
const HINT_SHOWN = 300;
const NAME_SHOWN = 60;

const ruleItem = (context: Staff, { id, text, hint }: RuleRow, place: number, count: number) => {
  const path = `${RULES}/${id}`;
  const { t } = context;
  const of = shorten(text, NAME_SHOWN);
  const was = enteredAt(context, `${path}/update`);
  return html`<li>
    <div class="what">
      <strong>${place + 1}. ${text}</strong>
      ${hint && html`<span>${shorten(hint, HINT_SHOWN)}</span>`}
    </div>
    <div class="buttons">
      ${place > 0 && button(context, { action: `${path}/up`, label: t("staff.rules.up"), of })}
      ${place < count - 1 && button(context, { action: `${path}/down`, label: t("staff.rules.down"), of })}
      ${button(context, { action: `${path}/delete`, label: t("staff.remove"), of, kind: "bad" })}
    </div>
    ${editOnDemand(context, RULES, id, () =>
      fields(t, was["text"] ?? text, was["hint"] ?? hint, id),
    )}
  </li>`;
};

const showRules = async (context: Staff, problem?: string) => {
  const rules = await currentRules(context.app);
  const { t } = context;
  const { text, hint = "" } = enteredAt(context, RULES);
  return sendAdmin(context, {
    title: t("staff.section.rules"),
    problem,
    done: DONE,
    body: html`<p>${t("staff.rules.about")}</p>
      ${
        rules.length === 0
          ? empty(t("staff.rules.none"))
          : html`<ul class="rows">
              ${rules.map((rule, place) => ruleItem(context, rule, place, rules.length))}
            </ul>`
      }
      ${addPart(
        t("staff.rules.add"),
        text !== undefined || rules.length === 0,
        form(
          context,
          RULES,
          html`${fields(t, text ?? "", hint)}
            <button class="button inline">${t("staff.add")}</button>`,
        ),
      )}`,
  });
};

const words = (context: Staff) => {
  const { text = "", hint = "" } = entered(context);
  return { text, hint };
};

export const rulePages = (pages: Server, app: App): void => {
  const take = formsOf(pages, app, RULES, ACTS, showRules);
  pages.get(RULES, staffPage(app, ACTS, showRules));
  take(RULES, "added", (context) => createRule(app, context.actor, words(context)));
  take(`${RULES}/:id/update`, "saved", (context) =>
    updateRule(app, context.actor, idOf(context), words(context)),
  );
  take(`${RULES}/:id/up`, "saved", (context) =>
    moveRuleAs(app, context.actor, idOf(context), true),
  );
  take(`${RULES}/:id/down`, "saved", (context) =>
    moveRuleAs(app, context.actor, idOf(context), false),
  );
  take(`${RULES}/:id/delete`, "removed", (context) =>
    deleteRule(app, context.actor, idOf(context)),
  );
};
