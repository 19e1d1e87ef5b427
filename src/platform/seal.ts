// Encrypts stored secrets, so that a copy of the database alone does not reveal them: AES-256-GCM with keys derived
// from SECRET_KEY_BASE.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto";
import type { App } from "./app.ts";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** `what` names a kind of secret, which has a key of its own. `owner` (an id) is authenticated. */
export type Purpose = { what: string; owner: string };

const keyOf = (app: App, { what }: Purpose): Buffer =>
  Buffer.from(hkdfSync("sha256", app.config.secrets.keyBase, "", what, 32));

export const seal = (app: App, purpose: Purpose, secret: string): Buffer => {
  const iv = randomBytes(IV_BYTES);
  const owner = Buffer.from(purpose.owner);
  const cipher = createCipheriv("aes-256-gcm", keyOf(app, purpose), iv).setAAD(owner);
  const text = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), text]);
};

/** Throws when the secret was sealed for another purpose or with another SECRET_KEY_BASE. */
export const unseal = (app: App, purpose: Purpose, sealed: Buffer): string => {
  const iv = sealed.subarray(0, IV_BYTES);
  const decipher = createDecipheriv("aes-256-gcm", keyOf(app, purpose), iv, {
    authTagLength: TAG_BYTES,
  }).setAAD(Buffer.from(purpose.owner));
  decipher.setAuthTag(sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
  const text = decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES));
  return Buffer.concat([text, decipher.final()]).toString("utf8");
};

const MAX_TOKEN = 200;

/** Seals a text for a link, which nobody else can make and which never expires. */
export const tokenOf = (app: App, purpose: Purpose, text: string): string =>
  seal(app, purpose, text).toString("base64url");

/** Returns null for a token that is not one of ours. */
export const readToken = (app: App, purpose: Purpose, token: string): string | null => {
  if (token.length > MAX_TOKEN) return null;
  try {
    return unseal(app, purpose, Buffer.from(token, "base64url"));
  } catch {
    return null;
  }
};

/** Derives a secret that every process of this server knows without storing it, different for each owner. */
export const derived = (app: App, purpose: Purpose): string =>
  createHmac("sha256", keyOf(app, purpose)).update(purpose.owner).digest("base64url");

/** Compares secrets in constant time. */
export const isSameSecret = (secret: string, expected: string): boolean => {
  const [first, other] = [Buffer.from(secret), Buffer.from(expected)];
  return first.length === other.length && timingSafeEqual(first, other);
};
