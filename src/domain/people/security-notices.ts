// The emails that notify people of changes to how they sign in.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import type { SecurityEvent, SecurityNotice } from "./events.ts";
import { personLetter } from "./letter.ts";
import { selectAddress } from "./queries.ts";

type Words = { subject: string; text: string; advice?: string };

const WORDS: Record<SecurityEvent, Words> = {
  "password-changed": {
    subject: "Your password was changed",
    text: "The password of your account was changed. All apps and other browsers have been signed out.",
  },
  "email-asked": {
    subject: "Email address change requested",
    text: "Someone asked to change the email address of your account. It changes once the link that we sent to the new address is opened.",
  },
  "email-changed": {
    subject: "Your email address was changed",
    text: "The email address of your account was changed. This is the last email to this address.",
  },
  "two-factor-on": {
    subject: "Two-factor authentication was turned on",
    text: "Signing in to your account now requires a code from your authenticator app.",
  },
  "two-factor-off": {
    subject: "Two-factor authentication was turned off",
    text: "Signing in to your account no longer requires a code from your authenticator app.",
  },
  "recovery-codes": {
    subject: "New recovery codes",
    text: "New recovery codes were generated for your account. The old ones no longer work.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    text: "A passkey was added to your account. It can now be used to sign in.",
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    text: "A passkey was removed from your account.",
  },
  "account-deleted": {
    subject: "Your account was deleted",
    text: "Your account was deleted, and its profile and posts with it. This is the last email to this address.",
    advice:
      "If it wasn't you, contact the people who run this server. A deleted account cannot be restored.",
  },
};

const advice = (origin: string) => ({
  question: "If it wasn't you, reset your password right away.",
  button: { label: "Reset your password", url: `${origin}/auth/password/new` },
  after: `Then review your sessions and apps at ${origin}/auth/account.`,
});

/** Job: one mail to one address. */
export const sendSecurityNotice = async (app: App, notice: SecurityNotice): Promise<void> => {
  const { subject, text, advice: own } = WORDS[notice.event];
  const { localDomain, origin } = app.config.site;
  const { question, ...rest } = own ? { question: own } : advice(origin);
  await app.mail.send({
    to: notice.to,
    subject: `${subject} - ${localDomain}`,
    ...personLetter(app, {
      title: subject,
      name: notice.username,
      text: [text, question],
      ...rest,
    }),
  });
};

/** Enqueues the mail within `db`'s transaction, to the current address. */
export const noticeOf = async (
  app: App,
  db: Db,
  userId: string,
  event: SecurityEvent,
): Promise<void> => {
  const person = await selectAddress(db, userId);
  if (!person) return;
  const { username, email } = person;
  await app.jobs.add(db, "user.security_notice", { username, to: email, event });
};
