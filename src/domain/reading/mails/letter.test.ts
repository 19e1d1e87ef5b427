// The monthly letter: who gets it, once, in their language and time zone, with which figures; its page; its end by link.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import type { Mail } from "../../../platform/mail/index.ts";
import { idAt } from "../../../platform/ids/index.ts";
import { sendLetter } from "./letter.ts";

const PATH = "/settings/letter";
/** Just after the job's time on the first of a month. */
const APRIL = new Date("2026-04-01T12:05:00.000Z");

let t: TestApp;
let now = APRIL;
let mails: Mail[] = [];
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  t.app.mail = { send: async (mail) => void mails.push(mail), close: () => {} };
  [alice, bob] = [await t.person("alice", { locale: "de-AT" }), await t.person("bob")];
});
after(() => t.close());
beforeEach(async () => {
  [mails, now] = [[], APRIL];
  await t.write`DELETE FROM statuses`;
  await t.write`DELETE FROM follows`;
  await t.write`UPDATE users SET settings = '{}', letter_month = NULL, time_zone = NULL`;
});

type Post = {
  favourites?: number;
  boosts?: number;
  replies?: number;
  visibility?: string;
  warning?: string;
  answers?: string;
};

let sequence = 0;

/** A post of that moment, with what it got. */
const post = async (who: Person, at: string, text: string, more: Post = {}): Promise<string> => {
  sequence += 1;
  const id = String(BigInt(idAt(new Date(at))) + BigInt(sequence));
  const { favourites = 0, boosts = 0, replies = 0, visibility = "public", warning = "" } = more;
  await t.write`INSERT INTO statuses
      (id, account_id, uri, local, text, spoiler_text, visibility, awaits_approval, created_at, in_reply_to_id)
    VALUES (${id}, ${who.accountId}, ${`https://here.example/${id}`}, true, ${text}, ${warning}, ${visibility}, false,
      ${new Date(at)}, ${more.answers ?? null})`;
  await t.write`INSERT INTO status_stats (status_id, favourites_count, reblogs_count, replies_count)
    VALUES (${id}, ${favourites}, ${boosts}, ${replies})
    ON CONFLICT (status_id) DO UPDATE SET favourites_count = ${favourites}, reblogs_count = ${boosts},
      replies_count = ${replies}`;
  return id;
};

const subscribe = (who: Person) =>
  t.write`UPDATE users SET settings = '{"mails": {"letter": true}}' WHERE id = ${who.userId}`;

const runLetters = async () => {
  await t.app.jobs.add(t.app.sql, "mail.letters", {});
  await t.runJobs();
};

test("figures of the month and the one before, to who asked for them, once", async () => {
  await subscribe(bob);
  const first = await post(bob, "2026-03-02T10:00:00Z", "Spring", {
    favourites: 3,
    boosts: 1,
    replies: 2,
  });
  const best = await post(bob, "2026-03-05T10:00:00Z", "Best of all", { favourites: 7 });
  await post(bob, "2026-03-06T10:00:00Z", "An answer", { answers: first });
  await post(bob, "2026-02-06T10:00:00Z", "Winter", { favourites: 1 });
  await post(bob, "2026-03-07T10:00:00Z", "To you", { visibility: "direct", favourites: 90 });
  await post(bob, "2026-03-08T10:00:00Z", "To us", { visibility: "private", favourites: 80 });
  await post(bob, "2026-04-01T10:00:00Z", "Already April", { favourites: 99 });
  await post(alice, "2026-03-02T10:00:00Z", "Not of bob", { favourites: 99 });
  await t.write`INSERT INTO follows (id, account_id, target_account_id)
    VALUES (${idAt(new Date("2026-03-09T00:00:00Z"))}, ${alice.accountId}, ${bob.accountId})`;
  await runLetters();
  assert.deepEqual(
    mails.map(({ to }) => to),
    ["bob@example.com"],
  );
  const [mail] = mails;
  assert.match(mail!.subject, /^Your March 2026 on /);
  for (const line of [
    "Posts: 4 (month before: 1)",
    "Replies posted: 1 (month before: 0)",
    "Favourites received: 90 (month before: 1)",
    "Boosts received: 1 (month before: 0)",
    "Replies received: 2 (month before: 0)",
    "New followers: 1 (month before: 0)",
  ])
    assert.ok(mail!.text.includes(line), line);
  assert.match(mail!.text, /Your most favourited post:\n> Best of all/);
  assert.ok(mail!.text.includes(`/@bob/${best}`));
  assert.doesNotMatch(mail!.text, /To you|To us/);
  assert.match(mail!.list!.id, /^letter\.bob\./);
  await runLetters();
  assert.equal(mails.length, 1);
  now = new Date("2026-05-01T12:05:00.000Z");
  await runLetters();
  assert.match(mails.at(-1)!.subject, /April 2026/);
});

test("in the language and the months of the person", async () => {
  await subscribe(alice);
  await t.write`UPDATE users SET time_zone = 'Europe/Vienna' WHERE id = ${alice.userId}`;
  await post(alice, "2026-02-28T23:30:00Z", "März in Wien", { favourites: 1, warning: "Wetter" });
  await post(alice, "2026-03-31T22:30:00Z", "April in Wien", { favourites: 2 });
  await runLetters();
  const [mail] = mails;
  assert.match(mail!.subject, /^Dein März 2026 auf /);
  assert.match(mail!.text, /Beiträge: 1 \(im Monat davor: 0\)/);
  assert.match(mail!.text, /> Wetter/, "not the text behind the warning");
});

test("nobody gets one without asking, without anything in it, or before the month is over everywhere", async () => {
  await post(bob, "2026-03-02T10:00:00Z", "Spring");
  await runLetters();
  assert.equal(mails.length, 0, "not asked for");
  await subscribe(alice);
  await runLetters();
  assert.equal(mails.length, 0, "nothing in it");
  await subscribe(bob);
  now = new Date("2026-04-01T11:55:00.000Z");
  await post(bob, "2026-02-02T10:00:00Z", "Winter");
  await runLetters();
  assert.match(mails[0]!.subject, /February 2026/);
  now = APRIL;
  await runLetters();
  assert.match(mails[1]!.subject, /March 2026/);
});

test("not to who cannot use the account, or ends it by the link", async () => {
  await subscribe(bob);
  await post(bob, "2026-03-02T10:00:00Z", "Spring");
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${bob.accountId}`;
  try {
    await runLetters();
    assert.equal(mails.length, 0);
  } finally {
    await t.write`UPDATE accounts SET suspended_at = NULL WHERE id = ${bob.accountId}`;
  }
  await runLetters();
  const path = new URL(mails[0]!.list!.unsubscribe).pathname;
  await t.visitor.get(path).ok();
  await t.visitor.post(path).ok();
  await sendLetter(t.app, { userId: bob.userId, month: "2026-03" });
  assert.equal(mails.length, 1);
});

