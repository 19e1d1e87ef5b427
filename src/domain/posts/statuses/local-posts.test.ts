// Posts that stay on this server: who sees them, how apps are told, what replies to and quotes them, and that nothing
// of it leaves (test/security/audiences.test.ts asks every route).

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { ownActivities } from "../../about/transfers/archive/posts.ts";
import { fromMisskey } from "../../about/transfers/posts/notes.ts";
import { readNote } from "../../about/transfers/posts/read-post.ts";

type Json = Record<string, any>;

let t: TestApp;
let peer: FakePeer;
let author: Person;
let follower: Person;
let stranger: Person;

const post = (by: Person, json: Json): Promise<any> =>
  by.post("/api/v1/statuses", { status: "words", ...json }).ok();

const stateOf = async (by: Person | null, id: string): Promise<number> =>
  (await (by ?? t.visitor).get(`/api/v1/statuses/${id}`)).status;

before(async () => {
  t = await startTestApp();
  peer = await startPeer("127.0.0.1");
  [author, follower, stranger] = [
    await t.person("author"),
    await t.person("follower"),
    await t.person("stranger"),
  ];
  await follower.post(`/api/v1/accounts/${author.accountId}/follow`).ok();
  const remote = peer.actor("remote");
  await remote.deliver(t, {
    id: `${remote.uri}/follow`,
    type: "Follow",
    object: `${t.url}/users/author`,
  });
  peer.received.length = 0;
});
after(async () => {
  await peer?.close();
  await t?.close();
});

test("for everybody here, or for followers here: apps are told by what they know, and local_only", async () => {
  const local = await post(author, { visibility: "local" });
  assertEntity("Status", local);
  assert.deepEqual([local.visibility, local.local_only], ["unlisted", true]);
  assert.deepEqual(
    await Promise.all([author, follower, stranger, null].map((by) => stateOf(by, local.id))),
    [200, 200, 200, 404],
  );
  const narrow = await post(author, { visibility: "local_followers" });
  assert.deepEqual([narrow.visibility, narrow.local_only], ["private", true]);
  assert.deepEqual(
    await Promise.all([author, follower, stranger, null].map((by) => stateOf(by, narrow.id))),
    [200, 200, 404, 404],
  );
  assert.equal((await post(author, {})).local_only, undefined);
  await t.runJobs();
  const home = await follower.get("/api/v1/timelines/home").ok();
  assert.ok([local.id, narrow.id].every((id) => home.some((status: Json) => status["id"] === id)));
});

test("what answers or quotes it stays here too, as narrow as it was chosen", async () => {
  const local = await post(author, { visibility: "local" });
  const answer = (visibility: string) => post(stranger, { in_reply_to_id: local.id, visibility });
  const kept = async (status: Json) => [status["visibility"], status["local_only"]];
  assert.deepEqual(await kept(await answer("public")), ["unlisted", true]);
  assert.deepEqual(await kept(await answer("private")), ["private", true]);
  assert.deepEqual(await kept(await post(stranger, { in_reply_to_id: local.id })), [
    "unlisted",
    true,
  ]);
  const quote = await post(author, { quoted_status_id: local.id, visibility: "public" });
  assert.deepEqual(await kept(quote), ["unlisted", true]);
  const boost = await author.post(`/api/v1/statuses/${local.id}/reblog`).ok();
  assert.equal(boost.local_only, true);
  assert.equal((await stranger.post(`/api/v1/statuses/${local.id}/reblog`)).status, 403);
});

test("a private mention about it names people here alone", async () => {
  const local = await post(author, { visibility: "local" });
  const json = { in_reply_to_id: local.id, visibility: "direct" };
  assert.equal((await post(stranger, { ...json, status: "@author hm" })).visibility, "direct");
  const refused = await stranger.post("/api/v1/statuses", {
    ...json,
    status: `@remote@${peer.host} look`,
  });
  assert.equal(refused.status, 422);
  assert.match(refused.json.error, /people of this server only/);
});

test("nothing of it is sent, also to whom it mentions, when it is edited, pinned or deleted", async () => {
  await t.runJobs();
  peer.received.length = 0;
  const status = `for @remote@${peer.host}`;
  const { id, uri } = await post(author, { status, visibility: "local" });
  await author.post(`/api/v1/statuses/${id}/pin`).ok();
  await author.put(`/api/v1/statuses/${id}`, { status: `${status}, again` }).ok();
  await author.delete(`/api/v1/statuses/${id}`).ok();
  const open = await post(author, { status: "and this is for all" });
  await t.runJobs();
  const bodies = peer.received.map(({ body }) => body);
  assert.ok(bodies.some((body) => body.includes(open.uri)));
  assert.ok(!bodies.some((body) => body.includes(uri)));
});

test("a scheduled one is told as such, and unknown ones are refused", async () => {
  const scheduled_at = new Date(t.app.clock.now().getTime() + 3_600_000).toISOString();
  const scheduled = await post(author, { visibility: "local_followers", scheduled_at });
  assertEntity("ScheduledStatus", scheduled);
  assert.deepEqual([scheduled.params.visibility, scheduled.params.local_only], ["private", true]);
  const refused = await author.post("/api/v1/statuses", {
    status: "x",
    visibility: "here",
  });
  assert.equal(refused.status, 422);
});

test("archives say which they are, and bring them back; Misskey's too", async () => {
  const fresh = await t.person("archivist");
  await post(fresh, { visibility: "local", status: "kept" });
  await post(fresh, { visibility: "private", status: "sent" });
  const found: unknown[] = [];
  const now = t.app.clock.now();
  const actorUri = `${t.url}/users/archivist`;
  const context = { actorUri, followersUrl: `${actorUri}/followers`, origin: t.url, host: t.url };
  for await (const activity of ownActivities(t.app, fresh.accountId)) {
    const note = activity["object"] as Json;
    const read = readNote({ note, context, lostFiles: 0 } as never, now);
    found.push([note["visibility"], "post" in read && read.post.visibility]);
  }
  assert.deepEqual(found, [
    ["local", "local"],
    [undefined, "private"],
  ]);
  const item = { id: "9abc", text: "kept", visibility: "public", localOnly: true };
  const ago = { ...item, createdAt: "2024-01-01T00:00:00.000Z" };
  const read = readNote(fromMisskey(ago, t.app.config.site), now);
  assert.equal("post" in read && read.post.visibility, "local");
});
