// Makes challenges for passkeys without a row for every visitor: the form contains the challenge, its expiry and a
// signature over both and the browser's cookie. Each can be used once.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { App } from "../../../../platform/app.ts";

const SECONDS = 600;

type Challenge = {
  /** Base64url, as in WebAuthn's JSON. */
  challenge: string;
  /** Sent back in the form. */
  ticket: string;
};

/**
 * Purpose of the challenge: signing in, or an act for which this person has just entered the password (adding a
 * passkey, correcting an unconfirmed address, switching codes on).
 */
export type Purpose = "sign-in" | `${"add" | "address" | "totp"}:${string}`;

const sign = (app: App, text: string): string =>
  createHmac("sha256", app.config.secrets.keyBase).update(`passkey:${text}`).digest("base64url");

/** `browser` is the value of the browser's cookie. */
export const makeChallenge = (app: App, purpose: Purpose, browser: string): Challenge => {
  const challenge = randomBytes(32).toString("base64url");
  const end = app.clock.now().getTime() + SECONDS * 1000;
  const signature = sign(app, `${purpose}:${browser}:${challenge}:${end}`);
  return { challenge, ticket: `${challenge}.${end}.${signature}` };
};

/**
 * Returns the challenge of a ticket and uses it up; null where it is forged, of another browser, expired, or used
 * before.
 */
export const takeChallenge = async (
  app: App,
  purpose: Purpose,
  browser: string,
  ticket: string,
): Promise<string | null> => {
  const [challenge = "", end = "", signature = ""] = ticket.split(".");
  const expected = Buffer.from(sign(app, `${purpose}:${browser}:${challenge}:${end}`));
  const actual = Buffer.from(signature);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return null;
  if (Number(end) < app.clock.now().getTime()) return null;
  return (await app.kv.add(`passkey:${challenge}`, "used", SECONDS)) ? challenge : null;
};
