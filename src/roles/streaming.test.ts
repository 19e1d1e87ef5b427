// Streaming over real sockets: tokens, scopes, messages, frames.

import { asPerson } from "../platform/viewer.ts";
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import type { Person } from "../../test/harness.ts";
import { assertEntity } from "../../test/schema.ts";
import { until } from "../../test/stream-client.ts";
import { streamingWorld } from "../../test/streaming-world.ts";
import { relationsChanged } from "../domain/people/relationships/changed.ts";
import { loadStatuses } from "../domain/posts/statuses/load.ts";
import { publishStatus, publishToUsers, statusEvent } from "../domain/reading/timelines/streams.ts";

const world = streamingWorld();

test("the token comes by query, by header, or by subprotocol, which is echoed", async () => {
  await world.open({ query: { access_token: world.alice.token } });
  await world.open({ headers: { authorization: `Bearer ${world.alice.token}` } });
  await world.open({ path: "/api/v1/streaming/", query: { access_token: world.alice.token } });
  await world.open({ path: "/api//v1/streaming", query: { access_token: world.alice.token } });
  const client = await world.open({ protocols: [world.alice.token] });
  assert.equal(client.socket.protocol, world.alice.token);
});

test("the upgrade is refused with 401 without a good token, and 404 on other paths", async () => {
  const revoked = await world.server.token(world.alice.userId, ["read"]);
  await world.server.write`
    UPDATE oauth_tokens SET revoked_at = now() WHERE id = (SELECT max(id) FROM oauth_tokens)
  `;
  const tokens = {
    none: "",
    unknown: "nonsense",
    revoked,
    "of an app": await world.server.token(null, ["read"]),
    "of another scope": await world.server.token(world.alice.userId, ["write", "push"]),
  };
  for (const [name, token] of Object.entries(tokens)) {
    const query: Record<string, string> = token ? { access_token: token } : {};
    await assert.rejects(world.open({ query }), /refused with 401/, name);
  }
  await assert.rejects(world.open({ protocols: ["nonsense"] }), /refused with 401/);
  await world.server.write`UPDATE users SET disabled = true WHERE id = ${world.alice.userId}`;
  await assert.rejects(
    world.open({ query: { access_token: world.alice.token } }),
    /refused with 401/,
  );
  await assert.rejects(
    world.open({ path: "/api/v1/elsewhere", query: { access_token: world.bob.token } }),
    /refused with 404/,
  );
});

test("a refusal has a JSON body; a request without upgrade is a 404; h2c is answered as usual", async () => {
  const raw = (path: string, headers: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(world.server.url);
      const socket = connect(Number(port), hostname);
      let text = "";
      socket.on("data", (chunk) => (text += chunk));
      socket.on("error", reject);
      socket.on("close", () => resolve(text));
      socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${headers}\r\n\r\n`);
    });
  const refused = await raw(
    "/api/v1/streaming",
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  );
  assert.match(refused, /^HTTP\/1\.1 401 Unauthorized\r\n/);
  assert.match(refused, /content-type: application\/json/i);
  assert.match(refused, /\{"error":"The access token is invalid"\}$/);
  const upgradeToH2 =
    "Connection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAQAA";
  assert.match(await raw("/api/v1/streaming/health", upgradeToH2), /^HTTP\/1\.1 200 OK[^]*OK$/);
  const plain = await world.alice.get("/api/v1/streaming");
  assert.equal(plain.status, 404);
  assert.ok(plain.json.error);
});

test("the address subscribes; frames carry stream, event, and the entity as text", async () => {
  const client = await world.open({ query: { access_token: world.bob.token, stream: "user" } });
  const view = await world.post(world.alice, "to the home of bob");
  await publishToUsers(
    world.server.app,
    [world.bob.accountId],
    statusEvent(world.server.app, view, "update"),
  );
  const frame = await client.next();
  assertEntity("StreamEvent", frame);
  assert.deepEqual(Object.keys(frame), ["stream", "event", "payload"]);
  assert.deepEqual(frame.stream, ["user"]);
  assert.equal(frame.event, "update");
  const status = JSON.parse(frame.payload!);
  assertEntity("Status", status);
  assert.equal(status.id, view.id);
  assert.equal("favourited" in status, false);
});

test("an entity that was loaded for one viewer is streamed without that viewer's part", async () => {
  const client = await world.listen(world.bob, { stream: "public" });
  const view = await world.post(world.alice, "seen by alice");
  const [mine] = await loadStatuses(world.server.app, [view.id], asPerson(world.alice.accountId));
  await publishStatus(world.server.app, mine!, "update");
  const status = JSON.parse((await client.next()).payload!);
  for (const member of ["favourited", "reblogged", "bookmarked", "pinned"]) {
    assert.equal(member in status, false, member);
  }
});

test("one socket can have many streams, and each frame names its own", async () => {
  const client = await world.listen(
    world.bob,
    { stream: "public" },
    { stream: "public:local" },
    { stream: "public:remote" },
    { stream: "public:media" },
    { stream: "hashtag", tag: "CatsOf" },
    { stream: "hashtag:local", tag: "catsof" },
    { stream: "hashtag", tag: "dogs" },
  );
  await world.publish(world.alice, "look #catsof");
  await client.settle();
  assert.deepEqual(client.frames.map((frame) => frame.stream).sort(), [
    ["hashtag", "CatsOf"],
    ["hashtag:local", "catsof"],
    ["public"],
    ["public:local"],
  ]);
});

test("subscribing twice to a stream gives each event once; unsubscribing ends it", async () => {
  const client = await world.listen(
    world.bob,
    { stream: "hashtag", tag: "Twice" },
    { stream: "hashtag", tag: "twice" },
    { stream: "public" },
    { stream: "public" },
  );
  await world.publish(world.alice, "once #twice");
  await client.settle();
  assert.deepEqual(
    client.frames.map((frame) => frame.stream),
    [["public"], ["hashtag", "Twice"]],
  );
  client.frames.length = 0;
  client.send({ type: "unsubscribe", stream: "hashtag", tag: "TWICE" });
  client.send({ type: "unsubscribe", stream: "public" });
  await client.settle();
  await world.publish(world.alice, "gone #twice");
  await client.settle();
  assert.deepEqual(client.frames, []);
});

test("a subscription counts from the moment that its message arrived", async () => {
  // bob's relations are still being loaded when the event comes: it is queued, then delivered.
  const client = await world.open({ query: { access_token: world.bob.token } });
  client.send({ type: "subscribe", stream: "user" });
  await client.settle();
  await relationsChanged(world.server.app, world.bob.accountId);
  await world.notifyUser(world.bob, "at once");
  assert.equal((await client.next()).payload, "at once");

  const view = await world.post(world.alice, "in the same breath");
  const event = statusEvent(world.server.app, view, "update");
  const other = await world.open({ query: { access_token: world.bob.token, stream: "user" } });
  await publishToUsers(world.server.app, [world.bob.accountId], event);
  assert.equal(JSON.parse((await other.next()).payload!).id, view.id);
});

test("subscribing and posting at the same time loses nothing", async () => {
  const client = await world.open({ query: { access_token: world.bob.token } });
  for (let n = 0; n < 5; n++) {
    client.send({ type: "subscribe", stream: "hashtag", tag: `breath${n}` });
    const view = await world.publish(world.alice, `#breath${n}`);
    const frame = await client.next();
    assert.deepEqual(frame.stream, ["hashtag", `breath${n}`]);
    assert.equal(JSON.parse(frame.payload!).id, view.id);
  }
});

