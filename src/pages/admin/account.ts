// One account for the staff: who it is, its history, what can be done and undone.

import type { App } from "../../platform/app.ts";
import { Unprocessable } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html, HtmlValue } from "../../platform/text/html.ts";
import { DELETE_AFTER_DAYS } from "../../domain/accounts/standing.ts";
import { acct } from "../../domain/accounts/present.ts";
import { listAudit } from "../../domain/audit/audit.ts";
import { may } from "../../domain/moderation/acts.ts";
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
} from "../../domain/moderation/accounts.ts";
import type { ActionType } from "../../domain/moderation/accounts.ts";
import { getAdminAccount } from "../../domain/moderation/load.ts";
import type { AdminAccountView } from "../../domain/moderation/load.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { EVERYONE_ID, listRoles } from "../../domain/roles/roles.ts";
import { listPresets } from "../../domain/strikes/strikes.ts";
import { richText } from "../../domain/emojis/pictures.ts";
import { auditLine } from "./audit.ts";
import { staffForm } from "./forms.ts";
import { ACCESS_DONE, accessForms, accessPart } from "./account-access.ts";
import { accountPostPages } from "./account-posts.ts";
import { button, entered, form, idOf, sendAdmin, staffPage } from "./frame.ts";
import type { Button, Staff } from "./frame.ts";
import { presetChoice, presetText } from "./presets.ts";
import { reportsPart, strikesPart } from "./history.ts";
import { moderationNoteForms, moderationNotesPart } from "./moderation-notes.ts";
import { accountHead, badge, checkbox, choices, select, stateBadges } from "./parts.ts";

const ACCOUNTS = "/admin/accounts";

const DONE = {
  acted: "Done. The person has been told.",
  undone: "Undone.",
  approve: "The sign-up has been approved.",
  role: "The role has been changed.",
  delete: "The data of this account is being deleted.",
  ...ACCESS_DONE,
  note: "The note has been saved.",
  unsaid: "The note has been removed.",
};

const serverFact = (domain: string): Html => {
  const path = `/admin/domains?${new URLSearchParams({ q: domain })}`;
  return fact("Server", html`<a href="${path}">${domain}</a>`);
};

const person = ({ account, user }: AdminAccountView): HtmlValue => {
  if (!user) return account.domain && serverFact(account.domain);
  return html`${fact("Email address", html`${user.email} ${!user.confirmed && badge("not confirmed", "bad")}`)}
  ${fact("Language", user.locale)}
  ${user.ips.length > 0 && fact("IP addresses", user.ips.map(({ ip }) => ip).join(", "))}
  ${user.invited_by && fact("Invited by", html`<a href="/admin/accounts/${user.invited_by}">an account here</a>`)}
  ${user.reason && fact("Reason to join", user.reason)}`;
};

