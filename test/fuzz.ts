// Decides how much garbage a run sends: all of it (`npm run fuzz`), or always the same share. Another seed than the
// usual one: `npm run fuzz -- --seed=7`, or FUZZ_SEED=7.

import { seeded } from "./seeded.ts";

/** True when everything is tried, which takes minutes. */
export const FUZZ = process.env["FUZZ"] === "all";

const ONE_IN = 8;

/**
 * Returns an eighth of the values, or another share, depending on the turn. With a turn for each parameter or route,
 * each value is tried somewhere and each parameter and route meets some values.
 */
export const shareOf = <T>(values: readonly T[], turn: number, oneIn = ONE_IN): T[] =>
  values.filter((_, index) => FUZZ || (index + turn) % oneIn === 0);

const SEED = Number(process.env["FUZZ_SEED"] ?? 1);
const MOST_MS = FUZZ ? 120_000 : 3_000;
/** Factor by which a long run has more turns. */
const LONGER = 100;

export type Random = {
  /** Returns a number from 0 up to (not including) 1. */
  (): number;
  below(count: number): number;
  pick<T>(all: readonly T[]): T;
  chance(probability: number): boolean;
};

const randomOf = (seed: number): Random => {
  const next = seeded(seed);
  const below = (count: number) => Math.floor(next() * count);
  return Object.assign(() => next(), {
    below,
    pick: <T>(all: readonly T[]): T => all[below(all.length)]!,
    chance: (probability: number) => next() < probability,
  });
};

/**
 * Runs `turn` a number of times, each with its own random numbers, and stops early when time is up. A failure says how
 * to repeat it.
 */
export const fuzz = async (
  turns: number,
  turn: (random: Random, index: number) => unknown,
): Promise<void> => {
  const end = performance.now() + MOST_MS;
  const most = FUZZ ? turns * LONGER : turns;
  for (let index = 0; index < most && (index === 0 || performance.now() < end); index++) {
    try {
      await turn(randomOf(SEED * 1_000_003 + index), index);
    } catch (error) {
      throw new Error(`FUZZ_SEED=${SEED}, turn ${index}: ${(error as Error).message}`, {
        cause: error,
      });
    }
  }
};

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

const deep = (levels: number): Json => {
  let value: Json = "x";
  for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { object: value };
  return value;
};

/** Texts that programs often mishandle. */
export const ODD_TEXTS = [
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udfff\ud800",
  "\u202e\u2066",
  "e\u0301\u0301\u0301\u0301",
  "\ufeff",
  "﷽".repeat(300),
  "👨‍👩‍👧‍👦".repeat(100),
  "x".repeat(100_000),
  "漢".repeat(3000),
  "'; DROP TABLE statuses; --",
  "${x}{{x}}%s%n",
  "__proto__",
  "constructor",
  "<script>alert(1)</script>",
  "<".repeat(5000),
  "javascript:alert(1)",
  "http://",
  "http://[::1",
  "https://\u0000.example/",
  "https://xn--/",
  "https://example.com/".padEnd(3000, "a"),
  "acct:@@",
  "2026-13-45T99:99:99Z",
  "+275760-09-13T00:00:00.001Z",
  "-271821-04-20T00:00:00Z",
  "0000-00-00T00:00:00Z",
  "as:Public",
  "https://www.w3.org/ns/activitystreams#Public",
];

const ODD_VALUES: Json[] = [
  ...ODD_TEXTS,
  null,
  true,
  false,
  0,
  -1,
  0.5,
  1e308,
  -1e-308,
  2 ** 53,
  2 ** 63,
  [],
  {},
  [[]],
  [null, null],
  deep(30),
  deep(70),
  Array.from({ length: 3000 }, () => "x"),
  { id: null, type: null },
  { type: ["Note", "Person"], id: [] },
  { "@value": "x", "@language": "en" },
  { toString: 1 },
  [{ toString: "x", valueOf: null }],
];

const isParent = (value: Json): value is Json[] | { [name: string]: Json } =>
  typeof value === "object" && value !== null;

/** Changes one place of a document: another type, an odd value, gone, doubled, wrapped, moved. */
export const mutate = (random: Random, document: Json): Json => {
  const root = { root: structuredClone(document) } as { [name: string]: Json };
  let parent: { [name: string]: Json } = root;
  let name = "root";
  for (;;) {
    const child = parent[name]!;
    if (!isParent(child) || Object.keys(child).length === 0) break;
    if (parent !== root && random.chance(0.4)) break;
    parent = child as { [name: string]: Json };
    name = random.pick(Object.keys(child));
  }
  const value = parent[name]!;
  const siblings = Object.keys(parent);
  const changes: (() => unknown)[] = [
    () => (parent[name] = random.pick(ODD_VALUES)),
    () => (parent[name] = random.pick(ODD_VALUES)),
    () => delete parent[name],
    () => (parent[name] = [value, value]),
    () => (parent[name] = { id: value, type: "Object" }),
    () => (parent[name] = typeof value === "string" ? value.split("") : JSON.stringify(value)),
    () => (parent[name] = typeof value === "string" ? value + random.pick(ODD_TEXTS) : value),
    () => (parent[random.pick(siblings)] = value),
    () => (parent[random.pick(["id", "type", "object", "tag", "to", "@context"])] = value),
  ];
  random.pick(changes)();
  return root["root"] ?? null;
};

/** Changes some characters of a text: another one, gone, doubled, a piece moved. */
export const mutateText = (random: Random, text: string, alphabet: string): string => {
  let result = text;
  for (let count = 1 + random.below(3); count > 0; count--) {
    const at = random.below(result.length + 1);
    const end = at + random.below(8);
    const [head, piece, tail] = [result.slice(0, at), result.slice(at, end), result.slice(end)];
    const letter = alphabet[random.below(alphabet.length)] ?? "";
    result = random.pick([head + letter + tail, head + tail, head + piece + piece + tail, head]);
    if (random.chance(0.2)) result = tail + piece + head;
  }
  return result;
};