test("queued events keep their order", async () => {
  const client = await world.listen(world.bob, { stream: "user" });
  await relationsChanged(world.server.app, world.bob.accountId);
  for (let n = 0; n < 20; n++) await world.notifyUser(world.bob, String(n));
  await until("twenty frames", () => (client.frames.length === 20 ? true : undefined));
  assert.deepEqual(
    client.frames.map((frame) => frame.payload),
    Array.from({ length: 20 }, (_, n) => String(n)),
  );
});

test("errors are frames that leave the socket open; bad JSON and other types are ignored", async () => {
  const client = await world.open({ query: { access_token: world.alice.token } });
  const answer = async (message: object) => {
    client.send(message);
    const { error, ...rest } = await client.next();
    assert.equal(typeof error, "string");
    return rest;
  };
  assert.deepEqual(await answer({ type: "subscribe", stream: "nonsense" }), { status: 400 });
  assert.deepEqual(await answer({ type: "subscribe" }), { status: 400 });
  assert.deepEqual(await answer({ type: "subscribe", stream: ["user"] }), { status: 400 });
  assert.deepEqual(await answer({ type: "subscribe", stream: "hashtag" }), { status: 400 });
  assert.deepEqual(await answer({ type: "subscribe", stream: "hashtag", tag: "#" }), {
    status: 400,
  });
  assert.deepEqual(await answer({ type: "subscribe", stream: "list" }), { status: 400 });
  assert.deepEqual(await answer({ type: "subscribe", stream: "list", list: "1" }), { status: 401 });
  client.send("{not json");
  client.send("null");
  client.send("[1]");
  client.send({ type: "nonsense", stream: "user" });
  client.socket.send(Buffer.from(JSON.stringify({ type: "subscribe", stream: "nonsense" })));
  client.send({ type: "subscribe", stream: "nonsense" });
  assert.deepEqual(await client.next(), { error: "Unknown stream type", status: 400 });
  assert.equal(client.frames.length, 0);
  client.send({ type: "subscribe", stream: "user" });
  await client.settle();
  await world.notifyUser(world.alice, "still here");
  assert.equal((await client.next()).payload, "still here");
});

test("each stream requires its scope, and user leaves out notifications without theirs", async () => {
  const token = async (...scopes: string[]) => ({
    ...world.alice,
    token: await world.server.token(world.alice.userId, scopes),
  });
  const streams = ["user", "user:notification", "public", "direct"];
  const refused = async (who: Person) => {
    const client = await world.listen(who);
    const events: string[] = [];
    for (const stream of streams) {
      client.send({ type: "subscribe", stream });
      await client.settle();
      if (client.frames.splice(0).some((frame) => frame.status === 401)) events.push(stream);
    }
    return events;
  };
  assert.deepEqual(await refused(await token("read")), []);
  assert.deepEqual(await refused(await token("read:statuses")), ["user:notification"]);
  assert.deepEqual(await refused(await token("read:notifications")), ["user", "public", "direct"]);

  const partial = await world.listen(await token("read:statuses"), { stream: "user" });
  const whole = await world.listen(
    world.alice,
    { stream: "user" },
    { stream: "user:notification" },
  );
  await publishToUsers(world.server.app, [world.alice.accountId], {
    event: "notification",
    payload: "{}",
  });
  await world.notifyUser(world.alice, "after");
  assert.equal((await partial.next()).event, "test");
  await until("three frames", () => (whole.frames.length === 3 ? true : undefined));
  assert.deepEqual(
    whole.frames.map((frame) => [frame.stream, frame.event]),
    [
      [["user"], "notification"],
      [["user:notification"], "notification"],
      [["user"], "test"],
    ],
  );
});
