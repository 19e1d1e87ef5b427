// Signing up, by the page and by the API: whether it is open, the faults of the form, the account.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { Forbidden, invalidFields } from "../../platform/errors.ts";
import type { FieldFault } from "../../platform/errors.ts";
import { addressKey, countAttempt } from "../../platform/http/rate-limit.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { knownLocale } from "../../platform/text/locale.ts";
import { knownTimeZone } from "../../platform/text/time-zone.ts";
import { judgeEmail } from "../blocklists/emails.ts";
import { ipSeverity } from "../blocklists/ips.ts";
import { DEFAULT_REGISTRATIONS, getSetting } from "../settings/settings.ts";
import { createPerson, personFaults } from "./create.ts";
import type { Created } from "./create.ts";
import "./events.ts";
import { selectHasTerms } from "./queries.ts";

export type RegistrationMode = "open" | "approved" | "closed";

/** Who may sign up; nobody, until an administrator opens registrations. */
export const registrationMode = async (app: App): Promise<RegistrationMode> => {
  const mode = await getSetting(app, "registrations", DEFAULT_REGISTRATIONS);
  return mode === "open" || mode === "approved" ? mode : "closed";
};

/** Whether there are terms of service to agree to. */
export const hasTerms = (app: App): Promise<boolean> => selectHasTerms(app.sql);

export type SignUp = {
  username: string;
  email: string;
  password: string;
  agreement: boolean;
  reason: string;
  locale: string | null;
  timeZone: string | null;
  ip: string;
  appId: string | null;
};

const REASON_LENGTH = 420;
// Sign-ups are limited as in Mastodon; failed tries more loosely, because people mistype.
export const PER_ADDRESS: Limit = { name: "sign-up:ip", by: "address", count: 5, seconds: 1800 };
const TRIES_PER_ADDRESS: Limit = { name: "sign-up:tries", by: "address", count: 60, seconds: 1800 };

/** Whether a moderator has to approve the sign-up. Forbidden where the address of the client is blocked. */
const needsApproval = async (app: App, given: SignUp, mode: RegistrationMode): Promise<boolean> => {
  const severity = await ipSeverity(app, given.ip);
  if (severity === "sign_up_block" || severity === "no_access") {
    throw new Forbidden("Sign-ups from your network are not accepted on this server");
  }
  const verdict = await judgeEmail(app, given.email, given.ip);
  if (verdict === "refused") {
    const description = "is from a provider that is not accepted here";
    throw invalidFields([{ field: "email", code: "ERR_BLOCKED", description }]);
  }
  return mode === "approved" || severity !== null || verdict === "needs_approval";
};

const reasonFault = (reason: string, mode: RegistrationMode): FieldFault | null => {
  const field = "reason";
  if (mode === "approved" && reason.trim() === "") {
    return { field, code: "ERR_BLANK", description: "can't be blank" };
  }
  if (reason.length <= REASON_LENGTH) return null;
  const description = `is too long (maximum is ${REASON_LENGTH} characters)`;
  return { field, code: "ERR_TOO_LONG", description };
};

const signUpFaults = async (app: App, given: SignUp, mode: RegistrationMode) => {
  const faults = await personFaults(app.sql, given);
  const reason = reasonFault(given.reason, mode);
  if (reason) faults.push(reason);
  if (!given.agreement) {
    faults.push({ field: "agreement", code: "ERR_ACCEPTED", description: "must be accepted" });
  }
  return faults;
};

/** 403 while sign-up is closed. */
export const requireOpen = async (app: App): Promise<RegistrationMode> => {
  const mode = await registrationMode(app);
  if (mode === "closed") throw new Forbidden("Sign-ups are closed on this server");
  return mode;
};

/**
 * 403 when closed, 422 with every fault, 429 over the limits; writes nothing. Whether a moderator has to
 * approve it.
 */
export const checkSignUp = async (app: App, given: SignUp): Promise<boolean> => {
  const mode = await requireOpen(app);
  await countAttempt(app, TRIES_PER_ADDRESS, addressKey(given.ip));
  const faults = await signUpFaults(app, given, mode);
  if (faults.length > 0) throw invalidFields(faults);
  return needsApproval(app, given, mode);
};

/**
 * Creates the account and enqueues the confirmation mail. `withAccount` runs in the same transaction.
 * Errors as `checkSignUp`, and 429 after five accounts from one IP address.
 */
export const signUp = async <T>(
  app: App,
  given: SignUp,
  withAccount: (tx: Db, made: Created) => Promise<T>,
): Promise<T> => {
  const isPending = await checkSignUp(app, given);
  await countAttempt(app, PER_ADDRESS, addressKey(given.ip));
  const { locale, timeZone, ...person } = given;
  const known = knownLocale(locale);
  return app.sql.begin(async (tx) => {
    const made = await createPerson(app, tx, {
      ...person,
      ...(known && { locale: known }),
      timeZone: knownTimeZone(timeZone),
      reason: given.reason.trim() || null,
      approved: !isPending,
    });
    await app.jobs.add(tx, "user.confirmation", { userId: made.userId });
    return withAccount(tx, made);
  }) as Promise<T>;
};
