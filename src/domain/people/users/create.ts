// Creates a person of this server: the account and the user who signs in to it.

import type { App } from "../../../platform/app.ts";
import { isUniqueViolation } from "../../../platform/db/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { blank, invalidFields, taken, tooLong } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { isEmailAddress } from "../../../platform/text/email-address.ts";
import { createLocalAccount, isUsernameTaken } from "../accounts/create-local.ts";
import { generateKeyPem } from "../accounts/keys.ts";
import type { KeyPem } from "../accounts/keys.ts";
import { hasName, isCommon } from "./passwords.ts";
import { hashPassword } from "./passwords.ts";
import { insertUser, selectUserByEmail } from "./queries.ts";

const ROLE_IDS = { Owner: "3", Admin: "2", Moderator: "1", user: "-99" } as const;
export type RoleName = keyof typeof ROLE_IDS;

export type NewPerson = {
  username: string;
  email: string;
  /** Null for somebody who signs in by a provider. */
  password: string | null;
  role?: RoleName;
  confirmed?: boolean;
  approved?: boolean;
  locale?: string;
  timeZone?: string | null;
  reason?: string | null;
  ip?: string | null;
  appId?: string | null;
  inviteId?: string | null;
  ageVerified?: boolean;
  /** Day (YYYY-MM-DD) of the terms of service that they agreed to. */
  agreedTerms?: string | null;
  /** Set by tests; otherwise a new pair is made, which takes some 100 ms. */
  keys?: KeyPem;
  /** Set by tests, because hashing a password takes 30 ms. */
  passwordHash?: string;
};

/** Names that stand for the server itself or its staff in handles and addresses. */
const RESERVED = new Set(
  "abuse admin administrator autoconfig autodiscover broadcasthost hostmaster info is isatap it localdomain localhost mail mailer-daemon marketing mis news nobody noc noreply no-reply owner postmaster root sales security ssladmin ssladministrator sslwebmaster support sysadmin system usenet uucp webmaster wpad www rookery instance actor".split(
    " ",
  ),
);

const USERNAME = /^[a-z0-9_]{1,30}$/i;
const usernameFault = (username: string, trusted: boolean): FieldFault | null => {
  const fault = (code: string, description: string) => ({ field: "username", code, description });
  if (username === "") return blank("username");
  if (username.length > 30) return tooLong("username", 30);
  if (!USERNAME.test(username)) {
    return fault("ERR_INVALID", "must contain only letters, numbers and underscores");
  }
  if (!trusted && RESERVED.has(username.toLowerCase())) return fault("ERR_RESERVED", "is reserved");
  return null;
};

/** Returns everything that is wrong with an address, except that it is taken. */
const emailFaults = ({ config }: App, email: string): FieldFault[] => {
  const wrong = { field: "email", code: "ERR_INVALID", description: "is invalid" };
  return [
    ...(email === "" ? [blank("email")] : []),
    ...(isEmailAddress(email, config) ? [] : [wrong]),
  ];
};

/** Throws 422 for an address that is none. */
export const checkEmail = (app: App, email: string): void => {
  const faults = emailFaults(app, email);
  if (faults.length > 0) throw invalidFields(faults);
};

/** Returns what is wrong with a new password of this account, or null. */
export const passwordFault = async (
  password: string,
  username: string,
): Promise<FieldFault | null> => {
  const fault = (code: string, description: string) => ({ field: "password", code, description });
  if (password === "") return blank("password");
  if (password.length < 8)
    return { ...fault("ERR_TOO_SHORT", "is too short (minimum is 8 characters)"), count: 8 };
  // The limit is Mastodon's, so that the same password works in every client's form.
  if (password.length > 72) return tooLong("password", 72);
  if (hasName(password, username)) return fault("ERR_INVALID", "must not contain the username");
  return (await isCommon(password))
    ? fault("ERR_BLOCKED", "is one of the passwords that are guessed first")
    : null;
};

/** Returns everything that is wrong with the name of a new account. `trusted` says that an administrator chooses it. */
export const usernameFaults = async (
  db: Db,
  username: string,
  trusted = false,
): Promise<FieldFault[]> => {
  const fault = usernameFault(username, trusted);
  if (fault) return [fault];
  return (await isUsernameTaken(db, username)) ? [taken("username")] : [];
};

/** Returns the faults of a sign-up by field; writes nothing. `trusted` says that an administrator names the account. */
export const personFaults = async (
  app: App,
  person: { username: string; email: string; password: string | null },
  trusted = false,
): Promise<FieldFault[]> => {
  const faults = [
    ...(await usernameFaults(app.sql, person.username, trusted)),
    ...emailFaults(app, person.email),
    person.password === null ? null : await passwordFault(person.password, person.username),
  ].filter((fault) => fault !== null);
  if (await selectUserByEmail(app.sql, person.email)) faults.push(taken("email"));
  return faults;
};

export type Created = { accountId: string; userId: string };

/**
 * Writes the account and its user within `db`'s transaction. Validate with `personFaults` first; when two
 * sign-ups pass it at the same time, the second fails here with the same 422.
 */
export const createPerson = async (app: App, db: Db, person: NewPerson): Promise<Created> => {
  const keys = person.keys ?? (await generateKeyPem());
  const passwordHash =
    person.passwordHash ?? (person.password === null ? null : await hashPassword(person.password));
  try {
    const accountId = await createLocalAccount(app, db, { username: person.username, keys });
    const userId = await insertUser(db, {
      account_id: accountId,
      email: person.email,
      password_hash: passwordHash,
      role_id: ROLE_IDS[person.role ?? "user"],
      locale: person.locale ?? app.config.instance.locale,
      time_zone: person.timeZone ?? null,
      sign_up_reason: person.reason ?? null,
      sign_up_ip: person.ip ?? null,
      created_by_app_id: person.appId ?? null,
      confirmed_at: person.confirmed ? app.clock.now() : null,
      approved: person.approved ?? true,
      invite_id: person.inviteId ?? null,
      age_verified_at: person.ageVerified ? app.clock.now() : null,
      agreed_terms: person.agreedTerms ?? null,
    });
    return { accountId, userId };
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    const field = String((error as { constraint_name?: string }).constraint_name).includes("email")
      ? "email"
      : "username";
    throw invalidFields([taken(field)]);
  }
};
