// Posts that rules against spam held: counted for those who decide, told to them by mail once for all, and decided one
// by one or several at once.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

const QUARTER_MS = 15 * 60_000;
const START = Date.now();
/** All begins a minute after a quarter of an hour, so that none ends in between. */
let ahead = QUARTER_MS - (START % QUARTER_MS) + 60_000;
let t: TestApp;
let boss: Person;
let ada: Person;
let owner: Browser;

const SPAM = "/admin/spam";
const BULK_PATH = `${SPAM}/held/several`;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(Date.now() + ahead) } });
  boss = await t.person("boss", { role: "Owner", scopes: ["admin:read", "admin:write"] });
  await t.person("mia", { role: "Moderator" });
  ada = await t.person("ada");
  owner = openBrowser(t);
  await owner.signIn("boss");
  t.app.mail = { send: async (mail) => void mails.push(mail), close: () => {} };
  const api = async (path: string, json: object = {}) =>
    (await boss.post(`/api/v1/admin/${path}`, json)).json;
  const rule = { name: "Watches", conditions: { words: ["watches"] }, actions: ["hold"] };
  const { id } = await api("spam_rules", rule);
  await api(`spam_rules/${id}/dry_run`);
  await api(`spam_rules/${id}/enable`);
});
beforeEach(async () => {
  await t.write`DELETE FROM spam_matches`;
  await t.write`DELETE FROM graphile_worker._private_jobs`;
});
after(() => t.close());

const hold = async (...texts: string[]): Promise<string[]> => {
  for (const text of texts) {
    const answer = await ada.post("/api/v1/statuses", { status: `${text} watches` });
    assert.equal(answer.status, 422);
  }
  const rows = await t.app.sql<{ id: string }[]>`
    SELECT id FROM spam_matches WHERE state = 'held' ORDER BY id
  `;
  return rows.map(({ id }) => id);
};

const ticks = (ids: string[]): Record<string, string> =>
  Object.fromEntries(ids.map((id) => [`post_${id}`, "1"]));

const states = async (): Promise<string[]> =>
  (await t.app.sql<{ state: string }[]>`SELECT state FROM spam_matches ORDER BY id`).map(
    ({ state }) => state,
  );

const mails: { to: string; subject: string; text: string }[] = [];

/** What is due in the next quarter of an hour is done. */
const runDue = async (): Promise<void> => {
  await t.write`UPDATE graphile_worker._private_jobs SET run_at = now() WHERE run_at > now()`;
  await t.runJobs();
};

test("who decides sees on every page how many posts wait", async () => {
  await hold("One of the", "Another of the");
  const waiting = /aria-label="2 wait for a decision"/;
  assert.match((await owner.get("/home")).text, waiting);
  assert.match((await owner.get("/settings")).text, waiting);
  const other = openBrowser(t);
  await other.signIn("ada");
  assert.doesNotMatch((await other.get("/home")).text, /wait for a decision/);
  const path = "/api/v1/staff/waiting";
  assert.deepEqual((await ada.get(path)).json, { count: 0 });
});

