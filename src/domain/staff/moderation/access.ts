// Changes how somebody gets into their account, for the staff: the address, the password, factors, sessions. Each act
// has its entry in the audit log, on the pages and the command line alike.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { findUser } from "../../people/accounts/settings.ts";
import type { AuditAction } from "../../base/audit/actions.ts";
import { audit } from "../../base/audit/audit.ts";
import { setEmail } from "../../people/users/change-email.ts";
import { changePassword } from "../../people/users/change-password.ts";
import { removeAllFactors } from "../../people/users/factors/totp.ts";
import { endSessionsOf } from "../../people/users/session.ts";
import { confirmUser } from "../../people/users/staff.ts";
import type { Actor } from "../../base/roles/permissions.ts";
import { accountTarget } from "./accounts.ts";
import { requireMay } from "../../base/roles/acts.ts";
import type { Act } from "../../base/roles/acts.ts";

type Person = { id: string; userId: string; recorded: (tx: Tx) => Promise<void> };

/**
 * Makes an act on a person, who is recorded with it. It throws Forbidden for those above the actor, NotFound for
 * accounts of other servers.
 */
const changing =
  <Input extends unknown[]>(
    act: Act,
    action: AuditAction,
    change: (app: App, person: Person, ...input: Input) => Promise<unknown>,
  ) =>
  async (app: App, actor: Actor, id: string, ...input: Input): Promise<void> => {
    const target = await getAccount(app, id);
    requireMay(actor, act, target);
    const user = orNotFound(await findUser(app, id));
    const entry = { action, target: accountTarget(target) };
    const recorded = (tx: Tx) => audit(app, tx, actor, entry);
    await change(app, { id, userId: user.id, recorded }, ...input);
  };

const CONFIRM = "accounts.confirm";
const ACCESS = "accounts.access";

/** Confirms without the mail, and without asking the owner of the address. */
export const confirmAddress = changing(CONFIRM, "account.confirm", (app, { id, recorded }) =>
  app.sql.begin(async (tx) => {
    await confirmUser(app, tx, id);
    await recorded(tx);
  }),
);

/** Enqueues a job, which sends nothing where nothing waits to be confirmed. */
export const resendConfirmation = changing(
  CONFIRM,
  "account.resend_confirmation",
  (app, { userId, recorded }) =>
    app.sql.begin(async (tx) => {
      await app.jobs.add(tx, "user.confirmation", { userId });
      await recorded(tx);
    }),
);

/** Notifies the owner at the old address; throws 422 for a taken one. */
export const changeAddress = changing(
  ACCESS,
  "account.change_email",
  (app, { userId, recorded }, email: string) => setEmail(app, userId, email.trim(), recorded),
);

type Reset = { password: string; email: string | null };

/** Sends the link by which they choose a new password; ends all sessions and makes the old password useless. */
export const resetPasswordOf = changing(
  ACCESS,
  "account.reset_password",
  (app, { userId, recorded }, { password, email }: Reset) =>
    changePassword(app, userId, password, null, async (tx) => {
      await recorded(tx);
      if (email !== null) await app.jobs.add(tx, "user.password_reset", { email });
    }),
);

export const switchOffFactors = changing(
  ACCESS,
  "account.disable_2fa",
  (app, { userId, recorded }) => removeAllFactors(app, userId, recorded),
);

/** Leaves apps signed in. */
export const endSessionsAs = changing(ACCESS, "account.end_sessions", (app, { userId, recorded }) =>
  app.sql.begin(async (tx) => {
    await endSessionsOf(app, tx, userId);
    await recorded(tx);
  }),
);
