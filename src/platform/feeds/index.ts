// Feeds: bounded lists of status ids, newest first, that are fanned out on write. They are a cache:
// a feed that is missing is rebuilt from SQL by its owner, and dropping one is always safe.

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

export type Feeds = {
  /**
   * Adds each of these to its feeds, where they exist (or are being filled); the others stay missing. Returns, in the
   * same order, the feeds that leave it out: as a repetition, or as older than everything in a full feed.
   */
  push(posts: Pushed[]): Promise<string[][]>;
  /** Those of the feeds that are missing or not filled yet: what they leave out is not known. */
  missing(keys: string[]): Promise<string[]>;
  /** Whether it is filled with all its ids. */
  isWhole(key: string): Promise<boolean>;
  /**
   * Removes each id from its feeds that exist, and from the result of a rebuild in progress. Returns, in the same order, the
   * feeds that left it out: nobody has seen it there.
   */
  remove(gone: Placed[]): Promise<string[][]>;
  /**
   * A page of ids, newest first; null when the feed is missing or not filled yet, or filled in part and
   * older ids may be on the page.
   */
  page(key: string, page: Page): Promise<string[] | null>;
  /**
   * Opens a feed that is missing, or filled in part, for filling: changes are collected from now on. False
   * when it is being filled, or whole already.
   */
  open(key: string): Promise<boolean>;
  /** Fills an opened feed; nothing when it was dropped meanwhile. */
  fill(key: string, content: FeedContent): Promise<void>;
  drop(keys: string[]): Promise<void>;
  close(): Promise<void>;
};