describe("several held posts", () => {
  test("are asked about, published and discarded, each with its entry", async () => {
    const ids = await hold("One", "Two", "Three");
    const page = await owner.get(SPAM);
    assert.match(page.text, /Spam <span class="badge">3<\/span>/);
    assert.match((await owner.get("/admin")).text, /<strong>3<\/strong\s*>\s*<span>Spam/);
    const asked = await owner.submit(page, BULK_PATH, {
      ...ticks(ids.slice(0, 2)),
      verdict: "approve",
    });
    assert.match(asked.text, /Publish 2 posts\?/);
    assert.deepEqual(await states(), ["held", "held", "held"]);
    const done = await owner.submit(asked, BULK_PATH, {});
    assert.equal(done.headers.get("location"), `${SPAM}?done=moderation.spam.decided`);
    assert.deepEqual(await states(), ["approved", "approved", "held"]);
    const left = await owner.get(SPAM);
    const discard = await owner.submit(left, BULK_PATH, { all: "1", verdict: "discard" });
    assert.match(discard.text, /Discard this post\?[^]*can’t be undone/);
    await owner.submit(discard, BULK_PATH, {});
    assert.deepEqual(await states(), ["approved", "approved", "discarded"]);
    const entries = await t.app.sql<{ action: string }[]>`
      SELECT action FROM audit_log WHERE target_type = 'held_post' ORDER BY id
    `;
    assert.deepEqual(
      [...entries].map(({ action }) => action),
      ["held_post.approve", "held_post.approve", "held_post.discard"],
    );
    const { json } = await ada.get(`/api/v1/accounts/${ada.accountId}/statuses`);
    assert.equal(json.length, 2);
  });

  test("what somebody decided meanwhile is counted, and keeps no other from it", async () => {
    const [first, second] = await hold("One", "Two");
    const page = await owner.get(SPAM);
    const fields = { ...ticks([first!, second!]), verdict: "discard" };
    const question = await owner.submit(page, BULK_PATH, fields);
    await owner.submit(page, `${SPAM}/held/${first}/approve`, {});
    const done = await owner.submit(question, BULK_PATH, { confirmed_word: "2" });
    assert.equal(done.status, 422);
    assert.match(done.text, /1 post decided\. 1 failed: This has already been decided/);
    assert.deepEqual(await states(), ["approved", "discarded"]);
  });

  test("none, no verdict and who may not decide are refused", async () => {
    await hold("One");
    const page = await owner.get(SPAM);
    const none = await owner.submit(page, BULK_PATH, { verdict: "approve" });
    assert.match(none.text, /Select at least one post/);
    const odd = await owner.submit(page, BULK_PATH, { all: "1", verdict: "toString" });
    assert.match(odd.text, /Choose what to do/);
    const mod = openBrowser(t);
    await mod.signIn("mia");
    assert.equal((await mod.get(SPAM)).status, 403);
    assert.equal((await mod.post(BULK_PATH, { all: "1", verdict: "approve" })).status, 403);
    assert.deepEqual(await states(), ["held"]);
  });

  test("a key asks before one is published", async () => {
    const [id] = await hold("One");
    const path = `${SPAM}/held/${id}/approve`;
    const question = await owner.submit(await owner.get(SPAM), path, { ask: "1" });
    assert.match(question.text, /Publish\?/);
    assert.deepEqual(await states(), ["held"]);
  });
});

describe("the mail", () => {
  test("is one for all of a quarter of an hour, to those who may decide", async () => {
    mails.length = 0;
    await hold(..."abcdefg");
    await t.runJobs();
    assert.equal(mails.length, 0);
    await runDue();
    assert.deepEqual(
      mails.map(({ to, subject }) => [to, subject.replace(/ - .*/, "")]),
      [["boss@example.com", "7 posts are waiting for review"]],
    );
    const { text } = mails[0]!;
    assert.match(text, /@ada: a watches[^]*@ada: e watches[^]*And 2 more/);
    assert.doesNotMatch(text, /f watches/);
    assert.match(text, /\/admin\/spam[^]*\/unsubscribe\//);
    // The next quarter of an hour has a mail of its own.
    ahead += QUARTER_MS;
    await hold("Later");
    await runDue();
    assert.equal(mails.length, 2);
  });

  test("is not sent where all is decided, nor to who does not want it", async () => {
    mails.length = 0;
    ahead += QUARTER_MS;
    const [id] = await hold("Quick");
    await owner.submit(await owner.get(SPAM), `${SPAM}/held/${id}/approve`, {});
    await runDue();
    const settings = await owner.get("/settings/mail");
    assert.match(settings.text, /Posts are held for review/);
    await owner.submit(settings, "/settings/mail", { mention: "1" });
    ahead += QUARTER_MS;
    await hold("Unwanted");
    await runDue();
    assert.equal(mails.length, 0);
  });
});
