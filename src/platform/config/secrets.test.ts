// Secrets: generated once, stored privately; given ones take precedence and are validated.

import assert from "node:assert/strict";
import { createECDH, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { ConfigError } from "../errors.ts";
import { loadSecrets, makeVapid } from "./secrets.ts";
import type { Secrets } from "./secrets.ts";

const root = mkdtempSync(join(tmpdir(), "rookery-secrets-"));
after(() => rmSync(root, { recursive: true, force: true }));

let number = 0;
const newFolder = () => join(root, String(number++));
const NONE = { secretKeyBase: null, vapidPublicKey: null, vapidPrivateKey: null };

const refuses = (folder: string, settings: Partial<typeof NONE> | object, pattern: RegExp) =>
  assert.throws(
    () => loadSecrets(folder, { ...NONE, ...settings }),
    (error) =>
      error instanceof ConfigError &&
      /^[A-Z][^\n]*\.$/.test(error.message) &&
      pattern.test(error.message),
  );

/** Signs and verifies as a push service does: ES256 over the uncompressed point. */
const isUsable = ({ publicKey, privateKey }: Secrets["vapid"]): boolean => {
  const point = Buffer.from(publicKey, "base64url");
  assert.equal(point.length, 65);
  assert.equal(point[0], 4);
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) =>
    part.toString("base64url"),
  );
  const jwk = { kty: "EC", crv: "P-256", x: x!, y: y! };
  const data = Buffer.from("a token");
  const key = createPrivateKey({ key: { ...jwk, d: privateKey }, format: "jwk" });
  return verify(
    "sha256",
    data,
    createPublicKey({ key: jwk, format: "jwk" }),
    sign("sha256", data, key),
  );
};

test("secrets are generated once and stored, with mode 600 in a folder with 700", () => {
  const folder = newFolder();
  const first = loadSecrets(folder, NONE);
  assert.ok(Buffer.from(first.keyBase, "base64url").length >= 32);
  assert.ok(isUsable(first.vapid));
  assert.deepEqual(loadSecrets(folder, NONE), first);
  const inside = join(folder, "secrets");
  assert.deepEqual(readdirSync(inside).toSorted(), ["key-base", "vapid.json"]);
  for (const name of readdirSync(inside)) {
    assert.equal(statSync(join(inside, name)).mode & 0o777, 0o600, name);
  }
  assert.equal(statSync(inside).mode & 0o777, 0o700);
  const other = loadSecrets(newFolder(), NONE);
  assert.notEqual(other.keyBase, first.keyBase);
  assert.notEqual(other.vapid.publicKey, first.vapid.publicKey);
});

test("every pair has a private half of 32 bytes (one in 256 begins with a zero)", () => {
  for (let n = 0; n < 2000; n++) {
    const { privateKey } = makeVapid();
    assert.equal(Buffer.from(privateKey, "base64url").length, 32, privateKey);
  }
});

test("a given private half without its leading zeros is refused", () => {
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(Buffer.from("01".padStart(64, "0"), "hex"));
  const vapidPublicKey = ecdh.getPublicKey("base64url");
  const padded = Buffer.from("01".padStart(64, "0"), "hex").toString("base64url");
  const short = ecdh.getPrivateKey("base64url");
  refuses(newFolder(), { vapidPublicKey, vapidPrivateKey: short }, /P-256/);
  const settings = { secretKeyBase: "x", vapidPublicKey, vapidPrivateKey: padded };
  assert.ok(isUsable(loadSecrets(newFolder(), settings).vapid));
});

test("a file left over from an interrupted write does no harm", () => {
  const folder = newFolder();
  const first = loadSecrets(folder, NONE);
  writeFileSync(join(folder, "secrets", "key-base.new"), "half");
  assert.deepEqual(loadSecrets(folder, NONE), first);
});

test("given secrets take precedence and nothing is written for them; padded keys are accepted", () => {
  const folder = newFolder();
  const { publicKey, privateKey } = loadSecrets(newFolder(), NONE).vapid;
  const settings = {
    secretKeyBase: "mine",
    vapidPublicKey: `${publicKey}=`,
    vapidPrivateKey: `${privateKey}=`,
  };
  const secrets = loadSecrets(folder, settings);
  assert.deepEqual(secrets, {
    keyBase: "mine",
    vapid: { publicKey: `${publicKey}=`, privateKey: `${privateKey}=` },
  });
  assert.throws(() => statSync(folder));
});

test("half a VAPID pair, two halves of different pairs and nonsense are refused", () => {
  const [first, second] = [
    loadSecrets(newFolder(), NONE).vapid,
    loadSecrets(newFolder(), NONE).vapid,
  ];
  const folder = newFolder();
  refuses(
    folder,
    { vapidPublicKey: first.publicKey },
    /both VAPID_PUBLIC_KEY and VAPID_PRIVATE_KEY/,
  );
  refuses(folder, { vapidPrivateKey: first.privateKey }, /both/);
  const pair = (vapidPublicKey: string, vapidPrivateKey: string) => ({
    vapidPublicKey,
    vapidPrivateKey,
  });
  refuses(folder, pair(first.publicKey, second.privateKey), /VAPID_PUBLIC_KEY.*a P-256 key pair/);
  refuses(folder, pair(first.privateKey, first.publicKey), /P-256/);
  refuses(folder, pair("x", "y"), /P-256/);
  assert.throws(() => statSync(folder));
});

test("damaged and unreadable secrets are one sentence, and never an empty key", () => {
  const folder = newFolder();
  loadSecrets(folder, NONE);
  const inside = join(folder, "secrets");
  writeFileSync(join(inside, "vapid.json"), "{");
  refuses(folder, {}, /vapid\.json is damaged/);
  writeFileSync(join(inside, "vapid.json"), "{}");
  refuses(folder, {}, /vapid\.json is damaged/);
  rmSync(join(inside, "vapid.json"));
  writeFileSync(join(inside, "key-base"), "\n");
  refuses(folder, {}, /key-base is damaged/);
  const blocked = newFolder();
  writeFileSync(blocked, "a file, not a folder");
  refuses(blocked, {}, /cannot be read or written \(ENOTDIR\)/);
});
