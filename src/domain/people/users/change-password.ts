// Changes the password, which ends the sessions and tokens made with the old one.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import { announceRevoked, revokeAllOfUser } from "../oauth/revoke.ts";
import { hashPassword } from "./passwords.ts";
import { selectUsername } from "./queries.ts";
import { endOtherSessions, endSessionsOf } from "./session.ts";
import { checkNewPassword, readReset, setPassword, useReset } from "./set-password.ts";

const endAll = async (app: App, tx: Db, userId: string, currentSession: string | null) => {
  if (currentSession) await endOtherSessions(app, tx, userId, currentSession);
  else await endSessionsOf(app, tx, userId);
  return revokeAllOfUser(app, tx, userId);
};

/**
 * Changes the password and ends the person's tokens and sessions, except `currentSession` (the token of the
 * session that changes it). 422 for an invalid password.
 */
export const changePassword = async (
  app: App,
  userId: string,
  password: string,
  currentSession: string | null = null,
  within: (tx: Tx) => Promise<void> = async () => undefined,
): Promise<void> => {
  await checkNewPassword(password, (await selectUsername(app.sql, userId)) ?? "");
  const hashed = await hashPassword(password);
  const ended = await app.sql.begin(async (tx) => {
    await setPassword(app, tx, userId, hashed);
    await within(tx);
    return endAll(app, tx, userId, currentSession);
  });
  await announceRevoked(app, ended);
};

/**
 * Changes the password by the link of a mail, which works once; returns the user's id, or null where it does not work.
 * Throws 422 as above.
 */
export const resetPassword = async (
  app: App,
  token: string,
  password: string,
): Promise<string | null> => {
  await checkNewPassword(password, (await readReset(app, token))?.username ?? "");
  const hashed = await hashPassword(password);
  const done = await app.sql.begin(async (tx) => {
    const userId = await useReset(app, tx, token);
    if (!userId) return null;
    await setPassword(app, tx, userId, hashed);
    return { userId, ended: await endAll(app, tx, userId, null) };
  });
  if (done) await announceRevoked(app, done.ended);
  return done && done.userId;
};
