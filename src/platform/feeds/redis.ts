// Feeds in Valkey, shared by all processes: 7 KB each, and 4 KB for boosts. While Valkey is away, reading
// goes on with feeds of this process that live for seconds, and what should have been added or removed fails, so
// that the step that does it is tried again later.

import { randomUUID } from "node:crypto";
import { Unavailable } from "../errors.ts";
import type { Connection } from "../redis/connection.ts";
import type { Page } from "../db/paging.ts";
import { idsByFeed, isReady, pageOf, pushInto, refill, removeFrom, leftOutOf } from "./feed.ts";
import type { Feed } from "./feed.ts";
import { FEED_LENGTH } from "./index.ts";
import type { Feeds, Placed, Pushed } from "./index.ts";
import type { MemoryFeeds } from "./memory.ts";
import { halvesOf, readFeed, unpackIds, writeFeed } from "./redis-codec.ts";
import type { Stored } from "./redis-codec.ts";
import { createFormats } from "./redis-formats.ts";
import { groupedCalls } from "./redis-groups.ts";
import * as scripts from "./redis-scripts.ts";

const HOUR_MS = 3600_000;
/** A feed is read from SQL again after a day, so that whatever is wrong with it is over then. */
const LIFE_MS = 24 * HOUR_MS;
/** How long a rebuild may take before another process may begin one. */
const FILL_MS = 60_000;
/** Feeds of one call to Valkey, which does nothing else meanwhile. */
const CHUNK = 500;
/** Changes of one feed that cross each other are made again; after so many the feed is dropped. */
const ATTEMPTS = 30;
/** How long this process trusts its own feeds while Valkey is away. */
const LOCAL_MS = 5000;
/** Feeds to be dropped that are remembered while Valkey is away; beyond, all of them are. */
const MAX_OWED = 10_000;

/** How feeds are stored; another way takes another name (redis-formats.ts). */
const FORMAT = "feeds2";

type Commands = {
  feedsPush(base: string, groups: string, ...ids: (string | number)[]): Promise<number[]>;
  feedsHold(base: string, groups: string, ...halves: number[]): Promise<number[]>;
  feedsMissing(base: string, keys: string): Promise<number[]>;
  feedsLoadBuffer(key: string): Promise<Stored>;
  feedsNewestBuffer(key: string, count: number): Promise<Buffer[]>;
  feedsOpen(key: string, token: string, fillMs: number, lifeMs: number): Promise<number>;
  feedsSave(key: string, ...rest: (string | Buffer | number)[]): Promise<number>;
};

const define = ({ redis }: Connection): Commands => {
  redis.defineCommand("feedsPush", { lua: scripts.PUSH, numberOfKeys: 0 });
  redis.defineCommand("feedsHold", { lua: scripts.HOLDS, numberOfKeys: 0 });
  redis.defineCommand("feedsMissing", { lua: scripts.ARE_MISSING, numberOfKeys: 0 });
  redis.defineCommand("feedsLoad", { lua: scripts.LOAD, numberOfKeys: 1 });
  redis.defineCommand("feedsNewest", { lua: scripts.NEWEST, numberOfKeys: 1 });
  redis.defineCommand("feedsOpen", { lua: scripts.OPEN, numberOfKeys: 1 });
  redis.defineCommand("feedsSave", { lua: scripts.SAVE, numberOfKeys: 1 });
  return redis as unknown as Commands;
};

/** So that the feeds of many people who came at the same time do not end at the same time. */
const life = (): number => Math.round(LIFE_MS * (0.9 + 0.2 * Math.random()));

const isNewest = ({ maxId, sinceId, minId }: Page): boolean =>
  maxId === null && sinceId === null && minId === null;

/** `filler`: who fills it, and until when. */
type Change<T> = (feed: Feed, filler: string) => T;

class RedisFeeds {
  readonly #connection: Connection;
  readonly #commands: Commands;
  readonly #process = randomUUID();
  /** The tokens of the feeds that this process is filling. */
  readonly #tokens = new Map<string, string>();
  readonly #changing = new Map<string, Promise<void>>();
  #opened = 0;
  #owed = new Set<string>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#commands = define(connection);
    connection.redis.on("ready", () => void this.#dropOwed());
  }

