// Drafts over real HTTP: kept as they were sent, listed, changed by the version that was seen, with their uploads, and
// for their author alone.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { formOf, picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { openStream } from "../../../../test/stream-client.ts";
import { MAX_DRAFTS } from "./save.ts";

type Json = Record<string, any>;

const PATH = "/api/v1/drafts";
const DAY_MS = 86_400_000;

let t: TestApp;
let alice: Person;
let bob: Person;
let now = new Date();

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t?.close());
beforeEach(() => t.write`DELETE FROM drafts`);

const draft = (status: string, more: Json = {}): Promise<any> =>
  alice.post(PATH, { statuses: [{ status, ...more }] }).ok();

const upload = async (): Promise<string> => {
  const multipart = formOf(await picture("png"), {});
  const { json } = await alice.post("/api/v2/media", multipart);
  await t.runJobs();
  return json.id;
};

const retain = async (days: number): Promise<void> => {
  now = new Date(now.getTime() + days * DAY_MS);
  await t.app.jobs.add(t.app.sql, "retention.due", { what: "uploads" });
  await t.runJobs();
};

const isThere = async (id: string): Promise<boolean> =>
  (await t.app.sql`SELECT FROM media_attachments WHERE id = ${id}`).length > 0;

test("it is what was sent: one post, or several; no rule for posts judges it", async () => {
  const statuses = [
    { status: "first", visibility: "local", poll: { options: ["a"], expires_in: 1 } },
    { status: "x".repeat(20_000), in_reply_to_id: "1", expires_in: 5 },
  ];
  const scheduled_at = "2001-01-01T00:00:00.000Z";
  const first = await alice.post(PATH, { statuses, scheduled_at }).ok();
  const times = { created_at: now.toISOString(), updated_at: now.toISOString() };
  const { id } = first;
  const whole = { id, version: 1, statuses, scheduled_at, media_attachments: [], ...times };
  assert.deepEqual(first, whole);
  assert.deepEqual(await alice.get(`${PATH}/${id}`).ok(), whole);
  assert.deepEqual(await alice.get(PATH).ok(), [whole]);
  assert.deepEqual(await alice.delete(`${PATH}/${id}`).ok(), {});
  assert.equal((await alice.get(`${PATH}/${id}`)).status, 404);
});

test("a change names the version that it is of; another one loses nothing", async () => {
  const { id, version } = await draft("mine");
  now = new Date(now.getTime() + 1000);
  const change = (status: string, of: unknown) =>
    alice.put(`${PATH}/${id}`, { statuses: [{ status }], version: of });
  const changed = await change("here", version);
  assert.deepEqual(
    [changed.json.version, changed.json.statuses, changed.json.updated_at],
    [2, [{ status: "here" }], now.toISOString()],
  );
  const late = await change("there", version);
  assert.deepEqual([late.status, late.json.version], [409, 2]);
  assert.deepEqual((await alice.get(`${PATH}/${id}`).ok()).statuses, [{ status: "here" }]);
  assert.equal((await change("x", undefined)).status, 422);
  const both = await Promise.all(["a", "b"].map((status) => change(status, 2)));
  assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
});

test("it is its author's alone, and asks for a scope", async () => {
  const { id } = await draft("secret");
  for (const [method, json] of [
    ["GET"],
    ["PUT", { statuses: [{ status: "x" }], version: 1 }],
    ["DELETE"],
  ] as const)
    assert.equal((await bob.send(method, `${PATH}/${id}`, json)).status, 404, method);
  assert.deepEqual((await bob.get(PATH)).json, []);
  assert.equal((await t.visitor.get(PATH)).status, 401);
  const reader = await t.token(alice.userId, ["read"]);
  const refused = await t.as(reader).post(PATH, { statuses: [{}] });
  assert.equal(refused.status, 403);
  assert.equal((await alice.get(`${PATH}/abc`)).status, 404);
});

