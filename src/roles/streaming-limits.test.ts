// How open streams end: revoked tokens, slow and dead listeners, limits, the end of the server.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocket } from "ws";
import { until } from "../../test/stream-client.ts";
import type { StreamClient } from "../../test/stream-client.ts";
import { streamingWorld } from "../../test/streaming-world.ts";
import { authenticator } from "../domain/people/oauth/authenticate.ts";
import { loadAudience } from "../domain/reading/streaming/audience.ts";
import { createHub, LIMITS } from "../domain/reading/streaming/hub.ts";
import { publishTokensRevoked } from "../domain/reading/timelines/streams.ts";

const world = streamingWorld();

test("streams of a revoked token, of a person, of an app are closed; others stay", async () => {
  const { app } = world.server;
  const tokenIds = async () =>
    (await app.sql<{ id: string }[]>`SELECT max(id)::text AS id FROM oauth_tokens`).map(
      (row) => row.id,
    );
  const second = { ...world.bob, token: await world.server.token(world.bob.userId, ["read"]) };
  const ids = await tokenIds();
  const [first, other, bobs] = [
    await world.listen(world.bob, { stream: "user" }),
    await world.listen(second, { stream: "user" }),
    await world.listen(world.alice, { stream: "user" }),
  ];
  await publishTokensRevoked(app, { tokenIds: ids });
  assert.equal(await other.closed(), 1008);
  await publishTokensRevoked(app, { appId: "12" });
  await world.notifyUser(world.bob, "not mine");
  assert.equal((await first.next()).payload, "not mine");
  await publishTokensRevoked(app, { userId: world.bob.userId });
  assert.equal(await first.closed(), 1008);
  await publishTokensRevoked(app, { accountId: world.alice.accountId });
  assert.equal(await bobs.closed(), 1008);
});

test("revoking through the API closes the stream", async () => {
  const token = await world.server.token(world.bob.userId, ["read"]);
  const client = await world.listen({ ...world.bob, token }, { stream: "user" });
  await world.server.visitor.post("/oauth/revoke", new URLSearchParams({ token })).done();
  assert.equal(await client.closed(), 1008);
});

test("those who come back at the same moment are looked up together", async () => {
  const { server, alice, bob } = world;
  const { app } = server;
  const tokens = await Promise.all(
    Array.from({ length: 60 }, (_, n) => server.token([alice, bob][n % 2]!.userId, ["read"])),
  );
  const hub = createHub(app, authenticator(app), LIMITS);
  const identified = await server.countQueries(
    () => Promise.all([...tokens, "unknown"].map((token) => hub.identify(token).catch(() => null))),
    { warm: true },
  );
  const listeners = identified.result.map((listening) => listening?.viewer.username ?? null);
  assert.deepEqual(listeners.slice(0, 2), [alice.username, bob.username]);
  assert.equal(listeners.at(-1), null);
  // And one that notes that they are active.
  assert.ok(identified.queries <= 2, `${identified.queries} for 61 tokens`);
  const read = await server.countQueries(
    () => Promise.all([bob, alice, bob].map(({ accountId }) => loadAudience(app, accountId))),
    { warm: true },
  );
  assert.deepEqual(
    read.result.map(({ accountId }) => accountId),
    [bob.accountId, alice.accountId, bob.accountId],
  );
  // And a setting.
  assert.ok(read.queries <= 3, `${read.queries} for three listeners`);
  await hub.stop();
});

test("a message over 8 KB closes the socket; a hundred streams are the maximum", async () => {
  const client = await world.open({ query: { access_token: world.alice.token } });
  for (let n = 0; n < 101; n++)
    client.send({ type: "subscribe", stream: "hashtag", tag: `t${n}x` });
  const refusal = await client.next();
  assert.equal(refusal.status, 400);
  assert.equal(client.frames.length, 0);
  client.send({ type: "subscribe", stream: "user", rest: "x".repeat(9000) });
  assert.equal(await client.closed(), 1009);
});

test("a listener that does not read is dropped, the others get everything", async () => {
  await world.withLimits({ maxBuffered: 200_000 }, async (url) => {
    const query = { access_token: world.bob.token, stream: "user" };
    const slow = await world.open({ query }, url);
    const quick = await world.open({ query }, url);
    await Promise.all([slow.settle(), quick.settle()]);
    slow.socket.pause();
    const text = "x".repeat(100_000);
    let sent = 0;
    // Kernel buffers take a few megabytes before anything is queued in the server.
    for (; sent < 300; sent++) {
      await world.notifyUser(world.bob, text);
      await sleep(1);
    }
    await until("everything", () => (quick.frames.length === sent ? true : undefined));
    slow.socket.resume();
    assert.equal(await slow.closed(), 1006);
    assert.ok(slow.frames.length < sent, `${slow.frames.length} of ${sent}`);
  });
});

