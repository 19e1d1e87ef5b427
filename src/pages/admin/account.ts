// Shows one account to the staff: who it is, its history, what can be done and undone.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { sentence } from "../../platform/text/texts.ts";
import type { Say } from "../../platform/text/texts.ts";
import { DELETE_AFTER_DAYS } from "../../domain/people/accounts/standing.ts";
import { acct } from "../../domain/people/accounts/present.ts";
import { listAudit } from "../../domain/base/audit/audit.ts";
import { may } from "../../domain/base/roles/acts.ts";
import {
  ACTION_TYPES,
  actOnAccount,
  approveAccount,
  deleteSuspended,
  enableAccount,
  giveRole,
  rejectAccount,
  unsensitizeAccount,
  unsilenceAccount,
  unsuspendAccount,
} from "../../domain/staff/moderation/accounts.ts";
import type { ActionType } from "../../domain/staff/moderation/accounts.ts";
import { getAdminAccount } from "../../domain/staff/moderation/load.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { dayText, whenText } from "../../domain/people/users/pages/when.ts";
import { EVERYONE_ID, listRoles } from "../../domain/base/roles/roles.ts";
import { listPresets } from "../../domain/reading/strikes/strikes.ts";
import { richText } from "../../domain/base/emojis/pictures.ts";
import { auditLine } from "./audit.ts";
import { staffForm } from "./forms.ts";
import { ACCESS_DONE, accessForms, accessPart } from "./account-access.ts";
import { accountPostPages } from "./account-posts.ts";
import { button, entered, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Button, Staff } from "./frame.ts";
import { presetChoice, presetText } from "./presets.ts";
import { reportsPart, strikesPart } from "./history.ts";
import { NOTES_DONE, moderationNoteForms, moderationNotesPart } from "./moderation-notes.ts";
import { accountHead, badge, checkbox, choices, select, stateBadges } from "./components.ts";

const ACCOUNTS = "/admin/accounts";

const DONE = {
  acted: "moderation.account.acted",
  undone: "moderation.account.undone",
  approve: "moderation.sign_ups.approved",
  role: "moderation.account.role_changed",
  delete: "moderation.account.being_deleted",
  ...ACCESS_DONE,
  ...NOTES_DONE,
} as const;

const serverFact = (t: Say, domain: string): Html => {
  const path = `/admin/domains?${new URLSearchParams({ q: domain })}`;
  return fact(t("moderation.server"), html`<a href="${path}">${domain}</a>`);
};

const person = ({ t, language }: Staff, { account, user }: AdminAccountView): HtmlValue => {
  if (!user) return account.domain && serverFact(t, account.domain);
  const unconfirmed = !user.confirmed && badge(t("staff.state.unconfirmed"), "bad");
  return html`${fact(t("moderation.email"), html`${user.email} ${unconfirmed}`)}
  ${fact(t("moderation.account.language"), user.locale)}
  ${user.ips.length > 0 && fact(t("moderation.account.ips"), user.ips.map(({ ip }) => ip).join(", "))}
  ${user.invited_by && fact(t("moderation.account.invited_by"), html`<a href="/admin/accounts/${user.invited_by}">${t("moderation.account.inviter")}</a>`)}
  ${user.agreed_terms && fact(t("staff.terms.agreed"), html`<a href="/terms-of-service/${user.agreed_terms}">${sentence(t, "staff.terms.version", { day: dayText(user.agreed_terms, language) })}</a>`)}
  ${user.reason && fact(t("moderation.account.why"), user.reason)}`;
};

const fact = (name: string, value: HtmlValue): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

const facts = (staff: Staff, view: AdminAccountView): Html => {
  const { t, language } = staff;
  const { account } = view;
  const since = account.domain === null ? "moderation.accounts.joined" : "moderation.account.known";
  const last = account.last_status_at;
  return html`<dl class="details-list">
    ${person(staff, view)} ${fact(t(since), whenText(account.created_at, language))}
    ${fact(t("moderation.account.last_post"), last ? whenText(last, language) : t("moderation.account.never"))}
    ${fact(t("moderation.posts"), html`<a href="/admin/accounts/${account.id}/posts">${account.statuses_count}</a>`)}
    ${fact(t("moderation.account.followers"), account.followers_count)}
    ${fact(t("moderation.account.following"), account.following_count)}
    ${
      account.suspended_at &&
      fact(
        t("staff.state.suspended"),
        html`${whenText(account.suspended_at, language)};
        ${t("moderation.account.deleted_after", { count: DELETE_AFTER_DAYS })}`,
      )
    }
  </dl>`;
};

