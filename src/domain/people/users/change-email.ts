// Changes the e-mail address: mails a link to the new one, and a notice to the old one.

import { createHash, randomBytes } from "node:crypto";
import type { Tx } from "../../../platform/db/index.ts";
import type { App } from "../../../platform/app.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import { invalidFields, nullOn, taken } from "../../../platform/errors.ts";
import { checkEmail } from "./create.ts";
import "./events.ts";
import { mailLink } from "./mail.ts";
import {
  deleteEmailChange,
  deleteReset,
  selectEmailChange,
  selectUserByEmail,
  takeEmailChange,
  updateEmail,
  updateEmailChangeToken,
  upsertEmailChange,
} from "./queries.ts";
import { noticeOf } from "./security-notices.ts";

const EMAIL_CHANGE_DAYS = 1;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
const askedAfter = (app: App): Date =>
  new Date(app.clock.now().getTime() - EMAIL_CHANGE_DAYS * 86_400_000);

/** Stores the new address and enqueues both mails; 422 for an invalid or taken address. */
export const askForEmail = async (app: App, userId: string, email: string): Promise<void> => {
  checkEmail(app, email);
  if (await selectUserByEmail(app.sql, email)) throw invalidFields([taken("email")]);
  await app.sql.begin(async (tx) => {
    await upsertEmailChange(tx, userId, email, app.clock.now());
    await app.jobs.add(tx, "user.email_change", { userId });
    await noticeOf(app, tx, userId, "email-asked");
  });
};

/** Sets an address for an administrator, at once and confirmed; throws 422 for an invalid or taken address. */
export const setEmail = async (
  app: App,
  userId: string,
  email: string,
  within: (tx: Tx) => Promise<void>,
): Promise<void> => {
  checkEmail(app, email);
  if (await selectUserByEmail(app.sql, email)) throw invalidFields([taken("email")]);
  await app.sql.begin(async (tx) => {
    await noticeOf(app, tx, userId, "email-changed");
    await updateEmail(tx, userId, email);
    await deleteEmailChange(tx, userId);
    await deleteReset(tx, userId);
    await within(tx);
  });
};

/** Returns the new address that is not confirmed by its link yet, or null. */
export const pendingEmail = (app: App, userId: string): Promise<string | null> =>
  selectEmailChange(app.sql, userId, askedAfter(app));

export const giveUpEmail = async (app: App, userId: string): Promise<void> => {
  await deleteEmailChange(app.sql, userId);
};

/** Handles the job that makes a new token and sends it to the new address. */
export const sendEmailChange = async (app: App, { userId }: { userId: string }): Promise<void> => {
  const token = randomBytes(32).toString("base64url");
  const change = await updateEmailChangeToken(app.sql, userId, hashOf(token));
  if (!change) return;
  const link = `${app.config.site.origin}/settings/email/confirm?token=${token}`;
  await mailLink(app, change, "new_address", { url: link });
};

/** Changes the address when the link is opened; returns false for a link that does not work. */
export const takeNewEmail = async (app: App, token: string): Promise<boolean> => {
  const changed = app.sql.begin(async (tx) => {
    const change = await takeEmailChange(tx, hashOf(token), askedAfter(app));
    if (!change) return false;
    await noticeOf(app, tx, change.user_id, "email-changed");
    await updateEmail(tx, change.user_id, change.email);
    // A password link that went to the old address becomes invalid.
    await deleteReset(tx, change.user_id);
    return true;
  });
  // Somebody may have signed up with the address since.
  return (await nullOn(isUniqueViolation, changed)) ?? false;
};
