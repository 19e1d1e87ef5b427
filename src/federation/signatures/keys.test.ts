// Keys of peers are parsed within limits; local keys are large enough.

import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { test } from "node:test";
import { generateKeyPem } from "../../domain/people/accounts/keys.ts";
import type { App } from "../../platform/app.ts";
import { createCaches } from "../../platform/caches/register.ts";
import { parsePrivateKey, parsePublicKey, privateKeyOf, publicKeyOf } from "./keys.ts";

const rsa = (modulusLength: number) => generateKeyPairSync("rsa", { modulusLength });
const spki = (key: KeyObject): string => key.export({ type: "spki", format: "pem" }).toString();

const withExponent = (key: KeyObject, e: string): KeyObject =>
  createPublicKey({ key: { ...key.export({ format: "jwk" }), e }, format: "jwk" });

test("local key pairs are SPKI and PKCS #8, of 2048 bits, and belong together", async () => {
  const { publicKeyPem, privateKeyPem } = await generateKeyPem();
  assert.match(publicKeyPem, /^-----BEGIN PUBLIC KEY-----\n/);
  assert.match(privateKeyPem, /^-----BEGIN PRIVATE KEY-----\n/);
  assert.equal(parsePublicKey(publicKeyPem).asymmetricKeyDetails?.modulusLength, 2048);
  const derived = createPublicKey(parsePrivateKey(privateKeyPem));
  assert.equal(spki(derived), publicKeyPem);
});

test("parsed keys are cached", async () => {
  const caches = createCaches(8, { "public keys": 50, "private keys": 50 });
  const app = { caches, config: {} } as unknown as App;
  const { publicKeyPem, privateKeyPem } = await generateKeyPem();
  assert.equal(publicKeyOf(app, publicKeyPem), publicKeyOf(app, publicKeyPem));
  assert.equal(privateKeyOf(app, privateKeyPem), privateKeyOf(app, privateKeyPem));
});

test("SPKI and PKCS #1, old sizes, odd line ends and no last line end are read", () => {
  const { publicKey } = rsa(1024);
  const pkcs1 = publicKey.export({ type: "pkcs1", format: "pem" }).toString();
  for (const pem of [
    spki(publicKey),
    pkcs1,
    pkcs1.trim(),
    spki(publicKey).replaceAll("\n", "\r\n"),
  ]) {
    assert.equal(parsePublicKey(pem).equals(publicKey), true);
  }
});

test("everything else is refused with a reason", () => {
  const { publicKey, privateKey } = rsa(2048);
  const ed25519 = generateKeyPairSync("ed25519").publicKey;
  const pss = generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).publicKey;
  const pem = spki(publicKey);
  const bad = [
    "",
    "garbage",
    pem.slice(0, 200),
    pem.replace("MII", "AAA"),
    pem + pem,
    pem + " ".repeat(5000),
    `-----BEGIN PUBLIC KEY-----\n${"A".repeat(100_000)}\n-----END PUBLIC KEY-----\n`,
    privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    privateKey.export({ type: "pkcs1", format: "pem" }).toString(),
    spki(ed25519),
    spki(pss),
    spki(rsa(512).publicKey),
    spki(withExponent(publicKey, "AQAAAAE")),
    spki(withExponent(publicKey, "AQ")),
  ];
  for (const [index, text] of bad.entries()) {
    assert.throws(
      () => parsePublicKey(text),
      { name: "SignatureRefused", reason: "key" },
      `${index}`,
    );
  }
});

test("local keys may not be small", () => {
  const small = rsa(1024).privateKey.export({ type: "pkcs8", format: "pem" }).toString();
  assert.throws(() => parsePrivateKey(small), /2048/);
});
