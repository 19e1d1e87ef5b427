// Remembers browsers that an account has signed in with as a signed entry in a cookie, so that nothing has to be
// stored. It grants no access; it only gives the browser guesses of its own (guesses.ts). It ends with the password.

import { createHmac, randomInt, timingSafeEqual } from "node:crypto";
import type { App } from "../../../platform/app.ts";
import type { SignedIn } from "./sign-in.ts";

/** Days for which a browser is known after its last sign-in. */
export const KNOWN_DAYS = 365;
/** Accounts that one browser remembers. */
const MOST = 5;
/** Number of different counters for the browsers of one account, by which they are told apart. */
const NUMBERS = 16;

export type Known = Pick<SignedIn, "userId" | "passwordMark">;

/** USER.NUMBER.END.SIGNATURE */
const ENTRY = /^(\d{1,20})\.(\d{1,2})\.(\d{1,12})\.([\w-]{43})$/;

const sign = (app: App, { userId, passwordMark }: Known, number: string, end: string): string =>
  createHmac("sha256", app.config.secrets.keyBase)
    .update(`known-browser:${userId}:${number}:${end}:${passwordMark}`)
    .digest("base64url");

const seconds = (app: App): number => Math.floor(app.clock.now().getTime() / 1000);

const entriesOf = (cookie: string | null): RegExpExecArray[] =>
  (cookie ?? "")
    .split("~", MOST)
    .map((text) => ENTRY.exec(text))
    .filter((entry) => entry !== null);

/** Returns the cookie after a sign-in: a new entry for this account, and those of others. */
export const withKnown = (app: App, cookie: string | null, who: Known): string => {
  const number = String(randomInt(NUMBERS));
  const end = String(seconds(app) + KNOWN_DAYS * 86_400);
  const others = entriesOf(cookie).filter(([, userId]) => userId !== who.userId);
  const entry = [who.userId, number, end, sign(app, who, number, end)].join(".");
  return [entry, ...others.map(([text]) => text)].slice(0, MOST).join("~");
};

/** Returns the number of a browser that this account has signed in with; null where it is not known. */
export const knownNumber = (app: App, cookie: string | null, who: Known): number | null => {
  const entry = entriesOf(cookie).find(([, userId]) => userId === who.userId);
  if (!entry) return null;
  const [, , number = "", end = "", signature = ""] = entry;
  const expected = Buffer.from(sign(app, who, number, end));
  const actual = Buffer.from(signature);
  if (expected.length !== actual.length || !timingSafeEqual(expected, actual)) return null;
  return Number(end) > seconds(app) ? Number(number) : null;
};
