// Tests what every adapter of the pubsub port must do. An adapter's test file calls `pubSubContract`.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { PubSub } from "./index.ts";

/** Makes a listener that collects its events, and a wait for events that a network delivers a little later. */
const collector = () => {
  const got: unknown[] = [];
  return {
    got,
    listener: (payload: unknown) => void got.push(payload),
    async wait(count: number) {
      for (let n = 0; n < 200 && got.length < count; n++) await sleep(5);
      assert.equal(got.length, count);
      return got;
    },
  };
};

/**
 * `make` returns an adapter, and `makeOther` that of another process, where there can be one. Each test has its own
 * channels, so that adapters may share a store.
 */
export const pubSubContract = (
  name: string,
  make: () => Promise<PubSub> | PubSub,
  makeOther?: () => Promise<PubSub>,
): void => {
  let pubsub: PubSub;
  let other: PubSub;
  let number = 0;
  const run = `${Date.now()}`;
  const newChannel = () => `contract:${run}:${number++}`;

  before(async () => {
    pubsub = await make();
    other = makeOther ? await makeOther() : pubsub;
  });
  after(() => Promise.all([pubsub.close(), other.close()]));

  test(`${name}: every listener of the channel gets the payload unchanged`, async () => {
    const [channel, other] = [newChannel(), newChannel()];
    const [a, b, c] = [collector(), collector(), collector()];
    const stops = [
      pubsub.subscribe(channel, a.listener),
      pubsub.subscribe(channel, b.listener),
      pubsub.subscribe(other, c.listener),
    ];
    const payload = { id: "1", nested: [null, true, 1.5, "ü\u{1f426}\n"], empty: {} };
    await pubsub.publish(channel, payload);
    await pubsub.publish(other, "text");
    assert.deepEqual(await a.wait(1), [payload]);
    assert.deepEqual(await b.wait(1), [payload]);
    assert.deepEqual(await c.wait(1), ["text"]);
    for (const stop of stops) stop();
  });

  test(`${name}: events keep their order`, async () => {
    const channel = newChannel();
    const { listener, wait } = collector();
    const stop = pubsub.subscribe(channel, listener);
    const numbers = Array.from({ length: 100 }, (_, n) => n);
    for (const n of numbers) await pubsub.publish(channel, n);
    assert.deepEqual(await wait(100), numbers);
    stop();
  });

  test(`${name}: publishing to nobody is fine`, async () => {
    await pubsub.publish(newChannel(), { lost: true });
  });

  test(`${name}: a listener that stopped gets nothing more, and may stop twice`, async () => {
    const channel = newChannel();
    const [left, stays] = [collector(), collector()];
    const stop = pubsub.subscribe(channel, left.listener);
    const stopOther = pubsub.subscribe(channel, stays.listener);
    stop();
    stop();
    await pubsub.publish(channel, 1);
    await stays.wait(1);
    assert.deepEqual(left.got, []);
    stopOther();
    const again = pubsub.subscribe(channel, left.listener);
    stop();
    await pubsub.publish(channel, 2);
    assert.deepEqual(await left.wait(1), [2]);
    again();
  });

  test(`${name}: the same function may listen twice, each on its own`, async () => {
    const channel = newChannel();
    const { got, listener, wait } = collector();
    const first = pubsub.subscribe(channel, listener);
    const second = pubsub.subscribe(channel, listener);
    await pubsub.publish(channel, "both");
    await wait(2);
    first();
    await pubsub.publish(channel, "one");
    await wait(3);
    second();
    await pubsub.publish(channel, "none");
    await sleep(20);
    assert.deepEqual(got, ["both", "both", "one"]);
  });

  test(`${name}: a listener that throws harms neither the publisher nor others`, async () => {
    const channel = newChannel();
    const { listener, wait } = collector();
    const stopBad = pubsub.subscribe(channel, () => {
      throw new Error("bad listener");
    });
    const stop = pubsub.subscribe(channel, listener);
    await pubsub.publish(channel, 1);
    await pubsub.publish(channel, 2);
    assert.deepEqual(await wait(2), [1, 2]);
    stopBad();
    stop();
  });

  test(`${name}: a listener may stop itself and start others while it is called`, async () => {
    const channel = newChannel();
    const [late, rest] = [collector(), collector()];
    const stops: (() => void)[] = [];
    const stopSelf = pubsub.subscribe(channel, () => {
      stopSelf();
      stops.push(pubsub.subscribe(channel, late.listener));
    });
    stops.push(pubsub.subscribe(channel, rest.listener));
    await pubsub.publish(channel, 1);
    await rest.wait(1);
    await pubsub.publish(channel, 2);
    assert.deepEqual(await rest.wait(2), [1, 2]);
    assert.deepEqual(await late.wait(1), [2]);
    for (const stop of stops) stop();
  });

  test(`${name}: once it is ready, what another process publishes at once arrives`, async () => {
    const channel = newChannel();
    const { listener, wait } = collector();
    const stop = pubsub.subscribe(channel, listener);
    await pubsub.ready();
    assert.deepEqual(await other.withListeners([channel]), [channel]);
    await other.publish(channel, 1);
    assert.deepEqual(await wait(1), [1]);
    stop();
  });

  test(`${name}: says which channels have listeners`, async () => {
    const [first, second] = [newChannel(), newChannel()];
    const stop = pubsub.subscribe(second, () => {});
    assert.deepEqual(await pubsub.withListeners([first, second]), [second]);
    stop();
    assert.deepEqual(await pubsub.withListeners([first, second]), []);
  });
};
