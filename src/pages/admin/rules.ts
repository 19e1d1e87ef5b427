// Manages the rules of the server: adds, changes, moves and removes them.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import {
  createRule,
  deleteRule,
  moveRuleAs,
  updateRule,
} from "../../domain/staff/moderation/server.ts";
import { view } from "../../domain/people/users/pages/framed.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import { formsOf } from "./forms.ts";
import { entered, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";

const RULES = "/admin/rules";
const ACTS = ["rules.write"] as const;

const DONE = {
  added: "staff.rules.added",
  saved: "staff.rules.saved",
  removed: "staff.rules.removed",
} as const;

const showRules = async (context: Staff, problem?: string) =>
  sendAdmin(context, {
    title: context.t("staff.section.rules"),
    problem,
    done: DONE,
    view: view("rules", { rules: await currentRules(context.app) }),
  });

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
