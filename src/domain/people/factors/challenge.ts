// Challenges for passkeys, without a row for every visitor: the form carries the challenge with its
// end and our signature over both and over the browser's cookie; each counts once.

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { App } from "../../../platform/app.ts";

const SECONDS = 600;

export type Challenge = {
  /** base64url, as WebAuthn's JSON has it. */
  challenge: string;
  /** Goes along in the form. */
  ticket: string;
};

/**
 * What it is for: signing in, or what this person proved a moment ago by the password: to add a
 * passkey, correct an unconfirmed address, switch codes on.
 */
export type Purpose = "sign-in" | `${"add" | "address" | "totp"}:${string}`;

const sign = (app: App, text: string): string =>
  createHmac("sha256", app.config.secrets.keyBase).update(`passkey:${text}`).digest("base64url");

/** `browser`: the value of the browser's cookie. */
export const makeChallenge = (app: App, purpose: Purpose, browser: string): Challenge => {
  const challenge = randomBytes(32).toString("base64url");
  const end = app.clock.now().getTime() + SECONDS * 1000;
  const signature = sign(app, `${purpose}:${browser}:${challenge}:${end}`);
  return { challenge, ticket: `${challenge}.${end}.${signature}` };
};

/** The challenge of a ticket, which is used now; null: forged, another browser's, old, or used. */
export const takeChallenge = async (
  app: App,
  purpose: Purpose,
  browser: string,
  ticket: string,
): Promise<string | null> => {
  const [challenge = "", end = "", signature = ""] = ticket.split(".");
  const wanted = Buffer.from(sign(app, `${purpose}:${browser}:${challenge}:${end}`));
  const given = Buffer.from(signature);
  if (wanted.length !== given.length || !timingSafeEqual(wanted, given)) return null;
  if (Number(end) < app.clock.now().getTime()) return null;
  return (await app.kv.add(`passkey:${challenge}`, "used", SECONDS)) ? challenge : null;
};
