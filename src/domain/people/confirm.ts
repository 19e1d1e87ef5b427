// Confirming an e-mail address: the mail with its link, the link, and sending it again.
// https://docs.joinmastodon.org/methods/emails/

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { isUniqueViolation } from "../../platform/db/index.ts";
import { Forbidden, invalidFields } from "../../platform/errors.ts";
import { emailFaults } from "./create.ts";
import type { AwaitsConfirmation } from "./events.ts";
import {
  selectSignUpState,
  selectUnconfirmed,
  updateConfirmationToken,
  updateConfirmed,
  updateUnconfirmedEmail,
} from "./queries.ts";

/** How long the link of a mail works. */
export const CONFIRM_DAYS = 3;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

const mailText = (app: App, name: string, link: string): string => `Hello ${name},

somebody, probably you, has signed up on ${app.config.site.localDomain} with this address.
Open this link to confirm it (it works for ${CONFIRM_DAYS} days):

${link}

If it was not you, do nothing: without the confirmation nobody can use the account.
`;

/** Job: makes a new token and sends it; an address confirmed meanwhile gets no mail. */
export const sendConfirmation = async (app: App, { userId }: AwaitsConfirmation): Promise<void> => {
  const token = randomBytes(32).toString("base64url");
  const user = await updateConfirmationToken(app.sql, userId, hashOf(token), app.clock.now());
  if (!user) return;
  const link = `${app.config.site.origin}/auth/confirmation?confirmation_token=${token}`;
  await app.mail.send({
    to: user.email,
    subject: `Confirm your account on ${app.config.site.localDomain}`,
    text: mailText(app, user.username, link),
  });
};

export type Confirmation = "invalid" | "unapproved" | "confirmed";

/** What opening the link of a mail does. */
export const confirmEmail = async (app: App, token: string): Promise<Confirmation> => {
  const now = app.clock.now();
  const sentAfter = new Date(now.getTime() - CONFIRM_DAYS * 86_400_000);
  const user = await updateConfirmed(app.sql, hashOf(token), sentAfter, now);
  if (!user) return "invalid";
  return user.approved ? "confirmed" : "unapproved";
};

/** From the page: sends again when the address awaits confirmation, and never says whether it does. */
export const resendByEmail = async (app: App, email: string): Promise<void> => {
  const userId = await selectUnconfirmed(app.sql, email);
  if (userId) await app.jobs.add(app.sql, "user.confirmation", { userId });
};

/** Another address before confirmation, and a mail to it; 422 for one that is none or is taken. */
export const correctEmail = async (app: App, userId: string, email: string): Promise<void> => {
  const faults = emailFaults(email);
  if (faults.length > 0) throw invalidFields(faults);
  try {
    await app.sql.begin(async (tx) => {
      await updateUnconfirmedEmail(tx, userId, email);
      await app.jobs.add(tx, "user.confirmation", { userId });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const description = "has already been taken";
    throw invalidFields([{ field: "email", code: "ERR_TAKEN", description }]);
  }
};

/** Whether the address is confirmed. */
export const isConfirmed = async (app: App, userId: string): Promise<boolean> =>
  (await selectSignUpState(app.sql, userId))?.confirmed ?? false;

export type Resend = { userId: string; appId: string | null; email: string | null };

/**
 * From the app that the person signed up with; `email` corrects the address. Throws Forbidden to
 * other apps and for a confirmed address; `limit` may throw before a mail is sent.
 */
export const resendByApp = async (
  app: App,
  { userId, appId, email }: Resend,
  limit: () => Promise<void>,
): Promise<void> => {
  const state = await selectSignUpState(app.sql, userId);
  if (!state || state.created_by_app_id === null || state.created_by_app_id !== appId) {
    throw new Forbidden(
      "This method is only available to the application the user originally signed-up with",
    );
  }
  if (state.confirmed) {
    throw new Forbidden("This method is only available while the e-mail is awaiting confirmation");
  }
  await limit();
  if (email && email !== state.email) return correctEmail(app, userId, email);
  return app.jobs.add(app.sql, "user.confirmation", { userId });
};
