// Makes the key pairs of an actor: RSA for HTTP signatures (peers expect 2048 bits), and Ed25519 for proofs (FEP-521a).
// The second is derived from the first, so that one secret is stored, moved and replaced (docs/design/signatures.md).

import { createPrivateKey, generateKeyPair, hkdfSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { promisify } from "node:util";
import type { App } from "../../../platform/app.ts";
import { boundedCache } from "../../../platform/caches/bounded.ts";
import { toMultikey } from "../../../platform/text/multibase.ts";

export type KeyPem = { publicKeyPem: string; privateKeyPem: string };

export const generateKeyPem = async (): Promise<KeyPem> => {
  const { publicKey, privateKey } = await promisify(generateKeyPair)("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  return { publicKeyPem: publicKey, privateKeyPem: privateKey };
};

/** The keys that an actor's document shows. */
export type PublicKeys = { pem: string; multikey: string | null };

export const assertionKeyId = (actorUri: string): string => `${actorUri}#ed25519-key`;

/** The prefix of an Ed25519 key in the DER form of PKCS #8 (RFC 8410). */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

const derive = (privateKeyPem: string): KeyObject => {
  const secret = createPrivateKey(privateKeyPem).export({ type: "pkcs8", format: "der" });
  const seed = hkdfSync("sha256", secret, "", "rookery actor ed25519", 32);
  const key = Buffer.concat([PKCS8, Buffer.from(seed)]);
  return createPrivateKey({ key, format: "der", type: "pkcs8" });
};

/** Estimated bytes of two small keys and the text that they are cached by. */
const KEY_BYTES = 3_000;

const derived = boundedCache<{ privateKey: KeyObject; multikey: string }>(
  "assertion keys",
  () => KEY_BYTES,
);

/** Returns the Ed25519 key of the account with this private key. */
export const assertionKey = (app: App, privateKeyPem: string) => {
  const cached = derived(app).get(privateKeyPem);
  if (cached) return cached;
  const privateKey = derive(privateKeyPem);
  const key = { privateKey, multikey: toMultikey(privateKey) };
  derived(app).set(privateKeyPem, key);
  return key;
};
