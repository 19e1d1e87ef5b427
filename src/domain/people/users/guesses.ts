// Limits guesses at a password or a code, for an account, however it is named, and from an address. So that strangers
// cannot lock a person out, a browser that this account has signed in with before has guesses of its own.

import { createHash } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import {
  addressKey,
  countAttempt,
  refundAttempt,
  tally,
} from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";

const HOUR = 3600;

type GuessLimits = {
  person: Limit;
  /** Applies to names and addresses that nobody has here; equals that of a person, so that answers do not differ. */
  unknown: Limit;
  knownBrowser: Limit;
  address: Limit;
};

export const PASSWORD_GUESSES: GuessLimits = {
  person: { name: "password:person", by: "person", count: 25, seconds: HOUR },
  unknown: { name: "password:unknown", by: "login", count: 25, seconds: HOUR },
  knownBrowser: { name: "password:known", by: "person", count: 10, seconds: HOUR },
  address: { name: "password:ip", by: "address", count: 25, seconds: 300 },
};

// Limits guesses at codes. Three of a million codes are right at any time: at ten guesses an hour, a 25% chance takes a
// year.
export const CODE_GUESSES: GuessLimits = {
  person: { name: "code:person", by: "person", count: 10, seconds: HOUR },
  unknown: { name: "code:unknown", by: "login", count: 10, seconds: HOUR },
  knownBrowser: { name: "code:known", by: "person", count: 5, seconds: HOUR },
  address: { name: "code:ip", by: "address", count: 25, seconds: 300 },
};

type Guesser = {
  /** The account, or the login that was entered where no account is known. */
  of: { userId: string } | { login: string };
  ip: string;
  /** Number of a browser that this account knows (known-browsers.ts), otherwise null. */
  knownBrowser: number | null;
};

/** Returns the key of a text that a stranger entered, as short as others, and without the text. */
export const writtenKey = (text: string): string =>
  createHash("sha256").update(text.normalize("NFKC").toLowerCase()).digest("base64url");

/**
 * Counts one guess; throws OverLimit when there were too many. The returned function takes it back after a right guess.
 */
export const countGuess = async (
  app: App,
  limits: GuessLimits,
  { of, ip, knownBrowser }: Guesser,
): Promise<() => Promise<void>> => {
  if ("userId" in of && knownBrowser !== null) {
    const own = `${of.userId}:${knownBrowser}`;
    const { over } = await tally(app, limits.knownBrowser, own);
    if (!over) return () => refundAttempt(app, limits.knownBrowser, own);
  }
  // An address that has used up its own guesses uses up none of the account's.
  await countAttempt(app, limits.address, addressKey(ip));
  const [limit, who] =
    "userId" in of ? [limits.person, of.userId] : [limits.unknown, writtenKey(of.login)];
  await countAttempt(app, limit, who);
  return () => refundAttempt(app, limit, who);
};
