// Checks the second step of signing in: a code of the authenticator app, or a recovery code.

import type { App } from "../../../../platform/app.ts";
import { CODE_GUESSES, countGuess } from "../guesses.ts";
import { takeRecovery } from "./recovery.ts";
import { takeTotpCode } from "./totp.ts";

type GivenCode = { userId: string; code: string; ip: string; knownBrowser: number | null };

/** Returns whether the code is right, and uses it up; throws OverLimit after too many guesses. */
export const checkCode = async (app: App, attempt: GivenCode): Promise<boolean> => {
  const { userId, code, ip, knownBrowser } = attempt;
  const refund = await countGuess(app, CODE_GUESSES, { of: { userId }, ip, knownBrowser });
  const isRight =
    (await takeTotpCode(app, userId, code)) || (await takeRecovery(app, userId, code));
  if (isRight) await refund();
  return isRight;
};
