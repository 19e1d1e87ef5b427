// Posts that end: when may be said, what apps and other servers are told, that they are deleted then with all that
// follows, and that those of other servers are, where these say so.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { formOf, picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { ownActivities } from "../../about/transfers/archive/posts.ts";
import { readNote } from "../../about/transfers/posts/read-post.ts";

type Json = Record<string, any>;

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let t: TestApp;
let peer: FakePeer;
let remote: PeerActor;
let author: Person;
let reader: Person;
let now = new Date();

const post = (json: Json): Promise<any> =>
  author.post("/api/v1/statuses", { status: "soon gone", ...json }).ok();

const ahead = (ms: number): string => new Date(now.getTime() + ms).toISOString();

/** So much later, after the job ran. */
const later = async (ms: number): Promise<void> => {
  now = new Date(now.getTime() + ms);
  await t.app.jobs.add(t.app.sql, "statuses.expire", {});
  await t.runJobs();
};

const stateOf = async (id: string): Promise<number> =>
  (await author.get(`/api/v1/statuses/${id}`)).status;

/** What the other server was sent about it. */
const sentAbout = (uri: string): Json[] =>
  (peer.inbox() as Json[]).filter(({ object }) => object?.id === uri);

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  peer = await startPeer("127.0.0.1");
  [author, reader] = [await t.person("author"), await t.person("reader")];
  await reader.post(`/api/v1/accounts/${author.accountId}/follow`).ok();
  remote = peer.actor("remote");
  await remote.deliver(t, {
    id: `${remote.uri}/follow`,
    type: "Follow",
    object: `${t.url}/users/author`,
  });
});
after(async () => {
  await peer?.close();
  await t?.close();
});

test("it is said in seconds or as a time, and shown; others say nothing", async () => {
  const inSeconds = await post({ expires_in: 3600 });
  assertEntity("Status", inSeconds);
  assert.equal(inSeconds.expires_at, ahead(HOUR));
  assert.equal((await post({ expires_at: ahead(2 * HOUR) })).expires_at, ahead(2 * HOUR));
  for (const never of [{}, { expires_in: "" }, { expires_at: "" }, { expires_in: null }])
    assert.ok(!("expires_at" in (await post(never))));
});

test("from 5 minutes to 5 years, and a time", async () => {
  const wrong = [
    { expires_in: 299 },
    { expires_in: -1 },
    { expires_in: 200_000_000 },
    { expires_at: "tomorrow" },
    { expires_at: ahead(4 * MINUTE) },
    { expires_at: ahead(6 * 366 * 24 * HOUR) },
  ];
  for (const json of wrong) {
    const { status } = await author.post("/api/v1/statuses", { status: "x", ...json });
    assert.equal(status, 422, JSON.stringify(json));
  }
  const kept = await post({});
  for (const json of wrong) {
    const changed = { status: "soon gone", ...json };
    assert.equal((await author.put(`/api/v1/statuses/${kept.id}`, changed)).status, 422);
  }
});

test("of other servers what these say is done, and changed by them alone", async () => {
  const href = `${t.url}/users/author`;
  const tag = [{ type: "Mention", href, name: "@author" }];
  const note = peer.note(remote, "/notes/ends", { expires: ahead(HOUR), tag, cc: [href] });
  await remote.deliver(t, { id: `${note["id"]}/activity`, type: "Create", object: note });
  // Before the clock goes on: the other server signs by the real one.
  const find = async (): Promise<Json | undefined> => {
    const path = `/api/v2/search?resolve=false&q=${encodeURIComponent(String(note["id"]))}`;
    return (await author.get(path).ok()).statuses[0];
  };
  assert.equal((await find())!["expires_at"], ahead(HOUR));
  await remote.deliver(t, {
    id: `${note["id"]}/update`,
    type: "Update",
    object: { ...note, expires: ahead(2 * HOUR) },
  });
  assert.equal((await find())!["expires_at"], ahead(2 * HOUR));
  await later(HOUR);
  assert.ok(await find());
  await later(HOUR);
  assert.equal(await find(), undefined);
});

