// Pubsub between processes, by Valkey. A process is subscribed to the channels that somebody in it listens to, and
// to no others. While Valkey is away, what a process publishes reaches its own listeners.

import { setImmediate as endOfTurn } from "node:timers/promises";
import type { Redis } from "ioredis";
import type { Connection } from "../redis/connection.ts";
import type { PubSub } from "./index.ts";
import { memoryPubSub } from "./memory.ts";

/** Channels that are asked about at once. */
const CHUNK = 1000;
/** Events that are sent at once. */
const AT_ONCE = 100;

/**
 * ARGV: what the names begin with, and the channels, in lines. The places (from 1) of those that somebody listens to:
 * as arguments and answers of their own, a thousand names cost more than the question.
 */
const LISTENED = `
local names = {}
for name in ARGV[2]:gmatch('[^\\n]+') do names[#names + 1] = ARGV[1] .. name end
local counts = redis.call('PUBSUB', 'NUMSUB', unpack(names))
local found = {}
for n = 2, #counts, 2 do
  if tonumber(counts[n]) > 0 then found[#found + 1] = n / 2 end
end
return found`;

/**
 * KEYS: what the names begin with, so that a cluster publishes all at one node, and they keep their order. ARGV:
 * channels with what is published on them.
 */
const PUBLISH = `
for n = 1, #ARGV, 2 do redis.call('PUBLISH', KEYS[1] .. ARGV[n], ARGV[n + 1]) end`;

type NodeCommands = { rookeryListened(prefix: string, names: string): Promise<number[]> };

type Commands = {
  rookeryPublishEvents(prefix: string, ...events: string[]): Promise<null>;
};

type Event = { channel: string; payload: unknown };

type Subscribed = { listeners: number };

const chunks = (channels: string[]): string[][] =>
  Array.from({ length: Math.ceil(channels.length / CHUNK) }, (_, n) =>
    channels.slice(n * CHUNK, (n + 1) * CHUNK),
  );

const commandsOf = (node: Redis): NodeCommands => {
  if (!("rookeryListened" in node)) {
    node.defineCommand("rookeryListened", { lua: LISTENED, numberOfKeys: 0 });
  }
  return node as unknown as NodeCommands;
};

/** `onFault` gets what a listener throws. */
export const redisPubSub = (
  connection: Connection,
  onFault: (error: unknown) => void = () => {},
): PubSub => {
  const { redis, subscriber } = connection;
  const prefix = `${connection.prefix}events:`;
  redis.defineCommand("rookeryPublishEvents", { lua: PUBLISH, numberOfKeys: 1 });
  const commands = redis as unknown as Commands;
  const here = memoryPubSub(onFault);
  const channels = new Map<string, Subscribed>();
  /** The subscriptions on their way to Valkey. */
  let pending: Promise<unknown> = Promise.resolve();

  const send = (command: "subscribe" | "unsubscribe", names: string[]): void => {
    if (names.length === 0 || subscriber.status !== "ready") return; // all are sent when it is
    const sent = subscriber[command](...names.map((name) => prefix + name)).catch(() => {});
    // With a value each would keep that of the one before, for ever.
    pending = Promise.all([pending, sent]).then(() => {});
  };
  subscriber.on("message", (channel, text) => {
    if (!channel.startsWith(prefix)) return;
    void here.publish(channel.slice(prefix.length), JSON.parse(text));
  });
  connection.watchSubscriber(
    () => {
      for (const names of chunks([...channels.keys()])) send("subscribe", names);
    },
    () => {},
  );

  /** The places of those that somebody listens to at any node: each knows its own subscribers alone. */
  const placesListened = async (names: string): Promise<Set<number>> => {
    const ask = (node: Redis) => commandsOf(node).rookeryListened(prefix, names);
    const answers = await Promise.allSettled(connection.nodes("all").map(ask));
    const places = answers.flatMap((answer) =>
      answer.status === "fulfilled" ? [answer.value] : [],
    );
    // A node that is away has none.
    if (places.length === 0) throw answers.find((answer) => answer.status === "rejected")?.reason;
    return new Set(places.flat());
  };
  const countListeners = async (channels: string[]): Promise<string[]> => {
    const listened: string[] = [];
    for (const some of chunks(channels)) {
      for (const place of await placesListened(some.join("\n"))) listened.push(some[place - 1]!);
    }
    return listened;
  };

  const publishAll = async (events: Event[]): Promise<void> => {
    const texts = events.flatMap(({ channel, payload }) => [channel, JSON.stringify(payload)]);
    try {
      await commands.rookeryPublishEvents(prefix, ...texts);
    } catch (error) {
      connection.onFault(error);
      for (const { channel, payload } of events) await here.publish(channel, payload);
    }
  };
  /** Those of this turn, and their publication. */
  const events: Event[] = [];
  let publishing: Promise<void> | null = null;
  const publishTurn = async (): Promise<void> => {
    await endOfTurn();
    const all = events.splice(0);
    publishing = null;
    const parts = Array.from({ length: Math.ceil(all.length / AT_ONCE) }, (_, n) =>
      publishAll(all.slice(n * AT_ONCE, (n + 1) * AT_ONCE)),
    );
    await Promise.all(parts);
  };

  return {
    async publish(channel, payload) {
      // Who began to listen before this call gets it.
      await pending;
      events.push({ channel, payload });
      publishing ??= publishTurn();
      await publishing;
    },
    subscribe(channel, listener) {
      const known = channels.get(channel);
      if (known) known.listeners += 1;
      else {
        channels.set(channel, { listeners: 1 });
        send("subscribe", [channel]);
      }
      const stopHere = here.subscribe(channel, listener);
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        stopHere();
        const state = channels.get(channel);
        if (!state || --state.listeners > 0) return;
        channels.delete(channel);
        send("unsubscribe", [channel]);
      };
    },
    async ready() {
      await pending;
    },
    async withListeners(channels) {
      if (channels.length === 0) return [];
      await pending;
      return countListeners([...new Set(channels)]).catch((error: unknown) => {
        connection.onFault(error);
        return here.withListeners(channels);
      });
    },
    async close() {
      channels.clear();
      await here.close();
    },
  };
};
