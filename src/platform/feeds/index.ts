// Feeds: sorted lists of status ids, limited in length, that are fanned out on write. They apply no rules: which boosts
// are left out is decided when a feed is read (feed.ts). They are caches: whoever reads a missing feed rebuilds it from
// SQL, so dropping one is always safe.

import type { Page } from "../db/paging.ts";

/** Maximum number of ids in a feed (contract: limits.json, feed.home_items_kept). */
export const FEED_LENGTH = 800;

/** A boost is left out while the same post, or another boost of it, is among this many of the newest entries. */
export const REPEAT_SPAN = 40;

/**
 * The content that fills a feed. `boosts` maps a boost to the boosted status. `floor`: all ids from this one on are
 * included and older ones follow later; null: all ids are included.
 */
export type FeedContent = {
  ids: string[];
  boosts?: ReadonlyMap<string, string>;
  floor?: string | null;
};

/** An id, and the keys of the feeds that it is added to or removed from. */
export type Placed = { keys: string[]; id: string };

/** An id to add to feeds; `of` is the status that it boosts. */
export type Pushed = Placed & { of?: string | null };

/** `missing` includes feeds that are not filled yet. `part`: older ids follow later. */
export type FeedState = "missing" | "part" | "whole";

export type Feeds = {
  /** Adds each id to those of its feeds that exist or are being filled; the others stay missing. */
  push(posts: Pushed[]): Promise<void>;
  /**
   * Removes each id from its feeds. A feed that is being filled discards what is being read, since that may contain the
   * id.
   */
  remove(gone: Placed[]): Promise<void>;
  /**
   * Returns a page of ids, newest first, without the boosts that are left out. Null when the feed is missing or not
   * filled yet, or when it is partly filled and older ids may belong to the page. With `mayLag` it may lack what other
   * processes have changed a moment ago.
   */
  page(key: string, page: Page, mayLag?: boolean): Promise<string[] | null>;
  state(key: string): Promise<FeedState>;
  /**
   * Fills a feed that is missing or partly filled with what `read` returns and what is pushed meanwhile. Does nothing
   * when the feed is whole or another call is filling it, or when it is dropped or an id is removed from it meanwhile.
   */
  fill(key: string, read: () => Promise<FeedContent>): Promise<void>;
  drop(keys: string[]): Promise<void>;
  close(): Promise<void>;
};
