// Lists the sign-ups that wait for a decision, one by one or several at once.

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { Html } from "../../platform/text/html.ts";
import { accountFilter } from "../../domain/staff/moderation/account-filter.ts";
import { approveAccount, rejectAccount } from "../../domain/staff/moderation/accounts.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { listAdminAccounts } from "../../domain/staff/moderation/load.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { parseId } from "../../platform/ids/index.ts";
import { whenText } from "../../domain/people/users/pages/when.ts";
import { staffForm } from "./forms.ts";
import { button, idOf, olderLink, sendAdmin, staffPage } from "./frame.ts";
import type { Staff } from "./frame.ts";
import { keyList, KEYS_SCRIPT, TICK } from "./keys.ts";
import type { KeyLine } from "./keys.ts";
import { accountHead, empty, stateBadges } from "./components.ts";
import { listQuery, bulkBar, accountTick } from "./bulk-bar.ts";
import { SEVERAL_DONE, severalForm } from "./bulk-form.ts";

const LIMIT = 40;
const SIGN_UPS = "/admin/sign_ups";
const TOGETHER = `${SIGN_UPS}/several`;

const DONE = {
  approved: "moderation.sign_ups.approved",
  rejected: "moderation.sign_ups.rejected",
  ...SEVERAL_DONE,
} as const;

const KEYS: readonly KeyLine[] = [
  TICK,
  ["a", "moderation.sign_ups.approve"],
  ["r", "moderation.sign_ups.reject"],
];

const applicant = (staff: Staff, view: AdminAccountView): Html => {
  const { app, t, language } = staff;
  const { account, user } = view;
  const of = account.username;
  const path = `${SIGN_UPS}/${account.id}`;
  return html`<section class="panel applicant" data-entry>
    <div class="ticked">
      ${accountTick(staff, account)} ${accountHead(app.config.site, account)}
    </div>
    <p>${stateBadges(staff, view)}</p>
    <dl class="details-list">
      <dt>${t("moderation.email")}</dt>
      <dd>${user?.email}</dd>
      <dt>${t("moderation.ip")}</dt>
      <dd>${user?.ips[0]?.ip ?? t("moderation.unknown")}</dd>
      <dt>${t("moderation.sign_ups.at")}</dt>
      <dd>${whenText(account.created_at, language)}</dd>
    </dl>
    ${user?.reason && html`<blockquote class="quote"><p>${user.reason}</p></blockquote>`}
    <div class="buttons">
      ${button(staff, { action: `${path}/approve`, label: t("moderation.sign_ups.approve"), of, kind: "", key: "a" })}
      ${button(staff, { action: `${path}/reject`, label: t("moderation.sign_ups.reject"), of, kind: "bad", key: "r" })}
      <a class="button plain" data-open href="/admin/accounts/${account.id}"
        >${t("moderation.details")}</a
      >
    </div>
  </section>`;
};

const show = async (staff: Staff, problem?: string) => {
  const { app, actor, t } = staff;
  const page = {
    maxId: parseId(listQuery(staff)["max_id"]),
    sinceId: null,
    minId: null,
    limit: LIMIT,
  };
  const views = await listAdminAccounts(app, accountFilter({ status: "pending" }), page);
  const accounts = views.map(({ account }) => account);
  const names = (["approve", "reject"] as const).filter((name) => may(actor, `accounts.${name}`));
  return sendAdmin(staff, {
    title: t("staff.section.sign_ups"),
    problem,
    done: DONE,
    script: KEYS_SCRIPT,
    body: html`${
      views.length === 0
        ? empty(t("moderation.sign_ups.none"))
        : views.map((view) => applicant(staff, view))
    }
    ${bulkBar(staff, { path: TOGETHER, accounts, names })}
    ${views.length > 0 && keyList(staff, KEYS)}
    ${olderLink(
      staff,
      accounts.map(({ id }) => id),
      LIMIT,
    )}`,
  });
};

export const signUpPages = (pages: Server, app: App): void => {
  pages.get(SIGN_UPS, staffPage(app, ["accounts.read"], show));
  severalForm(pages, app, { path: TOGETHER, home: SIGN_UPS, show });
  for (const [verb, command, done] of [
    ["approve", approveAccount, "approved"],
    ["reject", rejectAccount, "rejected"],
  ] as const) {
    const work = async (staff: Staff) => {
      await command(app, staff.actor, idOf(staff));
      return `${SIGN_UPS}?done=${done}`;
    };
    pages.post(`${SIGN_UPS}/:id/${verb}`, staffForm(app, ["accounts.approve"], work, show));
  }
};
