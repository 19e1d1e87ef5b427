// Makes and checks recovery codes: ten, each good for one sign-in when the authenticator app is lost.

import { createHmac, randomInt } from "node:crypto";
import type { App } from "../../../../platform/app.ts";
import type { Db } from "../../../../platform/db/index.ts";
import { verifyPassword } from "../passwords.ts";
import { noticeOf } from "../security-notices.ts";
import {
  countRecoveryCodes,
  deleteRecoveryCodes,
  insertRecoveryCodes,
  selectOldRecoveryCodes,
  takeRecoveryCode,
} from "./queries.ts";

const COUNT = 10;
// Leaves out 0, 1, 8, 9, b, i, l and o, which are mistaken for each other on paper. 28^12 is 57 bits.
const ALPHABET = "acdefghjkmnpqrstuvwxyz234567";
const LENGTH = 12;

const newCode = (): string => {
  const letters = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]);
  return letters.join("").replaceAll(/(.{4})(?=.)/g, "$1-");
};

const plain = (code: string): string => code.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** Hashes with a key that is not in the database, because the codes are short. */
const hashOf = (app: App, userId: string, code: string): Buffer =>
  createHmac("sha256", app.config.secrets.keyBase)
    .update(`recovery:${userId}:${plain(code)}`)
    .digest();

/** Replaces the codes within the transaction `db`; only their hashes are stored. */
export const makeRecoveryCodes = async (app: App, db: Db, userId: string): Promise<string[]> => {
  const codes = Array.from({ length: COUNT }, newCode);
  await deleteRecoveryCodes(db, userId);
  await insertRecoveryCodes(
    db,
    userId,
    codes.map((code) => hashOf(app, userId, code)),
  );
  return codes;
};

export const renewRecoveryCodes = (app: App, userId: string): Promise<string[]> =>
  app.sql.begin(async (tx) => {
    await noticeOf(app, tx, userId, "recovery-codes");
    return makeRecoveryCodes(app, tx, userId);
  });

export const recoveryCodesLeft = (app: App, userId: string): Promise<number> =>
  countRecoveryCodes(app.sql, userId);

/**
 * Characters of the shortest code from a Mastodon (docs/design/moving.md); they are longer than those of an
 * authenticator app.
 */
const SHORTEST_OLD = 8;

const takeOldCode = async (app: App, userId: string, text: string): Promise<boolean> => {
  const code = text.trim();
  if (code.length < SHORTEST_OLD) return false;
  for (const hash of await selectOldRecoveryCodes(app.sql, userId)) {
    if (await verifyPassword(hash.toString(), code))
      return takeRecoveryCode(app.sql, userId, hash, app.clock.now());
  }
  return false;
};

/** Returns whether the text is one of the codes that are left, and uses it up. */
export const takeRecovery = async (app: App, userId: string, text: string): Promise<boolean> =>
  (plain(text).length === LENGTH &&
    (await takeRecoveryCode(app.sql, userId, hashOf(app, userId, text), app.clock.now()))) ||
  takeOldCode(app, userId, text);
