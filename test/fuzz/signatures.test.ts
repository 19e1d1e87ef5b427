// Signatures that were valid before something was changed: refused as such, or nothing that counts was changed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePrivateKey, parsePublicKey } from "../../src/federation/signatures/keys.ts";
import { parseSignature } from "../../src/federation/signatures/parse.ts";
import { SignatureRefused } from "../../src/federation/signatures/refused.ts";
import { signRequest } from "../../src/federation/signatures/sign.ts";
import { checkSignature, verifySignature } from "../../src/federation/signatures/verify.ts";
import { fuzz, mutateText } from "../fuzz.ts";
import type { Random } from "../fuzz.ts";
import { TEST_KEYS } from "../keys.ts";

const NOW = new Date("2026-06-01T12:00:00Z");
const HOST = "social.example";
const BODY = '{"type":"Like","actor":"https://a.example/u"}';
const { privateKeyPem, publicKeyPem } = TEST_KEYS[0]!;
const publicKey = parsePublicKey(publicKeyPem)!;
const ALPHABET = 'abcXYZ019+/=",:;() \t\\-_#?';

const signed = (): Record<string, string> => {
  const headers = signRequest({
    method: "POST",
    url: `https://${HOST}/inbox?a=b`,
    body: BODY,
    keyId: "https://a.example/u#main-key",
    privateKey: parsePrivateKey(privateKeyPem),
    contentType: "application/activity+json",
    date: NOW,
  });
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
};

type Sent = { method: string; target: string; headers: Record<string, string>; body: Buffer };

const original = (): Sent => ({
  method: "POST",
  target: "/inbox?a=b",
  headers: { host: HOST, ...signed() },
  body: Buffer.from(BODY),
});

/** Whether the server would take it. Another error than SignatureRefused is a fault. */
const isTaken = (request: Sent): boolean => {
  try {
    const parsed = parseSignature(request.headers);
    checkSignature(parsed, request, { hosts: [HOST], now: NOW });
    return verifySignature(parsed, request, publicKey);
  } catch (error) {
    assert.ok(error instanceof SignatureRefused, String((error as Error).stack));
    return false;
  }
};

const change = (random: Random, request: Sent): void => {
  const { headers } = request;
  const parameters = (headers["signature"] ?? "").split(",");
  const name = random.pick(Object.keys(headers));
  random.pick<() => unknown>([
    () => (headers["signature"] = mutateText(random, headers["signature"] ?? "", ALPHABET)),
    () => (headers["signature"] = mutateText(random, headers["signature"] ?? "", ALPHABET)),
    () => (headers["signature"] = parameters.filter(() => random.chance(0.7)).join(",")),
    () => (headers["signature"] = [...parameters, random.pick(parameters)].join(",")),
    () => (headers["signature"] = parameters.toReversed().join(",")),
    () => (headers["signature"] = (headers["signature"] ?? "").repeat(1 + random.below(40))),
    () => (headers[name] = mutateText(random, headers[name] ?? "", ALPHABET)),
    () => delete headers[name],
    () => (request.method = random.pick(["GET", "PUT", "post", ""])),
    () => (request.target = mutateText(random, request.target, "/?&=ab%")),
    () => (request.body = Buffer.from(mutateText(random, BODY, ALPHABET))),
    () => (headers["signature-input"] = "sig1=()"),
  ])();
};

test("no change of what was signed is taken, and nothing else is thrown", async () => {
  assert.ok(isTaken(original()), "the unchanged one is");
  const first = original();
  await fuzz(2500, (random) => {
    const request: Sent = { ...first, headers: { ...first.headers } };
    for (let count = 1 + random.below(2); count > 0; count--) change(random, request);
    if (!isTaken(request)) return;
    const essence = ({ method, target, headers, body }: Sent) => ({
      method: method.toUpperCase(),
      target,
      host: headers["host"]?.trim().toLowerCase(),
      date: headers["date"],
      body: body.toString(),
    });
    assert.deepEqual(essence(request), essence(first));
  });
});
