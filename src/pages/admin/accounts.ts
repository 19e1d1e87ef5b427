// Accounts for the staff: the list with its filters, and the sign-ups that wait.

import type { App } from "../../platform/app.ts";
import { BadRequest } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { accountFilter } from "../../domain/moderation/account-filter.ts";
import { approveAccount, rejectAccount } from "../../domain/moderation/accounts.ts";
import { listAdminAccounts } from "../../domain/moderation/load.ts";
import type { AdminAccountView } from "../../domain/moderation/load.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { whenText } from "../../domain/people/pages/when.ts";
import { staffForm } from "./forms.ts";
import { button, entered, idOf, olderLink, pageOf, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { accountHead, accountRow, empty, select, stateBadges } from "./parts.ts";

const LIMIT = 40;
const ACCOUNTS = "/admin/accounts";
const SIGN_UPS = "/admin/sign_ups";

const any = (label: string) => ({ value: "", label });

const ORIGINS = [
  any("Everywhere"),
  { value: "local", label: "This server" },
  { value: "remote", label: "Other servers" },
];
const STATES = [
  any("Any"),
  { value: "active", label: "Active" },
  { value: "pending", label: "Waiting for approval" },
  { value: "disabled", label: "Frozen" },
  { value: "silenced", label: "Limited" },
  { value: "suspended", label: "Suspended" },
  { value: "sensitized", label: "Sensitive" },
];
const STAFF = [any("Everybody"), { value: "staff", label: "Staff" }];

const TEXTS = [
  ["username", "Username"],
  ["display_name", "Display name"],
  ["email", "Email address"],
  ["ip", "IP address"],
  ["by_domain", "Server"],
] as const;

const filters = (fields: Partial<Record<string, string>>): Html =>
  html`<form method="get" action="${ACCOUNTS}" role="search">
    <div class="filters">
      ${select("origin", "Where", ORIGINS, fields["origin"])}
      ${select("status", "State", STATES, fields["status"])}
      ${select("permissions", "Role", STAFF, fields["permissions"])}
      ${TEXTS.map(([name, label]) =>
        inputField({ name, label, value: fields[name] ?? "", optional: true, maxlength: 300 }),
      )}
      <button class="button">Search</button>
    </div>
  </form>`;

/** A filter that cannot be read finds nothing, and says why. */
const findAccounts = async (
  context: Staff,
  fields: Partial<Record<string, string>>,
): Promise<{ views: AdminAccountView[]; problem?: string }> => {
  try {
    return {
      views: await listAdminAccounts(context.app, accountFilter(fields), pageOf(context, LIMIT)),
    };
  } catch (error) {
    if (!(error instanceof BadRequest)) throw error;
    const isIp = error.message.startsWith("ip ");
    const problem = isIp ? "This is not an IP address or a network." : error.message;
    return { views: [], problem };
  }
};

const showAccounts = async (context: Staff) => {
  const fields = { origin: "local", ...entered(context) };
  const { views, problem } = await findAccounts(context, fields);
  const ids = views.map(({ account }) => account.id);
  return sendAdmin(context, {
    title: "Accounts",
    problem,
    body: html`${filters(fields)}
    ${
      views.length === 0
        ? empty("No accounts match.")
        : html`<ul class="rows">
            ${views.map((view) => accountRow(context, view))}
          </ul>`
    }
    ${olderLink(context, ids, LIMIT)}`,
  });
};

const DONE = {
  approved: "The sign-up has been approved.",
  rejected: "The sign-up has been rejected, and its data deleted.",
};

const applicant = (context: Staff, view: AdminAccountView): Html => {
  const { site } = context.app.config;
  const { account, user } = view;
  const of = account.username;
  return html`<section class="panel">
    ${accountHead(site, account)}
    <p>${stateBadges(context, view)}</p>
    <dl class="details-list">
      <dt>Email address</dt>
      <dd>${user?.email}</dd>
      <dt>IP address</dt>
      <dd>${user?.ips[0]?.ip ?? "unknown"}</dd>
      <dt>Signed up</dt>
      <dd>${whenText(account.created_at)}</dd>
    </dl>
    ${user?.reason && html`<blockquote class="quote"><p>${user.reason}</p></blockquote>`}
    <div class="buttons">
      ${button(context, { action: `${SIGN_UPS}/${account.id}/approve`, label: "Approve", of, kind: "" })}
      ${button(context, { action: `${SIGN_UPS}/${account.id}/reject`, label: "Reject", of, kind: "bad" })}
      <a class="button plain" href="${ACCOUNTS}/${account.id}">Details</a>
    </div>
  </section>`;
};

const showSignUps = async (context: Staff, problem?: string) => {
  const { app } = context;
  const page = pageOf(context, LIMIT);
  const views = await listAdminAccounts(app, accountFilter({ status: "pending" }), page);
  const ids = views.map(({ account }) => account.id);
  return sendAdmin(context, {
    title: "Sign-ups",
    problem,
    done: DONE,
    body: html`${
      views.length === 0
        ? empty("Nobody is waiting.")
        : views.map((view) => applicant(context, view))
    }
    ${olderLink(context, ids, LIMIT)}`,
  });
};

export const accountListPages = (pages: Server, app: App): void => {
  pages.get(ACCOUNTS, staffPage(app, ["accounts.read"], showAccounts));
  pages.get(SIGN_UPS, staffPage(app, ["accounts.read"], showSignUps));
  for (const [verb, command, done] of [
    ["approve", approveAccount, "approved"],
    ["reject", rejectAccount, "rejected"],
  ] as const) {
    const work = async (context: Staff) => {
      await command(app, context.actor, idOf(context));
      return `${SIGN_UPS}?done=${done}`;
    };
    pages.post(`${SIGN_UPS}/:id/${verb}`, staffForm(app, ["accounts.approve"], work, showSignUps));
  }
};
