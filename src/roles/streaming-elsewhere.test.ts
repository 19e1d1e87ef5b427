// Streams in one process of what another one publishes: once the stream has answered, nothing is missed.

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { until } from "../../test/stream-client.ts";
import { streamingWorld } from "../../test/streaming-world.ts";
import type { PubSub } from "../platform/pubsub/index.ts";

const world = streamingWorld();

/**
 * A pubsub whose subscriptions the other processes know of as late as its contract allows: when `ready` was awaited.
 */
const asLateAsAllowed = (pubsub: PubSub): PubSub => {
  const calls: (() => void)[] = [];
  return {
    ...pubsub,
    subscribe(channel, listener) {
      let stop: (() => void) | null = null;
      let isOver = false;
      calls.push(() => {
        if (!isOver) stop = pubsub.subscribe(channel, listener);
      });
      return () => {
        isOver = true;
        stop?.();
      };
    },
    async ready() {
      const now = calls.splice(0);
      await new Promise((resolve) => setImmediate(resolve));
      for (const take of now) take();
    },
  };
};

/** A server with streams, and another process's way to publish. */
const elsewhere = async (work: (url: string) => Promise<void>): Promise<void> => {
  const { app } = world.server;
  const near = app.pubsub;
  app.pubsub = asLateAsAllowed(near);
  try {
    await world.withLimits({}, work);
  } finally {
    app.pubsub = near;
  }
};

test("a WebSocket is open when the stream in its address is in force", () =>
  elsewhere(async (url) => {
    const query = { access_token: world.bob.token, stream: "user" };
    const client = await world.open({ query }, url);
    await world.notifyUser(world.bob, "at once");
    assert.equal((await client.next()).payload, "at once");
  }));

test("a pong says that the streams that were asked for before the ping are in force", () =>
  elsewhere(async (url) => {
    const client = await world.open({ query: { access_token: world.bob.token } }, url);
    client.send({ type: "subscribe", stream: "user" });
    client.socket.ping("1");
    const [data] = await once(client.socket, "pong");
    assert.equal(String(data), "1");
    await world.notifyUser(world.bob, "after the pong");
    assert.equal((await client.next()).payload, "after the pong");
  }));

test("so does the answer to a message that was refused", () =>
  elsewhere(async (url) => {
    const client = await world.open({ query: { access_token: world.bob.token } }, url);
    client.send({ type: "subscribe", stream: "user" });
    await client.settle();
    await world.notifyUser(world.bob, "after the error");
    assert.equal((await client.next()).payload, "after the error");
  }));

test("an event stream has answered when it is in force", () =>
  elsewhere(async (url) => {
    const stop = new AbortController();
    const response = await fetch(`${url}/api/v1/streaming/user`, {
      headers: { authorization: `Bearer ${world.bob.token}` },
      signal: stop.signal,
    });
    let text = "";
    const reading = (async () => {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
    })().catch(() => undefined);
    await world.notifyUser(world.bob, "at once");
    await until("the event", () => (text.includes("data: at once") ? true : undefined));
    stop.abort();
    await reading;
  }));

test("after events were missed streams know whom their listeners have blocked, and end where the token was revoked", async () => {
  const { app, write } = world.server;
  const near = app.pubsub;
  const tells = new Set<() => void>();
  app.pubsub = {
    ...near,
    onMissed(tell) {
      tells.add(tell);
      return () => void tells.delete(tell);
    },
  };
  const carol = await world.server.person("carol");
  try {
    await world.withLimits({}, async (url) => {
      const open = ({ token }: { token: string }) =>
        world.open({ query: { access_token: token, stream: "public" } }, url);
      const [kept, ended] = [await open(world.bob), await open(carol)];
      await world.publish(world.alice, "before");
      assert.equal(JSON.parse((await kept.next()).payload!).content, "<p>before</p>");
      // Nobody says so.
      await write`INSERT INTO blocks (account_id, target_account_id) VALUES (${world.bob.accountId}, ${world.alice.accountId})`;
      await write`
        UPDATE oauth_tokens SET revoked_at = now()
        WHERE user_id = (SELECT id FROM users WHERE account_id = ${carol.accountId})`;
      for (const tell of tells) tell();
      await until("the end of the stream", () => ended.closeCode ?? undefined);
      assert.equal(ended.closeCode, 1008);
      await kept.settle();
      await world.publish(world.alice, "hidden");
      await world.publish(world.bob, "shown");
      assert.equal(JSON.parse((await kept.next()).payload!).content, "<p>shown</p>");
      assert.equal(kept.closeCode, null);
    });
    assert.equal(tells.size, 0);
  } finally {
    app.pubsub = near;
    await write`DELETE FROM blocks WHERE account_id = ${world.bob.accountId}`;
  }
});