const ACT_OF: Record<ActionType, Parameters<typeof may>[1]> = {
  none: "accounts.warn",
  sensitive: "accounts.sensitive",
  disable: "accounts.disable",
  silence: "accounts.silence",
  suspend: "accounts.suspend",
};

const actionForm = async (
  context: Staff,
  { account, user }: AdminAccountView,
): Promise<HtmlValue> => {
  const offered = ACTION_TYPES.filter(
    (type) => may(context.actor, ACT_OF[type], account) && (type !== "disable" || user),
  );
  if (offered.length === 0 || account.pending) return null;
  const { t } = context;
  const presets = await listPresets(context.app);
  const fields = entered(context);
  const options = offered.map((value) => ({
    value,
    label: t(`moderation.act.${value}`),
    hint: t(`moderation.act.${value}_hint`, { count: DELETE_AFTER_DAYS }),
  }));
  return html`<section class="panel">
    <h2>${t("moderation.decide")}</h2>
    ${form(
      context,
      `${ACCOUNTS}/${account.id}/act`,
      html`${choices("type", t("moderation.what"), options, fields["type"] ?? "none")}
        ${presetChoice(context, presets, fields["preset"])}
        ${inputField({
          name: "text",
          label: t("moderation.reason"),
          type: "textarea",
          value: fields["text"] ?? "",
          optional: true,
          maxlength: 5000,
          hint: t(user ? "moderation.reason_sent" : "moderation.reason_kept"),
        })}
        ${user && html`<div class="choices">${checkbox("mail", t("moderation.also_mail"), true)}</div>`}
        <button class="button inline">${t("moderation.do_it")}</button>`,
    )}
  </section>`;
};

/** Draws the buttons that undo what was decided about the account. */
const undoButtons = (context: Staff, { account, user }: AdminAccountView): HtmlValue => {
  const { actor, t } = context;
  const path = `${ACCOUNTS}/${account.id}`;
  const isGone = account.domain === null && user === null;
  const offered: [boolean, Button][] = [
    [
      user?.approved === false && may(actor, "accounts.approve", account),
      { action: `${path}/approve`, label: t("moderation.sign_ups.approve"), kind: "" },
    ],
    [
      user?.approved === false && may(actor, "accounts.reject", account),
      { action: `${path}/reject`, label: t("moderation.sign_ups.reject"), kind: "bad" },
    ],
    [
      account.suspended_at !== null && !isGone && may(actor, "accounts.unsuspend", account),
      { action: `${path}/unsuspend`, label: t("moderation.account.unsuspend") },
    ],
    [
      account.silenced_at !== null && may(actor, "accounts.unsilence", account),
      { action: `${path}/unsilence`, label: t("moderation.account.unsilence") },
    ],
    [
      account.sensitized_at !== null && may(actor, "accounts.unsensitive", account),
      { action: `${path}/unsensitive`, label: t("moderation.account.unsensitive") },
    ],
    [
      user?.disabled === true && may(actor, "accounts.enable", account),
      { action: `${path}/enable`, label: t("moderation.account.enable") },
    ],
    [
      account.suspended_at !== null && !isGone && may(actor, "accounts.delete", account),
      { action: `${path}/delete`, label: t("moderation.account.delete"), kind: "bad" },
    ],
  ];
  const shown = offered.filter(([holds]) => holds).map(([, choice]) => button(context, choice));
  return shown.length > 0 && html`<div class="buttons">${shown}</div>`;
};

