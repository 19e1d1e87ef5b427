// Signing and verifying together: round trips, tampering, and what a real Mastodon signed.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, test } from "node:test";
import { sign, type KeyObject } from "node:crypto";
import { statusOf } from "../../platform/http/http-error.ts";
import { signingString } from "./cavage.ts";
import { digestOf } from "./digest.ts";
import { generateKeyPem } from "../../domain/people/accounts/keys.ts";
import { parsePrivateKey, parsePublicKey } from "./keys.ts";
import { parseSignature } from "./parse.ts";
import { SignatureRefused, type SignatureFault } from "./refused.ts";
import { signRequest } from "./sign.ts";
import {
  checkSignature,
  verifySignature,
  type IncomingRequest,
  type SignaturePolicy,
} from "./verify.ts";

const NOW = new Date("2026-11-21T12:00:00Z");
const HOUR = 60 * 60 * 1000;
const KEY_ID = "https://peer.test/users/bob#main-key";
const policy: SignaturePolicy = { hosts: ["rookery.test"], now: NOW };
const body = Buffer.from('{"type":"Follow"}');

let privateKey: KeyObject;
let publicKey: KeyObject;
before(async () => {
  const pair = await generateKeyPem();
  privateKey = parsePrivateKey(pair.privateKeyPem);
  publicKey = parsePublicKey(pair.publicKeyPem);
});

const post = (date = NOW): IncomingRequest => {
  const url = "https://rookery.test/inbox";
  const contentType = "application/activity+json";
  const parts = { method: "POST", url, body, keyId: KEY_ID, privateKey, date, contentType };
  return { method: "POST", target: "/inbox", headers: signRequest(parts), body };
};

const get = (target: string): IncomingRequest => {
  const url = `https://rookery.test${target}`;
  const accept = "application/activity+json";
  const parts = { method: "GET", url, keyId: KEY_ID, privateKey, date: NOW, accept };
  return { method: "GET", target, headers: signRequest(parts), body: Buffer.alloc(0) };
};

/** Everything that a receiver does: true, false (another key) or a refusal. */
const accepts = (request: IncomingRequest, rules = policy, key = publicKey): boolean => {
  const parsed = parseSignature(request.headers);
  checkSignature(parsed, request, rules);
  return verifySignature(parsed, request, key);
};

const refused = (request: IncomingRequest, reason: SignatureFault, rules = policy): void =>
  assert.throws(
    () => accepts(request, rules),
    (error) =>
      error instanceof SignatureRefused && error.reason === reason && statusOf(error) === 401,
  );

/** Signs any list of headers by hand, as other servers do. */
const handmade = (
  request: IncomingRequest,
  names: string[],
  { algorithm = `algorithm="hs2019",`, created = null as number | null, extra = "" } = {},
): IncomingRequest => {
  const text = signingString(names, { ...request, created, expires: null }) ?? "";
  const signature = sign("sha256", Buffer.from(text), privateKey).toString("base64");
  const time = created === null ? "" : `created=${created},`;
  const header = `keyId="${KEY_ID}",${algorithm}${time}${extra}headers="${names.join(" ")}",signature="${signature}"`;
  return { ...request, headers: { ...request.headers, signature: header } };
};

test("a signed POST is accepted, and covers what peers expect in their order", () => {
  const request = post();
  assert.equal(accepts(request), true);
  const { keyId, algorithm, signedHeaders } = parseSignature(request.headers);
  assert.equal(keyId, KEY_ID);
  assert.equal(algorithm, "rsa-sha256");
  assert.deepEqual(signedHeaders, ["(request-target)", "host", "date", "digest", "content-type"]);
  assert.equal(request.headers["date"], "Sat, 21 Nov 2026 12:00:00 GMT");
  assert.equal(request.headers["digest"], digestOf(body));
});

test("a signed GET is accepted, with its query or made without it", () => {
  const request = get("/users/a?page=true&x=%20");
  assert.equal(accepts(request), true);
  assert.deepEqual(parseSignature(request.headers).signedHeaders, [
    "(request-target)",
    "host",
    "date",
    "accept",
  ]);
  assert.equal(accepts({ ...get("/users/a"), target: "/users/a?page=true" }), true);
  assert.equal(accepts({ ...request, target: "/users/a?page=false" }), false);
  assert.equal(accepts({ ...request, target: "/users/a" }), false);
});

test("a POST whose query is not signed is not accepted", () => {
  assert.equal(accepts({ ...post(), target: "/inbox?x=1" }), false);
});

test("another key, or one of another kind, does not fit", async () => {
  const other = parsePublicKey((await generateKeyPem()).publicKeyPem);
  assert.equal(accepts(post(), policy, other), false);
});