  /** What an earlier start of Valkey had is not looked at: it may lack the last changes. */
  #base(): string {
    const { prefix, runId } = this.#connection;
    if (runId() === "") throw new Error("Valkey is away");
    return `${prefix}${FORMAT}:${runId().slice(0, 12)}:`;
  }

  #at(key: string): string {
    return this.#base() + key;
  }

  async #load(key: string): Promise<{ stored: Stored; feed: Feed | null }> {
    const stored = await this.#commands.feedsLoadBuffer(this.#at(key));
    return { stored, feed: readFeed(stored) };
  }

  /** Makes a change that needs the whole feed, after those that this process is making; null: it is missing. */
  #change<T>(key: string, change: Change<T>, lifeMs = 0): Promise<T | null> {
    const before = this.#changing.get(key) ?? Promise.resolve();
    const work = () => this.#changeNow(key, change, lifeMs);
    const changed = before.then(work, work);
    const ended = changed
      .catch(() => {})
      .then(() => {
        if (this.#changing.get(key) === ended) this.#changing.delete(key);
      });
    this.#changing.set(key, ended);
    return changed;
  }

  async #changeNow<T>(key: string, change: Change<T>, lifeMs: number): Promise<T | null> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const { stored, feed } = await this.#load(key);
      if (!feed) return null;
      const filler = stored[4]?.toString() ?? "";
      const result = change(feed, filler);
      const { state, ids, boosts, gone } = writeFeed(feed);
      const stillFilled = feed.filling ? filler : "";
      const read = [stored[0] ?? "", stored[2]?.length ?? 0];
      const fields = [...read, state, ids, boosts, stillFilled, gone, lifeMs];
      if ((await this.#commands.feedsSave(this.#at(key), ...fields)) === 1) return result;
    }
    await this.drop([key]);
    return null;
  }

  async push(posts: Pushed[]): Promise<string[][]> {
    const places = posts
      .map((_, place) => place)
      .sort((a, b) => (BigInt(posts[a]!.id) < BigInt(posts[b]!.id) ? -1 : 1));
    const rising = places.map((place) => posts[place]!);
    const leftOut = posts.map((): string[] => []);
    const ids = rising.flatMap(({ id, of }) => [
      ...halvesOf(id),
      ...(of ? halvesOf(of) : ["", ""]),
    ]);
    const toArrange: { key: string; at: number }[] = [];
    for (const { text, keys } of groupedCalls(rising)) {
      const answers = await this.#commands.feedsPush(this.#base(), text, ...ids);
      for (let n = 0; n < answers.length; n += 3) {
        const [key, at] = [keys[answers[n]! - 1]!, answers[n + 1]! - 1];
        if (answers[n + 2] === scripts.LEFT_OUT) leftOut[places[at]!]!.push(key);
        else toArrange.push({ key, at });
      }
    }
    for (const { key, at } of toArrange) {
      const { id, of } = rising[at]!;
      const original = of ? BigInt(of) : null;
      const isShown = await this.#change(key, (feed) => pushInto(feed, BigInt(id), original));
      if (isShown === false) leftOut[places[at]!]!.push(key);
    }
    return leftOut;
  }

  async missing(keys: string[]): Promise<string[]> {
    const found: string[] = [];
    for (let from = 0; from < keys.length; from += CHUNK) {
      const some = keys.slice(from, from + CHUNK);
      const places = await this.#commands.feedsMissing(this.#base(), some.join());
      for (const place of places) found.push(some[place - 1]!);
    }
    return found;
  }

  async isWhole(key: string): Promise<boolean> {
    return (await this.#connection.redis.hget(this.#at(key), "s")) === "w";
  }

  async remove(gone: Placed[]): Promise<string[][]> {
    const halves = gone.flatMap(({ id }) => halvesOf(id));
    const holding: string[] = [];
    for (const { text, keys } of groupedCalls(gone)) {
      const places = await this.#commands.feedsHold(this.#base(), text, ...halves);
      for (const place of places) holding.push(keys[place - 1]!);
    }
    const ids = idsByFeed(gone);
    const leftOut = new Map<string, Set<bigint>>();
    for (const key of new Set(holding)) {
      const found = await this.#change(key, (feed) => removeFrom(feed, ids.get(key)!));
      if (found) leftOut.set(key, found);
    }
    return leftOutOf(gone, leftOut);
  }

  async page(key: string, page: Page): Promise<string[] | null> {
    if (isNewest(page)) return this.#newest(key, page.limit);
    const { feed } = await this.#load(key);
    return feed && isReady(feed, page) ? pageOf(feed, page) : null;
  }

  /** The page that is asked for most, without the rest of the feed. */
  async #newest(key: string, wanted: number): Promise<string[] | null> {
    const limit = Math.min(wanted, FEED_LENGTH);
    const [state, packed] = await this.#commands.feedsNewestBuffer(this.#at(key), limit);
    const text = state?.toString() ?? "e";
    if (text === "e") return null;
    const ids = unpackIds(packed ?? null);
    const isEnough = ids.length === limit && (limit === 0 || ids[0]! >= BigInt(text.slice(1) || 0));
    if (text !== "w" && !isEnough) return null;
    return Array.from(ids.toReversed(), String);
  }

  async open(key: string): Promise<boolean> {
    const token = `${this.#process}-${(this.#opened += 1)}`;
    const opened = await this.#commands.feedsOpen(this.#at(key), token, FILL_MS, 2 * FILL_MS);
    if (opened === 1) this.#tokens.set(key, token);
    return opened === 1;
  }

  /** Nothing where it was dropped, or opened by another process since. */
  async fill(key: string, content: Parameters<Feeds["fill"]>[1]): Promise<void> {
    const token = this.#tokens.get(key);
    this.#tokens.delete(key);
    if (token === undefined) return;
    const mine = (feed: Feed, filler: string): void => {
      if (filler.startsWith(`${token}:`)) refill(feed, content);
    };
    await this.#change(key, mine, life());
  }

  async drop(keys: string[]): Promise<void> {
    if (keys.length === 0) return;
    for (const key of keys) this.#tokens.delete(key);
    const names = keys.map((key) => this.#at(key));
    await this.#connection.redis.unlink(...names, ...names.map((name) => `${name}:i`));
  }

  /** To be dropped as soon as Valkey is back. */
  owe(keys: string[]): void {
    for (const key of keys) if (this.#owed.size <= MAX_OWED) this.#owed.add(key);
  }

  async #dropOwed(): Promise<void> {
    const owed = [...this.#owed];
    if (owed.length === 0) return;
    this.#owed.clear();
    try {
      if (owed.length <= MAX_OWED) return await this.drop(owed);
      await this.dropAll();
    } catch {
      this.owe(owed);
    }
  }

  async dropAll(): Promise<void> {
    const { redis } = this.#connection;
    let cursor = "0";
    do {
      const [next, names] = await redis.scan(cursor, "MATCH", this.#at("*"), "COUNT", 1000);
      if (names.length > 0) await redis.unlink(...names);
      cursor = next;
    } while (cursor !== "0");
  }
}

/** `local`: this process's own, while Valkey is away. */
export const redisFeeds = (connection: Connection, local: MemoryFeeds): Feeds => {
  const shared = new RedisFeeds(connection);
  const formats = createFormats(connection, FORMAT, () => shared.dropAll());
  /** Feeds that are being filled in this process. */
  const localOpened = new Set<string>();
  let localSince = 0;
  /** Others' changes do not reach them, so they do not live long. */
  const here = (): MemoryFeeds => {
    if (performance.now() - localSince > LOCAL_MS) {
      local.clear();
      localSince = performance.now();
    }
    return local;
  };
  const orLocal = async <T>(ask: () => Promise<T>, instead: () => Promise<T>): Promise<T> => {
    if (!connection.isUp()) return instead();
    try {
      return await ask();
    } catch (error) {
      connection.onFault(error);
      return instead();
    }
  };
  /** Fails, in a sentence for the log, while Valkey is away: whoever changes a feed tries again. */
  const orLater = async <T>(change: () => Promise<T>): Promise<T> => {
    try {
      return await change();
    } catch (error) {
      throw connection.isUp() ? error : new Unavailable("Valkey is away");
    }
  };
  return {
    push: (posts) => orLater(() => shared.push(posts)),
    remove: (gone) => orLater(() => shared.remove(gone)),
    missing: (keys) =>
      orLocal(
        () => shared.missing(keys),
        () => here().missing(keys),
      ),
    isWhole: (key) =>
      orLocal(
        () => shared.isWhole(key),
        () => here().isWhole(key),
      ),
    page: (key, page) =>
      orLocal(
        () => shared.page(key, page),
        () => here().page(key, page),
      ),
    open: (key) =>
      orLocal(
        () => shared.open(key),
        async () => {
          const isOpened = await here().open(key);
          if (isOpened) localOpened.add(key);
          return isOpened;
        },
      ),
    async fill(key, content) {
      if (localOpened.delete(key)) return local.fill(key, content);
      // Valkey may be gone since: then the next reader fills its own.
      await shared.fill(key, content).catch(connection.onFault);
    },
    async drop(keys) {
      await local.drop(keys);
      await shared.drop(keys).catch(() => shared.owe(keys));
    },
    async close() {
      formats.close();
      await local.close();
    },
  };
};
