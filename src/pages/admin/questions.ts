// Acts of the staff that take something away: what goes, asked on a page of its own before it happens (forms.ts). A
// word has to be typed where it cannot be undone. By the path of the form.

import type { HtmlValue } from "../../platform/text/html.ts";
import { html } from "../../platform/text/html.ts";
import { acct } from "../../domain/accounts/present.ts";
import { DELETE_AFTER_DAYS } from "../../domain/accounts/standing.ts";
import type { AccountView } from "../../domain/accounts/tables.ts";
import { everyAnnouncement } from "../../domain/announcements/load.ts";
import { getDomainList } from "../../domain/domain-lists/lists.ts";
import { getAdminAccount, loadAdminReports } from "../../domain/moderation/load.ts";
import { getSpamRule } from "../../domain/moderation/spam.ts";
import { listRoles } from "../../domain/roles/roles.ts";
import { currentRules } from "../../domain/rules/rules.ts";
import { getPreset } from "../../domain/strikes/strikes.ts";
import { listWebhooks } from "../../domain/webhooks/webhooks.ts";
import { countedText } from "../parts.ts";
import { entered, idOf } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { selectHoldings } from "./queries.ts";

export type Question = {
  title: string;
  /** What goes, or what follows, a line each. */
  lines: HtmlValue[];
  /** Of the button. */
  label: string;
  /** What is typed first. */
  word?: string;
};

/** null: nothing has to be asked. */
type Ask = (staff: Staff) => Promise<Question | null>;

const accountLines = async ({ app }: Staff, account: AccountView): Promise<HtmlValue[]> => {
  const { media, followers, following } = await selectHoldings(app.sql, account.id);
  return [
    countedText(account.statuses_count, "post", "posts"),
    countedText(media, "file", "files"),
    `${countedText(followers, "follower", "followers")}, and ${following} followed`,
  ];
};

const gone: Ask = async (staff) => {
  const { account } = await getAdminAccount(staff.app, idOf(staff));
  const isOurs = account.domain === null;
  return {
    title: `Delete the data of @${acct(account)}?`,
    lines: [
      ...(await accountLines(staff, account)),
      isOurs
        ? "The name is kept, so that nobody else can take it, and the email address is blocked."
        : "The account stays unwelcome here.",
      "This cannot be undone, and nobody can appeal any more.",
    ],
    label: "Delete all of it now",
    word: account.username,
  };
};

const rejected: Ask = async ({ app, ...staff }) => {
  const { account, user } = await getAdminAccount(app, idOf({ app, ...staff }));
  return {
    title: `Reject the sign-up of @${account.username}?`,
    lines: [
      `The account with ${user?.email ?? "its address"} is deleted, and what was written to you with it.`,
      "They are told by email, and can sign up again: the name is free then.",
    ],
    label: "Reject the sign-up",
    word: account.username,
  };
};

const suspended = async (staff: Staff, account: AccountView): Promise<Question> => ({
  title: `Suspend @${acct(account)}?`,
  lines: [
    ...(await accountLines(staff, account)),
    `All of it is hidden at once, and deleted after ${DELETE_AFTER_DAYS} days. Until then the suspension can be undone.`,
  ],
  label: "Suspend the account",
});

const acted: Ask = async (staff) => {
  if (entered(staff)["type"] !== "suspend") return null;
  const { account } = await getAdminAccount(staff.app, idOf(staff));
  return suspended(staff, account);
};

const deletedPosts = (account: AccountView, count: number, more: string): Question => ({
  title: `Delete ${countedText(count, "post", "posts")} of @${acct(account)}?`,
  lines: [
    "They go with their media, boosts and favourites, here and on other servers. Their text is kept for moderators.",
    more,
    "This cannot be undone, also not by an appeal.",
  ],
  label: "Delete the posts",
  word: account.username,
});

const decided: Ask = async (staff) => {
  const { decision } = entered(staff);
  if (decision !== "suspend" && decision !== "delete_statuses") return null;
  const [report] = await loadAdminReports(staff.app, [idOf(staff)], staff.who.accountId);
  if (!report) return null;
  const { account } = report.target;
  if (decision === "suspend") return suspended(staff, account);
  const { statuses } = report;
  const files = statuses.reduce((sum, { media }) => sum + media.length, 0);
  return deletedPosts(
    account,
    statuses.length,
    `${countedText(files, "file", "files")} go with them.`,
  );
};

