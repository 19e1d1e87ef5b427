// Feeds: bounded lists of status ids, in their order, that are fanned out on write. They have no rules: which boosts
// are left out is decided when they are read (feed.ts). They are a cache: a feed that is missing is rebuilt from SQL by
// its owner, and dropping one is always safe.

import type { Page } from "../db/paging.ts";

/** The maximum length of a feed (contract: limits.json, feed.home_items_kept). */
export const FEED_LENGTH = 800;

/** A boost is left out while the same post, or another boost of it, is among so many of the newest. */
export const REPEAT_SPAN = 40;

/**
 * What a feed is filled with. `boosts`: of what each of them is. `floor`: the ids are those from this
 * one on, and older ones follow later; null: they are all.
 */
export type FeedContent = {
  ids: string[];
  boosts?: ReadonlyMap<string, string>;
  floor?: string | null;
};

/** An id, and the feeds that it goes into or leaves. */
export type Placed = { keys: string[]; id: string };

/** What goes into feeds; `of`: what it boosts. */
export type Pushed = Placed & { of?: string | null };

/** `missing`: or not filled yet. `part`: older ids follow later. */
export type FeedState = "missing" | "part" | "whole";

export type Feeds = {
  /** Adds each of these to its feeds, where they exist (or are being filled); the others stay missing. */
  push(posts: Pushed[]): Promise<void>;
  /** Removes each of these from its feeds. What is being read to fill them is not taken: it may have them. */
  remove(gone: Placed[]): Promise<void>;
  /**
   * A page of ids, newest first, without the boosts that are left out; null when the feed is missing or not filled yet,
   * or filled in part and older ids may be on the page.
   */
  page(key: string, page: Page): Promise<string[] | null>;
  state(key: string): Promise<FeedState>;
  /**
   * Fills a feed that is missing, or filled in part, with what `read` gives and what is pushed meanwhile. Nothing when
   * it is being filled, or whole already, and when it is dropped, or something removed, meanwhile.
   */
  fill(key: string, read: () => Promise<FeedContent>): Promise<void>;
  drop(keys: string[]): Promise<void>;
  close(): Promise<void>;
};