test("what is none, too much or no time is refused", async () => {
  for (const json of [
    {},
    { statuses: [] },
    { statuses: Array.from({ length: 21 }, () => ({ status: "x" })) },
    { statuses: [{ status: "x".repeat(100_000) }] },
    { statuses: [{ status: "x" }], scheduled_at: "tomorrow" },
    { statuses: [{ status: "x" }], scheduled_at: "+010000-01-01T00:00:00Z" },
    { statuses: [{ status: "x" }], scheduled_at: "-271821-04-20T00:00:00Z" },
    { statuses: [{ status: "x", media_ids: ["1"] }] },
  ])
    assert.equal((await alice.post(PATH, json)).status, 422, JSON.stringify(json).slice(0, 60));
});

test("lists page by Link, and there are so many at most, however they are sent", async () => {
  await Promise.all(
    Array.from({ length: MAX_DRAFTS + 2 }, (_, n) => draft(`n ${n}`).catch(() => {})),
  );
  const rows = await t.app.sql`SELECT FROM drafts`;
  assert.equal(rows.length, MAX_DRAFTS);
  assert.equal((await alice.post(PATH, { statuses: [{ status: "x" }] })).status, 422);
  const first = await alice.get(`${PATH}?limit=2`);
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  const second = await alice.get(next).ok();
  const ids = [...first.json, ...second].map(({ id }) => BigInt(id));
  assert.equal(new Set(ids).size, 4);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => (a < b ? 1 : -1)),
  );
});

test("the same Idempotency-Key is the same draft", async () => {
  const key = { "idempotency-key": "once" };
  const answers = await Promise.all(
    [1, 2].map(() => alice.post(PATH, { statuses: [{ status: "x" }] }, key)),
  );
  assert.equal(answers[0]!.json.id, answers[1]!.json.id);
});

test("its uploads are kept as long as it has them, and are free for the post that it becomes", async () => {
  const [kept, dropped] = [await upload(), await upload()];
  const { id, media_attachments } = await draft("pictures", { media_ids: [kept, dropped] });
  assert.deepEqual(
    media_attachments.map((media: Json) => media["id"]),
    [kept, dropped],
  );
  assert.equal((await alice.delete(`/api/v1/media/${kept}`)).status, 422);
  const other = { statuses: [{ media_ids: [kept] }] };
  assert.equal((await alice.post(PATH, other)).status, 422, "another draft cannot have it");
  await retain(3);
  assert.deepEqual([await isThere(kept), await isThere(dropped)], [true, true]);
  await alice.put(`${PATH}/${id}`, { version: 1, statuses: [{ media_ids: [kept] }] }).ok();
  await retain(2);
  assert.deepEqual([await isThere(kept), await isThere(dropped)], [true, false]);
  const post = await alice.post("/api/v1/statuses", { status: "x", media_ids: [kept] }).ok();
  assert.equal(post.media_attachments[0].id, kept);
  await alice.delete(`${PATH}/${id}`).ok();
  await retain(2);
  assert.equal(await isThere(kept), true);
});

test("a draft that is deleted leaves its uploads for a day", async () => {
  const media = await upload();
  const { id } = await draft("x", { media_ids: [media] });
  await retain(2);
  await alice.delete(`${PATH}/${id}`).ok();
  await retain(0);
  assert.equal(await isThere(media), true);
  await retain(2);
  assert.equal(await isThere(media), false);
});

test("the person's other apps are told that drafts changed, and nobody else", async (context) => {
  const listen = async ({ token }: Person) => {
    const client = await openStream(t.url, { query: { access_token: token, stream: "user" } });
    context.after(() => client.socket.close());
    await client.settle();
    return client;
  };
  const [own, others] = [await listen(alice), await listen(bob)];
  const { id } = await draft("x");
  await alice.put(`${PATH}/${id}`, { version: 1, statuses: [{ status: "y" }] }).ok();
  await alice.delete(`${PATH}/${id}`).ok();
  const frames = [await own.next(), await own.next(), await own.next()];
  for (const { event, stream } of frames)
    assert.deepEqual([event, stream], ["drafts_changed", ["user"]]);
  await others.settle();
  assert.deepEqual(others.frames, []);
});
