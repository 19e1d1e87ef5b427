// Signs people up, by the page and by the API: checks whether it is open and the faults of the form, and creates the
// account.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { Forbidden, blank, invalidFields, tooLong } from "../../../platform/errors.ts";
import type { FieldFault } from "../../../platform/errors.ts";
import { addressKey, countAttempt } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import { knownLocale } from "../../../platform/text/locale.ts";
import { says } from "../../../platform/text/texts.ts";
import { knownTimeZone } from "../../../platform/text/time-zone.ts";
import { judgeEmail } from "../../base/blocklists/emails.ts";
import { ipSeverity } from "../../base/blocklists/ips.ts";
import { DEFAULT_REGISTRATIONS, getSetting } from "../../base/settings/settings.ts";
import { createPerson, personFaults } from "./create.ts";
import type { Created } from "./create.ts";
import "./events.ts";
import { findInvite, takeInvite } from "./invites.ts";
import type { UsableInvite } from "./invites.ts";
import { notifyWebhooks } from "../../base/webhooks/deliver.ts";
import { selectTermsDays } from "./queries.ts";
import type { TermsDays } from "./queries.ts";

export type { TermsDays };

export type RegistrationMode = "open" | "approved" | "closed";

/** Returns who may sign up with a password; nobody, until an administrator opens registrations. */
export const registrationMode = async (app: App): Promise<RegistrationMode> => {
  if (app.config.sso.only) return "closed";
  const mode = await getSetting(app, "registrations", DEFAULT_REGISTRATIONS);
  return mode === "open" || mode === "approved" ? mode : "closed";
};

/**
 * Returns the days of the terms of service to agree to, and of those that will replace them; null where there are none.
 */
export const termsDays = (app: App): Promise<TermsDays> =>
  selectTermsDays(app.sql, isoDate(app.clock.now()));

export type SignUp = {
  username: string;
  email: string;
  /** Null for somebody who comes by a provider. */
  password: string | null;
  agreement: boolean;
  reason: string;
  locale: string | null;
  timeZone: string | null;
  ip: string;
  appId: string | null;
  inviteCode: string | null;
  /** In the form YYYY-MM-DD; required where there is a minimum age. */
  dateOfBirth: string | null;
  /** Day of the terms of service that the form showed, empty for none; undefined where it did not say. */
  shownTerms?: string | undefined;
  /** Set for somebody who comes by a provider, which opens the server to them, and may have confirmed the address. */
  provider?: { isConfirmed: boolean };
};

const REASON_LENGTH = 420;
// Limits sign-ups as Mastodon does; failed attempts have a higher limit, because people mistype.
export const PER_ADDRESS: Limit = { name: "sign-up:ip", by: "address", count: 5, seconds: 1800 };
const TRIES_PER_ADDRESS: Limit = { name: "sign-up:tries", by: "address", count: 60, seconds: 1800 };

/** How somebody may sign up. */
export type Entry = { mode: RegistrationMode; invite: UsableInvite | null };

/**
 * Returns whether a moderator has to approve the sign-up; throws Forbidden where the address of the client is blocked.
 */
const needsApproval = async (app: App, input: SignUp, { mode, invite }: Entry) => {
  const severity = await ipSeverity(app, input.ip);
  if (severity === "sign_up_block" || severity === "no_access") {
    throw new Forbidden(says("sign_up.network"));
  }
  const isDoubtful = await judgeEmail(app, input.email, input.ip);
  const isOpen = mode === "open" || invite?.bypass === true;
  return !isOpen || severity !== null || isDoubtful;
};

const reasonFault = (reason: string, { mode, invite }: Entry): FieldFault | null => {
  const field = "reason";
  if (mode === "approved" && !invite && reason.trim() === "") {
    return blank(field);
  }
  return reason.length > REASON_LENGTH ? tooLong(field, REASON_LENGTH) : null;
};

/** Returns the minimum age in years, or null. */
export const minimumAge = async (app: App): Promise<number | null> =>
  (await getSetting(app, "min_age", 0)) || null;

const BIRTH = /^(\d{4})-(\d{1,2})-(\d{1,2})$/;