const TAMPERED: [string, (request: IncomingRequest) => IncomingRequest, SignatureFault | false][] =
  [
    ["another body", (r) => ({ ...r, body: Buffer.from("{}") }), "digest"],
    ["an empty body", (r) => ({ ...r, body: Buffer.alloc(0) }), "digest"],
    ["another body with its digest", (r) => withDigest(r, Buffer.from("{}")), false],
    ["no digest", (r) => without(r, "digest"), "coverage"],
    ["an unsigned digest", (r) => handmade(r, ["(request-target)", "host", "date"]), "coverage"],
    [
      "no digest at all",
      (r) => handmade(without(r, "digest"), ["(request-target)", "host", "date"]),
      "coverage",
    ],
    ["no date", (r) => without(r, "date"), "coverage"],
    ["an unsigned date", (r) => handmade(r, ["(request-target)", "host", "digest"]), "coverage"],
    ["an unsigned host", (r) => handmade(r, ["(request-target)", "date", "digest"]), "coverage"],
    ["an unsigned target", (r) => handmade(r, ["host", "date", "digest"]), "coverage"],
    ["another method", (r) => ({ ...r, method: "PUT" }), false],
    ["another target", (r) => ({ ...r, target: "/users/a/inbox" }), false],
    ["another local host", (r) => withHeader(r, "host", "www.rookery.test"), false],
    ["another server's host", (r) => withHeader(r, "host", "other.test"), "host"],
    ["no host", (r) => without(r, "host"), "coverage"],
    ["another date", (r) => withHeader(r, "date", "Sat, 21 Nov 2026 12:00:01 GMT"), false],
    ["another type", (r) => withHeader(r, "content-type", "text/html"), false],
    ["a missing signed header", (r) => without(r, "content-type"), "coverage"],
    ["no signature", (r) => without(r, "signature"), "missing"],
    [
      "an RFC 9421 signature without a key",
      (r) => withHeader(r, "signature-input", "sig1=()"),
      "malformed",
    ],
  ];

const withHeader = (request: IncomingRequest, name: string, value: string): IncomingRequest => ({
  ...request,
  headers: { ...request.headers, [name]: value },
});
const without = (request: IncomingRequest, name: string): IncomingRequest => ({
  ...request,
  headers: { ...request.headers, [name]: undefined },
});
const withDigest = (request: IncomingRequest, changed: Buffer): IncomingRequest => ({
  ...withHeader(request, "digest", digestOf(changed)),
  body: changed,
});

for (const [what, change, outcome] of TAMPERED) {
  test(`not accepted: ${what}`, () => {
    const rules = { ...policy, hosts: ["rookery.test", "www.rookery.test"] };
    const request = change(post());
    if (outcome === false) assert.equal(accepts(request, rules), false);
    else refused(request, outcome, rules);
  });
}

test("hosts are compared without case and usual port, and with any other port", () => {
  const at = (hosts: string[]) => ({ ...policy, hosts });
  assert.equal(accepts(post(), at(["other.test", "Rookery.TEST:443"])), true);
  refused(post(), "host", at(["rookery.test:3000"]));
  refused(post(), "host", at([]));
});

test("the window is 12 hours back and one ahead, or as given", () => {
  const from = (ms: number) => post(new Date(NOW.getTime() + ms));
  assert.equal(accepts(from(-12 * HOUR)), true);
  refused(from(-12 * HOUR - 1000), "time");
  assert.equal(accepts(from(HOUR)), true);
  refused(from(HOUR + 1000), "time");
  refused(from(-6000), "time", { ...policy, maxAgeSeconds: 5 });
  refused(from(6000), "time", { ...policy, skewSeconds: 5 });
});

test("dates in other forms are refused", () => {
  for (const date of ["2026-11-21T12:00:00Z", "now", "", "Sat, 99 Nov 2026 12:00:00 GMT"]) {
    const names = ["(request-target)", "host", "date", "digest"];
    refused(handmade(withHeader(post(), "date", date), names), "time");
  }
});

const CREATED = ["(request-target)", "(created)", "host", "digest"];

test("hs2019 may sign (created) in place of the date", () => {
  const created = NOW.getTime() / 1000;
  const request = without(post(), "date");
  assert.equal(accepts(handmade(request, CREATED, { created })), true);
  assert.equal(accepts(handmade(request, CREATED, { created, algorithm: "" })), true);
  refused(handmade(request, CREATED, { created: created - 13 * 3600 }), "time");
  refused(handmade(request, CREATED), "time");
  const extra = `expires=${created - 1},`;
  refused(handmade(request, CREATED, { created, extra }), "time");
  const algorithm = `algorithm="rsa-sha256",`;
  refused(handmade(request, CREATED, { created, algorithm }), "algorithm");
  const shifted = handmade(request, CREATED, { created });
  const header = String(shifted.headers["signature"]).replace(
    /created=\d+/,
    `created=${created - 9}`,
  );
  assert.equal(accepts(withHeader(shifted, "signature", header)), false);
});

