// Interoperability with Fedify: it verifies our signatures, and we verify its.

import assert from "node:assert/strict";
import { createPublicKey, type JsonWebKeyInput } from "node:crypto";
import { test } from "node:test";
import {
  exportJwk,
  generateCryptoKeyPair,
  signRequest as signAsFedify,
  verifyRequest as verifyAsFedify,
} from "@fedify/fedify/sig";
import { generateKeyPem } from "../../domain/people/accounts/keys.ts";
import { parsePrivateKey } from "./keys.ts";
import { parseSignature } from "./parse.ts";
import { signRequest } from "./sign.ts";
import { checkSignature, verifySignature } from "./verify.ts";

const ACTOR = "https://rookery.test/users/alice";
const KEY_ID = `${ACTOR}#main-key`;
const URL_ = "https://peer.test/inbox";
const TYPE = "application/activity+json";
const bodies: [string, string | null][] = [
  ["POST", '{"type":"Follow"}'],
  ["GET", null],
];

const actorLoader = (publicKeyPem: string) => async (documentUrl: string) => ({
  contextUrl: null,
  documentUrl,
  document: {
    "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
    id: ACTOR,
    type: "Person",
    publicKey: { id: KEY_ID, owner: ACTOR, publicKeyPem },
  },
});

for (const [method, body] of bodies) {
  test(`Fedify accepts our ${method}`, async () => {
    const { publicKeyPem, privateKeyPem } = await generateKeyPem();
    const extra = body === null ? { accept: TYPE } : { body, contentType: TYPE };
    const privateKey = parsePrivateKey(privateKeyPem);
    const headers = signRequest({ method, url: URL_, keyId: KEY_ID, privateKey, ...extra });
    const request = new Request(URL_, { method, headers, body });
    const key = await verifyAsFedify(request, { documentLoader: actorLoader(publicKeyPem) });
    assert.equal(key?.id?.href, KEY_ID);
  });

  test(`we accept Fedify's ${method}`, async () => {
    const pair = await generateCryptoKeyPair("RSASSA-PKCS1-v1_5");
    const plain = new Request(URL_, { method, body, headers: { "content-type": TYPE } });
    const spec = "draft-cavage-http-signatures-12";
    const signed = await signAsFedify(plain, pair.privateKey, new URL(KEY_ID), { spec });
    const headers = Object.fromEntries(signed.headers);
    const raw = Buffer.from(await signed.arrayBuffer());
    const request = { method, target: "/inbox", headers, body: raw };
    const parsed = parseSignature(headers);
    checkSignature(parsed, request, { hosts: ["peer.test"], now: new Date() });
    const jwk = (await exportJwk(pair.publicKey)) as JsonWebKeyInput["key"];
    const key = createPublicKey({ key: jwk, format: "jwk" });
    assert.equal(verifySignature(parsed, request, key), true);
  });
}
