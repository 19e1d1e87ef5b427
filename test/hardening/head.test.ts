// Every route that answers GET answers HEAD with the same status and headers, and no body.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Answer, Person, TestApp } from "../harness.ts";
import { startTestApp } from "../harness.ts";
import { filled, listRoutes } from "../security/routes.ts";

let server: TestApp;
let alice: Person;
let paths: string[];

/** Streams never end. */
const STREAMS = /^\/api\/v1\/streaming\/(?!health)/;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  const { id } = await alice.post("/api/v1/statuses", { status: "Hello" }).ok();
  const routes = await listRoutes(server.app);
  paths = routes
    .filter(({ method }) => method === "GET")
    .map(({ url }) => filled(url, /account/.test(url) ? alice.accountId : id));
});
after(() => server.close());

/** These tell of the moment, or are drawn by chance. */
const CHANGES = new Set([
  "date",
  "connection",
  "keep-alive",
  "transfer-encoding",
  "set-cookie",
  "content-security-policy",
  "x-request-id",
]);

const shown = ({ status, headers }: Answer) => [
  status,
  Object.fromEntries([...headers].filter(([name]) => !CHANGES.has(name))),
];

test("HEAD is as GET, for a person and for a browser in turns", async () => {
  assert.ok(paths.length > 200);
  for (const [index, path] of paths.filter((path) => !STREAMS.test(path)).entries()) {
    const accept = index % 2 === 0 ? "application/json" : "text/html";
    const get = await alice.get(path, { accept });
    const head = await alice.send("HEAD", path, undefined, { accept });
    assert.equal(head.text, "", path);
    assert.deepEqual(shown(head), shown(get), path);
  }
});

test("streams have no HEAD", async () => {
  const streams = paths.filter((path) => STREAMS.test(path));
  assert.ok(streams.length > 5);
  for (const path of streams) {
    const answer = await alice.send("HEAD", path);
    assert.deepEqual([answer.status, answer.text], [404, ""], path);
  }
});
