// The content of a feed, independent of how it is stored: its pages, and which boosts are left out of them
// (docs/design/feeds.md).

import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { FeedContent, FeedState, Pushed } from "./index.ts";

/** Pairs of a status id and the id that it boosts (0 if it is no boost), sorted by id, without duplicates. */
export type Entries = BigUint64Array<ArrayBuffer>;

/** A feed has every id from `floor` on. */
export type Feed = { entries: Entries; floor: bigint };

/** The floor of a feed that has all ids, and of one that has only what was pushed since its filling began. */
export const [WHOLE, EMPTY] = [0n, 2n ** 64n - 1n];

/** Entries by which a feed may exceed its length before it is cut, because cutting costs more than adding. */
const SLACK = 32;
export const CAPACITY = FEED_LENGTH + SLACK;

export const stateOf = (floor: bigint): FeedState => {
  if (floor === WHOLE) return "whole";
  return floor === EMPTY ? "missing" : "part";
};

export const entryOf = ({ id, of }: Pushed): [bigint, bigint] => [BigInt(id), BigInt(of ?? 0)];

/** Returns the entries of `content` that are older than what the feed has. */
export const entriesBelow = ({ ids, boosts }: FeedContent, floor: bigint): Entries => {
  const older = new Set(ids.map(BigInt).filter((id) => floor === WHOLE || id < floor));
  const rising = BigUint64Array.from(older).sort().subarray(-FEED_LENGTH);
  const entries = new BigUint64Array(2 * rising.length);
  for (const [n, id] of rising.entries()) {
    entries[2 * n] = id;
    entries[2 * n + 1] = BigInt(boosts?.get(String(id)) ?? 0);
  }
  return entries;
};

/** Whether the post, or a boost of it, is among the last REPEAT_SPAN entries shown. */
const isRepeat = (entries: Entries, shown: number[], post: bigint): boolean => {
  for (let n = Math.max(0, shown.length - REPEAT_SPAN); n < shown.length; n++) {
    const at = shown[n]!;
    if (entries[at] === post || entries[at + 1] === post) return true;
  }
  return false;
};

/** Returns the positions of the entries to show, in order: all but boosts of posts nearby. */
const placesShown = (entries: Entries): number[] => {
  const shown: number[] = [];
  for (let at = 0; at < entries.length; at += 2) {
    const post = entries[at + 1]!;
    if (post === 0n || !isRepeat(entries, shown, post)) shown.push(at);
  }
  return shown;
};

/** Counts the positions whose ids are below `id`. */
const countBelow = (entries: Entries, places: number[], id: bigint): number => {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[places[middle]!]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/**
 * Returns a page of ids, newest first; null when ids below the floor may belong to it, or may be what a boost on it
 * repeats.
 */
export const pageOf = (feed: Feed, page: Page): string[] | null => {
  if (feed.floor === EMPTY) return null;
  const entries = feed.entries.subarray(-2 * FEED_LENGTH);
  const shown = placesShown(entries);
  const below = (id: bigint) => countBelow(entries, shown, id);
  const above = BigInt(lowerBound(page));
  const from = above < 0n ? 0 : below(above + 1n);
  const to = page.maxId === null ? shown.length : Math.max(from, below(BigInt(page.maxId)));
  const [first, end] = ascending(page)
    ? [from, Math.min(to, from + page.limit)]
    : [Math.max(from, to - page.limit), to];
  if (feed.floor > WHOLE) {
    const floor = below(feed.floor);
    if (above < feed.floor && (ascending(page) || to - page.limit < floor)) return null;
    const near = shown.slice(first, Math.min(end, floor + REPEAT_SPAN));
    if (near.some((at) => entries[at + 1] !== 0n)) return null;
  }
  const places = shown.slice(first, end);
  return places.reverse().map((at) => String(entries[at]));
};
