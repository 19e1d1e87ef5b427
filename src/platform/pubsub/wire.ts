// The interface by which redis.ts talks to Valkey: to one server (wire-one.ts) or to the nodes of a cluster
// (wire-cluster.ts).

import { chunks } from "../chunks.ts";

export type Wire = {
  /** Returns the part of a channel. Events of one part keep their order and are published together. */
  partOf(channel: string): number;
  /** `texts`: channels, each followed by what is published on it. */
  publish(part: number, texts: string[]): Promise<void>;
  /** Returns those of the channels, all of one part, that somebody listens to. */
  listened(part: number, channels: string[]): Promise<string[]>;
  /** Resolves when the subscription is active, or cannot be at present. */
  subscribe(channel: string): Promise<void>;
  unsubscribe(channel: string): Promise<void>;
  close(): void;
};

/** Events that a wire reports. */
export type WireEvents = {
  receive(channel: string, text: string): void;
  /** Subscriptions were interrupted for a while, and are active again. */
  missed(): void;
};

/** Channels that one call asks about or subscribes to. */
export const CHUNK = 1000;

/**
 * KEYS: the common prefix of names. ARGV: the channels, one a line. Returns the positions (from 1) of channels with
 * listeners: a thousand arguments and answers would cost more than the question.
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

type Commands = { rookeryListened(...keysAndNames: string[]): Promise<number[]> };
type Definable = { defineCommand(name: string, how: { lua: string; numberOfKeys: number }): void };

/**
 * Makes a function that asks which channels have listeners. `keys`: the number of KEYS; the first is the prefix of
 * names, further ones only decide which node is asked.
 */
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
