// Lists posts that wait for a decision: each with its buttons, and one bar for several.

import { Unprocessable } from "../../platform/errors.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { isHeldVerdict } from "../../domain/staff/moderation/held.ts";
import type { HeldVerdict } from "../../domain/staff/moderation/held.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import type { MatchRow } from "../../domain/base/spam/tables.ts";
import { button, entered } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, TICK } from "./keys.ts";
import type { KeyLine } from "./keys.ts";
import { accountLink, empty } from "./components.ts";
import type { Confirmation } from "./confirmation.ts";
import { tick, tickedForm, tickedIds } from "./ticked.ts";

const HELD = "/admin/spam/held";
export const SEVERAL_HELD = `${HELD}/several`;

const heldItem = (staff: Staff, match: MatchRow, author: AccountView | undefined): Html => {
  const { app, t, language } = staff;
  const path = `${HELD}/${match.id}`;
  const of = author ? `@${acct(author)}` : match.id;
  return html`<li data-entry>
    ${tick("post", match.id, t("moderation.spam.choose", { name: of }))}
    <div class="what">
      <strong>${author && accountLink(app.config.site, author)}</strong>
      <span class="said">${match.text}</span>
      <span
        >${match.status_id !== null && html`${t("moderation.spam.edit")} · `}${whenText(match.created_at, language)}</span
      >
    </div>
    <div class="buttons">
      ${button(staff, { action: `${path}/approve`, label: t("moderation.spam.publish"), of, key: "p" })}
      ${button(staff, { action: `${path}/discard`, label: t("moderation.spam.discard"), of, kind: "bad", key: "d" })}
    </div>
  </li>`;
};

/** Draws the bar for ticked posts, or for all. */
const heldBar = (staff: Staff, matches: MatchRow[]): Html => {
  const { t } = staff;
  return tickedForm(staff, {
    path: SEVERAL_HELD,
    ids: matches.map(({ id }) => id),
    all: t("moderation.spam.all", { count: matches.length }),
    buttons: html`<button class="button" name="verdict" value="approve">
        ${t("moderation.spam.publish")}
      </button>
      <button class="button bad" name="verdict" value="discard">
        ${t("moderation.spam.discard")}
      </button>`,
  });
};

export const chosenHeld = (staff: Staff): { verdict: HeldVerdict; ids: string[] } => {
  const { verdict = "" } = entered(staff);
  if (!isHeldVerdict(verdict)) throw new Unprocessable(staff.t("moderation.choose_act"));
  return { verdict, ids: tickedIds(staff, "post") };
};

export const heldConfirmation = async (staff: Staff): Promise<Confirmation | null> => {
  const { t } = staff;
  const { verdict, ids } = chosenHeld(staff);
  const count = ids.length;
  if (count === 0) return null;
  return {
    title: t(`moderation.spam.sure_${verdict}`, { count }),
    lines: [t(`moderation.spam.sure_${verdict}_line`)],
    label: t(verdict === "approve" ? "moderation.spam.publish" : "moderation.spam.discard"),
    isMild: verdict === "approve",
  };
};

const KEYS: readonly KeyLine[] = [
  TICK,
  ["p", "moderation.spam.publish"],
  ["d", "moderation.spam.discard"],
];

export const heldPart = (
  staff: Staff,
  matches: MatchRow[],
  authors: ReadonlyMap<string, AccountView>,
): HtmlValue => {
  if (matches.length === 0) return empty(staff.t("moderation.spam.none_held"));
  return html`<ul class="rows held">
      ${matches.map((match) => heldItem(staff, match, authors.get(match.account_id)))}
    </ul>
    ${may(staff.actor, "spam.write") && heldBar(staff, matches)} ${keyList(staff, KEYS)}`;
};
