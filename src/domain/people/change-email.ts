// Changing the e-mail address: a link to the new one, a notice to the old one.

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { isUniqueViolation } from "../../platform/db/index.ts";
import { invalidFields } from "../../platform/errors.ts";
import { emailFaults } from "./create.ts";
import "./events.ts";
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

export const EMAIL_CHANGE_DAYS = 1;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
const askedAfter = (app: App): Date =>
  new Date(app.clock.now().getTime() - EMAIL_CHANGE_DAYS * 86_400_000);

const TAKEN = { field: "email", code: "ERR_TAKEN", description: "has already been taken" };

/** Notes the wish and enqueues both mails; 422 for an address that is none or is taken. */
export const askForEmail = async (app: App, userId: string, email: string): Promise<void> => {
  const faults = emailFaults(email);
  if (faults.length > 0) throw invalidFields(faults);
  if (await selectUserByEmail(app.sql, email)) throw invalidFields([TAKEN]);
  await app.sql.begin(async (tx) => {
    await upsertEmailChange(tx, userId, email, app.clock.now());
    await app.jobs.add(tx, "user.email_change", { userId });
    await noticeOf(app, tx, userId, "email-asked");
  });
};

/** The address that awaits its link, or null. */
export const pendingEmail = (app: App, userId: string): Promise<string | null> =>
  selectEmailChange(app.sql, userId, askedAfter(app));

export const giveUpEmail = async (app: App, userId: string): Promise<void> => {
  await deleteEmailChange(app.sql, userId);
};

const mailText = (app: App, name: string, link: string): string => `Hello ${name},

your account on ${app.config.site.localDomain} is to have this e-mail address.
Open this link to confirm it (it works for a day):

${link}

If it was not you, do nothing.
`;

/** Job: makes a new token and sends it to the new address. */
export const sendEmailChange = async (app: App, { userId }: { userId: string }): Promise<void> => {
  const token = randomBytes(32).toString("base64url");
  const change = await updateEmailChangeToken(app.sql, userId, hashOf(token));
  if (!change) return;
  const link = `${app.config.site.origin}/settings/email/confirm?token=${token}`;
  await app.mail.send({
    to: change.email,
    subject: `Confirm your new address for ${app.config.site.localDomain}`,
    text: mailText(app, change.username, link),
  });
};

/** What the link does: the account has the new address; false for a link that does not work. */
export const takeNewEmail = async (app: App, token: string): Promise<boolean> => {
  try {
    return await app.sql.begin(async (tx) => {
      const change = await takeEmailChange(tx, hashOf(token), askedAfter(app));
      if (!change) return false;
      await noticeOf(app, tx, change.user_id, "email-changed");
      await updateEmail(tx, change.user_id, change.email);
      // A link that went to the old address is worth nothing any more.
      await deleteReset(tx, change.user_id);
      return true;
    });
  } catch (error) {
    // Somebody signed up with it meanwhile.
    if (isUniqueViolation(error)) return false;
    throw error;
  }
};
