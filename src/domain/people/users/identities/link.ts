// Links accounts of one person, so that each is used from the others without its password. Linking takes the password
// of both, and the code of the other where it has one.

import type { App } from "../../../../platform/app.ts";
import { lockNamed } from "../../../../platform/db/lock-named.ts";
import {
  Forbidden,
  NotFound,
  checkFilled,
  faultOf,
  invalidField,
} from "../../../../platform/errors.ts";
import { says } from "../../../../platform/text/texts.ts";
import { announceRevoked } from "../../oauth/revoke.ts";
import { checkCode } from "../factors/check-code.ts";
import { noticeOf } from "../security-notices.ts";
import { endAccess } from "../session.ts";
import { isPasswordOf } from "../set-password.ts";
import { checkLogin, mayUsePassword, requireFresh } from "../sign-in.ts";
import type { Login, SignedIn } from "../sign-in.ts";
import {
  countLinked,
  deleteAccess,
  insertLinks,
  LINKS,
  selectAccess,
  selectIsLinked,
  selectLinkIds,
} from "./queries.ts";

/** Accounts that may be linked with each other. */
export const MAX_IDENTITIES = 10;

/** Requires a session that the account's own password started, for changes of how the account is used. */
export const checkOwnSignIn = (who: SignedIn): void => {
  if (who.accessId !== null) throw new Forbidden(says("identities.own_sign_in"));
};

type Proof = Login & { currentPassword: string; code: string };

/**
 * Requires the person's own password or, of people who use none, a sign-in that has just been; `filled` must not be
 * empty either.
 */
export const checkSelf = async (
  app: App,
  who: SignedIn,
  password: string,
  filled: Readonly<Record<string, string>>,
): Promise<void> => {
  const isAsked = mayUsePassword(app, who);
  checkFilled({ ...filled, ...(isAsked && { current_password: password }) });
  if (!isAsked) return requireFresh(app, who);
  if (!(await isPasswordOf(app, who.userId, password)))
    throw invalidField("current_password", "is wrong", says("field.password_wrong"));
};

/**
 * Returns the other account once it is proved; throws InvalidFields for wrong fields, OverLimit after too many guesses.
 */
const proved = async (app: App, who: SignedIn, proof: Proof): Promise<SignedIn> => {
  const { login, password, currentPassword } = proof;
  await checkSelf(app, who, currentPassword, { login, password });
  const other = await checkLogin(app, proof);
  if (!other) throw faultOf("password", says("sign_in.wrong"));
  if (other.userId === who.userId) throw faultOf("login", says("identities.self"));
  if (other.standing !== "active") throw faultOf("login", says("identities.inactive"));
  const { userId } = other;
  const attempt = {
    userId,
    code: proof.code,
    ip: proof.ip,
    knownBrowser: proof.knownBrowser(other),
  };
  if (other.twoFactor && !(await checkCode(app, attempt)))
    throw faultOf("code", says("step.wrong"));
  return other;
};

/** Links the accounts, and all that each is linked with; both are notified by mail. A repeated call changes nothing. */
export const linkAccounts = async (app: App, who: SignedIn, proof: Proof): Promise<void> => {
  checkOwnSignIn(who);
  const other = await proved(app, who, proof);
  await app.sql.begin(async (tx) => {
    await lockNamed(tx, LINKS);
    if (await selectIsLinked(tx, who.userId, other.userId)) return;
    if ((await countLinked(tx, who.userId, other.userId)) > MAX_IDENTITIES)
      throw faultOf("login", says("identities.too_many", { count: MAX_IDENTITIES }));
    await insertLinks(tx, who.userId, other.userId);
    await noticeOf(app, tx, who.userId, "account-linked", other.username);
    await noticeOf(app, tx, other.userId, "account-linked", who.username);
  });
};

/**
 * Removes an account from a group of linked accounts: one's own, or one of the others. Sessions and tokens that depend
 * on the link end at once. Throws 404 where it is not linked.
 */
export const unlinkAccount = async (app: App, who: SignedIn, accountId: string): Promise<void> => {
  checkOwnSignIn(who);
  const ended = await app.sql.begin(async (tx) => {
    await lockNamed(tx, LINKS);
    const others = (await selectAccess(tx, who.userId)).filter(({ kind }) => kind === "identity");
    const other = others.find(({ account_id }) => account_id === accountId);
    if (!other && (accountId !== who.accountId || others.length === 0)) throw new NotFound();
    const ids = await selectLinkIds(tx, other?.user_id ?? who.userId);
    const revoked = await endAccess(app, tx, ids);
    await deleteAccess(tx, ids);
    const about = other ?? others[0]!;
    await noticeOf(app, tx, who.userId, "account-unlinked", about.username);
    await noticeOf(app, tx, about.user_id, "account-unlinked", who.username);
    return revoked;
  });
  await announceRevoked(app, ended);
};
