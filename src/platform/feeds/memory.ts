// Feeds in memory. The ids of each are stored oldest first, so that new ones are added at the end.

import { LRUCache } from "lru-cache";
import type { InMemory } from "../caches/index.ts";
import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { Feeds } from "./index.ts";
import { Boosts, CAPACITY, Ids, MAX_BOOSTS } from "./sorted.ts";

/** A feed in part has everything from its floor on. */
type State = { name: "empty" | "whole" } | { name: "part"; floor: bigint };

/**
 * `boosts` includes those that are left out: they appear when what they repeat is deleted. During a
 * rebuild `filling` has the ids that were removed since it began, which it may have read before.
 */
type Feed = {
  ids: Ids;
  boosts: Boosts;
  filling: Set<bigint> | null;
  state: State;
  /** The newest page, cached as text until the ids change. */
  newest: string[] | null;
};

/** Includes a cached page: about 50 bytes for each id. */
const FEED_BYTES = 8 * CAPACITY + 16 * MAX_BOOSTS + 50 * 40 + 700;

const emptyFeed = (): Feed => ({
  ids: new Ids(),
  boosts: new Boosts(),
  filling: new Set(),
  state: { name: "empty" },
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

/** Whether nothing below the floor of a feed in part can be on the page. */
const isWithin = (all: Ids, floor: bigint, page: Page): boolean => {
  if (BigInt(lowerBound(page)) >= floor) return true;
  if (ascending(page)) return false;
  const to = page.maxId === null ? all.length : all.position(BigInt(page.maxId));
  return to - page.limit >= all.position(floor);
};

const isReady = ({ ids, state }: Feed, page: Page): boolean =>
  state.name === "part" ? isWithin(ids, state.floor, page) : state.name === "whole";

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
    missing: async (keys) =>
      keys.filter((key) => (feeds.peek(key)?.state.name ?? "empty") === "empty"),
    isWhole: async (key) => feeds.peek(key)?.state.name === "whole",
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
      const ready = feed && isReady(feed, page) ? pageOf(feed, page) : null;
      if (ready) held.hits += 1;
      else held.misses += 1;
      return ready;
    },
    async open(key) {
      const feed = feeds.peek(key);
      if (!feed) feeds.set(key, emptyFeed());
      else if (feed.filling || feed.state.name === "whole") return false;
      else feed.filling = new Set();
      return true;
    },
    async fill(key, { ids, boosts = new Map(), floor = null }) {
      const feed = feeds.peek(key);
      if (!feed?.filling) return; // dropped meanwhile: what was read may be out of date
      const read = ids.map(BigInt).filter((id) => !feed.filling?.has(id));
      refill(feed, read, boosts);
      feed.filling = null;
      feed.newest = null;
      feed.state = floor === null ? { name: "whole" } : { name: "part", floor: BigInt(floor) };
    },
    async drop(keys) {
      for (const key of keys) feeds.delete(key);
    },
    async close() {
      feeds.clear();
    },
  };
};
