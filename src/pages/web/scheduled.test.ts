// The page of scheduled posts, by its forms: without scripts times are in UTC.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let alice: Person;
let browser: Browser;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  await server.person("bob");
  browser = openBrowser(server);
  await browser.signIn("alice");
});

after(() => server.close());

const DAY_MS = 86_400_000;
const inDays = (days: number): string => {
  const time = new Date(Date.now() + days * DAY_MS);
  time.setUTCSeconds(0, 0);
  return time.toISOString();
};

const schedule = async (status: string, scheduled_at: string): Promise<string> =>
  (await alice.post("/api/v1/statuses", { status, scheduled_at, visibility: "unlisted" })).json.id;

const all = async (): Promise<{ id: string; scheduled_at: string }[]> =>
  (await alice.get("/api/v1/scheduled_statuses")).json;

test("without any, the page says how to schedule one", async () => {
  assert.match((await browser.get("/scheduled")).text, /Nothing scheduled/);
  assert.match((await browser.get("/drafts")).text, /No drafts/);
});

test("scheduled posts are listed in their order; the form changes when, and deletes", async () => {
  const later = await schedule("the later one", inDays(5));
  const sooner = await schedule("the sooner one", inDays(2));
  const page = await browser.get("/scheduled");
  assert.ok(page.text.indexOf("the sooner one") < page.text.indexOf("the later one"));
  assert.match(page.text, /Publish on \(UTC\)/);

  const moved = inDays(7);
  const path = `/web/act/scheduled_statuses/${sooner}`;
  const answer = await browser.submit(page, path, { scheduled_at: moved.slice(0, 16) });
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/scheduled"]);
  const scheduled = (await all()).find(({ id }) => id === sooner);
  assert.equal(Date.parse(scheduled!.scheduled_at), Date.parse(moved));

  const soon = new Date().toISOString().slice(0, 16);
  assert.equal((await browser.submit(page, path, { scheduled_at: "nonsense" })).status, 422);
  assert.ok((await browser.submit(page, path, { scheduled_at: soon })).status < 500);

  await browser.submit(page, `/web/act/scheduled_statuses/${later}/delete`, {});
  assert.ok(!(await all()).some(({ id }) => id === later));
});

test("nobody changes or deletes what somebody else has scheduled", async () => {
  const id = await schedule("of alice alone", inDays(3));
  const other = openBrowser(server);
  await other.signIn("bob");
  const { text } = await other.get("/scheduled");
  assert.doesNotMatch(text, /of alice alone/);
  const [, form_token = ""] = /name="form_token" value="([^"]+)"/.exec(text)!;
  const form = { form_token, scheduled_at: inDays(9) };
  for (const path of [id, `${id}/delete`])
    assert.equal((await other.post(`/web/act/scheduled_statuses/${path}`, form)).status, 404);
  assert.ok((await all()).some((post) => post.id === id));
});

test("a boost is scheduled by a form, too, and listed with what it boosts", async () => {
  const status = "boost me later";
  const { json: post } = await alice.post("/api/v1/statuses", { status });
  const page = await browser.get(`/@alice/${post.id}/boost_later`);
  assert.match(page.text, /Boost later/);
  const at = inDays(3);
  await browser.submit(page, `/web/act/statuses/${post.id}/reblog`, {
    scheduled_at: at.slice(0, 16),
  });
  const listed = await browser.get("/scheduled");
  assert.match(listed.text, /Boost scheduled for/);
  assert.ok(listed.text.includes(post.url));
  assert.ok((await all()).some(({ scheduled_at }) => Date.parse(scheduled_at) === Date.parse(at)));
});

test("drafts are listed and deleted without scripts, too", async () => {
  const json = { statuses: [{ status: "a thought" }, { status: "and another" }] };
  const { json: draft } = await alice.post("/api/v1/drafts", json);
  const page = await browser.get("/drafts");
  assert.match(page.text, /a thought \/ and another/);
  const answer = await browser.submit(page, `/web/act/drafts/${draft.id}/delete`, {});
  assert.deepEqual([answer.status, answer.headers.get("location")], [303, "/drafts"]);
  assert.match((await browser.get("/drafts")).text, /No drafts/);
});
