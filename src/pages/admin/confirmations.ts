// Questions before acts of the staff that take something away: what is deleted is shown on a page of its own before it
// happens (forms.ts). The questions are listed by the path of the form.

import type { Inline } from "../../../web/src/served/part-pages.ts";
import type { Key, Say } from "../../platform/text/texts.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { DELETE_AFTER_DAYS } from "../../domain/people/accounts/standing.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { everyAnnouncement } from "../../domain/reading/announcements/load.ts";
import { getDomainList } from "../../domain/staff/domain-lists/lists.ts";
import {
  getAdminAccount,
  loadAdminAccounts,
  loadReportsWith,
} from "../../domain/staff/moderation/load.ts";
import type { AdminReportView } from "../../domain/staff/moderation/load.ts";
import { openingConcerns } from "../../domain/staff/moderation/opening.ts";
import { getSpamRule } from "../../domain/staff/moderation/spam.ts";
import { listRoles } from "../../domain/base/roles/roles.ts";
import { currentRules } from "../../domain/base/rules/rules.ts";
import { getPreset } from "../../domain/reading/strikes/strikes.ts";
import { listWebhooks } from "../../domain/base/webhooks/webhooks.ts";
import { MODERATION_CONFIRMATIONS, isByKey } from "./moderation-confirmations.ts";
import { tickedEmojis, tickedIds } from "./ticked.ts";
import { entered, idOf } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { selectHoldings } from "./queries.ts";
import type { Confirmation } from "./confirmation.ts";
import { SERVER_CONFIRMATIONS } from "./server-confirmations.ts";
import { decisionOf, plainConfirmation } from "./report-decision.ts";

/** Emojis shown; of more, only the number is given. */
const SHOWN_EMOJIS = 20;

/** Returns null when nothing has to be asked. */
type Ask = (staff: Staff) => Promise<Confirmation | null>;

const accountLines = async ({ app, t }: Staff, account: AccountView): Promise<Inline[]> => {
  const { media, followers, following } = await selectHoldings(app.sql, account.id);
  return [
    t("staff.counted.posts", { count: Number(account.statuses_count) }),
    t("staff.counted.files", { count: media }),
    t("staff.counted.followers", { count: followers }),
    t("staff.counted.following", { count: following }),
  ];
};

const gone: Ask = async (staff) => {
  const { t } = staff;
  const { account } = await getAdminAccount(staff.app, idOf(staff));
  const isOurs = account.domain === null;
  return {
    title: t("staff.ask.gone", { name: `@${acct(account)}` }),
    lines: [
      ...(await accountLines(staff, account)),
      t(isOurs ? "staff.ask.gone_name" : "staff.ask.gone_remote"),
      t("staff.ask.gone_final"),
    ],
    label: t("staff.ask.gone_button"),
    act: "delete_account",
    name: account.username,
  };
};

const rejected: Ask = async (staff) => {
  const { app, t } = staff;
  const view = (await loadAdminAccounts(app, [idOf(staff)])).get(idOf(staff));
  // The command says that somebody else has decided meanwhile.
  if (view?.user?.approved !== false) return null;
  const { account, user } = view;
  const { email } = user;
  return {
    title: t("staff.ask.reject", { name: `@${account.username}` }),
    lines: [
      email ? t("staff.ask.reject_email", { email }) : t("staff.ask.reject_data"),
      t("staff.ask.reject_again"),
    ],
    label: t("staff.ask.reject_button"),
    act: "reject",
  };
};

const suspended = async (staff: Staff, account: AccountView): Promise<Confirmation> => {
  const { t } = staff;
  return {
    title: t("staff.ask.suspend", { name: `@${acct(account)}` }),
    lines: [
      ...(await accountLines(staff, account)),
      t("staff.ask.suspend_days", { count: DELETE_AFTER_DAYS }),
    ],
    label: t("staff.ask.suspend_button"),
    act: "suspend",
  };
};

const acted: Ask = async (staff) => {
  if (entered(staff)["type"] !== "suspend") return null;
  const { account } = await getAdminAccount(staff.app, idOf(staff));
  return suspended(staff, account);
};

const deletedPosts = (t: Say, account: AccountView, count: number, more: string): Confirmation => ({
  title: t("staff.ask.posts", { count, name: `@${acct(account)}` }),
  lines: [t("staff.ask.posts_what"), more, t("staff.ask.posts_final")],
  label: t("staff.ask.posts_button"),
  act: "delete_posts",
  name: account.username,
});

/**
 * Asks about a decision on all open reports about the account. After a key, which may be pressed by mistake, every
 * decision is asked about.
 */
const decided: Ask = async (staff) => {
  const { app, t, who } = staff;
  const name = decisionOf(entered(staff)["decision"]);
  const isCounted = name === "suspend" || name === "delete_statuses";
  if (name === null || !(isCounted || isByKey(staff))) return null;
  const views = await loadReportsWith(app, idOf(staff), who.accountId);
  const [{ target, report }] = views as [AdminReportView];
  // The command says that the decision comes too late.
  if (report.action_taken_at !== null) return null;
  const { account } = target;
  if (!isCounted) return plainConfirmation(staff, name, account);
  if (name === "suspend") return suspended(staff, account);
  const posts = new Map(
    views.flatMap(({ statuses }) => statuses.map(({ id, media }) => [id, media.length] as const)),
  );
  const count = [...posts.values()].reduce((sum, files) => sum + files, 0);
  return deletedPosts(t, account, posts.size, t("staff.ask.posts_files", { count }));
};

