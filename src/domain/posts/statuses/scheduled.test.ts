// Scheduled posts: stored, moved, cancelled, published at their time, within limits.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { formOf, picture } from "../../../../test/files.ts";
import { mailsOf } from "../../../../test/mail.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { Unavailable } from "../../../platform/errors.ts";

let t: TestApp;
let now = new Date();
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const MINUTE = 60_000;
const ahead = (minutes: number) => new Date(now.getTime() + minutes * MINUTE).toISOString();

const schedule = (
  json: Record<string, unknown>,
  headers: Record<string, string> = {},
  who = alice,
) => who.post("/api/v1/statuses", json, headers);

const scheduleFor = (status: string, minutes = 60, more = {}) =>
  schedule({ status, scheduled_at: ahead(minutes), ...more }).ok();

const on = (id: string, method = "GET", json?: unknown, who = alice) =>
  who.send(method, `/api/v1/scheduled_statuses/${id}`, json);

const runDue = async () => {
  await t.app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'status.scheduled:%'`;
  await t.runJobs();
};

const texts = async () => {
  const { json } = await alice.get(`/api/v1/accounts/${alice.accountId}/statuses`);
  return json.map((status: { content: string }) => status.content);
};

test("it is stored as it was sent, and shown to its author alone", async () => {
  const more = { spoiler_text: "soon", visibility: "unlisted", language: "de", sensitive: true };
  const scheduled = await scheduleFor("later", 60, more);
  assertEntity("ScheduledStatus", scheduled);
  const { spoiler_text, visibility, language, sensitive } = scheduled.params;
  assert.deepEqual({ spoiler_text, visibility, language, sensitive }, more);
  assert.deepEqual((await on(scheduled.id)).json, scheduled);
  assert.equal((await on(scheduled.id, "GET", undefined, bob)).status, 404);
  assert.equal((await on(scheduled.id, "DELETE", undefined, bob)).status, 404);
  assert.equal((await on(scheduled.id, "PUT", { scheduled_at: ahead(90) }, bob)).status, 404);
  assert.equal((await on("abc")).status, 404);
  assert.deepEqual(await texts(), []);
  assert.deepEqual((await on(scheduled.id, "DELETE")).json, {});
  assert.equal((await on(scheduled.id)).status, 404);
});

test("too soon and what is no time is a 422; what is past is posted at once", async () => {
  for (const scheduled_at of [ahead(4), "tomorrow", "9999-99-99"]) {
    assert.equal((await schedule({ status: "x", scheduled_at })).status, 422, scheduled_at);
  }
  const past = await schedule({ status: "at once", scheduled_at: ahead(-1) });
  assertEntity("Status", past.json);
  await alice.delete(`/api/v1/statuses/${past.json.id}`);
});

test("what could not be posted now cannot be posted later", async () => {
  assert.equal((await schedule({ status: "", scheduled_at: ahead(60) })).status, 422);
  const reply = { status: "x", in_reply_to_id: "1", scheduled_at: ahead(60) };
  assert.equal((await schedule(reply)).status, 404);
});

test("the same Idempotency-Key is the same one", async () => {
  const json = { status: "once", scheduled_at: ahead(60) };
  const key = { "idempotency-key": "one" };
  const [first, second] = [await schedule(json, key), await schedule(json, key)];
  assert.equal(first.json.id, second.json.id);
  await on(first.json.id, "DELETE");
});

test("it is made at its time, once, also when it was moved", async () => {
  const scheduled = await scheduleFor("the post", 60, {
    poll: { options: ["a", "b"], expires_in: 600 },
  });
  const moved = await on(scheduled.id, "PUT", { scheduled_at: ahead(120) });
  assert.equal(moved.json.scheduled_at, ahead(120));
  for (const scheduled_at of ["", ahead(-1), ahead(4)])
    assert.equal((await on(scheduled.id, "PUT", { scheduled_at })).status, 422, scheduled_at);
  now = new Date(now.getTime() + 61 * MINUTE);
  await runDue();
  assert.deepEqual(await texts(), [], "its old time is no time");
  now = new Date(now.getTime() + 61 * MINUTE);
  await runDue();
  await runDue();
  assert.deepEqual(await texts(), ["<p>the post</p>"]);
  assert.equal((await on(scheduled.id)).status, 404);
  const { json } = await t.visitor.get(`/api/v1/accounts/${alice.accountId}/statuses`);
  assert.equal(json[0].poll.expired, false);
});

test("what is not refused for good is tried again, and nothing is lost", async () => {
  const scheduled = await scheduleFor("in the end");
  now = new Date(now.getTime() + 61 * MINUTE);
  const { owner } = t.app.outbox;
  t.app.outbox.owner = () => {
    throw new Unavailable("The server is too busy");
  };
  await runDue();
  t.app.outbox.owner = owner;
  await on(scheduled.id).ok();
  assert.ok(!(await texts()).includes("<p>in the end</p>"));
  now = new Date(now.getTime() + 2 * MINUTE);
  await runDue();
  assert.equal((await on(scheduled.id)).status, 404);
  assert.ok((await texts()).includes("<p>in the end</p>"));
});

test("it is posted with its file and taken out at once, or neither", async () => {
  const multipart = formOf(await picture("png"), {});
  const upload = await alice.post("/api/v2/media", multipart);
  await t.runJobs();
  const { id } = await scheduleFor("a picture", 60, { media_ids: [upload.json.id] });
  const posted = async () =>
    (await texts()).filter((text: string) => text.includes("a picture")).length;
  const { sql } = t.app;
  await sql.unsafe(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '57P03'; END $$;
    CREATE TRIGGER refuse BEFORE DELETE ON scheduled_statuses FOR EACH ROW EXECUTE FUNCTION refuse();
  `);
  now = new Date(now.getTime() + 61 * MINUTE);
  await runDue();
  await sql.unsafe("DROP TRIGGER refuse ON scheduled_statuses; DROP FUNCTION refuse()");
  assert.deepEqual([await posted(), (await on(id)).status], [0, 200]);
  await runDue();
  assert.deepEqual([await posted(), (await on(id)).status], [1, 404]);
});

