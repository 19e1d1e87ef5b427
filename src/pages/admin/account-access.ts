// How somebody gets into their account, for the staff: a part of its page.

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
} from "../../domain/moderation/access.ts";
import { may } from "../../domain/moderation/acts.ts";
import { getAdminAccount } from "../../domain/moderation/load.ts";
import type { AdminAccountView } from "../../domain/moderation/load.ts";
import { inputField } from "../../domain/people/pages/parts.ts";
import { staffForm } from "./forms.ts";
import { button, entered, form, idOf } from "./frame.ts";
import type { Show, Staff } from "./frame.ts";
import { addPart } from "./parts.ts";

const ACCOUNTS = "/admin/accounts";

export const ACCESS_DONE = {
  confirmed: "The email address is confirmed.",
  resent: "The confirmation is being sent again.",
  address: "The email address has been changed.",
  password: "The password is no longer valid; a link to choose a new one is being sent.",
  factors: "Second factors and passkeys are switched off.",
  sessions: "Every browser has been signed out.",
};

export const accessPart = (staff: Staff, { account, user }: AdminAccountView): HtmlValue => {
  if (!user) return null;
  const path = `${ACCOUNTS}/${account.id}`;
  const mayConfirm = !user.confirmed && may(staff.actor, "accounts.confirm", account);
  const hasAccess = may(staff.actor, "accounts.access", account);
  if (!mayConfirm && !hasAccess) return null;
  return addPart(
    "Sign-in",
    false,
    html`<div class="buttons">
        ${mayConfirm && button(staff, { action: `${path}/confirm`, label: "Confirm the address" })}
        ${mayConfirm && button(staff, { action: `${path}/resend`, label: "Send the confirmation again" })}
        ${hasAccess && button(staff, { action: `${path}/password`, label: "Reset the password" })}
        ${hasAccess && button(staff, { action: `${path}/factors`, label: "Switch off second factors" })}
        ${hasAccess && button(staff, { action: `${path}/sessions`, label: "Sign out everywhere" })}
      </div>
      ${
        hasAccess &&
        form(
          staff,
          `${path}/address`,
          html`${inputField({ name: "email", label: "New email address", type: "email", value: entered(staff)["email"] ?? "", maxlength: 300, hint: "They are told at the old address." })}
            <button class="button inline">Change the address</button>`,
        )
      }`,
  );
};

/** Nobody knows it: a link to choose one follows. */
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