test("a client that pings and does not read the pongs is dropped", async () => {
  await world.withLimits({ maxBuffered: 200_000 }, async (url) => {
    const client = await world.open({ query: { access_token: world.bob.token } }, url);
    await client.settle();
    client.socket.pause();
    const data = "x".repeat(125);
    // Kernel buffers take a few megabytes before anything is queued in the server.
    for (let sent = 0; sent < 400 && client.socket.readyState === WebSocket.OPEN; sent++) {
      for (let n = 0; n < 500; n++) client.socket.ping(data);
      await sleep(1);
    }
    client.socket.resume();
    assert.equal(await client.closed(), 1006);
  });
});

test("a person has so many streams at once, of both kinds; others have theirs", async () => {
  await world.withLimits({ perPerson: 3 }, async (url) => {
    const query = { access_token: world.bob.token };
    const [first] = [await world.open({ query }, url), await world.open({ query }, url)];
    const headers = { authorization: `Bearer ${world.bob.token}` };
    const stop = new AbortController();
    const options = { headers, signal: stop.signal };
    const events = await fetch(`${url}/api/v1/streaming/user`, options);
    assert.equal(events.status, 200);
    await assert.rejects(world.open({ query }, url), /refused with 429/);
    assert.equal((await fetch(`${url}/api/v1/streaming/user`, { headers })).status, 429);
    await world.open({ query: { access_token: world.alice.token } }, url);
    first.socket.terminate();
    stop.abort();
    for (let opened = 0; opened < 2;) {
      opened += await world.open({ query }, url).then(
        () => 1,
        () => sleep(5, 0),
      );
    }
    await assert.rejects(world.open({ query }, url), /refused with 429/);
  });
});

test("a storm of messages ends the stream, and the person opens no other for a while", async () => {
  const requests = { burst: 20, perMinute: 0.001 };
  await world.withLimits({ requests }, async (url) => {
    const carol = await world.server.person("carol");
    const query = { access_token: carol.token };
    const [client, quiet] = [await world.open({ query }, url), await world.open({ query }, url)];
    for (let n = 0; n < 2; n++) {
      client.send({ type: "subscribe", stream: "user" });
      client.send({ type: "unsubscribe", stream: "user" });
    }
    await client.settle();
    assert.equal(client.closeCode, null);
    for (let n = 0; n < 50; n++) client.send({ type: "subscribe", stream: "user" });
    assert.equal(await client.closed(), 1006);
    await assert.rejects(world.open({ query }, url), /refused with 429/);
    // The others of the person stay, as long as they are quiet.
    assert.equal(quiet.closeCode, null);
    await world.open({ query: { access_token: world.alice.token } }, url);
  });
});

test("sockets are pinged, and one that never answers is dropped", async () => {
  await world.withLimits({ pingSeconds: 0.1 }, async (url) => {
    const query = { access_token: world.bob.token, stream: "user" };
    const alive = await world.open({ query }, url);
    let pings = 0;
    alive.socket.on("ping", () => (pings += 1));
    const dead = await world.open({ query, autoPong: false }, url);
    assert.equal(await dead.closed(), 1006);
    await until("three pings", () => (pings >= 3 ? true : undefined));
    assert.equal(alive.closeCode, null);
  });
});

test("closing the server closes its streams", async () => {
  let client: StreamClient | undefined;
  let body: Promise<string> | undefined;
  await world.withLimits({}, async (url) => {
    client = await world.open({ query: { access_token: world.bob.token, stream: "user" } }, url);
    const headers = { authorization: `Bearer ${world.bob.token}` };
    body = (await fetch(`${url}/api/v1/streaming/user`, { headers })).text();
  });
  // Connect again, and not all at once.
  assert.equal(await client!.closed(), 1012);
  const [, ms] = /^retry: (\d+)\n\n$/.exec((await body)!)!;
  assert.ok(Number(ms) >= 500 && Number(ms) <= 3000, ms!);
});

test("many streams end a part at a time, and no more are opened meanwhile", async () => {
  const { app } = world.server;
  const identify = authenticator(app);
  const hub = createHub(app, identify, { ...LIMITS, perPerson: 250 });
  const listening = await hub.identify(world.bob.token);
  const ended: string[] = [];
  for (let n = 0; n < 250; n++) {
    hub.open(listening).begin({ send() {}, end: (reason) => void ended.push(reason) });
  }
  const stopped = hub.stop();
  assert.equal(ended.length, 100);
  await assert.rejects(hub.identify(world.bob.token), { meaning: "unavailable" });
  await stopped;
  assert.deepEqual(ended, Array(250).fill("stopping"));
});