/** Asks before a row is removed from a list; `lines` say what is deleted with it. */
const removed =
  (kind: Removed, lines: readonly Key[], find: (staff: Staff) => Promise<Inline>): Ask =>
  async (staff) => {
    const name = await find(staff);
    if (!name) return null;
    const { t } = staff;
    return {
      title: t(`staff.ask.${kind}`),
      lines: [name, ...lines.map((line) => t(line))],
      label: t(`staff.ask.${kind}_button`),
      act: "remove",
    };
  };

type Removed = "rule" | "role" | "webhook" | "list" | "announcement" | "spam_rule" | "preset";

/** Asks before emojis are changed. */
const emojis: Ask = async (staff) => {
  const { t } = staff;
  const shortcodes = tickedEmojis(staff);
  const { act } = entered(staff);
  if (shortcodes.length === 0 || (act !== "delete" && act !== "disable")) return null;
  const count = shortcodes.length;
  const names = shortcodes.slice(0, SHOWN_EMOJIS).map((shortcode) => `:${shortcode}:`);
  const rest = count - names.length;
  const list =
    rest > 0 ? t("staff.ask.and_more", { names: names.join(" "), count: rest }) : names.join(" ");
  if (act === "disable")
    return {
      title: t("staff.ask.disable", { count }),
      lines: [list, t("staff.ask.disable_what")],
      label: t("staff.emojis.disable"),
      act: "disable_emojis",
      count,
    };
  return {
    title: t("staff.ask.emojis", { count }),
    lines: [list, t("staff.ask.emoji_what"), t("staff.ask.emoji_hide")],
    label: t("staff.emojis.delete"),
    act: "delete_emojis",
    name: shortcodes[0]!,
    count,
  };
};

const posts: Ask = async (staff) => {
  const { account } = await getAdminAccount(staff.app, idOf(staff));
  const count = tickedIds(staff, "post").length;
  if (entered(staff)["decision"] !== "delete_statuses" || count === 0) return null;
  return deletedPosts(staff.t, account, count, staff.t("staff.ask.posts_others"));
};

const access =
  (kind: "password" | "factors", lines: readonly Key[]): Ask =>
  async (staff) => {
    const { t } = staff;
    const { account } = await getAdminAccount(staff.app, idOf(staff));
    return {
      title: t(`staff.ask.${kind}`, { name: `@${account.username}` }),
      lines: lines.map((line) => t(line)),
      label: t(`staff.ask.${kind}_button`),
      act: "end_access",
    };
  };

const opened: Ask = async (staff) => {
  const { app, t } = staff;
  const { registrations: mode, reset } = entered(staff);
  if (reset !== undefined || (mode !== "open" && mode !== "approved")) return null;
  const concerns = await openingConcerns(app, mode);
  if (concerns.length === 0) return null;
  return {
    title: t("staff.ask.open"),
    lines: concerns.map(({ key, values }) => t(key, values)),
    label: t("staff.ask.open_button"),
    act: "open_sign_ups",
  };
};

export const CONFIRMATIONS: Readonly<Record<string, Ask>> = {
  ...SERVER_CONFIRMATIONS,
  ...MODERATION_CONFIRMATIONS,
  "/admin/accounts/:id/delete": gone,
  "/admin/accounts/:id/reject": rejected,
  "/admin/sign_ups/:id/reject": rejected,
  "/admin/accounts/:id/act": acted,
  "/admin/accounts/:id/posts": posts,
  "/admin/accounts/:id/password": access("password", [
    "staff.ask.password_ends",
    "staff.ask.password_mail",
  ]),
  "/admin/accounts/:id/factors": access("factors", [
    "staff.ask.factors_what",
    "staff.ask.factors_mail",
  ]),
  "/admin/reports/:id/decide": decided,
  "/admin/emojis/ticked": emojis,
  "/admin/rules/:id/delete": removed(
    "rule",
    ["staff.ask.rule_reports", "staff.ask.rule_languages"],
    async (staff) => {
      const rule = (await currentRules(staff.app)).find(({ id }) => id === idOf(staff));
      return rule && `“${rule.text}”`;
    },
  ),
  "/admin/roles/:id/delete": removed(
    "role",
    ["staff.ask.role_what"],
    async (staff) => (await listRoles(staff.app)).find(({ id }) => id === idOf(staff))?.name,
  ),
  "/admin/webhooks/:id/delete": removed(
    "webhook",
    ["staff.ask.webhook_what"],
    async (staff) => (await listWebhooks(staff.app)).find(({ id }) => id === idOf(staff))?.url,
  ),
  "/admin/domains/lists/:id/delete": removed("list", ["staff.ask.list_what"], async (staff) => {
    const list = await getDomainList(staff.app, staff.actor, idOf(staff));
    return list.title || list.url;
  }),
  "/admin/announcements/:id/delete": removed(
    "announcement",
    ["staff.ask.announcement_what"],
    async (staff) => {
      const row = (await everyAnnouncement(staff.app)).find(({ id }) => id === idOf(staff));
      return row && `“${row.text.slice(0, 200)}”`;
    },
  ),
  "/admin/spam/:id/delete": removed(
    "spam_rule",
    ["staff.ask.spam_rule_what"],
    async (staff) => (await getSpamRule(staff.app, staff.actor, idOf(staff))).name,
  ),
  "/admin/settings/registrations": opened,
  "/admin/settings/texts/:id/delete": removed("preset", [], async (staff) => {
    const { title, text } = await getPreset(staff.app, idOf(staff));
    return [title && { strong: title }, `“${text.slice(0, 300)}”`];
  }),
  "/admin/spam/held/:id/discard": async ({ t }) => ({
    title: t("staff.ask.discard"),
    lines: [t("staff.ask.discard_what")],
    label: t("staff.ask.discard_button"),
    act: "discard",
  }),
};
