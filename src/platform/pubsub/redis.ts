// Pubsub between processes through Valkey. A process subscribes only to the channels that somebody in it listens to.
// While Valkey is away, what a process publishes reaches only its own listeners.

import { setImmediate as endOfTurn } from "node:timers/promises";
import { chunks } from "../chunks.ts";
import type { Connection } from "../redis/connection.ts";
import type { PubSub } from "./index.ts";
import { memoryPubSub } from "./memory.ts";
import { wireOfCluster } from "./wire-cluster.ts";
import { wireOfOne } from "./wire-one.ts";

/** Events sent to Valkey in one call. */
const AT_ONCE = 100;

type Event = { channel: string; payload: unknown };

/** `onFault` gets what a listener throws. */
export const redisPubSub = (
  connection: Connection,
  onFault: (error: unknown) => void = () => {},
): PubSub => {
  const here = memoryPubSub(onFault);
  /** Number of listeners of each channel. */
  const channels = new Map<string, number>();
  const missing = new Set<() => void>();
  const wire = (connection.cluster ? wireOfCluster : wireOfOne)(connection, {
    receive(channel, text) {
      connection.received.events += 1;
      void here.publish(channel, JSON.parse(text));
    },
    missed: () => missing.forEach((tell) => tell()),
  });
  /** Resolves when the subscriptions sent so far have been answered. */
  let pending: Promise<unknown> = Promise.resolve();
  const wait = (sent: Promise<void>): void => {
    // With a value, each promise would keep the value of the one before, for ever.
    pending = Promise.all([pending, sent]).then(() => {});
  };

  const publishPart = async (part: number, events: Event[]): Promise<void> => {
    const texts = events.flatMap(({ channel, payload }) => [channel, JSON.stringify(payload)]);
    try {
      await wire.publish(part, texts);
    } catch (error) {
      connection.onFault(error);
      for (const { channel, payload } of events) await here.publish(channel, payload);
    }
  };
  /** Events published in this turn of the event loop, and the promise of their publication. */
  let events: Event[] = [];
  let publishing: Promise<void> | null = null;
  const publishTurn = async (): Promise<void> => {
    await endOfTurn();
    const all = Map.groupBy(events, ({ channel }) => wire.partOf(channel));
    events = [];
    publishing = null;
    const calls = [...all].flatMap(([part, some]) => {
      return chunks(some, AT_ONCE).map((few) => publishPart(part, few));
    });
    await Promise.all(calls);
  };

  const listenedIn = (part: number, names: string[]): Promise<string[]> =>
    wire.listened(part, names).catch((error: unknown) => {
      connection.onFault(error);
      return here.withListeners(names);
    });

  return {
    async publish(channel, payload) {
      // Listeners that subscribed before this call must get the event.
      await pending;
      events.push({ channel, payload });
      publishing ??= publishTurn();
      await publishing;
    },
    subscribe(channel, listener) {
      const count = channels.get(channel) ?? 0;
      channels.set(channel, count + 1);
      if (count === 0) wait(wire.subscribe(channel));
      const stopHere = here.subscribe(channel, listener);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        stopHere();
        const left = (channels.get(channel) ?? 0) - 1;
        if (left > 0) channels.set(channel, left);
        else if (channels.delete(channel)) wait(wire.unsubscribe(channel));
      };
    },
    ready: () => pending.then(() => {}),
    async withListeners(names) {
      if (names.length === 0) return [];
      await pending;
      const parts = Map.groupBy(new Set(names), (channel) => wire.partOf(channel));
      const listened = [...parts].map(([part, some]) => listenedIn(part, some));
      return (await Promise.all(listened)).flat();
    },
    onMissed(tell) {
      missing.add(tell);
      return () => void missing.delete(tell);
    },
    async close() {
      channels.clear();
      missing.clear();
      wire.close();
      await here.close();
    },
  };
};
