// Acts on several accounts at once: what can be done to the ticked accounts of a page, and the question before it.

import type { Part, Tick } from "../../../web/src/served/part-pages.ts";
import { Unprocessable } from "../../platform/errors.ts";
import { formErrorText } from "../../platform/http/error-text.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { DELETE_AFTER_DAYS } from "../../domain/people/accounts/standing.ts";
import { judgeBulkAct, BULK_ACTS } from "../../domain/staff/moderation/bulk-acts.ts";
import type { Refusal, BulkActName } from "../../domain/staff/moderation/bulk-acts.ts";
import { text } from "./page-parts.ts";
import { entered } from "./frame.ts";
import type { Staff } from "./frame.ts";
import type { Confirmation } from "./confirmation.ts";
import { ASKED } from "./kept-questions.ts";
import { tickedIds } from "./ticked.ts";
import { listed } from "../../../texts/lists.ts";

/** Field with the query of the list, which is shown again afterwards. */
const BACK = "list";

/** Returns the box beside an account. */
export const accountTick = (account: AccountView): Tick => ({
  name: `account_${account.id}`,
  label: ["moderation.several.choose", { name: `@${acct(account)}` }],
});

/** Returns filters and position of the list: of the page itself, or of the one that a form was sent from. */
export const listQuery = (staff: Staff): Partial<Record<string, string>> => {
  if (staff.request.method === "GET") return entered(staff);
  return Object.fromEntries(new URLSearchParams(entered(staff)[BACK] ?? ""));
};

export const backTo = (staff: Staff): string => {
  const { done: _done, [ASKED]: _asked, ...query } = listQuery(staff);
  return String(new URLSearchParams(query as Record<string, string>));
};

const REASON = text("text", "moderation.reason", 5000, {
  optional: true,
  hint: "moderation.several.reason_hint",
});

type Bar = { path: string; accounts: AccountView[]; names: readonly BulkActName[] };

const isLimit = (name: BulkActName): boolean => name === "silence" || name === "suspend";

/** Returns the bar for ticked accounts, or for all of the page. */
export const bulkBar = (staff: Staff, { path, accounts, names }: Bar): Part | null => {
  if (names.length === 0) return null;
  return {
    several: {
      action: path,
      ids: accounts.map(({ id }) => id),
      all: ["moderation.several.all", { count: accounts.length }],
      hidden: { [BACK]: backTo(staff) },
      fields: [names.some(isLimit) && REASON],
      buttons: names.map((name) => ({
        name: "act",
        value: name,
        label: `moderation.several.${name}`,
        kind: name === "approve" ? "" : "bad",
      })),
    },
  };
};

export const chosenIds = (staff: Staff): string[] => tickedIds(staff, "account");

export const chosenAct = (staff: Staff): BulkActName => {
  const name = BULK_ACTS.find((name) => name === entered(staff)["act"]);
  if (!name) throw new Unprocessable(staff.t("moderation.choose_act"));
  return name;
};

const namesOf = ({ language }: Staff, accounts: AccountView[]): string =>
  listed(
    language,
    accounts.map((account) => `@${acct(account)}`),
  );

/** Returns a line for each reason, with the accounts that it is about. */
export const refusedLines = (staff: Staff, refused: Refusal[]): string[] =>
  [...Map.groupBy(refused, ({ why }) => formErrorText(staff.t, why))].map(([why, all]) => {
    const accounts = all.map(({ account }) => account);
    return staff.t("moderation.several.refused", { names: namesOf(staff, accounts), why });
  });

/** Names the accounts; for a limit or suspension with the number of posts that it hides. */
const concernedLine = (staff: Staff, name: BulkActName, accounts: AccountView[]): string => {
  const { t, language } = staff;
  if (!isLimit(name)) return namesOf(staff, accounts);
  const withPosts = accounts.map((account) => {
    const aside = t("moderation.count.posts", { count: Number(account.statuses_count) });
    return t("words.aside", { text: `@${acct(account)}`, aside });
  });
  return listed(language, withPosts);
};

/** Asks, naming the accounts, what follows, and those for whom it would be refused. */
export const bulkConfirmation = async (staff: Staff): Promise<Confirmation> => {
  const { app, actor, t } = staff;
  const name = chosenAct(staff);
  const { accounts, refused } = await judgeBulkAct(app, actor, name, chosenIds(staff));
  if (accounts.length === 0) throw new Unprocessable(refusedLines(staff, refused).join(" "));
  const count = accounts.length;
  return {
    title: t(`moderation.several.${name}_title`, { count }),
    lines: [
      concernedLine(staff, name, accounts),
      t(`moderation.several.${name}_line`, { count: DELETE_AFTER_DAYS }),
      ...refusedLines(staff, refused),
    ],
    label: t(`moderation.several.${name}_label`, { count }),
    act: name,
    count,
  };
};
