// Secrets that we give out: 256 random bits, of which only the SHA-256 is kept.

import { hash, randomBytes } from "node:crypto";

export const newSecret = (): string => randomBytes(32).toString("base64url");

/** No salt: the secret itself is random, so equal hashes mean equal secrets. */
export const tokenHash = (token: string): Buffer => hash("sha256", token, "buffer");

/** The same as text, in base64. */
export const tokenKey = (token: string): string => hash("sha256", token, "base64");
