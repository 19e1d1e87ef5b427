// Passwords: asking for the present one, setting another, the link for those who forgot theirs.

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { invalidFields } from "../../platform/errors.ts";
import { countAttempt } from "../../platform/http/rate-limit.ts";
import { passwordFault } from "./create.ts";
import "./events.ts";
import {
  deleteEmailChange,
  deleteReset,
  selectByEmail,
  selectPasswordHash,
  selectReset,
  takeReset,
  updatePassword,
  upsertReset,
} from "./queries.ts";
import { verifyPassword } from "./passwords.ts";
import { noticeOf } from "./security-notices.ts";

/** How long the link of a mail works. */
export const RESET_HOURS = 2;
const PASSWORD_CHECKS = { name: "password-check:user", count: 10, seconds: 900 };
/** Longer ones are no passwords of ours, and would only cost time. */
const PASSWORD_LIMIT = 200;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
const sentAfter = (app: App): Date => new Date(app.clock.now().getTime() - RESET_HOURS * 3_600_000);

/** Asks somebody signed in for the password again, before what matters; 429 over the limit. */
export const isPasswordOf = async (app: App, userId: string, given: string): Promise<boolean> => {
  await countAttempt(app, PASSWORD_CHECKS, userId);
  const kept = await selectPasswordHash(app.sql, userId);
  return kept !== null && given.length <= PASSWORD_LIMIT && verifyPassword(kept, given);
};

/** 422 when it cannot be a password. */
export const checkNewPassword = (password: string): void => {
  const fault = passwordFault(password);
  if (fault) throw invalidFields([fault]);
};

/**
 * Sets a password that was checked, and takes back what was under way with the old one. Sessions
 * and tokens are ended by the caller (change-password.ts).
 */
export const setPassword = async (app: App, db: Db, userId: string, passwordHash: string) => {
  await updatePassword(db, userId, passwordHash);
  await deleteReset(db, userId);
  await deleteEmailChange(db, userId);
  await noticeOf(app, db, userId, "password-changed");
};

/** Asks for the mail. Whether anybody has the address is found out later, so that it takes no time here. */
export const askForReset = (app: App, email: string): Promise<void> =>
  app.jobs.add(app.sql, "user.password_reset", { email });

const mailText = (app: App, name: string, link: string): string => `Hello ${name},

somebody, probably you, wants a new password for your account on ${app.config.site.localDomain}.
Open this link to choose one (it works for ${RESET_HOURS} hours, once):

${link}

If it was not you, do nothing: the password stays as it is.
`;

/** Job: makes a new token and sends it, where somebody has the address. */
export const sendPasswordReset = async (app: App, { email }: { email: string }): Promise<void> => {
  const user = await selectByEmail(app.sql, email);
  if (!user) return;
  const token = randomBytes(32).toString("base64url");
  await upsertReset(app.sql, user.user_id, hashOf(token), app.clock.now());
  await app.mail.send({
    to: user.email,
    subject: `A new password for ${app.config.site.localDomain}`,
    text: mailText(
      app,
      user.username,
      `${app.config.site.origin}/auth/password/edit?reset_password_token=${token}`,
    ),
  });
};

/** Whose password a link may change, or null; the link stays usable. */
export const readReset = (app: App, token: string): Promise<{ username: string } | null> =>
  selectReset(app.sql, hashOf(token), sentAfter(app));

/** Uses a link up within the transaction `db`; the user's id, or null when it does not work. */
export const useReset = async (app: App, db: Db, token: string): Promise<string | null> =>
  (await takeReset(db, hashOf(token), sentAfter(app)))?.user_id ?? null;