test("other algorithms are refused", () => {
  for (const name of ["rsa-sha1", "rsa-sha512", "hmac-sha256", "ed25519", "none", ""]) {
    const header = String(post().headers["signature"]).replace("rsa-sha256", name);
    refused(withHeader(post(), "signature", header), "algorithm");
  }
});

test("a Digest with several algorithms counts by its SHA-256", () => {
  const names = ["(request-target)", "host", "date", "digest"];
  const digest = (value: string) => handmade(withHeader(post(), "digest", value), names);
  const right = digestOf(body);
  assert.equal(accepts(digest(`sha-512=abc=,${right.replace("SHA", "sha")}`)), true);
  assert.equal(accepts(digest(`${right}, unixsum=1`)), true);
  for (const value of [
    "",
    "SHA-256=",
    "MD5=abc",
    `${right},${right}`,
    `${right}x`,
    `SHA-1=${right}`,
  ]) {
    refused(digest(value), "digest");
  }
});

const GARBAGE: [string, SignatureFault][] = [
  ["", "coverage"],
  ["garbage", "malformed"],
  [`keyId="https://a.test/",headers="host",signature=""`, "malformed"],
  [`keyId="https://a.test/",headers="host",signature="!!"`, "malformed"],
  [`keyId="https://a.test/",headers="host"`, "malformed"],
  [`keyId="https://a.test/",signature="aaaa"`, "coverage"],
  [`keyId="https://a.test/",headers="",signature="aaaa"`, "coverage"],
  [`headers="host",signature="aaaa"`, "malformed"],
  [`keyId="javascript:1",headers="host",signature="aaaa"`, "malformed"],
  [`keyId="acct:a@a.test",headers="host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/${"a".repeat(3000)}",headers="host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/",keyId="https://b.test/",headers="host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/",headers="host host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/",headers="${"h ".repeat(40)}",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/",headers="host",signature="aaaa",`, "malformed"],
  [`keyId="https://a.test/",,headers="host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/\\"",headers="host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/",created="soon",headers="host",signature="aaaa"`, "malformed"],
  [`keyId="https://a.test/",headers="host",signature="aaaa",created=1e9`, "malformed"],
  [`keyId="https://a.test/",headers="host",signature="aaaa`, "malformed"],
  [`a=1,`.repeat(5000), "malformed"],
  [`keyId=`.repeat(1300), "malformed"],
  [" ".repeat(8000), "malformed"],
  [`sig1=:YWFh:`, "malformed"],
];

for (const [header, reason] of GARBAGE) {
  test(`refused (${reason}): ${header.slice(0, 70)}`, () => {
    refused(withHeader(post(), "signature", header), reason);
  });
}

test("names of object members are not headers", () => {
  const names = ["(request-target)", "host", "date", "digest", "constructor", "__proto__"];
  refused(handmade(post(), names), "coverage");
});

type Recorded = {
  method: string;
  path: string;
  headers: Record<string, string>;
  json?: Record<string, unknown>;
};
const recordings = async (): Promise<Recorded[]> => {
  const file = new URL("../../../test/golden/activitypub-sent.json", import.meta.url);
  const { steps } = JSON.parse(await readFile(file, "utf8")) as {
    steps: { received?: Recorded[] }[];
  };
  return steps.flatMap((step) => step.received ?? []);
};

/** The keys that stand in recorded actor documents, by key id. */
const recordedKeys = (requests: Recorded[]): Map<string, string> => {
  const pairs = requests.flatMap(({ json }) => {
    const actor = json?.["object"] as
      | { publicKey?: { id: string; publicKeyPem: string } }
      | undefined;
    return actor?.publicKey ? [[actor.publicKey.id, actor.publicKey.publicKeyPem] as const] : [];
  });
  return new Map(pairs);
};

test("what a real Mastodon signed is accepted, and not when changed", async () => {
  const requests = await recordings();
  const keys = recordedKeys(requests);
  let accepted = 0;
  for (const { method, path, headers, json } of requests.filter((r) => r.headers["signature"])) {
    const parsed = parseSignature(headers);
    const pem = keys.get(parsed.keyId);
    if (!pem) continue;
    const text = Buffer.from(json ? JSON.stringify(json) : "");
    const request = { method, target: path, headers, body: text };
    const key = parsePublicKey(pem);
    assert.equal(verifySignature(parsed, request, key), true, `${method} ${path}`);
    assert.equal(verifySignature(parsed, { ...request, target: "/x" }, key), false);
    // The recording has parsed JSON: numbers and escapes of a few bodies are written differently.
    if (json && digestOf(text) !== headers["digest"]) continue;
    const rules = { hosts: ["peer.test"], now: new Date(headers["date"] ?? "") };
    assert.equal(accepts(request, rules, key), true, `${method} ${path}`);
    accepted += 1;
  }
  assert.ok(accepted >= 20, `${accepted} were complete enough to be checked in full`);
});
