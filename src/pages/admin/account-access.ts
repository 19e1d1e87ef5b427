// The part of an account's page for the staff about signing in.

import { randomBytes } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { html } from "../../platform/text/html.ts";
import type { HtmlValue } from "../../platform/text/html.ts";
import {
  changeAddress,
  confirmAddress,
  endSessionsAs,
  resendConfirmation,
  resetPasswordOf,
  switchOffFactors,
} from "../../domain/staff/moderation/access.ts";
import { may } from "../../domain/base/roles/acts.ts";
import { getAdminAccount } from "../../domain/staff/moderation/load.ts";
import type { AdminAccountView } from "../../domain/staff/moderation/load.ts";
import { inputField } from "../../domain/people/users/pages/components.ts";
import { staffForm } from "./forms.ts";
import { button, entered, form, idOf } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart } from "./components.ts";

const ACCOUNTS = "/admin/accounts";

export const ACCESS_DONE = {
  confirmed: "moderation.access.confirmed",
  resent: "moderation.access.resent",
  address: "moderation.access.address_changed",
  password: "moderation.access.password_reset",
  factors: "moderation.access.factors_off",
  sessions: "moderation.access.signed_out",
} as const;

export const accessPart = (staff: Staff, { account, user }: AdminAccountView): HtmlValue => {
  if (!user) return null;
  const { t } = staff;
  const path = `${ACCOUNTS}/${account.id}`;
  const mayConfirm = !user.confirmed && may(staff.actor, "accounts.confirm", account);
  const hasAccess = may(staff.actor, "accounts.access", account);
  if (!mayConfirm && !hasAccess) return null;
  return addPart(
    t("moderation.access"),
    false,
    html`<div class="buttons">
        ${mayConfirm && button(staff, { action: `${path}/confirm`, label: t("moderation.access.confirm") })}
        ${mayConfirm && button(staff, { action: `${path}/resend`, label: t("moderation.access.resend") })}
        ${hasAccess && button(staff, { action: `${path}/password`, label: t("moderation.access.password") })}
        ${hasAccess && button(staff, { action: `${path}/factors`, label: t("moderation.access.factors") })}
        ${hasAccess && button(staff, { action: `${path}/sessions`, label: t("moderation.access.sessions") })}
      </div>
      ${
        hasAccess &&
        form(
          staff,
          `${path}/address`,
          html`${inputField({ name: "email", label: t("moderation.access.new_address"), type: "email", value: entered(staff)["email"] ?? "", maxlength: 300, hint: t("moderation.access.old_address") })}
            <button class="button inline">${t("moderation.access.address")}</button>`,
        )
      }`,
  );
};

/** Makes a password that nobody knows; a link to choose one follows. */
const unknown = (): string => randomBytes(24).toString("base64url");

const resetPassword = async (staff: Staff): Promise<void> => {
  const { app, actor } = staff;
  const { user } = await getAdminAccount(app, idOf(staff));
  await resetPasswordOf(app, actor, idOf(staff), {
    password: unknown(),
    email: user?.email ?? null,
  });
};

type Work = (staff: Staff) => Promise<void>;

const WORK: Record<string, [Work, keyof typeof ACCESS_DONE]> = {
  confirm: [(staff) => confirmAddress(staff.app, staff.actor, idOf(staff)), "confirmed"],
  resend: [(staff) => resendConfirmation(staff.app, staff.actor, idOf(staff)), "resent"],
  address: [
    (staff) => changeAddress(staff.app, staff.actor, idOf(staff), entered(staff)["email"] ?? ""),
    "address",
  ],
  password: [resetPassword, "password"],
  factors: [(staff) => switchOffFactors(staff.app, staff.actor, idOf(staff)), "factors"],
  sessions: [(staff) => endSessionsAs(staff.app, staff.actor, idOf(staff)), "sessions"],
};

export const accessForms = (pages: Server, app: App, show: Show): void => {
  for (const [verb, [work, done]] of Object.entries(WORK)) {
    const follow = async (staff: Staff): Promise<string> => {
      await work(staff);
      return `${ACCOUNTS}/${idOf(staff)}?done=${done}`;
    };
    pages.post(`${ACCOUNTS}/:id/${verb}`, staffForm(app, ["accounts.read"], follow, show));
  }
};
