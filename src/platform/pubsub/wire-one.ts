// Pubsub through a single Valkey, which passes events only to connections that have subscribed to the channel.

import { chunks } from "../chunks.ts";
import type { Connection } from "../redis/connection.ts";
import { CHUNK, askerOf } from "./wire.ts";
import type { Wire, WireEvents } from "./wire.ts";

/** KEYS: the common prefix of names. ARGV: channels, each followed by what is published on it. */
const PUBLISH = `
for n = 1, #ARGV, 2 do redis.call('PUBLISH', KEYS[1] .. ARGV[n], ARGV[n + 1]) end`;

type Commands = { rookeryPublishEvents(prefix: string, ...texts: string[]): Promise<null> };

export const wireOfOne = (connection: Connection, { receive, missed }: WireEvents): Wire => {
  const { redis, subscriber } = connection;
  const prefix = `${connection.prefix}events:`;
  const ask = askerOf(redis, "NUMSUB", 1);
  redis.defineCommand("rookeryPublishEvents", { lua: PUBLISH, numberOfKeys: 1 });
  const commands = redis as unknown as Commands;
  const channels = new Set<string>();
  let wasLost = false;

  const send = async (command: "subscribe" | "unsubscribe", names: string[]): Promise<void> => {
    if (names.length === 0 || subscriber.status !== "ready") return; // all are sent when it is
    await subscriber[command](...names.map((name) => prefix + name)).catch(() => {});
  };
  const subscribeAll = async (): Promise<void> => {
    await Promise.all(chunks([...channels], CHUNK).map((names) => send("subscribe", names)));
    if (wasLost) missed();
  };
  subscriber.on("message", (channel, text) => {
    if (channel.startsWith(prefix)) receive(channel.slice(prefix.length), text);
  });
  connection.watchSubscriber(
    () => void subscribeAll(),
    () => (wasLost = true),
  );
  return {
    partOf: () => 0,
    async publish(_part, texts) {
      await commands.rookeryPublishEvents(prefix, ...texts);
    },
    listened: (_part, names) => ask([prefix], names),
    subscribe(channel) {
      channels.add(channel);
      return send("subscribe", [channel]);
    },
    unsubscribe(channel) {
      channels.delete(channel);
      return send("unsubscribe", [channel]);
    },
    close: () => channels.clear(),
  };
};
