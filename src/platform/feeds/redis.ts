// The feeds port in Valkey, shared by all processes; a feed has at most 13 KB. While Valkey is away, reads use feeds of
// this process that live for seconds, and changes fail, so that the step that makes them is retried later.

import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { BoundedCache } from "../caches/bounded.ts";
import { Unavailable } from "../errors.ts";
import type { Connection } from "../redis/connection.ts";
import { spread, wholeSlot } from "../redis/whole-slot.ts";
import type { Page } from "../db/paging.ts";
import { EMPTY, WHOLE, entriesBelow, entryOf, pageOf, stateOf } from "./feed.ts";
import type { Entries, Feed } from "./feed.ts";
import type { FeedContent, FeedState, Feeds, Placed, Pushed } from "./index.ts";
import type { MemoryFeeds } from "./memory.ts";
import { withCopies } from "./redis-copies.ts";
import type { Read } from "./redis-copies.ts";
import { createFormats } from "./redis-formats.ts";
import { groupedCalls } from "./redis-groups.ts";
import { watchMasters } from "./redis-masters.ts";
import * as scripts from "./redis-scripts.ts";

const HOUR_MS = 3600_000;
/** Milliseconds after which a feed is read from SQL again, which ends any fault in it. */
const LIFE_MS = 24 * HOUR_MS;
/** Milliseconds that a rebuild may take before another process may begin one. */
const FILL_MS = 60_000;
/** Milliseconds for which this process trusts its own feeds while Valkey is away. */
const LOCAL_MS = 5000;
/** Feeds to be dropped that are remembered while Valkey is away; beyond this number, all feeds are dropped. */
const MAX_PENDING_DROPS = 10_000;

/** Name of the format in which feeds are stored; a new format gets a new name (redis-formats.ts). */
const FORMAT = "feeds4";

/**
 * Parts of the feeds in a cluster, each in one slot. A script changes the feeds of one slot, so a slot for each feed
 * would take a call for each. One server has one part.
 */
const PARTS = 128;

type Commands = {
  feedsPush(...keysAndPosts: (string | number)[]): Promise<void>;
  feedsRemove(...keysAndPosts: (string | number)[]): Promise<void>;
  feedsOpenBuffer(...keysAndLimits: (string | number)[]): Promise<Buffer | null>;
  feedsFill(...keysAndFeed: (string | number | Buffer)[]): Promise<void>;
};

const define = ({ redis, cluster }: Connection): Commands => {
  const numberOfKeys = cluster ? 2 : 1;
  redis.defineCommand("feedsPush", { lua: scripts.PUSH, numberOfKeys });
  redis.defineCommand("feedsRemove", { lua: scripts.REMOVE, numberOfKeys });
  redis.defineCommand("feedsOpen", { lua: scripts.OPEN, numberOfKeys: 2 });
  redis.defineCommand("feedsFill", { lua: scripts.FILL, numberOfKeys: 2 });
  return redis as unknown as Commands;
};

/** Varies the time to live, so that feeds of people who came at the same time do not expire at the same time. */
const life = (): number => Math.round(LIFE_MS * (0.9 + 0.2 * Math.random()));

const LOW = 0xffff_ffffn;

/** Returns an entry's numbers as the scripts take them. */
const halvesOf = (entry: Pushed): number[] =>
  entryOf(entry).flatMap((value) => [Number(value & LOW), Number(value >> 32n)]);

const rising = <T extends Placed>(posts: T[]): T[] =>
  posts.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));

/** Returns the numbers of a stored feed: its floor, a zero, its entries. */
const numbersOf = (stored: Buffer): Entries => new BigUint64Array(new Uint8Array(stored).buffer);

class RedisFeeds {
  readonly #connection: Connection;
  readonly #commands: Commands;
  readonly #masters: ReturnType<typeof watchMasters> | null;
  readonly #parts: number;
  readonly #readCopy: Read;
  #pendingDrops = new Set<string>();