const ageFault = async (app: App, birthday: string | null): Promise<FieldFault | null> => {
  const years = await minimumAge(app);
  if (years === null) return null;
  const field = "date_of_birth";
  const fault = (code: string, description: string) => ({ field, code, description });
  if (!birthday?.trim()) return blank(field);
  const [, year, month, day] = BIRTH.exec(birthday.trim()) ?? [];
  const born = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const isDate = born.getUTCMonth() === Number(month) - 1 && born.getUTCDate() === Number(day);
  if (!isDate || Number(year) < 1900) return fault("ERR_INVALID", "is not a date like 2001-12-31");
  const old = new Date(Date.UTC(Number(year) + years, Number(month) - 1, Number(day)));
  return old > app.clock.now() ? fault("ERR_BELOW_LIMIT", "is below the age limit") : null;
};

/** Refuses names that the administrator reserved. */
export const reservedFault = async (app: App, username: string): Promise<FieldFault | null> => {
  const reserved = await getSetting(app, "reserved_names", []);
  if (!reserved.includes(username.toLowerCase())) return null;
  return { field: "username", code: "ERR_RESERVED", description: "is reserved" };
};

/** Refuses an agreement to terms that were replaced while the form was filled in. */
const termsFault = (shown: string | undefined, { current }: TermsDays): FieldFault | null =>
  shown === undefined || shown === (current ?? "")
    ? null
    : { field: "agreement", code: "ERR_CHANGED", description: "is to other terms of service" };

const signUpFaults = async (app: App, input: SignUp, entry: Entry) => {
  const faults = await personFaults(app, input);
  const more = [
    await reservedFault(app, input.username),
    reasonFault(input.reason, entry),
    await ageFault(app, input.dateOfBirth),
  ];
  faults.push(...more.filter((fault) => fault !== null));
  const changed = termsFault(input.shownTerms, await termsDays(app));
  if (input.agreement && changed) faults.push(changed);
  if (!input.agreement) {
    faults.push({ field: "agreement", code: "ERR_ACCEPTED", description: "must be accepted" });
  }
  return faults;
};

/** Throws 403 while sign-up is closed, unless an invitation can be used. */
const requireOpen = async (app: App, { inviteCode, provider }: SignUp): Promise<Entry> => {
  if (provider) return { mode: "open", invite: null };
  const mode = await registrationMode(app);
  const invite = inviteCode && !app.config.sso.only ? await findInvite(app, inviteCode) : null;
  if (mode !== "closed" || invite) return { mode, invite };
  throw new Forbidden(says(inviteCode ? "invite.used_up" : "sign_up.closed_here"));
};

/**
 * Throws 403 when closed, 422 with every fault, 429 over the limits; writes nothing. Returns whether a moderator has to
 * approve it, and the invitation.
 */
const checkSignUp = async (
  app: App,
  input: SignUp,
): Promise<{ isPending: boolean; invite: UsableInvite | null }> => {
  const entry = await requireOpen(app, input);
  await countAttempt(app, TRIES_PER_ADDRESS, addressKey(input.ip));
  const faults = await signUpFaults(app, input, entry);
  if (faults.length > 0) throw invalidFields(faults);
  return { isPending: await needsApproval(app, input, entry), invite: entry.invite };
};

/**
 * Creates the account and enqueues the confirmation mail. `withAccount` runs in the same transaction. Throws as
 * `checkSignUp`, and 429 after five accounts from one IP address.
 */
export const signUp = async <T>(
  app: App,
  input: SignUp,
  withAccount: (tx: Db, created: Created) => Promise<T>,
): Promise<T> => {
  const { isPending, invite } = await checkSignUp(app, input);
  await countAttempt(app, PER_ADDRESS, addressKey(input.ip));
  const { locale, timeZone, dateOfBirth, shownTerms: _shown, provider, ...person } = input;
  const isConfirmed = provider?.isConfirmed === true;
  const { current: agreedTerms } = await termsDays(app);
  const known = knownLocale(locale);
  return app.sql.begin(async (tx) => {
    if (invite) await takeInvite(app, tx, invite);
    const created = await createPerson(app, tx, {
      ...person,
      ...(known && { locale: known }),
      timeZone: knownTimeZone(timeZone),
      reason: input.reason.trim() || null,
      approved: !isPending,
      confirmed: isConfirmed,
      inviteId: invite?.id ?? null,
      agreedTerms,
      ageVerified: dateOfBirth !== null && (await minimumAge(app)) !== null,
    });
    const { accountId, userId } = created;
    if (isConfirmed) await app.jobs.add(tx, "user.signed_up", { accountId });
    else await app.jobs.add(tx, "user.confirmation", { userId });
    await notifyWebhooks(app, tx, "account.created", [created.accountId]);
    if (!isPending) await notifyWebhooks(app, tx, "account.approved", [created.accountId]);
    return withAccount(tx, created);
  }) as Promise<T>;
};
