// Posts that are a calendar event, over HTTP: what one may be, edits, answers and their counts, who sees them and who
// answered, the file for calendars.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { asActor } from "../../../platform/viewer.ts";
import { withdrawAnswer } from "../statuses/answer-event.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { openStream, until } from "../../../../test/stream-client.ts";

type Json = Record<string, any>;

const HOUR_MS = 3600_000;

let t: TestApp;
let people: Record<"alice" | "bob" | "carol" | "dora" | "mod", Person>;
// Behind the clock of the jobs: what is to run some seconds later is due at once.
let now = new Date(Date.now() - 2 * HOUR_MS);

/** So many hours from now. */
const inHours = (hours: number): string => new Date(now.getTime() + hours * HOUR_MS).toISOString();

const party = (more: Json = {}): Json => ({ name: "Party", starts_at: inHours(24), ...more });

const post = (event: Json = {}, more: Json = {}): Promise<any> =>
  people.alice.post("/api/v1/statuses", { event: party(event), ...more }).ok();

const answering = (by: Person | null, id: string, answer: unknown) =>
  (by ?? t.visitor).post(`/api/v1/statuses/${id}/event/answer`, { answer });

const answer = (by: Person, id: string, text: string): Promise<any> => answering(by, id, text).ok();

const withdrawing = (by: Person, id: string) => by.delete(`/api/v1/statuses/${id}/event/answer`);

const read = async (by: Person | null, id: string): Promise<any> =>
  (await (by ?? t.visitor).get(`/api/v1/statuses/${id}`).ok()).event;