const fact = (name: string, value: HtmlValue): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`;

const facts = (view: AdminAccountView): Html => {
  const { account } = view;
  return html`<dl class="details-list">
    ${person(view)}
    ${fact(account.domain === null ? "Joined" : "Known since", whenText(account.created_at))}
    ${fact("Last post", account.last_status_at ? whenText(account.last_status_at) : "never")}
    ${fact("Posts", html`<a href="/admin/accounts/${account.id}/posts">${account.statuses_count}</a>`)}
    ${fact("Followers", account.followers_count)} ${fact("Following", account.following_count)}
    ${
      account.suspended_at &&
      fact(
        "Suspended",
        html`${whenText(account.suspended_at)}; everything is deleted after ${DELETE_AFTER_DAYS}
        days`,
      )
    }
  </dl>`;
};

const ACTIONS: Record<ActionType, { label: string; hint: string }> = {
  none: { label: "Warn", hint: "Send a message, and do nothing else." },
  sensitive: { label: "Mark as sensitive", hint: "All media are hidden behind a warning." },
  disable: { label: "Freeze", hint: "Nobody can sign in to it; its posts stay as they are." },
  silence: { label: "Limit", hint: "Only people who follow it see its posts." },
  suspend: {
    label: "Suspend",
    hint: `All of it is hidden now, and deleted after ${DELETE_AFTER_DAYS} days.`,
  },
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
  const presets = await listPresets(context.app);
  const fields = entered(context);
  const options = offered.map((value) => ({ value, ...ACTIONS[value] }));
  return html`<section class="panel">
    <h2>Decide</h2>
    ${form(
      context,
      `${ACCOUNTS}/${account.id}/act`,
      html`${choices("type", "What to do", options, fields["type"] ?? "none")}
        ${presetChoice(presets, fields["preset"])}
        ${inputField({
          name: "text",
          label: "Reason",
          type: "textarea",
          value: fields["text"] ?? "",
          optional: true,
          maxlength: 5000,
          hint: user ? "Sent to the person." : "Kept in the history of the account.",
        })}
        ${user && html`<div class="choices">${checkbox("mail", "Also send an email", true)}</div>`}
        <button class="button inline">Do it</button>`,
    )}
  </section>`;
};

/** What is undone with one button, where it holds. */
const undoButtons = (context: Staff, { account, user }: AdminAccountView): HtmlValue => {
  const { actor } = context;
  const path = `${ACCOUNTS}/${account.id}`;
  const isGone = account.domain === null && user === null;
  const offered: [boolean, Button][] = [
    [
      user?.approved === false && may(actor, "accounts.approve", account),
      { action: `${path}/approve`, label: "Approve sign-up", kind: "" },
    ],
    [
      user?.approved === false && may(actor, "accounts.reject", account),
      { action: `${path}/reject`, label: "Reject sign-up", kind: "bad" },
    ],
    [
      account.suspended_at !== null && !isGone && may(actor, "accounts.unsuspend", account),
      { action: `${path}/unsuspend`, label: "Undo suspension" },
    ],
    [
      account.silenced_at !== null && may(actor, "accounts.unsilence", account),
      { action: `${path}/unsilence`, label: "Undo limit" },
    ],
    [
      account.sensitized_at !== null && may(actor, "accounts.unsensitive", account),
      { action: `${path}/unsensitive`, label: "Undo sensitive" },
    ],
    [
      user?.disabled === true && may(actor, "accounts.enable", account),
      { action: `${path}/enable`, label: "Undo freeze" },
    ],
    [
      account.suspended_at !== null && !isGone && may(actor, "accounts.delete", account),
      { action: `${path}/delete`, label: "Delete its data now", kind: "bad" },
    ],
  ];
  const shown = offered.filter(([holds]) => holds).map(([, choice]) => button(context, choice));
  return shown.length > 0 && html`<div class="buttons">${shown}</div>`;
};

const roleForm = async (
  context: Staff,
  { account, user }: AdminAccountView,
): Promise<HtmlValue> => {
  const { app, actor } = context;
  if (!user || !may(actor, "accounts.change_role", account)) return null;
  const roles = (await listRoles(app)).filter(({ position }) => position < actor.position);
  const options = roles.map(({ id, name }) => ({ value: id, label: name || "None" }));
  return html`<details class="add">
    <summary>Change role</summary>
    ${form(
      context,
      `${ACCOUNTS}/${account.id}/role`,
      html`${select("role", "Role", options, account.role?.id ?? EVERYONE_ID)}
        <button class="button inline">Save</button>`,
    )}
  </details>`;
};

const HISTORY = 50;
const NEWEST = { maxId: null, sinceId: null, minId: null };

const auditPart = async ({ app, actor }: Staff, id: string): Promise<HtmlValue> => {
  if (!may(actor, "audit.read")) return null;
  const filter = { target: { type: "account", id } };
  const rows = await listAudit(app, { ...NEWEST, limit: HISTORY }, filter);
  if (rows.length === 0) return null;
  return html`<h2>Audit log</h2>
    <ul class="rows">
      ${rows.map((row) => auditLine(row))}
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
        ${facts(view)}
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
  if (!type) throw new Unprocessable("Choose what to do.");
  const preset = await presetText(app, fields["preset"]);
  const text = [preset, fields["text"]?.trim() ?? ""].filter(Boolean).join("\n\n");
  await actOnAccount(app, actor, id, { type, text, reportId: null, mail: fields["mail"] === "1" });
  return `${ACCOUNTS}/${id}?done=acted`;
};

const changeRole = async (context: Staff): Promise<string> => {
  const { app, actor } = context;
  const role = (await listRoles(app)).find(({ id }) => id === entered(context)["role"]);
  if (!role) throw new Unprocessable("Choose a role.");
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

/** Each command checks what it needs; the page is for those who see accounts. */
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
      // A rejected sign-up leaves nothing to show.
      return done === null ? "/admin/sign_ups?done=rejected" : `${ACCOUNTS}/${id}?done=${done}`;
    });
  }
};
