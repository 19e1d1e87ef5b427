// Checks the current password, sets another, and sends the link for a forgotten one.

import { createHash, randomBytes } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden, invalidFields } from "../../../platform/errors.ts";
import { countAttempt, refundAttempt, tally } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { OWNER_ID } from "../../base/roles/roles.ts";
import { says } from "../../../platform/text/texts.ts";
import { passwordFault } from "./create.ts";
import "./events.ts";
import { mailLink } from "./mail.ts";
import {
  deleteConfirmationToken,
  deleteEmailChange,
  deleteReset,
  selectByEmail,
  selectPasswordHash,
  selectReset,
  selectSignInById,
  takeReset,
  updatePassword,
  upsertReset,
} from "./queries.ts";
import type { Addressed } from "./queries.ts";
import { verifyPassword } from "./passwords.ts";
import { noticeOf } from "./security-notices.ts";
import { mayHavePassword } from "./sign-in.ts";

/** Hours for which the link of a mail works. */
export const RESET_HOURS = 2;
const PASSWORD_CHECKS: Limit = {
  name: "password-check:user",
  by: "person",
  count: 10,
  seconds: 900,
};
const RESET_MAILS: Limit = { name: "reset:person", by: "person", count: 10, seconds: 3600 };
/** Characters of the longest password that is checked: longer ones are never valid and would only cost time. */
const PASSWORD_LIMIT = 200;

const hashOf = (token: string): Buffer => createHash("sha256").update(token).digest();
const sentAfter = (app: App): Date => new Date(app.clock.now().getTime() - RESET_HOURS * 3_600_000);

/** Checks the password of a signed-in person before important changes; throws 429 over the limit. */
export const isPasswordOf = async (
  app: App,
  userId: string,
  password: string,
): Promise<boolean> => {
  await countAttempt(app, PASSWORD_CHECKS, userId);
  const stored = await selectPasswordHash(app.sql, userId);
  return stored !== null && password.length <= PASSWORD_LIMIT && verifyPassword(stored, password);
};

/** Throws 422 for an invalid password. */
export const checkNewPassword = async (password: string, username: string): Promise<void> => {
  const fault = await passwordFault(password, username);
  if (fault) throw invalidFields([fault]);
};

/**
 * Stores a checked password and cancels pending changes that the old one authorized; throws Forbidden for whom SSO_ONLY
 * gives none. The caller ends sessions and tokens (change-password.ts).
 */
export const setPassword = async (app: App, db: Db, userId: string, passwordHash: string) => {
  const row = await selectSignInById(db, userId);
  if (row && !mayHavePassword(app, { isOwner: row.role_id === OWNER_ID }))
    throw new Forbidden(says("password.none_here"));
  await updatePassword(db, userId, passwordHash);
  await deleteConfirmationToken(db, userId);
  await deleteReset(db, userId);
  await deleteEmailChange(db, userId);
  await noticeOf(app, db, userId, "password-changed");
};

/** Enqueues the mail. The job finds out who has the address, so that the response time reveals nothing. */
export const askForReset = (app: App, email: string): Promise<void> =>
  app.jobs.add(app.sql, "user.password_reset", { email });

/**
 * Handles the job that makes a new token and sends it, if a person has the address. Mails are limited by person in the
 * job, where nobody can observe whether there is one; attempts while the mail server is unreachable do not count.
 */
export const sendPasswordReset = async (app: App, { email }: { email: string }): Promise<void> => {
  const user = await selectByEmail(app.sql, email);
  if (!user || !mayHavePassword(app, { isOwner: user.role_id === OWNER_ID })) return;
  if ((await tally(app, RESET_MAILS, user.user_id)).over) return;
  try {
    await sendReset(app, user);
  } catch (error) {
    await refundAttempt(app, RESET_MAILS, user.user_id);
    throw error;
  }
};

const sendReset = async (app: App, user: Addressed): Promise<void> => {
  const token = randomBytes(32).toString("base64url");
  await upsertReset(app.sql, user.user_id, hashOf(token), app.clock.now());
  const url = `${app.config.site.origin}/auth/password/edit?reset_password_token=${token}`;
  await mailLink(app, user, "reset", { url, hours: RESET_HOURS });
};

/** Returns the name of the account whose password the link may change, or null; the link stays valid. */
export const readReset = (app: App, token: string): Promise<{ username: string } | null> =>
  selectReset(app.sql, hashOf(token), sentAfter(app));

/** Uses a link up within the transaction `db`; returns the user's id, or null when it does not work. */
export const useReset = async (app: App, db: Db, token: string): Promise<string | null> =>
  (await takeReset(db, hashOf(token), sentAfter(app)))?.user_id ?? null;