const roleForm = async (
  context: Staff,
  { account, user }: AdminAccountView,
): Promise<HtmlValue> => {
  const { app, actor, t } = context;
  if (!user || !may(actor, "accounts.change_role", account)) return null;
  const roles = (await listRoles(app)).filter(({ position }) => position < actor.position);
  const options = roles.map(({ id, name }) => ({
    value: id,
    label: name || t("moderation.account.no_role"),
  }));
  return html`<details class="add">
    <summary>${t("moderation.account.change_role")}</summary>
    ${form(
      context,
      `${ACCOUNTS}/${account.id}/role`,
      html`${select("role", t("moderation.accounts.role"), options, account.role?.id ?? EVERYONE_ID)}
        <button class="button inline">${t("staff.save")}</button>`,
    )}
  </details>`;
};

const HISTORY = 50;
const NEWEST = { maxId: null, sinceId: null, minId: null };

const auditPart = async (staff: Staff, id: string): Promise<HtmlValue> => {
  const { app, actor, t } = staff;
  if (!may(actor, "audit.read")) return null;
  const filter = { target: { type: "account", id } };
  const rows = await listAudit(app, { ...NEWEST, limit: HISTORY }, filter);
  if (rows.length === 0) return null;
  return html`<h2>${t("staff.section.audit_log")}</h2>
    <ul class="rows">
      ${rows.map((row) => auditLine(staff, row))}
    </ul>`;
};

const showAccount = async (context: Staff, problem?: string) => {
  const { app } = context;
  const { site } = app.config;
  const view = await getAdminAccount(app, idOf(context));
  const { account } = view;
  return sendAdmin(context, {
    title: `@${acct(account)}`,
    problem,
    done: DONE,
    body: html`<section class="panel">
        ${accountHead(site, account)}
        <p>${stateBadges(context, view)}</p>
        ${facts(context, view)}
        ${account.note_html && html`<blockquote class="quote">${richText(account.note_html, account.emojis)}</blockquote>`}
        ${undoButtons(context, view)}
      </section>
      ${await actionForm(context, view)} ${accessPart(context, view)}
      ${await roleForm(context, view)} ${await moderationNotesPart(context, account)}
      ${await strikesPart(context, account.id)} ${await reportsPart(context, account.id)}
      ${await auditPart(context, account.id)}`,
  });
};

const act = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const id = idOf(context);
  const fields = entered(context);
  const type = ACTION_TYPES.find((type) => type === fields["type"]);
  if (!type) throw new Unprocessable(context.t("moderation.choose_act"));
  const preset = await presetText(app, fields["preset"]);
  const text = [preset, fields["text"]?.trim() ?? ""].filter(Boolean).join("\n\n");
  await actOnAccount(app, actor, id, { type, text, reportId: null, mail: fields["mail"] === "1" });
  return `${ACCOUNTS}/${id}?done=acted`;
};

const changeRole = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const role = (await listRoles(app)).find(({ id }) => id === entered(context)["role"]);
  if (!role) throw new Unprocessable(context.t("moderation.account.choose_role"));
  await giveRole(app, actor, idOf(context), role);
  return `${ACCOUNTS}/${idOf(context)}?done=role`;
};

const COMMANDS = {
  approve: [approveAccount, "approve"],
  reject: [rejectAccount, null],
  enable: [enableAccount, "undone"],
  unsensitive: [unsensitizeAccount, "undone"],
  unsilence: [unsilenceAccount, "undone"],
  unsuspend: [unsuspendAccount, "undone"],
  delete: [deleteSuspended, "delete"],
} as const;

/** Registers the pages of an account for those who may see accounts; each command checks its own permission. */
export const accountPages = (pages: Server, app: App): void => {
  const take = (verb: string, work: (context: Staff) => Promise<string>) =>
    pages.post(`${ACCOUNTS}/:id/${verb}`, staffForm(app, ["accounts.read"], work, showAccount));
  pages.get(`${ACCOUNTS}/:id`, staffPage(app, ["accounts.read"], showAccount));
  take("act", act);
  take("role", changeRole);
  accessForms(pages, app, showAccount);
  accountPostPages(pages, app);
  moderationNoteForms(pages, app, showAccount);
  for (const [verb, [command, done]] of Object.entries(COMMANDS)) {
    take(verb, async (context) => {
      const id = idOf(context);
      await command(app, context.actor, id);
      // After a rejected sign-up there is no account to show.
      return done === null ? "/admin/sign_ups?done=rejected" : `${ACCOUNTS}/${id}?done=${done}`;
    });
  }
};
