// Feeds in memory. The ids of each are stored oldest first, so that new ones are added at the end.

import { LRUCache } from "lru-cache";
import type { InMemory } from "../caches/index.ts";
import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";

/** A feed grows by this much over its length before it is cut: cutting costs more than adding. */
const SLACK = 100;
const CAPACITY = FEED_LENGTH + SLACK + 1;
/** How many of the newest boosts a feed knows, including those that are left out. */
const MAX_BOOSTS = 250;

/** Ids in ascending order, in one typed array: as objects they would take four times the memory. */
class Ids {
  readonly values = new BigUint64Array(CAPACITY);
  length = 0;

  /** The first index whose id is not below `id`. */
  position(id: bigint): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.values[middle]! < id) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  has(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id;
  }

  insert(id: bigint): void {
    const { values } = this;
    if (this.length === 0 || values[this.length - 1]! < id) {
      values[this.length] = id;
    } else {
      const at = this.position(id);
      if (values[at] === id) return;
      values.copyWithin(at + 1, at, this.length);
      values[at] = id;
    }
    this.length += 1;
    if (this.length <= FEED_LENGTH + SLACK) return;
    values.copyWithin(0, this.length - FEED_LENGTH, this.length);
    this.length = FEED_LENGTH;
  }

  /** Whether it is in the feed and within its length. */
  isShown(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id && this.length - at <= FEED_LENGTH;
  }

  remove(gone: ReadonlySet<bigint>): void {
    const left = this.values.subarray(0, this.length).filter((id) => !gone.has(id));
    this.values.set(left);
    this.length = left.length;
  }

  /** Removes those from `id` on, and returns them. */
  takeFrom(id: bigint): BigUint64Array {
    const at = this.position(id);
    const taken = this.values.slice(at, this.length);
    this.length = at;
    return taken;
  }

  isRecent(id: bigint): boolean {
    const at = this.position(id);
    return at < this.length && this.values[at] === id && this.length - at <= REPEAT_SPAN;
  }
}

/** The newest boosts, in the order of their ids, each with its original. */
class Boosts {
  readonly ids = new BigUint64Array(MAX_BOOSTS);
  readonly originals = new BigUint64Array(MAX_BOOSTS);
  length = 0;

  /** The first index whose id is not below `id`. A scan from the end, where it usually is. */
  position(id: bigint): number {
    let at = this.length;
    while (at > 0 && this.ids[at - 1]! >= id) at -= 1;
    return at;
  }

  insert(id: bigint, original: bigint): void {
    let at = this.position(id);
    const isKnown = at < this.length && this.ids[at] === id;
    if (!isKnown && this.length === MAX_BOOSTS) {
      if (at === 0) return;
      at -= 1;
      this.#move(0, 1);
      this.length -= 1;
    }
    if (!isKnown) {
      this.#move(at + 1, at);
      this.length += 1;
    }
    this.ids[at] = id;
    this.originals[at] = original;
  }

  remove(gone: ReadonlySet<bigint>): void {
    let left = 0;
    for (let at = 0; at < this.length; at++) {
      if (gone.has(this.ids[at]!)) continue;
      this.ids[left] = this.ids[at]!;
      this.originals[left] = this.originals[at]!;
      left += 1;
    }
    this.length = left;
  }

  #move(to: number, from: number): void {
    this.ids.copyWithin(to, from, this.length);
    this.originals.copyWithin(to, from, this.length);
  }
}

/**
 * `boosts` includes those that are left out: they appear when what they repeat is deleted. During a
 * rebuild `filling` has the ids that were removed since it began, which it may have read before.
 */
type Feed = {
  ids: Ids;
  boosts: Boosts;
  filling: Set<bigint> | null;
  /** The newest page, cached as text until the ids change. */
  newest: string[] | null;
};

/** Includes a cached page: about 50 bytes for each id. */
const FEED_BYTES = 8 * CAPACITY + 16 * MAX_BOOSTS + 50 * 40 + 700;

const emptyFeed = (): Feed => ({
  ids: new Ids(),
  boosts: new Boosts(),
  filling: new Set(),
  newest: null,
});

/** Whether the boost repeats what is among the newest entries before it. */
const repeats = ({ ids, boosts }: Feed, id: bigint, original: bigint): boolean => {
  if (ids.isRecent(original)) return true;
  const oldest = ids.values[Math.max(0, ids.length - REPEAT_SPAN)]!;
  for (let at = boosts.position(id) - 1; at >= 0; at--) {
    const other = boosts.ids[at]!;
    if (other < oldest) return false;
    if (boosts.originals[at] === original && ids.has(other)) return true;
  }
  return false;
};

