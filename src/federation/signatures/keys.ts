// Parses keys of peers within limits, and caches parsed ones. domain/people/accounts/keys.ts makes local keys.

import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import { fromMultikey } from "../../platform/text/multibase.ts";
import { SignatureRefused } from "./refused.ts";

const OWN_BITS = 2048;
const MIN_BITS = 1024;
const MAX_BITS = 8192;
/** Characters of a PEM; a key of 8192 bits takes 1,500. */
const MAX_PEM_LENGTH = 4096;
/**
 * Limit of the RSA exponent: larger ones would make verifying as expensive as signing; 65537 and a few smaller ones are
 * in use.
 */
const MAX_EXPONENT = 2n ** 32n;
/** Private keys are not accepted as public ones, though createPublicKey would accept them. */
const PUBLIC_PEM = /^-----BEGIN (RSA )?PUBLIC KEY-----\s[\sa-z\d+/=]+-----END \1PUBLIC KEY-----$/i;

/** Parses a local PEM. Throws an Error below 2048 bits. */
export const parsePrivateKey = (pem: string): KeyObject => {
  const key = createPrivateKey(pem);
  if (
    key.asymmetricKeyType !== "rsa" ||
    (key.asymmetricKeyDetails?.modulusLength ?? 0) < OWN_BITS
  ) {
    throw new Error(`Our own keys are RSA of at least ${OWN_BITS} bits`);
  }
  return key;
};

/**
 * Parses a peer's PEM (SPKI or PKCS #1, RSA, 1024 to 8192 bits) or Multikey (Ed25519). Throws SignatureRefused `key`
 * for anything else.
 */
export const parsePublicKey = (pem: string): KeyObject => {
  const ed25519 = pem.startsWith("z") ? fromMultikey(pem) : null;
  if (ed25519) return ed25519;
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
  new SignatureRefused("key", "The public key is not a supported RSA or Ed25519 key");

/** Bytes of a parsed key, outside the heap. */
const KEY_BYTES = 6_000;
const publicKeys = boundedCache<KeyObject>("public keys", () => KEY_BYTES);
const privateKeys = boundedCache<KeyObject>("private keys", () => KEY_BYTES);

/** Returns the parsed key, the same object while it is cached. */
const cachedBy =
  (cacheOf: typeof publicKeys, parse: (pem: string) => KeyObject) =>
  (app: App, pem: string): KeyObject => {
    const present = cacheOf(app).get(pem);
    if (present) return present;
    const key = parse(pem);
    cacheOf(app).set(pem, key);
    return key;
  };

export const publicKeyOf = cachedBy(publicKeys, parsePublicKey);
export const privateKeyOf = cachedBy(privateKeys, parsePrivateKey);
