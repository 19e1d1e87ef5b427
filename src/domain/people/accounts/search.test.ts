// GET /api/v1/accounts/search with unknown accounts: whole handles first, looked up with `resolve`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let peer: FakePeer;
let me: Person;

before(async () => {
  [server, peer] = await Promise.all([startTestApp(), startPeer("127.0.0.5")]);
  me = await server.person("me");
  for (const name of ["rob", "robin", "robert"]) {
    await server.person(name);
    peer.actor(name);
  }
});

after(async () => {
  await peer?.close();
  await server?.close();
});

const search = async (query: Record<string, string>): Promise<string[]> => {
  const path = `/api/v1/accounts/search?${new URLSearchParams(query)}`;
  const json = await me.get(path).ok();
  for (const account of json) assertEntity("Account", account);
  return json.map((account: { acct: string }) => account.acct);
};

test("an unknown account by the whole handle, only with resolve; from then on it is known", async () => {
  const handle = `rob@${peer.host}`;
  assert.deepEqual(await search({ q: handle }), []);
  assert.equal(peer.received.length, 0);
  assert.deepEqual(await search({ q: `@${handle}`, resolve: "true" }), [handle]);
  await server.runJobs();
  const { length } = peer.received;
  assert.deepEqual(await search({ q: handle.toUpperCase() }), [handle]);
  assert.deepEqual(await search({ q: `nobody@${peer.host}`, resolve: "1" }), []);
  assert.deepEqual(await search({ q: handle, resolve: "true", offset: "1" }), []);
  // Of nobody, the server is asked where else it has its WebFinger.
  const asked = peer.received.slice(length).filter(({ path }) => !path.endsWith("/host-meta"));
  assert.ok(asked.every(({ path }) => path.includes("nobody")));
});

test("the very name comes first, then names that begin so", async () => {
  const names = await search({ q: "rob" });
  assert.deepEqual(names.slice(0, 2).toSorted(), ["rob", `rob@${peer.host}`].toSorted());
  assert.deepEqual(names.slice(2).toSorted(), ["robert", "robin"]);
  assert.deepEqual(await search({ q: "rob", limit: "1", offset: "1" }), [names[1]]);
});

test("of the followed only", async () => {
  const lookup = await server.visitor.get("/api/v1/accounts/lookup?acct=robin");
  await me.post(`/api/v1/accounts/${lookup.json.id}/follow`);
  assert.deepEqual(await search({ q: "rob", following: "true" }), ["robin"]);
  const handle = `rob@${peer.host}`;
  assert.deepEqual(await search({ q: handle, following: "true", resolve: "true" }), []);
});

test("people who block me, or are suspended, are not found", async () => {
  const lookup = await server.visitor.get("/api/v1/accounts/lookup?acct=robert");
  await server.write`INSERT INTO blocks (account_id, target_account_id) VALUES (${lookup.json.id}, ${me.accountId})`;
  assert.ok(!(await search({ q: "robert" })).includes("robert"));
  await server.write`TRUNCATE blocks`;
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${lookup.json.id}`;
  assert.ok(!(await search({ q: "robert" })).includes("robert"));
});