/** A row that is taken off a list. */
const removed =
  (
    what: string,
    find: (staff: Staff) => Promise<{ name: string; lines: HtmlValue[] } | null>,
  ): Ask =>
  async (staff) => {
    const row = await find(staff);
    if (!row) return null;
    return { title: `Remove ${what}?`, lines: [row.name, ...row.lines], label: `Remove ${what}` };
  };

const emoji: Ask = async (staff) => {
  const { shortcode = "" } = entered(staff);
  return {
    title: `Remove :${shortcode}:?`,
    lines: [
      "Its picture is deleted, and posts that have it show the shortcode instead.",
      "To keep it in posts and offer it no more, hide it.",
    ],
    label: "Remove the emoji",
    word: shortcode,
  };
};

const posts: Ask = async (staff) => {
  const { account } = await getAdminAccount(staff.app, idOf(staff));
  const count = Object.keys(entered(staff)).filter((name) => /^post_\d+$/.test(name)).length;
  if (entered(staff)["decision"] !== "delete_statuses" || count === 0) return null;
  return deletedPosts(account, count, `Its other posts stay.`);
};

const access =
  (title: string, lines: string[], label: string): Ask =>
  async (staff) => {
    const { account } = await getAdminAccount(staff.app, idOf(staff));
    return { title: `${title} @${account.username}?`, lines, label };
  };

export const QUESTIONS: Readonly<Record<string, Ask>> = {
  "/admin/accounts/:id/delete": gone,
  "/admin/accounts/:id/reject": rejected,
  "/admin/sign_ups/:id/reject": rejected,
  "/admin/accounts/:id/act": acted,
  "/admin/accounts/:id/posts": posts,
  "/admin/accounts/:id/password": access(
    "Reset the password of",
    [
      "It is invalid at once, and every browser and app is signed out.",
      "They get a link to choose another one by email.",
    ],
    "Reset the password",
  ),
  "/admin/accounts/:id/factors": access(
    "Switch off the second factors of",
    [
      "Codes, recovery codes and passkeys are removed; the password alone is asked for.",
      "They are told by email.",
    ],
    "Switch them off",
  ),
  "/admin/reports/:id/decide": decided,
  "/admin/emojis/delete": emoji,
  "/admin/rules/:id/delete": removed("the rule", async (staff) => {
    const rule = (await currentRules(staff.app)).find(({ id }) => id === idOf(staff));
    const lines = [
      "Reports that name it keep its number only.",
      "What it says in other languages goes with it.",
    ];
    return rule ? { name: `“${rule.text}”`, lines } : null;
  }),
  "/admin/roles/:id/delete": removed("the role", async (staff) => {
    const role = (await listRoles(staff.app)).find(({ id }) => id === idOf(staff));
    return role ? { name: role.name, lines: ["Nobody may have it any more."] } : null;
  }),
  "/admin/webhooks/:id/delete": removed("the webhook", async (staff) => {
    const webhook = (await listWebhooks(staff.app)).find(({ id }) => id === idOf(staff));
    const lines = ["Its secret is lost, and what waits to be delivered to it."];
    return webhook ? { name: webhook.url, lines } : null;
  }),
  "/admin/domains/lists/:id/delete": removed("the list", async (staff) => {
    const list = await getDomainList(staff.app, staff.actor, idOf(staff));
    const lines = ["Servers that only this list blocks are no longer blocked."];
    return { name: list.title || list.url, lines };
  }),
  "/admin/announcements/:id/delete": removed("the announcement", async (staff) => {
    const row = (await everyAnnouncement(staff.app)).find(({ id }) => id === idOf(staff));
    const lines = ["It goes with the reactions that people gave it."];
    return row ? { name: `“${row.text.slice(0, 200)}”`, lines } : null;
  }),
  "/admin/spam/:id/delete": removed("the rule against spam", async (staff) => {
    const rule = await getSpamRule(staff.app, staff.actor, idOf(staff));
    return { name: rule.name, lines: ["The list of what it matched goes with it."] };
  }),
  "/admin/settings/texts/:id/delete": removed("the prepared text", async (staff) => {
    const preset = await getPreset(staff.app, idOf(staff));
    return { name: preset.title, lines: [html`“${preset.text.slice(0, 300)}”`] };
  }),
  "/admin/spam/held/:id/discard": async () => ({
    title: "Discard the post?",
    lines: ["It is not published, and its author is not told. This cannot be undone."],
    label: "Discard the post",
  }),
};
