// Describing files of posts and scheduled posts: PUT /api/v1/media/:id.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import { formOf, picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { openStream } from "../../../../test/stream-client.ts";

let t: TestApp;
let peer: FakePeer;
let remy: PeerActor;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  peer = await startPeer("127.0.0.2");
  remy = peer.actor("remy");
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(async () => {
  await peer.close();
  await t.close();
});

const uploaded = async (): Promise<string> => {
  const multipart = formOf(await picture("png"), { description: "before" });
  const answer = await alice.post("/api/v2/media", multipart);
  await t.runJobs();
  return answer.json.id;
};

const put = (id: string, json: object, who = alice) => who.put(`/api/v1/media/${id}`, json);

test("of a post: it is shown, streamed, sent and in its history, as an edit", async () => {
  const follow = { id: `${remy.uri}#follow`, type: "Follow", actor: remy.uri };
  await remy.deliver(t, { ...follow, object: `${t.url}/users/alice` });
  const id = await uploaded();
  const { json: status } = await alice.post("/api/v1/statuses", { status: "x", media_ids: [id] });
  await t.runJobs();
  const stream = await openStream(t.url, {
    query: { access_token: alice.token, stream: "user" },
  });
  await stream.settle();
  const answer = await put(id, { description: "after", focus: "0.5,-0.5" }).ok();
  assertEntity("MediaAttachment", answer);
  assert.deepEqual([answer.description, answer.meta.focus], ["after", { x: 0.5, y: -0.5 }]);
  await t.runJobs();
  const frame = await stream.next();
  assert.equal(frame.event, "status.update");
  const streamed = JSON.parse(frame.payload!);
  const shown = (await alice.get(`/api/v1/statuses/${status.id}`)).json;
  for (const entity of [streamed, shown]) {
    assert.equal(entity.media_attachments[0].description, "after");
    assert.notEqual(entity.edited_at, null);
  }
  const { json: history } = await alice.get(`/api/v1/statuses/${status.id}/history`);
  assert.deepEqual(
    history.map((edit: any) => edit.media_attachments[0].description),
    ["before", "after"],
  );
  const note = (
    await t.visitor.get(`/users/alice/statuses/${status.id}`, {
      accept: "application/activity+json",
    })
  ).json;
  assert.equal(note.attachment[0].name, "after");
  assert.ok(note.updated);
  const update = peer.inbox().find((activity) => activity["type"] === "Update") as any;
  assert.equal(update.object.attachment[0].name, "after");

  await put(id, { description: "after", focus: "0.5,-0.5" }).ok();
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}/history`)).json.length, 2);
  assert.equal((await alice.get(`/api/v1/media/${id}`)).json.description, "after");
  stream.socket.close();
});

test("of a post: a new preview takes the old one's place", async () => {
  const id = await uploaded();
  const { json: status } = await alice.post("/api/v1/statuses", { media_ids: [id] });
  const before = status.media_attachments[0];
  const multipart = formOf(null, { thumbnail: await picture("png", 40, 20) });
  await alice.put(`/api/v1/media/${id}`, multipart).ok();
  const [now] = (await alice.get(`/api/v1/statuses/${status.id}`)).json.media_attachments;
  assert.notEqual(now.preview_url, before.preview_url);
  assert.deepEqual([now.meta.small.width, now.meta.small.height], [40, 20]);
  assert.equal(now.description, "before");
});

test("of a scheduled post: it is posted with what was said last", async () => {
  const id = await uploaded();
  const at = new Date(Date.now() + 3600_000).toISOString();
  const scheduled = (
    await alice.post("/api/v1/statuses", { status: "later", media_ids: [id], scheduled_at: at })
  ).json;
  await put(id, { description: "after" }).ok();
  const shown = (await alice.get(`/api/v1/scheduled_statuses/${scheduled.id}`)).json;
  assert.equal(shown.media_attachments[0].description, "after");
});

test("others' files are not there, and too long a text is refused", async () => {
  const id = await uploaded();
  const { json: status } = await alice.post("/api/v1/statuses", { media_ids: [id] });
  assert.equal((await put(id, { description: "mine" }, bob)).status, 404);
  assert.equal((await bob.get(`/api/v1/media/${id}`)).status, 404);
  assert.equal((await put(id, { description: "x".repeat(10_001) })).status, 422);
  assert.equal((await t.visitor.put(`/api/v1/media/${id}`, {})).status, 401);
  const { json: now } = await alice.get(`/api/v1/statuses/${status.id}`);
  assert.deepEqual([now.media_attachments[0].description, now.edited_at], ["before", null]);
});

test("an edit that repeats what is said of its files is no edit", async () => {
  const id = await uploaded();
  const { json: status } = await alice.post("/api/v1/statuses", { status: "x", media_ids: [id] });
  const change = {
    status: "x",
    media_ids: [id],
    media_attributes: [{ id, description: "before", focus: "0,0" }],
  };
  const { json: now } = await alice.put(`/api/v1/statuses/${status.id}`, change);
  assert.equal(now.edited_at, null);
});
