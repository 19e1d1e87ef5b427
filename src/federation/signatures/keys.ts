// RSA keys: reading those of others within bounds, and keeping the parsed ones. Ours are made by
// domain/accounts/keys.ts.

import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { LRUCache } from "lru-cache";
import { SignatureRefused } from "./refused.ts";

const OWN_BITS = 2048;
const MIN_BITS = 1024;
const MAX_BITS = 8192;
/** A key of 8192 bits takes 1,500 characters. */
const MAX_PEM_LENGTH = 4096;
/** Larger exponents make each check as dear as signing; in use are 65537 and a few smaller ones. */
const MAX_EXPONENT = 2n ** 32n;
/** Private keys are not accepted for public ones, though createPublicKey would. */
const PUBLIC_PEM = /^-----BEGIN (RSA )?PUBLIC KEY-----\s[\sa-z\d+/=]+-----END \1PUBLIC KEY-----$/i;

const publicKeys = new LRUCache<string, KeyObject>({ max: 5000 });
const privateKeys = new LRUCache<string, KeyObject>({ max: 1000 });

/**
 * A peer's PEM (SPKI or PKCS #1, RSA, 1024 to 8192 bits) → key; parsed once and kept.
 * Throws SignatureRefused `key` for anything else.
 */
export const publicKeyOf = (pem: string): KeyObject => {
  const kept = publicKeys.get(pem);
  if (kept) return kept;
  const key = parsePublicKey(pem);
  publicKeys.set(pem, key);
  return key;
};

/** Our own PEM → key; parsed once and kept. At least 2048 bits, or it throws an Error. */
export const privateKeyOf = (pem: string): KeyObject => {
  const kept = privateKeys.get(pem);
  if (kept) return kept;
  const key = createPrivateKey(pem);
  if (
    key.asymmetricKeyType !== "rsa" ||
    (key.asymmetricKeyDetails?.modulusLength ?? 0) < OWN_BITS
  ) {
    throw new Error(`Our own keys are RSA of at least ${OWN_BITS} bits`);
  }
  privateKeys.set(pem, key);
  return key;
};

const parsePublicKey = (pem: string): KeyObject => {
  const text = pem.length > MAX_PEM_LENGTH ? "" : pem.trim();
  if (!PUBLIC_PEM.test(text)) throw unusable();
  const key = readKey(text);
  const { modulusLength = 0, publicExponent = 0n } = key.asymmetricKeyDetails ?? {};
  const sound =
    key.asymmetricKeyType === "rsa" &&
    modulusLength >= MIN_BITS &&
    modulusLength <= MAX_BITS &&
    publicExponent >= 3n &&
    publicExponent <= MAX_EXPONENT;
  if (!sound) throw unusable();
  return key;
};

const readKey = (pem: string): KeyObject => {
  try {
    return createPublicKey(pem);
  } catch {
    throw unusable();
  }
};

const unusable = (): SignatureRefused =>
  new SignatureRefused("key", "The public key is not an RSA key that can be used");
