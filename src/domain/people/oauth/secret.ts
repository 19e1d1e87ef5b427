// Makes secrets that the server issues: 256 random bits, stored only as SHA-256.

import { hash, randomBytes } from "node:crypto";

export const newSecret = (): string => randomBytes(32).toString("base64url");

/** Hashes without a salt: the secret itself is random, so that equal hashes mean equal secrets. */
export const tokenHash = (token: string): Buffer => hash("sha256", token, "buffer");
