// Keeps a page over a reload: its lists as far as they were loaded, and the position in them, for this window alone.

import { arriveAbove, feedDataOf, feedState } from "../store/feed.ts";
import type { FeedData } from "../store/feed.ts";
import { restoreStatuses } from "../store/store.ts";
import type { Store, StoredStatus } from "../store/store.ts";
import type { Spot } from "../window/spot.ts";

type KeptPage = {
  /** Account that read it. */
  accountId: string | null;
  key: string;
  url: string;
  data: unknown;
  statuses: StoredStatus[];
  spot: Spot;
};

const SLOT = "page";
/** Posts of a list; longer lists begin anew. */
const MAX_POSTS = 600;

const isFeed = (value: unknown): value is FeedData =>
  typeof value === "object" && value !== null && "ids" in value && "path" in value;

/** Returns the lists in the data of a page: the data itself, or parts of it. */
export const feedsOf = (data: unknown): FeedData[] =>
  isFeed(data) ? [data] : Object.values((data as object | null) ?? {}).filter(isFeed);

/** Returns the data of a page with its lists in their present state. */
export const asPlain = (data: unknown): unknown => {
  if (isFeed(data)) return feedDataOf(data);
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const parts = Object.entries(data).map(([name, value]) => [
    name,
    isFeed(value) ? feedDataOf(value) : value,
  ]);
  return Object.fromEntries(parts);
};

const statusesOf = (store: Store, feeds: readonly FeedData[]): StoredStatus[] => {
  const known = (id: string) => store.statuses.get(id)?.peek();
  const listed = feeds.flatMap(({ ids }) => ids.map(known)).filter((status) => !!status);
  const boosted = listed.map(({ reblog }) => (reblog ? known(reblog) : undefined));
  return [...listed, ...boosted.filter((status) => !!status)];
};

type Owner = { store: Store; me: { id: string } | null };

export const savePage = ({ store, me }: Owner, key: string, data: unknown, spot: Spot): void => {
  try {
    sessionStorage.removeItem(SLOT);
    const plain = asPlain(data);
    const feeds = feedsOf(plain);
    const posts = feeds.reduce((sum, { ids }) => sum + ids.length, 0);
    if (spot.entry === null || posts === 0 || posts > MAX_POSTS) return;
    const statuses = statusesOf(store, feeds);
    const accountId = me?.id ?? null;
    const page: KeptPage = { accountId, key, url: location.href, data: plain, statuses, spot };
    sessionStorage.setItem(SLOT, JSON.stringify(page));
  } catch {
    // There is no room, or storage is forbidden: the page begins at its top.
  }
};

/**
 * Returns what the same person saved of this page, and puts its posts into the store. Where no stream tells of posts that
 * are newer, those of `loaded`, the data that came with the document, wait above them.
 */
export const restorePage = (
  { store, me }: Owner,
  key: string,
  loaded: unknown,
): Pick<KeptPage, "data" | "spot"> | null => {
  try {
    const page = JSON.parse(sessionStorage.getItem(SLOT) ?? "null") as KeptPage | null;
    if (!page || page.accountId !== (me?.id ?? null)) return null;
    if (page.key !== key || page.url !== location.href) return null;
    restoreStatuses(store, page.statuses);
    for (const feed of feedsOf(page.data)) {
      feedState(feed).isStale = true;
      const newest = feedsOf(loaded).find(({ path }) => path === feed.path);
      if (newest && !(feed.stream && me)) arriveAbove(store, feed, newest.ids);
    }
    return page;
  } catch {
    return null;
  }
};