  constructor(connection: Connection, copies: BoundedCache<Feed> | null) {
    this.#connection = connection;
    const read: Read = (name) => this.#read(name);
    this.#readCopy = copies && !connection.cluster ? withCopies(connection, copies, read) : read;
    this.#commands = define(connection);
    this.#parts = connection.cluster ? PARTS : 1;
    this.#masters = connection.cluster ? watchMasters(connection, () => this.dropAll()) : null;
    connection.redis.on("ready", () => void this.#dropPending());
    // One node of a cluster may have been away while the others were not.
    connection.cluster?.watch(() => void this.#dropPending());
  }

  close = (): void => this.#masters?.close();

  /**
   * The names include the start of Valkey: feeds from before a restart may lack the last changes, so they are not read.
   */
  #base(): string {
    const { prefix, runId } = this.#connection;
    if (runId() === "") throw new Error("Valkey is away");
    return `${prefix}${FORMAT}:${runId().slice(0, 12)}:`;
  }

  #partOf(key: string): number {
    return this.#parts === 1 ? 0 : spread(key) % this.#parts;
  }

  /** Returns the prefix of a part's feeds; the text in braces decides the slot. */
  #part(part: number): string {
    if (this.#masters?.areKnown() === false) throw new Error("Valkey is away");
    return `${this.#base()}{${part}}:`;
  }

