// How redis.ts talks to Valkey: to one server (wire-one.ts), or to the nodes of a cluster (wire-cluster.ts).

import { chunks } from "../chunks.ts";

export type Wire = {
  /** The events of channels of one part keep their order, and are published together. */
  partOf(channel: string): number;
  /** `texts`: channels, each with what is published on it. */
  publish(part: number, texts: string[]): Promise<void>;
  /** Those of the channels, of one part, that somebody listens to. */
  listened(part: number, channels: string[]): Promise<string[]>;
  /** Resolves when they are in force, or cannot be at present. */
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  close(): void;
};

/** What a wire tells. */
export type WireEvents = {
  receive(channel: string, text: string): void;
  /** Subscriptions were not in force for a while, and are again. */
  missed(): void;
};

/** Channels that are asked about, or subscribed to, at once. */
export const CHUNK = 1000;

/**
 * KEYS: what the names begin with. ARGV: the channels, in lines. The places (from 1) of those that somebody listens to:
 * as arguments and answers of their own, a thousand names cost more than the question.
 */
const listenedScript = (question: string): string => `
local names = {}
for name in ARGV[1]:gmatch('[^\\n]+') do names[#names + 1] = KEYS[1] .. name end
local counts = redis.call('PUBSUB', '${question}', unpack(names))
local found = {}
for n = 2, #counts, 2 do
  if tonumber(counts[n]) > 0 then found[#found + 1] = n / 2 end
end
return found`;

type Commands = {
  rookeryListened(...keysAndNames: string[]): Promise<number[]>;
};

type Definable = {
  defineCommand(name: string, how: { lua: string; numberOfKeys: number }): void;
};

/** Asks which channels are listened to. `keys`: what the names begin with; more only say where to ask. */
export const askerOf = (redis: Definable, question: "NUMSUB" | "SHARDNUMSUB", keys: number) => {
  redis.defineCommand("rookeryListened", { lua: listenedScript(question), numberOfKeys: keys });
  const commands = redis as unknown as Commands;
  return async (keyNames: string[], channels: string[]): Promise<string[]> => {
    const answers = chunks(channels, CHUNK).map(async (some) => {
      const places = await commands.rookeryListened(...keyNames, some.join("\n"));
      return places.map((place) => some[place - 1]!);
    });
    return (await Promise.all(answers)).flat();
  };
};
