// Posts in frames on other pages, and oEmbed.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { assertEntity } from "../../test/schema.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp({ env: { INSTANCE_TITLE: "Nest" } });
  alice = await server.person("alice");
});
after(() => server.close());

const write = async (json: Record<string, unknown>) =>
  (await alice.post("/api/v1/statuses", json)).json as {
    id: string;
    url: string;
    uri: string;
  };

const oembed = (query: Record<string, string>) =>
  server.visitor.get(`/api/oembed?${new URLSearchParams(query)}`);

test("an open post may be framed by any page, without script, and links lead out of the frame", async () => {
  const posted = await write({ status: "hello <b>world</b> https://example.com/" });
  const { status, headers, text } = await server.visitor.get(`/@alice/${posted.id}/embed`);
  assert.equal(status, 200);
  const policy = headers.get("content-security-policy") ?? "";
  assert.match(policy, /frame-ancestors \*/);
  assert.doesNotMatch(policy, /script-src|unsafe/);
  assert.equal(headers.get("x-frame-options"), null);
  assert.match(text, /hello &lt;b>world/);
  assert.match(text, /<base target="_blank"\/>/);
  assert.match(text, /name="robots" content="noindex"/);
  assert.doesNotMatch(text, /<script|class="side"|modulepreload/);
  const page = await server.visitor.get(`/@alice/${posted.id}`);
  assert.match(page.headers.get("content-security-policy") ?? "", /frame-ancestors 'none'/);
  assert.equal(page.headers.get("x-frame-options"), "DENY");
});

test("a poll shows its options, and bars of the votes unless they are hidden until the end", async () => {
  const voter = await server.person("voter");
  const ask = async (hidden: boolean) => {
    const poll = { options: ["<b>cats", "dogs"], expires_in: 600, hide_totals: hidden };
    const json = { status: "which?", poll };
    const answer = await alice.post("/api/v1/statuses", json);
    await voter.post(`/api/v1/polls/${answer.json.poll.id}/votes`, { choices: [0] });
    const { text } = await server.visitor.get(`/@alice/${answer.json.id}/embed`);
    return text.replace(/\s+/g, " ");
  };
  const open = await ask(false);
  assert.match(open, />100%<\/span><span>&lt;b>cats .*?<rect width="100%"/);
  assert.match(open, />0%<\/span><span>dogs .*?<rect width="0%"/);
  assert.match(open, /1 person voted.*ends <time/);
  const hidden = await ask(true);
  assert.match(hidden, /><\/span><span>&lt;b>cats /);
  assert.doesNotMatch(hidden, />100%<|<rect/);
});

test("oEmbed of both addresses of a post gives a frame in the asked size", async () => {
  const posted = await write({ status: "hello", visibility: "unlisted" });
  for (const url of [posted.url, posted.uri]) {
    const { status, json, headers } = await oembed({ url, maxwidth: "300", maxheight: "200" });
    assert.equal(status, 200, url);
    assertEntity("OEmbed", json);
    assert.deepEqual([json.width, json.height], [300, 200]);
    assert.match(json.html, /^<iframe src="[^"]+\/embed" width="300" height="200" /);
    assert.ok(json.html.includes(`${server.url}/@alice/${posted.id}/embed`));
    assert.equal(json.provider_name, "Nest");
    assert.equal(json.author_url, `${server.url}/@alice`);
    assert.equal(headers.get("access-control-allow-origin"), "*");
  }
  const { json } = await oembed({ url: posted.url, format: "json" });
  assert.deepEqual([json.width, json.height], [400, null]);
});

test("a post's page leads to its oEmbed", async () => {
  const status = await write({ status: "found" });
  const { text } = await server.visitor.get(`/@alice/${status.id}`);
  const href = /type="application\/json\+oembed" href="([^"]+)"/.exec(text)![1]!;
  const answer = await server.visitor.get(href.replaceAll("&amp;", "&"));
  assertEntity("OEmbed", answer.json);
});

test("sizes that are none are as if they were not given", async () => {
  const { url } = await write({ status: "sizes" });
  for (const maxwidth of ["", "-1", "0", "x", "1e9", "[]", "99999999999"]) {
    const { status, json } = await oembed({ url, maxwidth });
    assert.deepEqual([status, json.width], [200, 400], maxwidth);
  }
  assert.equal((await oembed({ url, maxwidth: "999999" })).json.width, 4096);
});

test("what is not open, not here, or no post has neither", async () => {
  const hidden = await write({ status: "hidden", visibility: "private" });
  const direct = await write({ status: "direct", visibility: "direct" });
  const open = await write({ status: "open" });
  for (const { id } of [hidden, direct]) {
    assert.equal((await server.visitor.get(`/@alice/${id}/embed`)).status, 404);
  }
  assert.equal((await server.visitor.get(`/@bob/${open.id}/embed`)).status, 404);
  for (const url of [
    hidden.url,
    direct.uri,
    `${server.url}/@bob/${open.id}`,
    `${server.url}/@alice`,
    `https://elsewhere.example/@alice/${open.id}`,
    `${server.url}/@alice/1`,
    "x",
    "",
  ]) {
    assert.equal((await oembed({ url })).status, 404, url);
  }
  assert.equal((await server.visitor.get("/api/oembed")).status, 404);
  assert.equal((await oembed({ url: open.url, format: "xml" })).status, 501);
  await server.write`UPDATE accounts SET suspended_at = now() WHERE id = ${alice.accountId}`;
  assert.equal((await oembed({ url: open.url })).status, 404);
});

test("a collection has a page with its people", async () => {
  await server.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${alice.accountId}`;
  const bob = await server.person("bob");
  await server.write`UPDATE accounts SET discoverable = true WHERE id = ${bob.accountId}`;
  const { json } = await alice.post("/api/v1/collections", {
    name: "<i>Friends</i>",
    description: "x",
    account_ids: [bob.accountId],
  });
  const { text, status } = await server.visitor.get(new URL(json.collection.url).pathname);
  assert.equal(status, 200);
  assert.match(text, /&lt;i>Friends/);
  assert.match(text, /@bob@127/);
  assert.equal((await server.visitor.get("/collections/1")).status, 404);
});