  /** Returns KEYS for a script over feeds of the part. */
  #keysOf(part: number): string[] {
    const prefix = this.#part(part);
    return this.#parts === 1 ? [prefix] : wholeSlot(prefix);
  }

  #at(key: string): string {
    return this.#part(this.#partOf(key)) + key;
  }

  /** Groups posts by part, each with its feeds there. */
  #byPart(posts: Placed[]): Map<number, Placed[]> {
    if (this.#parts === 1) return new Map([[0, posts]]);
    const parts = new Map<number, Placed[]>();
    for (const post of posts) {
      for (const [part, keys] of Map.groupBy(post.keys, (key) => this.#partOf(key))) {
        const placed = { ...post, keys };
        const present = parts.get(part);
        if (present) present.push(placed);
        else parts.set(part, [placed]);
      }
    }
    return parts;
  }

  async #change(command: "feedsPush" | "feedsRemove", posts: Placed[]): Promise<void> {
    const changes = [...this.#byPart(posts)].map(async ([part, some]) => {
      const halves = some.flatMap(halvesOf);
      for (const groups of groupedCalls(some)) {
        await this.#commands[command](...this.#keysOf(part), groups, ...halves);
      }
    });
    await Promise.all(changes);
  }

  push(posts: Pushed[]): Promise<void> {
    return this.#change("feedsPush", rising(posts));
  }

  remove(gone: Placed[]): Promise<void> {
    return this.#change("feedsRemove", gone);
  }

  async #read(name: string): Promise<Feed | null> {
    const stored = await this.#connection.redis.getBuffer(name);
    const numbers = stored && numbersOf(stored);
    return numbers && { entries: numbers.subarray(2), floor: numbers[0]! };
  }

  async page(key: string, page: Page, mayLag = false): Promise<string[] | null> {
    const name = this.#at(key);
    const feed = await (mayLag ? this.#readCopy(name) : this.#read(name));
    return feed && pageOf(feed, page);
  }

  async state(key: string): Promise<FeedState> {
    const stored = await this.#connection.redis.getrangeBuffer(this.#at(key), 0, 7);
    return stateOf(numbersOf(stored)[0] ?? EMPTY);
  }

  async fill(key: string, read: () => Promise<FeedContent>): Promise<void> {
    const [at, token] = [this.#at(key), randomUUID()];
    const filler = `${at}:filler`;
    const opened = await this.#commands.feedsOpenBuffer(at, filler, token, FILL_MS, 2 * FILL_MS);
    if (!opened) return;
    try {
      const content = await read();
      const entries = entriesBelow(content, numbersOf(opened)[0]!);
      const floor = BigInt(content.floor ?? WHOLE);
      const feed = Buffer.from(BigUint64Array.from([floor, 0n, ...entries]).buffer);
      await this.#commands.feedsFill(at, filler, token, feed, life());
    } catch (error) {
      await this.#connection.redis.del(filler);
      throw error;
    }
  }

  async drop(keys: string[]): Promise<void> {
    const names = keys.map((key) => this.#at(key)).flatMap((name) => [name, `${name}:filler`]);
    await unlinkAll(this.#connection, names);
  }

  /** Remembers feeds that have to be dropped as soon as Valkey is back. */
  dropLater(keys: string[]): void {
    for (const key of keys)
      if (this.#pendingDrops.size <= MAX_PENDING_DROPS) this.#pendingDrops.add(key);
  }

  async #dropPending(): Promise<void> {
    const pendingDrops = [...this.#pendingDrops];
    if (pendingDrops.length === 0) return;
    this.#pendingDrops.clear();
    const isMany = pendingDrops.length > MAX_PENDING_DROPS;
    const dropped = isMany ? this.dropAll() : this.drop(pendingDrops);
    await dropped.catch(() => this.dropLater(pendingDrops));
  }

  async dropAll(): Promise<void> {
    const pattern = `${this.#base()}*`;
    const dropFrom = async (node: Redis): Promise<void> => {
      let cursor = "0";
      do {
        const [next, names] = await node.scan(cursor, "MATCH", pattern, "COUNT", 1000);
        await unlinkAll(this.#connection, names);
        cursor = next;
      } while (cursor !== "0");
    };
    await Promise.all(this.#connection.masters().map(dropFrom));
  }
}

/** In a cluster each key is unlinked alone: the keys are in many slots, one of which may be moving. */
const unlinkAll = async ({ redis, cluster }: Connection, names: string[]): Promise<void> => {
  if (names.length === 0) return;
  if (cluster) await Promise.all(names.map((name) => redis.unlink(name)));
  else await redis.unlink(...names);
};

/** `local` holds this process's own feeds, used while Valkey is away, `copies` what it has read. */
export const redisFeeds = (
  connection: Connection,
  local: MemoryFeeds,
  copies: BoundedCache<Feed> | null = null,
): Feeds => {
  const shared = new RedisFeeds(connection, copies);
  const formats = createFormats(connection, FORMAT, () => shared.dropAll());
  let localSince = 0;
  /** Changes by other processes do not reach these feeds, so they live for a short time. */
  const here = (): MemoryFeeds => {
    if (performance.now() - localSince > LOCAL_MS) {
      local.clear();
      localSince = performance.now();
    }
    return local;
  };
  const orLocal = async <T>(ask: (feeds: RedisFeeds | MemoryFeeds) => Promise<T>): Promise<T> => {
    if (!connection.isUp()) return ask(here());
    try {
      return await ask(shared);
    } catch (error) {
      connection.onFault(error);
      return ask(here());
    }
  };
  /** Rejects with a sentence for the log while Valkey is away; the caller retries. */
  const orLater = async (change: Promise<void>): Promise<void> => {
    try {
      await change;
    } catch (error) {
      throw connection.isUp() ? error : new Unavailable("Valkey is away");
    }
  };
  return {
    push: (posts) => orLater(shared.push(posts)),
    remove: (gone) => orLater(shared.remove(gone)),
    page: (key, page, mayLag) => orLocal((feeds) => feeds.page(key, page, mayLag)),
    state: (key) => orLocal((feeds) => feeds.state(key)),
    fill: (key, read) => orLocal((feeds) => feeds.fill(key, read)),
    async drop(keys) {
      await local.drop(keys);
      await shared.drop(keys).catch(() => shared.dropLater(keys));
    },
    async close() {
      formats.close();
      shared.close();
      await local.close();
    },
  };
};
