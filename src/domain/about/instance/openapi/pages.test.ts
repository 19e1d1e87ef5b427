// The pages for people who write apps: each request and each entity of the document has one, and all can be found.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../../test/harness.ts";
import type { TestApp } from "../../../../../test/harness.ts";

let server: TestApp;
before(async () => {
  server = await startTestApp();
});
after(() => server.close());

const read = async (path: string): Promise<string> => {
  const { status, text } = await server.request("GET", path);
  assert.equal(status, 200, path);
  return text;
};

const linksIn = (text: string, folder: string): string[] =>
  [...new Set([...text.matchAll(/href="([^"#?]+)"/g)].map(([, path]) => path!))].filter((path) =>
    path.startsWith(folder),
  );

test("each request and each entity is reached from /developers by links", async () => {
  const { paths, components } = (await server.request("GET", "/api/openapi.json")).json;
  const index = linksIn(await read("/developers"), "/developers/");
  const entities = linksIn(await read("/developers/entities"), "/developers/entities/");
  assert.equal(entities.length, Object.keys(components.schemas).length);
  const groups = index.filter((path) => path !== "/developers/entities");
  const requests: string[] = [];
  for (const group of groups) requests.push(...linksIn(await read(group), `${group}/`));
  const all = Object.values(paths as Record<string, Record<string, unknown>>).flatMap((each) =>
    Object.keys(each).filter((method) => method !== "patch" || !("put" in each)),
  );
  assert.equal(requests.length, all.length);
  for (const path of [...requests, ...entities]) await read(path);
});

test("a request is shown with its scopes, parameters, answers and examples", async () => {
  const text = await read("/developers/statuses/post_api_v1_statuses");
  for (const part of [
    "Idempotency-Key",
    "write:statuses",
    "in_reply_to_id",
    "Only on Rookery",
    "curl -X POST",
  ])
    assert.ok(text.includes(part), part);
  assert.match(text, /href="\/developers\/entities\/Status"/);
  assert.match(
    await read("/developers/statuses/get_api_v1_statuses_id_"),
    /&quot;replies_count&quot;/,
  );
});

test("a token is sent where one is needed, and not where anybody may ask", async () => {
  const token = /Authorization: Bearer TOKEN/;
  assert.match(await read("/developers/statuses/post_api_v1_statuses"), token);
  const open = "/developers/accounts/post_api_v1_accounts_id_email_subscriptions";
  assert.doesNotMatch(await read(open), token);
});

test("a search finds requests by all of its words", async () => {
  const text = await read("/developers?q=home%20timeline");
  const found = linksIn(text, "/developers/");
  assert.ok(found.includes("/developers/timelines/get_api_v1_timelines_home"));
  assert.ok(!found.some((path) => path.includes("filters")));
  assert.match(await read("/developers?q=nothing%20like%20it"), /No request matches/);
});

test("what is not there is not found", async () => {
  for (const path of [
    "/developers/nothing",
    "/developers/statuses/nothing",
    "/developers/entities/toString",
  ])
    assert.equal((await server.request("GET", path)).status, 404, path);
});
