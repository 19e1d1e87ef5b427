// Signing in on the pages: e-mail address (or name) and password, at a limited rate.

import { createHash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import type { Standing } from "../../platform/http/auth.ts";
import { addressKey, countAttempt } from "../../platform/http/rate-limit.ts";
import { hashPassword, verifyPassword } from "./passwords.ts";
import { selectSignIn, selectSignInById } from "./queries.ts";
import type { SignInRow } from "./queries.ts";

const PER_ADDRESS = { name: "sign-in:ip", count: 25, seconds: 300 };
const PER_LOGIN = { name: "sign-in:login", count: 25, seconds: 3600 };

/** A signed-in person. */
export type SignedIn = {
  userId: string;
  accountId: string;
  username: string;
  displayName: string;
  avatarUrl: string | null;
  email: string;
  standing: Standing;
  /** A code is asked for after the password. */
  twoFactor: boolean;
  /** Changes with the password; reveals nothing about it. */
  passwordMark: string;
};

const standing = (row: SignInRow): Standing => {
  if (row.suspended) return "suspended";
  if (!row.confirmed) return "unconfirmed";
  if (!row.approved) return "unapproved";
  if (row.disabled) return "disabled";
  return row.moved ? "moved" : "active";
};

export const signedIn = (row: SignInRow): SignedIn => ({
  userId: row.user_id,
  accountId: row.account_id,
  username: row.username,
  displayName: row.display_name,
  avatarUrl: row.avatar_url,
  email: row.email,
  standing: standing(row),
  twoFactor: row.two_factor,
  passwordMark: createHash("sha256").update(row.password_hash).digest("base64url"),
});

/** The person as they are now; null when they are gone. */
export const findPerson = async (app: App, userId: string): Promise<SignedIn | null> => {
  const row = await selectSignInById(app.sql, userId);
  return row && signedIn(row);
};

let nobody: Promise<string> | null = null;

/** The hash of a random password: checking against it takes as long as against a real one. */
const dummyHash = (): Promise<string> => (nobody ??= hashPassword(crypto.randomUUID()));

/**
 * The person of this login and password, or null. Throws TooManyRequests over the limits, which count
 * per IP address and per login. An unknown login takes as long as a wrong password.
 */
export const checkLogin = async (
  app: App,
  given: { login: string; password: string; ip: string },
): Promise<SignedIn | null> => {
  const login = given.login.trim().replace(/^@/, "");
  await countAttempt(app, PER_ADDRESS, addressKey(given.ip));
  await countAttempt(app, PER_LOGIN, login.toLowerCase());
  const row = await selectSignIn(app.sql, login);
  const hashed = row?.password_hash ?? (await dummyHash());
  const matches = await verifyPassword(hashed, given.password);
  return row && matches ? signedIn(row) : null;
};
