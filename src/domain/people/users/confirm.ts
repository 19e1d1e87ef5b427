// Confirms email addresses: sends the email with its link, handles the link, and sends it again.
// https://docs.joinmastodon.org/methods/emails/

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import { Forbidden, invalidFields, taken } from "../../../platform/errors.ts";
import { checkEmail } from "./create.ts";
import type { AwaitsConfirmation } from "./events.ts";
import { mailLink } from "./mail.ts";
import {
  selectAwaiting,
  selectSignUpState,
  selectUnconfirmed,
  takeConfirmationToken,
  updateConfirmationToken,
  updateConfirmed,
  updateUnconfirmedEmail,
} from "./queries.ts";

/** Days for which the link of a mail works. */
export const CONFIRM_DAYS = 3;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();

/**
 * Handles the job that makes a new token and sends it; an address that is confirmed, or that nobody has, gets no mail.
 */
export const sendConfirmation = async (app: App, whom: AwaitsConfirmation): Promise<void> => {
  const userId = "email" in whom ? await selectUnconfirmed(app.sql, whom.email) : whom.userId;
  if (userId === null) return;
  const token = randomBytes(32).toString("base64url");
  const user = await updateConfirmationToken(app.sql, userId, hashOf(token), app.clock.now());
  if (!user) return;
  const link = `${app.config.site.origin}/auth/confirmation?confirmation_token=${token}`;
  await mailLink(app, user, "confirm", { url: link, days: CONFIRM_DAYS });
};

const sentAfter = (app: App): Date =>
  new Date(app.clock.now().getTime() - CONFIRM_DAYS * 86_400_000);

/** Returns whether the link is of an address that waits to be confirmed. */
export const awaitsConfirmation = (app: App, token: string): Promise<boolean> =>
  selectAwaiting(app.sql, hashOf(token), sentAfter(app));

/** Handles the opened link of an email; returns the user's id, or null. Works until somebody signs in. */
export const confirmEmail = (app: App, token: string): Promise<string | null> =>
  app.sql.begin(async (tx) => {
    const confirmed = await updateConfirmed(tx, hashOf(token), sentAfter(app), app.clock.now());
    if (confirmed?.is_new)
      await app.jobs.add(tx, "user.signed_up", { accountId: confirmed.account_id });
    return confirmed?.user_id ?? null;
  });

/** Uses the link up to sign in; returns the user's id for exactly one of several attempts, or null. */
export const takeConfirmation = (app: App, token: string): Promise<string | null> =>
  takeConfirmationToken(app.sql, hashOf(token), sentAfter(app));

/**
 * Enqueues sending the mail again, for the page. The job finds out whether it is needed, so that neither the answer nor
 * its time reveals it.
 */
export const resendByEmail = (app: App, email: string): Promise<void> =>
  app.jobs.add(app.sql, "user.confirmation", { email });

/** Changes the address before confirmation and sends a mail to it; 422 for an invalid or taken address. */
export const correctEmail = async (app: App, userId: string, email: string): Promise<void> => {
  checkEmail(app, email);
  try {
    await app.sql.begin(async (tx) => {
      await updateUnconfirmedEmail(tx, userId, email);
      await app.jobs.add(tx, "user.confirmation", { userId });
    });
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw invalidFields([taken("email")]);
  }
};

export const isConfirmed = async (app: App, userId: string): Promise<boolean> =>
  (await selectSignUpState(app.sql, userId))?.confirmed ?? false;

export type Resend = { userId: string; appId: string | null; email: string | null };

/**
 * Sends the mail again for the app that the person signed up with; `email` corrects the address. Throws
 * Forbidden for other apps and confirmed addresses; `limit` may throw before a mail is sent.
 */
export const resendByApp = async (
  app: App,
  { userId, appId, email }: Resend,
  limit: () => Promise<void>,
): Promise<void> => {
  const state = await selectSignUpState(app.sql, userId);
  // Both are null for people who signed up by the page or by a token of the command line, and who have such a token.
  if (!state || state.created_by_app_id !== appId) {
    throw new Forbidden(
      "This method is only available to the application the user originally signed-up with",
    );
  }
  if (state.confirmed) {
    throw new Forbidden(
      "This method is only available while the email address is awaiting confirmation",
    );
  }
  await limit();
  if (email && email !== state.email) return correctEmail(app, userId, email);
  return app.jobs.add(app.sql, "user.confirmation", { userId });
};
