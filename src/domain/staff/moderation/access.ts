// Changes how somebody gets into their account, for the staff: the address, the password, factors, sessions. Each act
// has its entry in the audit log, on the pages and the command line alike.

import type { App } from "../../../platform/app.ts";
import type { Tx } from "../../../platform/db/index.ts";
import { NotFound } from "../../../platform/errors.ts";
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

type Person = { userId: string; recorded: (tx: Tx) => Promise<void> };

/**
 * Returns the person, and records the act. Throws Forbidden for those above the actor, NotFound for accounts of other
 * servers.
 */
const personFor = async (
  app: App,
  actor: Actor,
  id: string,
  { act, action }: { act: Act; action: AuditAction },
): Promise<Person> => {
  const target = await getAccount(app, id);
  requireMay(actor, act, target);
  const user = await findUser(app, id);
  if (!user) throw new NotFound();
  const entry = { action, target: accountTarget(target) };
  return { userId: user.id, recorded: (tx) => audit(app, tx, actor, entry) };
};

const CONFIRM = "accounts.confirm" as const;
const ACCESS = "accounts.access" as const;

/** Confirms without the mail, and without asking the owner of the address. */
export const confirmAddress = async (app: App, actor: Actor, id: string): Promise<void> => {
  const { recorded } = await personFor(app, actor, id, { act: CONFIRM, action: "account.confirm" });
  await app.sql.begin(async (tx) => {
    await confirmUser(app, tx, id);
    await recorded(tx);
  });
};

/** Enqueues a job, which sends nothing where nothing waits to be confirmed. */
export const resendConfirmation = async (app: App, actor: Actor, id: string): Promise<void> => {
  const action = "account.resend_confirmation";
  const { userId, recorded } = await personFor(app, actor, id, { act: CONFIRM, action });
  await app.sql.begin(async (tx) => {
    await app.jobs.add(tx, "user.confirmation", { userId });
    await recorded(tx);
  });
};

/** Notifies the owner at the old address; throws 422 for a taken one. */
export const changeAddress = async (
  app: App,
  actor: Actor,
  id: string,
  email: string,
): Promise<void> => {
  const act = { act: ACCESS, action: "account.change_email" } as const;
  const { userId, recorded } = await personFor(app, actor, id, act);
  await setEmail(app, userId, email.trim(), recorded);
};

/** Sends the link by which they choose a new password; ends all sessions and makes the old password useless. */
export const resetPasswordOf = async (
  app: App,
  actor: Actor,
  id: string,
  { password, email }: { password: string; email: string | null },
): Promise<void> => {
  const act = { act: ACCESS, action: "account.reset_password" } as const;
  const { userId, recorded } = await personFor(app, actor, id, act);
  await changePassword(app, userId, password, null, async (tx) => {
    await recorded(tx);
    if (email !== null) await app.jobs.add(tx, "user.password_reset", { email });
  });
};

export const switchOffFactors = async (app: App, actor: Actor, id: string): Promise<void> => {
  const act = { act: ACCESS, action: "account.disable_2fa" } as const;
  const { userId, recorded } = await personFor(app, actor, id, act);
  await removeAllFactors(app, userId, recorded);
};

/** Leaves apps signed in. */
export const endSessionsAs = async (app: App, actor: Actor, id: string): Promise<void> => {
  const act = { act: ACCESS, action: "account.end_sessions" } as const;
  const { userId, recorded } = await personFor(app, actor, id, act);
  await app.sql.begin(async (tx) => {
    await endSessionsOf(app, tx, userId);
    await recorded(tx);
  });
};
