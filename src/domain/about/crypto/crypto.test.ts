// Devices, one-time keys that are claimed only once, and the mailbox of each device.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ALL_SCOPES, startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

const SCOPES = [...ALL_SCOPES, "crypto"];

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice", { scopes: SCOPES });
  bob = await server.person("bob", { scopes: SCOPES });
});
after(() => server.close());

type Named = { account_id: string; device_id: string };

const keysOf = (...ids: string[]) =>
  ids.map((key_id) => ({ key_id, key: `key ${key_id}`, signature: "s" }));

const device = (device_id: string, identity_key = "identity") => ({
  device_id,
  name: `Phone ${device_id}`,
  fingerprint_key: "fingerprint",
  identity_key,
});

const upload = (token: string, id: string, ...keys: string[]) =>
  server
    .as(token)
    .post("/api/v1/crypto/keys/upload", { device: device(id), one_time_keys: keysOf(...keys) });

const claim = (token: string, ...devices: Named[]) =>
  server.as(token).post("/api/v1/crypto/keys/claim", { device: devices });

const count = async (token: string): Promise<number> =>
  (await server.as(token).get("/api/v1/crypto/keys/count")).json.one_time_keys;

const send = (token: string, to: Named, body: string) =>
  server
    .as(token)
    .post("/api/v1/crypto/deliveries", { device: [{ ...to, type: 1, body, hmac: "mac" }] });

test("a device is registered, changed and found by its account", async () => {
  const answer = await upload(alice.token, "a1", "1", "2");
  assertEntity("Crypto_Device", answer.json);
  assert.deepEqual(answer.json, { ...device("a1") });
  await upload(alice.token, "a1", "2", "3");
  assert.equal(await count(alice.token), 3);
  const result = await bob.post("/api/v1/crypto/keys/query", {
    id: [alice.accountId, bob.accountId, "1", "x"],
  });
  assert.equal(result.json.length, 1);
  assertEntity("Crypto_QueryResult", result.json[0]);
  assert.deepEqual(result.json[0], { account_id: alice.accountId, devices: [device("a1")] });
});

test("what a form sends is understood", async () => {
  const form = new URLSearchParams([
    ["device[device_id]", "f1"],
    ["device[name]", "Form"],
    ["device[fingerprint_key]", "f"],
    ["device[identity_key]", "i"],
    ["one_time_keys[][key_id]", "1"],
    ["one_time_keys[][key]", "k"],
    ["one_time_keys[][signature]", "s"],
  ]);
  const token = await server.token(bob.userId, SCOPES);
  await server.as(token).post("/api/v1/crypto/keys/upload", form).ok();
  assert.equal(await count(token), 1);
});

test("a key is given out once, also to many who ask at the same moment", async () => {
  const carol = await server.person("carol", { scopes: SCOPES });
  await upload(carol.token, "c1", ...Array.from({ length: 5 }, (_, index) => String(index)));
  const name = { account_id: carol.accountId, device_id: "c1" };
  const answers = await Promise.all(Array.from({ length: 8 }, () => claim(bob.token, name)));
  const keys = answers.flatMap((answer) => answer.json);
  assert.equal(keys.length, 5);
  assert.equal(new Set(keys.map((key) => key.key_id)).size, 5);
  for (const key of keys) assertEntity("Crypto_ClaimResult", key);
  assert.equal(await count(carol.token), 0);
  const odd = await claim(
    bob.token,
    { account_id: "x", device_id: "c1" },
    { ...name, device_id: "z" },
  );
  assert.deepEqual([odd.status, odd.json], [200, []]);
});

test("messages wait for the device they are for, page by page, until they are cleared", async () => {
  const dave = await server.person("dave", { scopes: SCOPES });
  const other = await server.token(dave.userId, SCOPES);
  const none = await send(other, { account_id: alice.accountId, device_id: "a1" }, "x");
  assert.equal(none.status, 422);
  await upload(dave.token, "d1");
  await upload(other, "d2");
  await upload(alice.token, "a1");
  const to = { account_id: dave.accountId, device_id: "d1" };
  for (const body of ["one", "two", "three"]) await send(alice.token, to, body);
  const all = await dave.get("/api/v1/crypto/encrypted_messages");
  assert.deepEqual(
    all.json.map((message: { body: string }) => message.body),
    ["three", "two", "one"],
  );
  for (const message of all.json) assertEntity("Crypto_EncryptedMessage", message);
  assert.equal(all.json[0].account_id, alice.accountId);
  assert.equal(all.json[0].device_id, "a1");
  assert.deepEqual((await server.as(other).get("/api/v1/crypto/encrypted_messages")).json, []);
  const page = await dave.get("/api/v1/crypto/encrypted_messages?limit=2");
  const next = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")![1]!;
  assert.match(page.headers.get("link") ?? "", /min_id=\d+>; rel="prev"/);
  const rest = await dave.get(new URL(next).pathname + new URL(next).search);
  assert.deepEqual(
    rest.json.map((message: { body: string }) => message.body),
    ["one"],
  );
  await server
    .as(other)
    .post("/api/v1/crypto/encrypted_messages/clear", { up_to_id: all.json[0].id });
  await dave.post("/api/v1/crypto/encrypted_messages/clear", { up_to_id: all.json[1].id });
  const left = await dave.get("/api/v1/crypto/encrypted_messages");
  assert.deepEqual(
    left.json.map((message: { body: string }) => message.body),
    ["three"],
  );
});

test("who is blocked finds no device, gets no key and sends nothing", async () => {
  const [erin, mallory] = [
    await server.person("erin", { scopes: SCOPES }),
    await server.person("mallory", { scopes: SCOPES }),
  ];
  await upload(erin.token, "e1", "1");
  await upload(mallory.token, "m1");
  await erin.post(`/api/v1/accounts/${mallory.accountId}/block`);
  const name = { account_id: erin.accountId, device_id: "e1" };
  const query = await mallory.post("/api/v1/crypto/keys/query", { id: [erin.accountId] });
  assert.deepEqual(query.json, []);
  assert.deepEqual((await claim(mallory.token, name)).json, []);
  await send(mallory.token, name, "spam");
  assert.deepEqual((await erin.get("/api/v1/crypto/encrypted_messages")).json, []);
  assert.equal(await count(erin.token), 1);
});

test("the scope is `crypto` and nothing else; bad bodies are a 422", async () => {
  const read = await server.token(alice.userId, ["read", "write", "follow"]);
  for (const [method, path] of [
    ["GET", "keys/count"],
    ["POST", "keys/upload"],
    ["GET", "encrypted_messages"],
    ["POST", "deliveries"],
  ] as const) {
    assert.equal((await server.as(read).send(method, `/api/v1/crypto/${path}`)).status, 403, path);
    assert.equal((await server.visitor.send(method, `/api/v1/crypto/${path}`)).status, 401, path);
  }
  for (const json of [
    {},
    { device: {} },
    { device: "x" },
    { device: device("") },
    { device: device("x"), one_time_keys: [1] },
  ]) {
    assert.equal((await alice.post("/api/v1/crypto/keys/upload", json)).status, 422);
  }
});
