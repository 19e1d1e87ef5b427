// A feed as it is read, whatever it is stored in: which of its boosts are left out, and its pages
// (docs/design/feeds.md).

import { ascending, lowerBound } from "../db/paging.ts";
import type { Page } from "../db/paging.ts";
import { FEED_LENGTH, REPEAT_SPAN } from "./index.ts";
import type { FeedContent, FeedState, Pushed } from "./index.ts";

/** Pairs of an id and of what it boosts (0: it is no boost), in the order of the ids, each once. */
export type Entries = BigUint64Array<ArrayBuffer>;

/** It has every id from its floor on. */
export type Feed = { entries: Entries; floor: bigint };

/** The floor of a feed that has everything, and of one that has only what was pushed since its filling began. */
export const [WHOLE, EMPTY] = [0n, 2n ** 64n - 1n];

/** A feed grows by this much over its length before it is cut: cutting costs more than adding. */
const SLACK = 32;
export const CAPACITY = FEED_LENGTH + SLACK;

export const stateOf = (floor: bigint): FeedState => {
  if (floor === WHOLE) return "whole";
  return floor === EMPTY ? "missing" : "part";
};

export const entryOf = ({ id, of }: Pushed): [bigint, bigint] => [BigInt(id), BigInt(of ?? 0)];

/** The content of a feed, as far as it is older than what the feed has already. */
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

/** Whether the post, or a boost of it, is among the last of those that are shown. */
const isRepeat = (entries: Entries, shown: number[], post: bigint): boolean => {
  for (let n = Math.max(0, shown.length - REPEAT_SPAN); n < shown.length; n++) {
    const at = shown[n]!;
    if (entries[at] === post || entries[at + 1] === post) return true;
  }
  return false;
};

/** The places of the entries that are shown, in their order: all but boosts of what is near. */
const placesShown = (entries: Entries): number[] => {
  const shown: number[] = [];
  for (let at = 0; at < entries.length; at += 2) {
    const post = entries[at + 1]!;
    if (post === 0n || !isRepeat(entries, shown, post)) shown.push(at);
  }
  return shown;
};

/** How many of the places are of ids below this one. */
const countBelow = (entries: Entries, places: number[], id: bigint): number => {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (entries[places[middle]!]! < id) low = middle + 1;
    else high = middle;
  }
  return low;
};

/** A page, newest first; null when what is below the floor may be on it, or may be what a boost on it repeats. */
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