test("a letter takes the same number of statements, however much there is", async () => {
  await subscribe(bob);
  const count = async () =>
    (await t.countQueries(() => sendLetter(t.app, { userId: bob.userId, month: "2026-03" })))
      .queries;
  await post(bob, "2026-03-02T10:00:00Z", "Spring", { favourites: 1 });
  const few = await count();
  for (let day = 10; day < 25; day++)
    await post(bob, `2026-03-${day}T10:00:00Z`, "More", { favourites: 2 });
  assert.deepEqual([few, await count()], [4, 4]);
});

test("the page shows months since the account was made, and turns letters on and off", async () => {
  await t.write`UPDATE accounts SET created_at = '2026-02-20' WHERE id = ${bob.accountId}`;
  await post(bob, "2026-03-02T10:00:00Z", "Spring", { favourites: 3 });
  const browser = openBrowser(t);
  assert.equal((await browser.get(PATH)).status, 302);
  await browser.signIn("bob");
  const page = await browser.get(PATH);
  assert.match(page.text, /March 2026<\/h2>/);
  assert.match(page.text, /3 \(month before: 0\)/);
  assert.match((await browser.get(`${PATH}?month=2026-02`)).text, /February 2026<\/h2>/);
  assert.match(page.text, /month=2026-02"/);
  assert.doesNotMatch((await browser.get(`${PATH}?month=2026-02`)).text, /month=2026-01"/);
  for (const month of ["2026-05", "2026-13", "x", "1066-10", "2026-01"])
    assert.match((await browser.get(`${PATH}?month=${month}`)).text, /March 2026<\/h2>/, month);
  // Somebody new sees the month that has begun, and no other.
  await t.write`UPDATE accounts SET created_at = '2026-04-01' WHERE id = ${bob.accountId}`;
  const fresh = await browser.get(PATH);
  assert.match(fresh.text, /April 2026<\/h2>/);
  assert.doesNotMatch(fresh.text, /\?month=/);

  const settings = async () =>
    (await t.app.sql`SELECT settings FROM users WHERE id = ${bob.userId}`)[0]!["settings"];
  const answer = await browser.submit(page, PATH, {});
  assert.equal(answer.headers.get("location"), `${PATH}?done=on`);
  assert.deepEqual((await settings()).mails, { letter: true });
  await browser.submit(await browser.get(PATH), PATH, {});
  assert.deepEqual((await settings()).mails, { letter: false });
  assert.equal((await browser.post(PATH, { letter: "1" })).status, 403);
});
