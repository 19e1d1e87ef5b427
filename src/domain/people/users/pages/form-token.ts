// Makes the token that proves that a form came from our own page, bound to the cookie of the browser. Each page masks
// it with a pad of its own, so that the length of compressed pages reveals nothing of it (BREACH,
// https://breachattack.com).

import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { App } from "../../../../platform/app.ts";

/** Cookies are random texts; other values that are proved like this name what they are. */
export const formDigest = (app: App, value: string): Buffer =>
  createHmac("sha256", app.config.secrets.keyBase).update(`form:${value}`).digest();

const xor = (a: Buffer, b: Buffer): Buffer => Buffer.from(a.map((byte, index) => byte ^ b[index]!));

/** Returns a different text each time. */
export const makeFormToken = (app: App, cookie: string): string => {
  const digest = formDigest(app, cookie);
  const pad = randomBytes(digest.length);
  return Buffer.concat([pad, xor(pad, digest)]).toString("base64url");
};

export const isFormToken = (app: App, cookie: string, token: unknown): boolean => {
  const digest = formDigest(app, cookie);
  const bytes = Buffer.from(typeof token === "string" ? token : "", "base64url");
  if (bytes.length !== 2 * digest.length) return false;
  const pad = bytes.subarray(0, digest.length);
  return timingSafeEqual(xor(pad, bytes.subarray(digest.length)), digest);
};