const counts = ({ yes_count, maybe_count, no_count }: Json): number[] => [
  yes_count,
  maybe_count,
  no_count,
];

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  people = {} as typeof people;
  for (const name of ["alice", "bob", "carol", "dora"] as const)
    people[name] = await t.person(name);
  const scopes = ["read", "write", "admin:read", "admin:write"];
  people.mod = await t.person("mod", { role: "Owner", scopes });
  const { alice, bob, dora } = people;
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`).ok();
  await alice.post(`/api/v1/accounts/${dora.accountId}/block`).ok();
});
after(() => t?.close());

test("a post is an event, without a text, with all that one may say", async () => {
  const place = "Barn 3; first floor";
  const event = { name: "  Dance  ", starts_at: "2031-05-01T20:00:00+02:00", place };
  const status = await post({ ...event, ends_at: "2031-05-02T02:00:00+02:00" });
  assertEntity("Status", status);
  assert.deepEqual(status.event, {
    name: "Dance",
    starts_at: "2031-05-01T18:00:00.000Z",
    ends_at: "2031-05-02T00:00:00.000Z",
    place,
    yes_count: 0,
    maybe_count: 0,
    no_count: 0,
    answer: null,
    ics_url: `${t.url}/@alice/${status.id}/event.ics`,
  });
  assert.deepEqual(await read(null, status.id), status.event);
  const lines = `2031-05-01 18:00 – 2031-05-02 00:00 (UTC)<br>${place}`;
  const head = `<p class="event-inline"><strong>Dance</strong></p><p class="event-inline">${lines}</p>`;
  assert.equal(status.content, head);
  const feed = await t.visitor.get("/@alice.rss");
  assert.ok(feed.text.includes("&lt;strong&gt;Dance&lt;/strong&gt;"));
  const plain = await people.alice.post("/api/v1/statuses", { status: "none" }).ok();
  assert.equal("event" in plain, false);
});

test("forms carry it, and so do scheduled posts, drafts and threads", async () => {
  const starts = inHours(5);
  const form = { "event[name]": "Walk", "event[starts_at]": starts, "event[place]": "Gate" };
  const sent = await people.alice.post("/api/v1/statuses", new URLSearchParams(form)).ok();
  assert.deepEqual([sent.event.name, sent.event.place], ["Walk", "Gate"]);

  const event = party();
  const [, second] = await people.alice
    .post("/api/v1/statuses/thread", {
      statuses: [{ status: "look" }, { event }],
    })
    .ok();
  assert.equal(second.event.name, "Party");

  const statuses = [{ status: "later", event }];
  const draft = await people.alice.post("/api/v1/drafts", { statuses }).ok();
  assert.deepEqual(draft.statuses, statuses);

  const scheduled = await people.alice
    .post("/api/v1/statuses", {
      event,
      scheduled_at: inHours(1),
    })
    .ok();
  assert.deepEqual(scheduled.params.event, event);
  now = new Date(now.getTime() + HOUR_MS);
  await t.runJobs();
  const [newest] = await t.visitor
    .get(`/api/v1/accounts/${people.alice.accountId}/statuses?limit=1`)
    .ok();
  assert.equal(newest.event.name, "Party");
});

test("what no event may be is refused with a text that says why", async () => {
  const cases: [event: Json, text: RegExp, more?: Json][] = [
    [{ name: " " }, /name can't be blank/],
    [{ name: "x".repeat(201) }, /name can't be longer than 200/],
    [{ place: "x".repeat(301) }, /place can't be longer than 300/],
    [{ starts_at: null }, /start is not a valid time/],
    [{ starts_at: "tomorrow" }, /start is not a valid time/],
    [{ starts_at: "2031-05-01T20:00:00" }, /start is not a valid time/],
    [{ starts_at: "0001-05-01T20:00:00Z" }, /start is not a valid time/],
    [{ starts_at: "2999-05-01T20:00:00Z" }, /too far/],
    [{ ends_at: "never" }, /end is not a valid time/],
    [{ ends_at: inHours(24) }, /end must be after its start/],
    [{ ends_at: inHours(24 + 367 * 24) }, /within a year/],
    [{}, /both an event and a poll/, { poll: { options: ["a", "b"], expires_in: 600 } }],
  ];
  for (const [event, text, more = {}] of cases) {
    const json = { event: party(event), ...more };
    const refused = await people.alice.post("/api/v1/statuses", json);
    assert.equal(refused.status, 422, refused.text);
    assert.match(refused.json.error, text);
  }
});

test("an edit keeps the event, or changes it with its answers left, and takes none away", async () => {
  const { alice, bob } = people;
  const { id, event } = await post({ place: "Barn" }, { status: "come" });
  await answer(bob, id, "yes");
  const path = `/api/v1/statuses/${id}`;
  const kept = await alice.put(path, { status: "do come" }).ok();
  assert.deepEqual(kept.event, { ...event, yes_count: 1 });
  for (const nothing of [{ status: "x", event: null }, { status: "y" }])
    assert.equal((await alice.put(path, nothing).ok()).event.name, "Party");

  const starts_at = inHours(48);
  const moved = await alice.put(path, { status: "y", event: party({ starts_at }) }).ok();
  assert.deepEqual([moved.event.starts_at, moved.event.place], [starts_at, null]);
  assert.deepEqual(counts(moved.event), [1, 0, 0]);
  const versions = await alice.get(`${path}/history`).ok();
  await alice.put(path, { status: "y", event: party({ starts_at }) }).ok();
  assert.equal((await alice.get(`${path}/history`).ok()).length, versions.length);

  const poll = { options: ["a", "b"], expires_in: 600 };
  assert.equal((await alice.put(path, { status: "y", poll })).status, 422);
  const empty = await alice.put(path, { status: "" }).ok();
  assert.match(empty.content, /^<p class="event-inline"><strong>Party<\/strong><\/p>[^\n]*<\/p>$/);
  const added = await alice.post("/api/v1/statuses", { status: "soon" }).ok();
  const dated = { status: "soon", event: party() };
  assert.equal((await alice.put(`/api/v1/statuses/${added.id}`, dated).ok()).event.name, "Party");
});

test("an answer counts once, another replaces it, and it is taken back", async () => {
  const { alice, bob, carol } = people;
  const { id } = await post();
  const first = await answer(bob, id, "yes");
  assertEntity("Status", first);
  assert.deepEqual([first.event.answer, ...counts(first.event)], ["yes", 1, 0, 0]);
  assert.deepEqual(counts((await answer(bob, id, "yes")).event), [1, 0, 0]);
  assert.deepEqual(counts((await answer(carol, id, "maybe")).event), [1, 1, 0]);
  const replaced = await answer(bob, id, "no");
  assert.deepEqual([replaced.event.answer, ...counts(replaced.event)], ["no", 0, 1, 1]);
  assert.deepEqual(counts((await answer(alice, id, "yes")).event), [1, 1, 1]);
  assert.equal((await read(carol, id)).answer, "maybe");
  assert.equal((await read(null, id)).answer, null);

  const withdrawn = await withdrawing(bob, id).ok();
  assert.deepEqual([withdrawn.event.answer, ...counts(withdrawn.event)], [null, 1, 1, 0]);
  await withdrawing(bob, id).ok();
  assert.deepEqual(counts(await read(bob, id)), [1, 1, 0]);
});

test("answers at the same moment are all counted", async () => {
  const { id } = await post();
  const { alice, bob, carol } = people;
  const all = ["yes", "no", "maybe", "yes"].flatMap((text) =>
    [alice, bob, carol].map((who) => answer(who, id, text)),
  );
  await Promise.all(all);
  const rows = await t.app.sql<{ answer: string }[]>`
    SELECT answer FROM event_answers WHERE status_id = ${id}`;
  const stored = ["yes", "maybe", "no"].map(
    (text) => rows.filter((row) => row.answer === text).length,
  );
  assert.deepEqual(counts(await read(null, id)), stored);
  assert.equal(rows.length, 3);
});

test("who may not see it cannot answer, and learns nothing", async () => {
  const { alice, bob, carol, dora } = people;
  const open = await post();
  const closed = await post({}, { visibility: "private" });
  const direct = await post({}, { status: "@carol come", visibility: "direct" });
  assert.equal((await answer(bob, closed.id, "yes")).event.answer, "yes");
  assert.equal((await answer(carol, direct.id, "yes")).event.answer, "yes");
  for (const [who, id] of [
    [dora, open.id],
    [carol, closed.id],
    [bob, direct.id],
    [bob, "1"],
  ] as const) {
    assert.equal((await answering(who, id, "yes")).status, 404);
    assert.equal((await withdrawing(who, id)).status, 404);
  }
  assert.equal((await answering(null, open.id, "yes")).status, 401);
  const reader = await t.token(bob.userId, ["read"]);
  const path = `/api/v1/statuses/${open.id}/event/answer`;
  const json = { answer: "yes" };
  assert.equal((await t.as(reader).post(path, json)).status, 403);
  for (const wrong of ["perhaps", "", null, ["yes"]])
    assert.equal((await answering(bob, open.id, wrong)).status, 422, String(wrong));
  const plain = await alice.post("/api/v1/statuses", { status: "none" }).ok();
  assert.equal((await answering(bob, plain.id, "yes")).status, 422);
  assert.equal((await withdrawing(bob, plain.id)).status, 422);
});

test("of a boost the event is answered; who is blocked since takes an answer back", async () => {
  const { alice, bob, carol } = people;
  const { id } = await post();
  const boost = await bob.post(`/api/v1/statuses/${id}/reblog`).ok();
  assert.equal((await answer(carol, boost.id, "yes")).id, id);
  await alice.post(`/api/v1/accounts/${carol.accountId}/block`).ok();
  assert.equal((await answering(carol, id, "no")).status, 404);
  await withdrawing(carol, id).ok();
  assert.deepEqual(counts(await read(alice, id)), [0, 0, 0]);
  await alice.post(`/api/v1/accounts/${carol.accountId}/unblock`).ok();
});

test("once it is over nothing changes; without an end that is a day after its start", async () => {
  const { bob } = people;
  const ended = await post({ ends_at: inHours(25) });
  const open = await post();
  await answer(bob, ended.id, "yes");
  await answer(bob, open.id, "yes");
  const before = now;
  now = new Date(inHours(25));
  for (const refused of [await answering(bob, ended.id, "no"), await withdrawing(bob, ended.id)]) {
    assert.equal(refused.status, 422);
    assert.match(refused.json.error, /over/);
  }
  await answering(bob, ended.id, "yes").ok();
  assert.equal((await answer(bob, open.id, "no")).event.answer, "no");
  now = new Date(inHours(23));
  assert.equal((await answering(bob, open.id, "yes")).status, 422);
  now = before;
});

test("its author alone learns who answered, page by page", async () => {
  const { alice, bob, carol, dora } = people;
  const { id } = await post();
  const path = `/api/v1/statuses/${id}/event/answers`;
  for (const who of [alice, bob, carol]) await answer(who, id, "yes");
  await answer(alice, id, "no");
  await answer(alice, id, "yes");
  const first = await alice.get(`${path}?answer=yes&limit=2`);
  assert.equal(first.status, 200, first.text);
  for (const account of first.json) assertEntity("Account", account);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")![1]!;
  const names = [...first.json, ...(await alice.get(next).ok())].map(({ acct }) => acct);
  assert.deepEqual(names, ["alice", "carol", "bob"]);
  assert.deepEqual(await alice.get(`${path}?answer=no`).ok(), []);
  assert.equal((await alice.get(path)).status, 422);
  assert.equal((await bob.get(`${path}?answer=yes`)).status, 403);
  assert.equal((await dora.get(`${path}?answer=yes`)).status, 404);
  assert.equal((await t.visitor.get(`${path}?answer=yes`)).status, 401);
  const plain = await alice.post("/api/v1/statuses", { status: "none" }).ok();
  const none = `/api/v1/statuses/${plain.id}/event/answers?answer=yes`;
  assert.equal((await alice.get(none)).status, 422);
});

test("who has it open is told of the counts, each with their own answer", async () => {
  const { id } = await post();
  await t.runJobs();
  const query = { stream: "user", access_token: people.bob.token };
  const stream = await openStream(t.url, { query });
  await answer(people.carol, id, "maybe");
  await answer(people.bob, id, "yes");
  await t.runJobs();
  await until("the update", () =>
    stream.frames.find((frame) => {
      const status = frame.event === "status.update" ? JSON.parse(frame.payload!) : null;
      return status?.id === id && status.event.maybe_count === 1 && status.event.answer === "yes";
    }),
  );
  stream.socket.close();
});

test("a page without events takes no statement more, one with many takes one", async () => {
  const { bob } = people;
  const path = `/api/v1/accounts/${people.alice.accountId}/statuses?limit=40`;
  const measure = async () => (await t.countQueries(() => bob.get(path).ok())).queries;
  const statuses = [];
  for (let n = 0; n < 3; n += 1) statuses.push((await post()).id);
  const many = await measure();
  await post();
  assert.equal(await measure(), many);
  const events = await t.app.sql<{ id: string }[]>`SELECT status_id AS id FROM status_events`;
  for (const { id } of events) await people.alice.delete(`/api/v1/statuses/${id}`);
  await t.runJobs();
  await people.alice.post("/api/v1/statuses", { status: "plain" }).ok();
  assert.equal(await measure(), many - 1);
});

test("calendars get a file that is escaped and folded", async () => {
  const name = `Dinner; with Zoë, ${"ä".repeat(60)}`;
  const { id } = await post(
    { name, starts_at: "2031-05-01T18:00:00Z", ends_at: "2031-05-01T20:00:00Z", place: "A, B" },
    { status: "one\\two\n\nthree" },
  );
  const file = await t.visitor.get(`/@alice/${id}/event.ics`);
  assert.equal(file.status, 200, file.text);
  assert.match(file.headers.get("content-type")!, /^text\/calendar; charset=utf-8/);
  const lines = file.text.split("\r\n");
  assert.ok(lines.every((line) => Buffer.byteLength(line) <= 75));
  assert.ok(!file.text.replaceAll("\r\n", "").includes("\n"));
  const unfolded = file.text.replaceAll("\r\n ", "").split("\r\n");
  for (const line of [
    `UID:${t.url}/users/alice/statuses/${id}`,
    "DTSTART:20310501T180000Z",
    "DTEND:20310501T200000Z",
    `SUMMARY:${name.replace(";", "\\;").replace(",", "\\,")}`,
    "LOCATION:A\\, B",
    "DESCRIPTION:one\\\\two\\n\\nthree",
    `URL:${t.url}/@alice/${id}`,
  ])
    assert.ok(unfolded.includes(line), `${line}\n${file.text}`);
});

test("the file is for whom the post is, by a token or a session", async () => {
  const { alice, bob, carol } = people;
  const { id } = await post({}, { visibility: "private" });
  const path = `/@alice/${id}/event.ics`;
  for (const who of [null, carol]) assert.equal((await (who ?? t.visitor).get(path)).status, 404);
  const own = await bob.get(path);
  assert.deepEqual([own.status, own.headers.get("cache-control")], [200, "private, no-store"]);
  const browser = openBrowser(t);
  await browser.signIn("bob");
  assert.equal((await browser.get(path)).status, 200);
  const plain = await alice.post("/api/v1/statuses", { status: "none" }).ok();
  for (const other of [
    `/@alice/${plain.id}/event.ics`,
    `/@bob/${id}/event.ics`,
    "/@alice/x/event.ics",
  ])
    assert.equal((await bob.get(other)).status, 404, other);
  const writer = await t.token(bob.userId, ["write"]);
  assert.equal((await t.as(writer).get(path)).status, 403);
});

const fateOf = (path: string, name: string, json?: Json) =>
  people.mod.post(`/api/v1/admin/accounts/${people[name as "bob"].accountId}/${path}`, json).ok();

test("answers of who is suspended are not counted until they are back", async () => {
  const { alice, bob, carol } = people;
  const { id } = await post();
  await answer(bob, id, "yes");
  await answer(carol, id, "yes");
  await fateOf("action", "carol", { type: "suspend" });
  await t.runJobs();
  assert.deepEqual(counts(await read(alice, id)), [1, 0, 0]);
  const path = `/api/v1/statuses/${id}/event/answers?answer=yes`;
  const names = async () => (await alice.get(path).ok()).map(({ acct }: Json) => acct);
  assert.deepEqual(await names(), ["bob"]);
  // As an actor of another server may.
  const other = await post();
  await answer(bob, other.id, "yes");
  await fateOf("action", "bob", { type: "suspend" });
  await t.runJobs();
  assert.deepEqual(counts(await read(alice, other.id)), [0, 0, 0]);
  await withdrawAnswer(t.app, asActor(bob.accountId), other.id);
  assert.deepEqual(counts(await read(alice, other.id)), [0, 0, 0]);
  await fateOf("unsuspend", "bob");
  await fateOf("unsuspend", "carol");
  await t.runJobs();
  assert.deepEqual(counts(await read(alice, id)), [2, 0, 0]);
  assert.deepEqual(await names(), ["carol", "bob"]);
});

test("with an account its answers go, from the counts too", async () => {
  const gone = await t.person("gone");
  const answered = [await post(), await post()];
  for (const { id } of answered) await answer(gone, id, "maybe");
  await answer(people.bob, answered[0].id, "maybe");
  await removeAccount(t.app, gone.accountId);
  await t.runJobs();
  const left = await Promise.all(answered.map(({ id }) => read(people.alice, id)));
  assert.deepEqual(left.map(counts), [
    [0, 1, 0],
    [0, 0, 0],
  ]);
  const ids = answered.map(({ id }) => id);
  const rows = await t.app.sql`SELECT FROM event_answers WHERE status_id = ANY(${ids}::bigint[])`;
  assert.equal(rows.length, 1);
});

test("one that a rule against spam holds is an event once a moderator lets it through", async () => {
  const rules = "/api/v1/admin/spam_rules";
  const { mod } = people;
  const rule = { name: "casino", conditions: { words: ["casino"] }, actions: ["hold"] };
  const { id } = await mod.post(rules, rule).ok();
  await mod.post(`${rules}/${id}/dry_run`).ok();
  await mod.post(`${rules}/${id}/enable`).ok();
  const ends_at = inHours(30);
  const json = { status: "come to my casino", event: party({ ends_at, place: "Strip" }) };
  assert.equal((await people.alice.post("/api/v1/statuses", json)).status, 422);
  const edited = await post({}, { status: "soon" });
  const change = { status: "in the casino", event: party({ name: "Poker" }) };
  const path = `/api/v1/statuses/${edited.id}`;
  assert.equal((await people.alice.put(path, change)).status, 422);
  const [held, heldEdit] = await t.app.sql<{ id: string }[]>`
    SELECT id FROM spam_matches WHERE state = 'held' ORDER BY id`;
  for (const match of [held, heldEdit])
    await mod.post(`/api/v1/admin/held_posts/${match!.id}/approve`).ok();
  assert.equal((await read(people.alice, edited.id)).name, "Poker");
  const newest = `/api/v1/accounts/${people.alice.accountId}/statuses?limit=1`;
  const [published] = await t.visitor.get(newest).ok();
  assert.deepEqual([published.event.ends_at, published.event.place], [ends_at, "Strip"]);
  await mod.delete(`${rules}/${id}`).ok();
});

test("the server says that it has events", async () => {
  const { configuration } = await t.visitor.get("/api/v2/instance").ok();
  assert.equal(configuration.rookery.events, true);
});
