// The streams as text/event-stream, over real HTTP.

import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Person } from "../../../../test/harness.ts";
import { until } from "../../../../test/stream-client.ts";
import { streamingWorld } from "../../../../test/streaming-world.ts";
import {
  listChannel,
  publishDeletes,
  publishToUsers,
  publishTokensRevoked,
  statusEvent,
} from "../timelines/streams.ts";

const world = streamingWorld();

const sse = async (path: string, who: Person, url = world.server.url) => {
  const stop = new AbortController();
  const response = await fetch(`${url}/api/v1/streaming/${path}`, {
    headers: { authorization: `Bearer ${who.token}` },
    signal: stop.signal,
  });
  let text = "";
  const reading = (async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  })().catch(() => undefined);
  const close = async () => {
    stop.abort();
    await reading;
  };
  return { response, text: () => text, close };
};

test("event streams have the exact frames and headers", async () => {
  const stream = await sse("public/local", world.bob);
  const { headers, status } = stream.response;
  assert.equal(status, 200);
  assert.equal(headers.get("content-type"), "text/event-stream");
  assert.equal(headers.get("cache-control"), "private, no-store");
  assert.equal(headers.get("x-accel-buffering"), "no");
  assert.equal(headers.get("access-control-allow-origin"), "*");
  const view = await world.publish(world.alice, "by\nevent stream");
  const payload = statusEvent(world.server.app, view, "update").payload;
  await publishDeletes(world.server.app, [{ ...view, reblogOfId: null, tags: [] }]);
  const expected = `event: update\ndata: ${payload}\n\nevent: delete\ndata: ${view.id}\n\n`;
  await until("both events", () => (stream.text().length >= expected.length ? true : undefined));
  assert.equal(stream.text(), expected);
  await stream.close();
});

test("every path streams its own", async () => {
  const paths = {
    user: 1,
    "user/notification": 1,
    public: 1,
    "public/local": 1,
    "public/remote": 0,
    "public?only_media=true": 0,
    "public?only_media=false": 1,
    "hashtag?tag=Every": 1,
    "hashtag/local?tag=every": 1,
    "hashtag?tag=other": 0,
    direct: 0,
  };
  const streams = new Map<string, Awaited<ReturnType<typeof sse>>>();
  for (const path of Object.keys(paths)) {
    const stream = await sse(path, world.bob);
    assert.equal(stream.response.status, 200, path);
    streams.set(path, stream);
  }
  await world.publish(world.alice, "where #every");
  await publishToUsers(world.server.app, [world.bob.accountId], {
    event: "notification",
    payload: "{}",
  });
  await sleep(100);
  for (const [path, count] of Object.entries(paths)) {
    const events = streams.get(path)!.text().split("event: ").length - 1;
    assert.equal(events, count, path);
    await streams.get(path)!.close();
  }
});

test("one's own list is streamed, not those of others", async () => {
  const { alice, bob, server } = world;
  const { id } = (await bob.post("/api/v1/lists", { title: "Live" })).json;
  const stream = await sse(`list?list=${id}`, bob);
  assert.equal(stream.response.status, 200);
  const theirs = await sse(`list?list=${id}`, alice);
  assert.equal(theirs.response.status, 401);
  await server.app.pubsub.publish(listChannel({ id, ownerId: bob.accountId }), {
    event: "delete",
    payload: "1",
  });
  await until("the event", () => (stream.text() === "" ? undefined : true));
  assert.equal(stream.text(), "event: delete\ndata: 1\n\n");
  await stream.close();
  await theirs.close();
});

test("the data of an event without a payload is JSON, too", async () => {
  const stream = await sse("user", world.bob);
  const json = { title: "data", context: ["home"] };
  await world.bob.post("/api/v2/filters", json);
  await until("the event", () => (stream.text() === "" ? undefined : true));
  assert.equal(stream.text(), "event: filters_changed\ndata: {}\n\n");
  await stream.close();
});

test("event streams refuse as the contract says", async () => {
  const status = async (path: string, token: string | null) => {
    const answer = await world.server.as(token).get(`/api/v1/streaming/${path}`);
    assert.equal(typeof answer.json.error, "string");
    return answer.status;
  };
  const notifications = await world.server.token(world.bob.userId, ["read:notifications"]);
  const statuses = await world.server.token(world.bob.userId, ["read:statuses"]);
  assert.equal(await status("user", null), 401);
  assert.equal(await status("user", "nonsense"), 401);
  assert.equal(await status("user", await world.server.token(null, ["read"])), 401);
  assert.equal(await status("user", notifications), 401);
  assert.equal(await status("user/notification", statuses), 401);
  assert.equal(await status("hashtag", world.bob.token), 400);
  assert.equal(await status("list", world.bob.token), 400);
  assert.equal(await status("list?list=1", world.bob.token), 401);
  assert.equal(await status("nonsense", world.bob.token), 400);
  assert.equal(await status("nonsense", null), 401);
});

test("health answers OK to everybody", async () => {
  const answer = await world.server.visitor.get("/api/v1/streaming/health");
  assert.equal(answer.status, 200);
  assert.equal(answer.text, "OK");
  assert.match(answer.headers.get("content-type") ?? "", /^text\/plain/);
});

test("event streams thump while nothing happens, and end with their token", async () => {
  await world.withLimits({ thumpSeconds: 0.05 }, async (url) => {
    const stream = await sse("user", world.bob, url);
    await until("two thumps", () =>
      stream.text().startsWith(":thump\n:thump\n") ? true : undefined,
    );
    await publishTokensRevoked(world.server.app, { userId: world.bob.userId });
    await sleep(100);
    const { length } = stream.text();
    await sleep(150);
    assert.equal(stream.text().length, length);
    await stream.close();
  });
});

test("an event stream that is not read is dropped", async () => {
  await world.withLimits({ maxBuffered: 200_000 }, async (url) => {
    const headers = { authorization: `Bearer ${world.bob.token}` };
    const dropped = new Promise<void>((resolve, reject) => {
      const request = httpRequest(`${url}/api/v1/streaming/user`, { headers }, (response) => {
        response.pause();
        response.on("error", () => resolve());
        setTimeout(() => response.resume(), 1500);
        response.on("end", () => reject(new Error("ended as if it were whole")));
      });
      request.on("error", reject);
      setTimeout(() => reject(new Error("it was not dropped")), 8000).unref();
      request.end();
    });
    await sleep(100);
    const text = "x".repeat(100_000);
    for (let n = 0; n < 300; n++) {
      await world.notifyUser(world.bob, text);
      await sleep(1);
    }
    await dropped;
  });
});
