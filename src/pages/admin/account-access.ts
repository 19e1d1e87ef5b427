// The part of an account's page for the staff about signing in.

import { randomBytes } from "node:crypto";
import type { ActButton, Part } from "../../../web/src/served/part-pages.ts";
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
import { onEntry } from "./forms.ts";
import { entered, idOf } from "./frame.ts";
import type { Staff } from "./frame.ts";

const ACCOUNTS = "/admin/accounts";

export const accessPart = (staff: Staff, { account, user }: AdminAccountView): Part | false => {
  if (!user) return false;
  const path = `${ACCOUNTS}/${account.id}`;
  const mayConfirm = !user.confirmed && may(staff.actor, "accounts.confirm", account);
  const hasAccess = may(staff.actor, "accounts.access", account);
  const act = (isOffered: boolean, verb: AccessVerb): ActButton | false =>
    isOffered && { action: `${path}/${verb}`, label: `moderation.access.${verb}` };
  const email = { name: "email", label: "moderation.access.new_address", type: "email" } as const;
  return (
    (mayConfirm || hasAccess) && {
      fold: "moderation.access",
      parts: [
        {
          acts: [
            act(mayConfirm, "confirm"),
            act(mayConfirm, "resend"),
            act(hasAccess, "password"),
            act(hasAccess, "factors"),
            act(hasAccess, "sessions"),
          ],
        },
        hasAccess && {
          form: {
            action: `${path}/address`,
            fields: [{ ...email, max: 300, hint: "moderation.access.old_address" }],
            submit: "moderation.access.address",
          },
        },
      ],
    }
  );
};

type AccessVerb = "confirm" | "resend" | "password" | "factors" | "sessions";

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

const newAddress = (staff: Staff): string => entered(staff)["email"] ?? "";

export const ACCESS_FORMS = {
  confirm: ["moderation.access.confirmed", onEntry(confirmAddress)],
  resend: ["moderation.access.resent", onEntry(resendConfirmation)],
  address: ["moderation.access.address_changed", onEntry(changeAddress, newAddress)],
  password: ["moderation.access.password_reset", resetPassword],
  factors: ["moderation.access.factors_off", onEntry(switchOffFactors)],
  sessions: ["moderation.access.signed_out", onEntry(endSessionsAs)],
} as const;
