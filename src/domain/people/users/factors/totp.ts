// Manages codes of an authenticator app (TOTP, RFC 6238): six digits, thirty seconds, each used once.

import type { TOTP } from "otpauth";
import type { App } from "../../../../platform/app.ts";
import type { Db, Tx } from "../../../../platform/db/index.ts";
import { seal, unseal } from "../../../../platform/seal.ts";
import { noticeOf } from "../security-notices.ts";
import {
  confirmTotpStart,
  deletePasskeysOf,
  deleteRecoveryCodes,
  deleteTotp,
  selectTotp,
  takeTotpStep,
  upsertTotpStart,
} from "./queries.ts";
import { makeRecoveryCodes } from "./recovery.ts";

const PERIOD = 30;
/** Secrets are encrypted, so that a copy of the database alone cannot make codes. */
const sealOf = (userId: string) => ({ what: "rookery totp secrets", owner: userId });

/** Returns the secret as it is stored. */
export const sealedSecret = (app: App, userId: string, secret: string): Buffer =>
  seal(app, sealOf(userId), secret);

const generator = async (app: App, secret: string, username: string): Promise<TOTP> => {
  const { Secret, TOTP } = await import("otpauth");
  const issuer = app.config.site.localDomain;
  const options = { algorithm: "SHA1", digits: 6, period: PERIOD };
  return new TOTP({ ...options, issuer, label: username, secret: Secret.fromBase32(secret) });
};

export type Started = {
  /** Base32, for typing. */
  secret: string;
  /** otpauth://totp/…, for the QR code. */
  uri: string;
};

const startedOf = async (app: App, username: string, secret: string): Promise<Started> => ({
  secret,
  uri: (await generator(app, secret, username)).toString(),
});

/** Makes a secret that a first code has to confirm; returns null where codes are on already. */
export const startTotp = async (
  app: App,
  userId: string,
  username: string,
): Promise<Started | null> => {
  const { Secret } = await import("otpauth");
  const secret = new Secret({ size: 20 }).base32;
  const stored = await upsertTotpStart(app.sql, userId, sealedSecret(app, userId, secret));
  return stored ? startedOf(app, username, secret) : null;
};

/** Returns the secret that is not confirmed yet, or null. */
export const startedTotp = async (
  app: App,
  userId: string,
  username: string,
): Promise<Started | null> => {
  const row = await selectTotp(app.sql, userId);
  return row && !row.confirmed
    ? startedOf(app, username, unseal(app, sealOf(userId), row.sealed))
    : null;
};

/** Returns the time step of a valid code, at most one step early or late; null for a wrong code. */
const stepOf = async (app: App, secret: string, code: string): Promise<number | null> => {
  const timestamp = app.clock.now().getTime();
  const totp = await generator(app, secret, "");
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  return delta === null ? null : Math.floor(timestamp / 1000 / PERIOD) + delta;
};

const digitsOf = (text: string): string | null => {
  const digits = text.replaceAll(/\s/g, "");
  return /^\d{6}$/.test(digits) ? digits : null;
};

/** Switches codes on by the first code; returns the recovery codes, or null for a wrong code. */
export const confirmTotp = async (
  app: App,
  userId: string,
  text: string,
): Promise<string[] | null> => {
  const row = await selectTotp(app.sql, userId);
  const code = digitsOf(text);
  if (!row || row.confirmed || !code) return null;
  const step = await stepOf(app, unseal(app, sealOf(userId), row.sealed), code);
  if (step === null) return null;
  return app.sql.begin(async (tx) => {
    if (!(await confirmTotpStart(tx, userId, step, app.clock.now()))) return null;
    await noticeOf(app, tx, userId, "two-factor-on");
    return makeRecoveryCodes(app, tx, userId);
  });
};

/** Returns whether the code is valid and unused, and uses it up. */
export const takeTotpCode = async (app: App, userId: string, text: string): Promise<boolean> => {
  const row = await selectTotp(app.sql, userId);
  const code = digitsOf(text);
  if (!row?.confirmed || !code) return false;
  const step = await stepOf(app, unseal(app, sealOf(userId), row.sealed), code);
  return step !== null && takeTotpStep(app.sql, userId, step);
};

/** Works within the transaction `db`; deletes the recovery codes too. */
const removeTotpWithin = async (db: Db, userId: string): Promise<void> => {
  await deleteTotp(db, userId);
  await deleteRecoveryCodes(db, userId);
};

/** Switches codes off and deletes the recovery codes. */
export const removeTotp = (app: App, userId: string): Promise<void> =>
  app.sql.begin(async (tx) => {
    await removeTotpWithin(tx, userId);
    await noticeOf(app, tx, userId, "two-factor-off");
  });

/**
 * Removes codes, recovery codes and passkeys for an administrator, so that the password alone is needed. The person is
 * notified by mail.
 */
export const removeAllFactors = (
  app: App,
  userId: string,
  within: (tx: Tx) => Promise<void>,
): Promise<void> =>
  app.sql.begin(async (tx) => {
    await removeTotpWithin(tx, userId);
    await deletePasskeysOf(tx, userId);
    await noticeOf(app, tx, userId, "two-factor-off");
    await within(tx);
  });
