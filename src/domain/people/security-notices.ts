// The mails that tell people what changed about how they sign in.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import type { SecurityEvent, SecurityNotice } from "./events.ts";
import { selectAddress } from "./queries.ts";

const WORDS: Record<SecurityEvent, { subject: string; text: string }> = {
  "password-changed": {
    subject: "Your password was changed",
    text: "the password of your account was changed. Apps and other browsers were signed out.",
  },
  "email-asked": {
    subject: "A new e-mail address for your account",
    text: "somebody, probably you, wants your account to have another e-mail address. It changes when the link that we have sent there is opened.",
  },
  "email-changed": {
    subject: "Your e-mail address was changed",
    text: "your account has another e-mail address now. This is the last mail to this one.",
  },
  "two-factor-on": {
    subject: "Codes are asked for at sign-in",
    text: "signing in to your account asks for a code of your authenticator app now.",
  },
  "two-factor-off": {
    subject: "Codes are no longer asked for at sign-in",
    text: "signing in to your account does not ask for a code any more. The password alone is enough.",
  },
  "recovery-codes": {
    subject: "New recovery codes",
    text: "new recovery codes were made for your account. The ones before do not work any more.",
  },
  "passkey-added": {
    subject: "A passkey was added",
    text: "a passkey was added to your account. It can be used to sign in.",
  },
  "passkey-removed": {
    subject: "A passkey was removed",
    text: "a passkey was removed from your account.",
  },
};

/** Job: one mail to one address. */
export const sendSecurityNotice = async (app: App, notice: SecurityNotice): Promise<void> => {
  const { subject, text } = WORDS[notice.event];
  const { localDomain, origin } = app.config.site;
  await app.mail.send({
    to: notice.to,
    subject: `${subject} - ${localDomain}`,
    text: `Hello ${notice.username},

${text}

If it was not you, choose a new password at once:

${origin}/auth/password/new

and look at your sessions and apps at ${origin}/auth/account.
`,
  });
};

/** Enqueues the mail within `db`'s transaction, to the address of this moment. */
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
