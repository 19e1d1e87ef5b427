// Feeds: bounded lists of status ids, newest first, that are fanned out on write. They are a cache:
// a feed that is missing is rebuilt from SQL by its owner, and dropping one is always safe.

import type { Page } from "../db/paging.ts";

/** How many ids a feed keeps (contract: limits.json, feed.home_items_kept). */
export const FEED_LENGTH = 800;

/** A boost is left out while the same post, or another boost of it, is among so many of the newest. */
export const REPEAT_SPAN = 40;

export type Feeds = {
  /**
   * Adds an id to each of the feeds that exist (or are being filled); the others stay missing.
   * `of`: what it boosts. Gives the feeds that leave it out: as a repetition, or as older than all that
   * a full feed keeps.
   */
  push(keys: string[], id: string, of?: string | null): Promise<string[]>;
  /** Those of the feeds that are missing or still being filled: a push cannot tell what they leave out. */
  missing(keys: string[]): Promise<string[]>;
  /** Takes ids out of the feeds that exist, and out of what a rebuild that runs will deliver. */
  remove(keys: string[], ids: string[]): Promise<void>;
  /** A page of ids, newest first; null when the feed is missing or still being filled. */
  page(key: string, page: Page): Promise<string[] | null>;
  /** Opens a missing feed for filling: pushes are kept from now on. False when it is already there. */
  open(key: string): Promise<boolean>;
  /** Completes an opened feed; nothing when it was dropped meanwhile. `boosts`: of what each one is. */
  fill(key: string, ids: string[], boosts?: ReadonlyMap<string, string>): Promise<void>;
  drop(keys: string[]): Promise<void>;
  close(): Promise<void>;
};
