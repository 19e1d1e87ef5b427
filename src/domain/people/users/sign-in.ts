// Signs people in on the pages by e-mail address (or name) and password, at a limited rate.

import { createHash } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import { Forbidden } from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import { OWNER_ID } from "../../base/roles/roles.ts";
import type { Standing } from "../../../platform/http/credentials.ts";
import { standingOf } from "../../../platform/http/credentials.ts";
import { PASSWORD_GUESSES, countGuess } from "./guesses.ts";
import type { AccessKind } from "./identities/queries.ts";
import { hashPassword, isFromElsewhere, verifyPassword } from "./passwords.ts";
import { replacePasswordHash, selectSignIn, selectSignInById } from "./queries.ts";
import type { SignInRow } from "./queries.ts";
import type { SessionSignInRow } from "./queries-sessions.ts";

/** A signed-in person. */
export type SignedIn = {
  userId: string;
  accountId: string;
  username: string;
  displayName: string;
  /** Key of the stored file. */
  avatarKey: string | null;
  email: string;
  /** Language of their pages and mails, as they set it. */
  locale: string;
  standing: Standing;
  /** Whether moderators have approved the sign-up, or need not. */
  isApproved: boolean;
  /** Whether the account has a password, which people who came by a provider need not have. */
  hasPassword: boolean;
  isOwner: boolean;
  /** Whether a code is required after the password. */
  twoFactor: boolean;
  /** Whether they signed up themselves and never were here since. */
  isNew: boolean;
  /** Changes with the password; reveals nothing about it. */
  passwordMark: string;
  /**
   * Access by which, and person by whom, the account is used in this session without its password (identities/); null
   * with the password.
   */
  accessId: string | null;
  /** When the session began; null outside of one. */
  signedInAt: Date | null;
  accessKind: AccessKind | null;
  personId: string | null;
  /** Whether that person uses other accounts this way, or is invited to. */
  enters: boolean;
  /** Whether several people use the account itself, or some are invited to. */
  isShared: boolean;
};

/** Returns whether somebody may use the pages; apps need an active account. People who moved can still return. */
export const mayUsePages = ({ standing }: SignedIn): boolean =>
  standing === "active" || standing === "moved";

/**
 * Returns whether somebody may use the pages that everybody keeps: to read decisions of moderators, to appeal, and to
 * export their own data.
 */
export const mayUseRights = (who: SignedIn): boolean =>
  mayUsePages(who) || who.standing === "suspended" || who.standing === "disabled";

export const signedIn = (row: SignInRow | SessionSignInRow): SignedIn => ({
  userId: row.user_id,
  accountId: row.account_id,
  username: row.username,
  displayName: row.display_name,
  avatarKey: row.avatar_key,
  email: row.email,
  locale: row.locale,
  standing: standingOf(row),
  isApproved: row.approved,
  hasPassword: row.password_hash !== null,
  isOwner: row.role_id === OWNER_ID,
  twoFactor: row.two_factor,
  isNew: row.is_new,
  passwordMark: createHash("sha256")
    .update(row.password_hash ?? "")
    .digest("base64url"),
  ...("enters" in row
    ? {
        signedInAt: row.began_at,
        accessId: row.access_id,
        accessKind: row.access_kind,
        personId: row.person_id,
        enters: row.enters,
        isShared: row.is_shared,
      }
    : {
        signedInAt: null,
        accessId: null,
        accessKind: null,
        personId: null,
        enters: false,
        isShared: false,
      }),
});

/** Whether a password would sign somebody in; with SSO_ONLY owners alone, as a way in that needs no provider. */
export const mayHavePassword = ({ config }: App, { isOwner }: Pick<SignedIn, "isOwner">): boolean =>
  isOwner || !config.sso.only;

/** Whether somebody signs in by their password. */
export const mayUsePassword = (app: App, who: Pick<SignedIn, "hasPassword" | "isOwner">): boolean =>
  who.hasPassword && mayHavePassword(app, who);

/** Minutes after a sign-in for which it stands for a password that somebody does not have. */
const FRESH_MINUTES = 15;

/** Whether the person of this session has just signed in to their own account. */
export const isFresh = (app: App, { signedInAt, accessId }: SignedIn): boolean => {
  const since = app.clock.now().getTime() - FRESH_MINUTES * 60_000;
  return accessId === null && signedInAt !== null && signedInAt.getTime() > since;
};

/** Throws Forbidden unless the sign-in is fresh. */
export const requireFresh = (app: App, who: SignedIn): void => {
  if (!isFresh(app, who)) throw new Forbidden(says("ways.again"));
};

/** Returns the current state of the person; null when they were deleted. */
export const findPerson = async (app: App, userId: string): Promise<SignedIn | null> => {
  const row = await selectSignInById(app.sql, userId);
  return row && signedIn(row);
};

let nobody: Promise<string> | null = null;

/** Returns the hash of a random password: checking against it takes as long as against a real one. */
const dummyHash = (): Promise<string> => (nobody ??= hashPassword(crypto.randomUUID()));

export type Login = {
  login: string;
  password: string;
  ip: string;
  /** Returns the number of the browser if the account knows it, by its cookie, otherwise null. */
  knownBrowser: (who: SignedIn) => number | null;
};

/** Stores the password that just matched in the format of all others here. */
const rehash = async (
  app: App,
  row: SignInRow,
  { from, password }: { from: string; password: string },
): Promise<SignedIn> => {
  const hashed = await hashPassword(password);
  const replaced = await replacePasswordHash(app.sql, row.user_id, from, hashed);
  return signedIn(replaced ? { ...row, password_hash: hashed } : row);
};

/**
 * Returns the person of this login and password, or null. Throws OverLimit after too many guesses. An unknown login
 * takes as long as a wrong password, and has as many guesses. `elsewhere` is asked about who has no password here, and
 * about whose password is another one.
 */
export const checkLoginOr = async <Other>(
  app: App,
  attempt: Login,
  elsewhere: (login: string, withPassword: SignedIn | null) => Promise<Other | null>,
): Promise<SignedIn | Other | null> => {
  const login = attempt.login.trim().replace(/^@/, "");
  const row = await selectSignIn(app.sql, login);
  const who = row && signedIn(row);
  const refund = await countGuess(app, PASSWORD_GUESSES, {
    of: who ?? { login },
    ip: attempt.ip,
    knownBrowser: who && attempt.knownBrowser(who),
  });
  // The hash is made by the first login after the start, whoever signs in.
  const dummy = await dummyHash();
  const hashed = row?.password_hash ?? dummy;
  const matches = await verifyPassword(hashed, attempt.password);
  const withPassword = who && mayUsePassword(app, who) ? who : null;
  if (!withPassword || !matches) {
    const other = await elsewhere(attempt.login.trim(), withPassword);
    if (other) await refund();
    return other;
  }
  await refund();
  const { password } = attempt;
  return isFromElsewhere(hashed) ? rehash(app, row!, { from: hashed, password }) : withPassword;
};

/** Works as `checkLoginOr`, for people of this server alone. */
export const checkLogin = (app: App, attempt: Login): Promise<SignedIn | null> =>
  checkLoginOr(app, attempt, async (): Promise<null> => null);