test("one that is refused for good stays for its author, who is told why", async () => {
  const parent = await schedule({ status: "soon gone" }, {}, bob);
  const scheduled = await scheduleFor("an answer", 60, { in_reply_to_id: parent.json.id });
  await bob.delete(`/api/v1/statuses/${parent.json.id}`);
  now = new Date(now.getTime() + 61 * MINUTE);
  const before = (await texts()).length;
  await runDue();
  await runDue();
  assert.equal((await texts()).length, before);
  assert.deepEqual((await on(scheduled.id)).json, scheduled);
  const mails = () =>
    mailsOf(t).filter((mail) => mail.includes("To: alice@") && /Your scheduled/.test(mail));
  assert.equal(mails().length, 1, "told once");
  assert.match(mails()[0]!, /Reason: .+ The post is still in your\s+scheduled posts/);
  await on(scheduled.id, "PUT", { scheduled_at: ahead(60) });
  now = new Date(now.getTime() + 61 * MINUTE);
  await runDue();
  await on(scheduled.id).ok();
  assert.equal(mails().length, 2);
  await on(scheduled.id, "DELETE");
});

test("one of a person who may not act any more is not made", async () => {
  const carol = await t.person("carol");
  await schedule({ status: "never", scheduled_at: ahead(60) }, {}, carol);
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${carol.accountId}`;
  now = new Date(now.getTime() + 61 * MINUTE);
  await runDue();
  const rows = await t.app.sql`SELECT FROM statuses WHERE account_id = ${carol.accountId}`;
  assert.equal(rows.length, 0);
});

test("lists page by Link", async () => {
  for (const name of ["1", "2", "3"]) await scheduleFor(name);
  const first = await alice.get("/api/v1/scheduled_statuses?limit=2");
  assert.equal(first.json.length, 2);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  const second = await alice.get(next);
  assert.equal(second.json.length, 1);
  assert.match(first.headers.get("link")!, /min_id=\d+>; rel="prev"/);
});

test("25 a day, and not one more, however they are sent", async () => {
  const day = 60 * 24 * 20;
  const all = await Promise.all(
    Array.from({ length: 28 }, (_, index) =>
      schedule({ status: `n ${index}`, scheduled_at: ahead(day) }, {}, bob),
    ),
  );
  assert.equal(all.filter(({ status }) => status === 200).length, 25);
  assert.equal(all.filter(({ status }) => status === 422).length, 3);
  const other = await schedule({ status: "x", scheduled_at: ahead(day * 2) }, {}, bob).ok();
  const onto = { scheduled_at: ahead(day) };
  assert.equal((await on(other.id, "PUT", onto, bob)).status, 422);
});
