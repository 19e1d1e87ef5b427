// Posts that rules against spam held, and the rules.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { loadAccounts } from "../../domain/accounts/load.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
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
} from "../../domain/moderation/spam.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { ACTIONS } from "../../domain/spam/tables.ts";
import type { MatchRow, RuleRow, SpamAction } from "../../domain/spam/tables.ts";
import { countedText, moment } from "../parts.ts";
import { formsOf } from "./forms.ts";
import { button, entered, enteredAt, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { accountLink, addPart, badge, checkbox, empty, select } from "./parts.ts";

const SPAM = "/admin/spam";
const READ = ["spam.read"] as const;
const WRITE = ["spam.write"] as const;

const DONE = {
  added: "The rule has been added. Make a dry run, then switch it on.",
  tried: "The dry run is done: the rule says what it would have matched.",
  on: "The rule is on.",
  off: "The rule is off.",
  undone: "What the rule did is being undone.",
  removed: "The rule has been removed.",
  approved: "The post has been published.",
  discarded: "The post has been discarded.",
};

const heldItem = (context: Staff, match: MatchRow, author: AccountView | undefined) => {
  const path = `${SPAM}/held/${match.id}`;
  return html`<li>
    <div class="what">
      <strong>${author && accountLink(context.app.config.site, author)}</strong>
      <span>${match.text}</span>
      <span>${match.status_id !== null && "Edit of a post, "}${moment(match.created_at)}</span>
    </div>
    <div class="buttons">
      ${button(context, { action: `${path}/approve`, label: "Publish", of: "this post" })}
      ${button(context, { action: `${path}/discard`, label: "Discard", of: "this post", kind: "bad" })}
    </div>
  </li>`;
};

const valueText = (value: unknown): string =>
  ORIGINS.find((origin) => origin.value === value)?.label ?? [value].flat().join(", ");

const conditionText = ({ conditions }: RuleRow): string =>
  Object.entries(conditions)
    .map(([name, value]) => `${LABELS[name] ?? name}: ${valueText(value)}`)
    .join("; ");

const triedText = ({ tried, tried_at: at }: RuleRow): Html | null =>
  tried && at
    ? html`<span
        >Dry run ${moment(at)}: ${tried.matched} of ${countedText(tried.looked, "post", "posts")} of
        a day, by ${countedText(tried.accounts, "account", "accounts")}</span
      >`
    : null;

const ruleItem = (context: Staff, rule: RuleRow) => {
  const path = `${SPAM}/${rule.id}`;
  const of = rule.name;
  return html`<li>
    <div class="what">
      <strong
        >${rule.name} ${badge(rule.enabled ? "On" : "Off", rule.enabled ? "good" : "mild")}</strong
      >
      <span>${conditionText(rule)}</span>
      <span
        >${rule.actions.map((action) => ACTION_NAMES[action]).join(", ")}:
        ${countedText(Number(rule.hits), "match", "matches")}</span
      >
      ${triedText(rule)}
    </div>
    <div class="buttons">
      ${!rule.enabled && button(context, { action: `${path}/dry_run`, label: "Dry run", of })}
      ${
        rule.enabled
          ? button(context, { action: `${path}/disable`, label: "Switch off", of })
          : rule.tried_at && button(context, { action: `${path}/enable`, label: "Switch on", of })
      }
      ${Number(rule.hits) > 0 && button(context, { action: `${path}/undo`, label: "Undo", of })}
      ${button(context, { action: `${path}/delete`, label: "Remove", of, kind: "bad" })}
    </div>
  </li>`;
};

const LABELS: Record<string, string> = {
  origin: "Posts from",
  account_age_below: "Account younger than (hours)",
  followers_below: "Fewer followers than",
  links: "Links, at least",
  mentions: "Mentions, at least",
  strangers: "Mentions of people who do not follow the author, at least",
  domains: "Author’s servers",
  link_domains: "Servers that are linked to",
  words: "One of these words",
  pattern: "Pattern (RE2)",
  same_text: "Accounts that wrote the same within an hour, at least",
};

const ACTION_NAMES: Record<SpamAction, string> = {
  reject: "Refuse the post",
  hold: "Hold the post for review",
  report: "Report the account",
  limit: "Limit the account",
};

const ORIGINS = [
  { value: "any", label: "Everywhere" },
  { value: "local", label: "This server" },
  { value: "remote", label: "Other servers" },
];

const fields = (fields: Partial<Record<string, string>>): Html[] => [
  inputField({ name: "name", label: "Name", value: fields["name"] ?? "", maxlength: 100 }),
  select("origin", LABELS["origin"]!, ORIGINS, fields["origin"] ?? "any"),
  ...Object.entries(LABELS)
    .filter(([name]) => name !== "origin")
    .map(([name, label]) =>
      inputField({ name, label, value: fields[name] ?? "", optional: true, maxlength: 5000 }),
    ),
  html`<fieldset class="checks">
    <legend>What happens</legend>
    ${ACTIONS.map((action) =>
      checkbox(`do_${action}`, ACTION_NAMES[action], fields[`do_${action}`] === "1"),
    )}
  </fieldset>`,
];

const showSpam = async (context: Staff, problem?: string) => {
  const { app, actor } = context;
  const [matches, rules] = [await listHeldPosts(app, actor), await listSpamRules(app, actor)];
  const authors = await loadAccounts(app, [...new Set(matches.map((match) => match.account_id))]);
  return sendAdmin(context, {
    title: "Spam",
    problem,
    done: DONE,
    body: html`<h2>Held posts</h2>
      ${
        matches.length === 0
          ? empty("No post waits for a decision.")
          : html`<ul class="rows">
              ${matches.map((match) => heldItem(context, match, authors.get(match.account_id)))}
            </ul>`
      }
      <h2>Rules</h2>
      ${
        rules.length === 0
          ? empty("There are no rules yet.")
          : html`<ul class="rows">
              ${rules.map((rule) => ruleItem(context, rule))}
            </ul>`
      }
      ${addPart(
        "Add a rule",
        problem !== undefined,
        form(
          context,
          SPAM,
          html`<p class="soft">
              Everything that you fill in has to hold. Separate several entries by commas.
            </p>
            ${fields(enteredAt(context, SPAM))} <button class="button inline">Add</button>`,
        ),
      )}`,
  });
};

const add = (context: Staff): Promise<string> => {
  const fields = entered(context);
  const conditions = Object.fromEntries(
    Object.keys(LABELS).map((name) => [name, fields[name]?.trim()]),
  );
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