/** Decides again which boosts are left out from `id` on, as if everything had arrived in order. */
const arrange = (feed: Feed, id: bigint): void => {
  const { ids, boosts } = feed;
  let at = boosts.position(id);
  if (at === boosts.length) return;
  const later = ids.takeFrom(id);
  const addBoostsBefore = (end: bigint | null): void => {
    for (; at < boosts.length && (end === null || boosts.ids[at]! <= end); at++) {
      const boost = boosts.ids[at]!;
      if (!repeats(feed, boost, boosts.originals[at]!)) ids.insert(boost);
    }
  };
  for (const one of later) {
    addBoostsBefore(one - 1n);
    if (boosts.ids[at] === one && at < boosts.length) addBoostsBefore(one);
    else ids.insert(one);
  }
  addBoostsBefore(null);
};

/** False when it is left out: as a repetition, or as older than everything in a full feed. */
const insert = (feed: Feed, id: bigint, original: bigint | null): boolean => {
  const { ids, boosts } = feed;
  if (ids.has(id)) return ids.isShown(id);
  feed.newest = null;
  if (original !== null) boosts.insert(id, original);
  const isLast = ids.position(id) === ids.length && boosts.position(id + 1n) === boosts.length;
  if (isLast && original !== null && repeats(feed, id, original)) return false;
  if (isLast || original === null) ids.insert(id);
  if (!isLast) arrange(feed, id);
  return ids.isShown(id);
};

const remove = (feed: Feed, gone: ReadonlySet<bigint>): void => {
  const before = feed.ids.length;
  feed.ids.remove(gone);
  feed.boosts.remove(gone);
  if (feed.ids.length === before) return;
  feed.newest = null;
  const [first] = BigUint64Array.from(gone).sort();
  arrange(feed, first!);
};

/** A page, newest first, within the length of a feed. */
const slice = (all: Ids, page: Page): bigint[] => {
  const first = Math.max(0, all.length - FEED_LENGTH);
  // The newest page, which is requested most, is found without a search.
  const isOpenBelow = page.minId === null && page.sinceId === null;
  const from = isOpenBelow ? first : Math.max(first, all.position(BigInt(lowerBound(page)) + 1n));
  const to = page.maxId === null ? all.length : Math.max(from, all.position(BigInt(page.maxId)));
  const ids = ascending(page)
    ? all.values.subarray(from, Math.min(to, from + page.limit))
    : all.values.subarray(Math.max(from, to - page.limit), to);
  return Array.from(ids.toReversed());
};

/** The newest page is cached as text. Look-ups by the same string objects are faster in caches, too. */
const pageOf = (feed: Feed, page: Page): string[] => {
  const { maxId, sinceId, minId, limit } = page;
  if (maxId !== null || sinceId !== null || minId !== null)
    return slice(feed.ids, page).map(String);
  if (feed.newest?.length !== limit) feed.newest = slice(feed.ids, page).map(String);
  return feed.newest.slice();
};

/** Merges the ids that a rebuild read with those that were pushed meanwhile. */
const refill = (feed: Feed, ids: bigint[], boosts: ReadonlyMap<string, string>): void => {
  for (const [id, original] of boosts) feed.boosts.insert(BigInt(id), BigInt(original));
  const present = feed.ids.takeFrom(0n);
  for (const id of BigUint64Array.from(new Set([...present, ...ids])).sort()) feed.ids.insert(id);
  arrange(feed, 0n);
};

/** The least recently read feeds are dropped first, and rebuilt at the next read. They do not expire. */
export const memoryFeeds = (maxBytes = 64 * 1024 * 1024): Feeds & { held: InMemory } => {
  const feeds = new LRUCache<string, Feed>({ max: Math.max(1, Math.floor(maxBytes / FEED_BYTES)) });
  const held = {
    hits: 0,
    misses: 0,
    entries: () => feeds.size,
    bytes: () => feeds.size * FEED_BYTES,
  };
  return {
    held,
    async push(keys, id, of = null) {
      const value = BigInt(id);
      const original = of === null ? null : BigInt(of);
      const leftOut: string[] = [];
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        feed.filling?.delete(value);
        if (!insert(feed, value, original)) leftOut.push(key);
      }
      return leftOut;
    },
    missing: async (keys) => keys.filter((key) => feeds.peek(key)?.filling !== null),
    async remove(keys, ids) {
      const gone = new Set(ids.map(BigInt));
      for (const key of keys) {
        const feed = feeds.peek(key);
        if (!feed) continue;
        remove(feed, gone);
        for (const id of gone) feed.filling?.add(id);
      }
    },
    async page(key, page) {
      const feed = feeds.get(key);
      const isReady = feed !== undefined && !feed.filling;
      if (isReady) held.hits += 1;
      else held.misses += 1;
      return isReady ? pageOf(feed, page) : null;
    },
    async open(key) {
      if (feeds.has(key)) return false;
      feeds.set(key, emptyFeed());
      return true;
    },
    async fill(key, ids, boosts = new Map()) {
      const feed = feeds.peek(key);
      if (!feed?.filling) return; // dropped meanwhile: what was read may be out of date
      const read = ids.map(BigInt).filter((id) => !feed.filling?.has(id));
      refill(feed, read, boosts);
      feed.filling = null;
    },
    async drop(keys) {
      for (const key of keys) feeds.delete(key);
    },
    async close() {
      feeds.clear();
    },
  };
};