test("it is deleted then, for everybody, with its files, boosts and feeds, once", async () => {
  const multipart = formOf(await picture("png"), {});
  const upload = await author.post("/api/v2/media", multipart);
  await t.runJobs();
  const { id, uri } = await post({ expires_in: 3600, media_ids: [upload.json.id] });
  const kept = await post({ status: "stays" });
  await reader.post(`/api/v1/statuses/${id}/reblog`).ok();
  await t.runJobs();
  const [create] = sentAbout(uri);
  assert.equal(create!["object"].expires, `${ahead(HOUR).slice(0, 19)}Z`);
  assert.ok(!("endTime" in create!["object"]));
  await later(HOUR - MINUTE);
  assert.equal(await stateOf(id), 200);
  await later(MINUTE);
  await later(MINUTE);
  assert.deepEqual([await stateOf(id), await stateOf(kept.id)], [404, 200]);
  const deletes = sentAbout(uri).filter(({ type }) => type === "Delete");
  assert.equal(deletes.length, 1);
  const home: Json[] = await reader.get("/api/v1/timelines/home").ok();
  assert.ok(home.every((status) => status["id"] !== id && status["reblog"]?.id !== id));
  const files = await t.app.sql`SELECT FROM media_attachments WHERE id = ${upload.json.id}`;
  assert.equal(files.length, 0);
});

test("an edit puts it off or takes it away, is no version of its own, and is told", async () => {
  const { id, uri } = await post({ expires_in: 3600 });
  const edit = (json: Json) =>
    author.put(`/api/v1/statuses/${id}`, { status: "soon gone", ...json }).ok();
  assert.equal((await edit({})).expires_at, ahead(HOUR), "nothing is said");
  const moved = await edit({ expires_in: 7200 });
  assert.deepEqual([moved.expires_at, moved.edited_at], [ahead(2 * HOUR), null]);
  await t.runJobs();
  const told = sentAbout(uri).at(-1)!;
  assert.deepEqual(
    [told["type"], told["object"].expires],
    ["Update", `${ahead(2 * HOUR).slice(0, 19)}Z`],
  );
  await later(HOUR);
  assert.equal(await stateOf(id), 200);
  assert.ok(!("expires_at" in (await edit({ expires_at: null }))));
  await later(2 * HOUR);
  assert.equal(await stateOf(id), 200);
  const others = await reader.put(`/api/v1/statuses/${id}`, { status: "x" });
  assert.ok([403, 404].includes(others.status));
});

test("a scheduled one counts from when it is posted, and cannot end before", async () => {
  const scheduled_at = ahead(HOUR);
  const refused = { status: "x", scheduled_at, expires_at: ahead(HOUR + MINUTE) };
  assert.equal((await author.post("/api/v1/statuses", refused)).status, 422);
  const scheduled = await post({ status: "later", scheduled_at, expires_in: 600 });
  assertEntity("ScheduledStatus", scheduled);
  assert.equal(scheduled.params.expires_in, 600);
  const dated = await post({ scheduled_at, expires_at: ahead(2 * HOUR) });
  assert.equal(dated.params.expires_at, ahead(2 * HOUR));
  await author.delete(`/api/v1/scheduled_statuses/${dated.id}`).ok();
  now = new Date(now.getTime() + HOUR);
  await t.app.jobs.add(t.app.sql, "status.scheduled", { id: scheduled.id });
  await t.runJobs();
  const [newest] = await author.get(`/api/v1/accounts/${author.accountId}/statuses`).ok();
  assert.deepEqual([newest.content, newest.expires_at], ["<p>later</p>", ahead(600_000)]);
});

test("archives say when, and bring it back", async () => {
  const fresh = await t.person("archivist");
  await fresh.post("/api/v1/statuses", { status: "kept", expires_in: 3600 }).ok();
  const actorUri = `${t.url}/users/archivist`;
  const context = { actorUri, followersUrl: null, domain: null };
  for await (const { object } of ownActivities(t.app, fresh.accountId)) {
    const read = readNote({ note: object as Json, context, lostFiles: 0 }, now);
    const expiresAt = "post" in read ? read.post.expiresAt : null;
    assert.equal(expiresAt, `${ahead(HOUR).slice(0, 19)}.000Z`);
  }
});
