// The second step of signing in: a code of the authenticator app, or a recovery code.

import type { App } from "../../../platform/app.ts";
import { addressKey, countAttempt } from "../../../platform/http/rate-limit.ts";
import { takeRecovery } from "./recovery.ts";
import { takeTotpCode } from "./totp.ts";

// Three of a million codes are right at any time: at ten guesses an hour, a 25% chance takes a year.
const PER_PERSON = { name: "code:user", count: 10, seconds: 3600 };
const PER_ADDRESS = { name: "code:ip", count: 25, seconds: 300 };

/** Counts one guess: 429 over the limits. */
export const countGuess = async (app: App, userId: string, ip: string): Promise<void> => {
  await countAttempt(app, PER_ADDRESS, addressKey(ip));
  await countAttempt(app, PER_PERSON, userId);
};

/** Whether the code is right; a right one is used up. */
export const checkCode = async (
  app: App,
  given: { userId: string; code: string; ip: string },
): Promise<boolean> => {
  await countGuess(app, given.userId, given.ip);
  return (
    (await takeTotpCode(app, given.userId, given.code)) ||
    takeRecovery(app, given.userId, given.code)
  );
};
