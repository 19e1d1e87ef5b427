// Feeds: bounded lists of status ids, newest first, that are fanned out on write. They are a cache:
// a feed that is missing is rebuilt from SQL by its owner, and dropping one is always safe.

import type { Page } from "../db/paging.ts";

/** The maximum length of a feed (contract: limits.json, feed.home_items_kept). */
export const FEED_LENGTH = 800;

/** A boost is left out while the same post, or another boost of it, is among so many of the newest. */
export const REPEAT_SPAN = 40;

export type Feeds = {
  /**
   * Adds an id to each of the feeds that exist (or are being filled); the others stay missing.
   * `of`: what it boosts. Returns the feeds that leave it out: as a repetition, or as older than
   * everything in a full feed.
   */
  push(keys: string[], id: string, of?: string | null): Promise<string[]>;
  /** Those of the feeds that are missing or still being filled: what they leave out is not known. */
  missing(keys: string[]): Promise<string[]>;
  /** Removes ids from the feeds that exist, and from the result of a rebuild in progress. */
  remove(keys: string[], ids: string[]): Promise<void>;
  /** A page of ids, newest first; null when the feed is missing or still being filled. */
  page(key: string, page: Page): Promise<string[] | null>;
  /** Opens a missing feed for filling: pushes are collected from now on. False when it exists already. */
  open(key: string): Promise<boolean>;
  /** Completes an opened feed; nothing when it was dropped meanwhile. `boosts`: of what each one is. */
  fill(key: string, ids: string[], boosts?: ReadonlyMap<string, string>): Promise<void>;
  drop(keys: string[]): Promise<void>;
  close(): Promise<void>;
};
