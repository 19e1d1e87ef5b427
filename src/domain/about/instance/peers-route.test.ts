// Known servers by prefix.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { setSetting } from "../../base/settings/settings.ts";

let server: TestApp;

before(async () => {
  server = await startTestApp();
  const domains = [
    "alpha.example",
    "alpine.example",
    "beta.example",
    "xn--bcher-kva.example",
    ...Array.from({ length: 15 }, (_, n) => `many${String(n).padStart(2, "0")}.example`),
  ];
  for (const domain of domains.toReversed()) {
    for (const name of ["one", "two"]) {
      const uri = `https://${domain}/users/${name}`;
      await server.write`INSERT INTO accounts (username, domain, uri, url)
        VALUES (${name}, ${domain}, ${uri}, ${uri})`;
    }
  }
});
after(() => server?.close());

const search = (q: string) => server.visitor.get(`/api/v1/peers/search?q=${q}`);

test("names that begin so, whatever their case, each once, in order", async () => {
  assert.deepEqual((await search("al")).json, ["alpha.example", "alpine.example"]);
  assert.deepEqual((await search("ALP")).json, ["alpha.example", "alpine.example"]);
  assert.deepEqual((await search("alpha.example")).json, ["alpha.example"]);
  assert.deepEqual((await search("example")).json, []);
  assert.deepEqual((await search("B%C3%BCcher.example")).json, ["xn--bcher-kva.example"]);
});

test("ten at most; anybody may ask and shared caches may keep it", async () => {
  const answer = await search("many");
  assert.equal(answer.json.length, 10);
  assert.equal(answer.json[0], "many00.example");
  assert.match(answer.headers.get("cache-control")!, /max-age=300, public/);
});

test("without a question null, for an odd one nothing", async () => {
  const answer = await server.visitor.get("/api/v1/peers/search");
  assert.deepEqual([answer.status, answer.text], [200, "null"]);
  assert.match(answer.headers.get("content-type")!, /^application\/json/);
  for (const q of ["", "%25", "_", "a%27b", "%F0%9F%98%80", "x".repeat(5000)]) {
    const { status, json } = await search(q);
    assert.deepEqual([status, json], [200, []], q.slice(0, 20));
  }
  for (const q of ["a%00b", "[]"]) assert.ok([200, 422].includes((await search(q)).status));
});

test("it can be switched off", async () => {
  await setSetting(server.app, "peers_api", false);
  assert.equal((await search("al")).status, 404);
  await setSetting(server.app, "peers_api", null);
  await search("al").ok();
});

test("it walks the index", async () => {
  const plan = await server.app.sql.begin(async (tx) => {
    await tx`SET LOCAL enable_seqscan = off`;
    return tx`EXPLAIN SELECT 1 FROM accounts a WHERE a.domain IS NOT NULL
      AND lower(a.domain::text) COLLATE "C" >= 'al' AND lower(a.domain::text) COLLATE "C" < 'am'`;
  });
  assert.match(JSON.stringify(plan), /accounts_domain_prefix/);
});
