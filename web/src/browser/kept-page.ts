// Keeps a page over a reload, for this window alone: its lists as far as they were loaded, the position in them, and the
// posts around it; others are asked for again when they come near (elements/parts.tsx).

import { arriveAbove, feedDataOf, feedState } from "../store/feed.ts";
import type { FeedData } from "../store/feed.ts";
import { isNewer } from "../store/notifications.ts";
import type { NotificationsData } from "../store/notifications.ts";
import { addPart, partOf } from "../store/part.ts";
import type { Snapshot, Store } from "../store/store.ts";
import { layoutOf, plainLayout, restoreLayout } from "../window/layout.ts";
import type { Spot } from "../window/spot.ts";

type KeptPage = {
  /** Account that read it. */
  accountId: string | null;
  key: string;
  url: string;
  data: unknown;
  /** How each list of the data was drawn. */
  layouts: ReturnType<typeof plainLayout>[];
  /** What is near. */
  part: Snapshot;
  spot: Spot;
};

const SLOT = "page";
/** Entries on each side of the position that are kept whole; fewer where there is no room for so many. */
const AROUND = [60, 20];

const has = <T extends object>(value: unknown, name: keyof T, other: keyof T): value is T =>
  typeof value === "object" && value !== null && name in value && other in value;

const isFeed = (value: unknown): value is FeedData => has<FeedData>(value, "ids", "path");

const isNotifications = (value: unknown): value is NotificationsData =>
  has<NotificationsData>(value, "groups", "lastRead");

/** Returns the lists in the data of a page: the data itself, or parts of it. */
export const feedsOf = (data: unknown): FeedData[] =>
  isFeed(data) ? [data] : Object.values((data as object | null) ?? {}).filter(isFeed);

const mapFeeds = (data: unknown, map: (feed: FeedData) => unknown): unknown => {
  if (isFeed(data)) return map(data);
  if (typeof data !== "object" || data === null || Array.isArray(data)) return data;
  const parts = Object.entries(data).map(([name, value]) => [
    name,
    isFeed(value) ? map(value) : value,
  ]);
  return Object.fromEntries(parts);
};

/** Returns the data of a page with its lists in their present state. */
export const asPlain = (data: unknown): unknown => mapFeeds(data, feedDataOf);

/** Returns what its parts are drawn of. */
const drawnOf = (data: unknown): object[] =>
  isNotifications(data) ? [data] : feedsOf(data).map(feedState);

/** Returns the entries of a list that are in no part of it, or near the position. */
const nearIn = <T>(
  list: object,
  all: T[],
  keyOf: (each: T) => string,
  at: string,
  around: number,
) => {
  const { numbers } = layoutOf(list);
  const first = all.findIndex((each) => (numbers.get(keyOf(each)) ?? 0) > 0);
  const place = all.findIndex((each) => keyOf(each) === at);
  const isNear = (index: number) => place >= 0 && Math.abs(index - place) <= around;
  return all.filter((_, index) => first < 0 || index < first || isNear(index));
};

/** Returns the data of a page without the entries that are far from the position. */
const nearOf = (data: unknown, at: string, around: number): unknown =>
  isNotifications(data)
    ? { ...data, groups: nearIn(data, data.groups, (each) => each.group_key, at, around) }
    : mapFeeds(data, (feed) => {
        const { ids } = feedDataOf(feed);
        return nearIn(feedState(feed), ids, (id) => id, at, around);
      });

type Owner = { store: Store; me: { id: string } | null };

/** Whether there was room. */
const write = (page: KeptPage): boolean => {
  try {
    sessionStorage.setItem(SLOT, JSON.stringify(page));
    return true;
  } catch {
    return false;
  }
};

export const savePage = ({ store, me }: Owner, key: string, data: unknown, spot: Spot): void => {
  try {
    sessionStorage.removeItem(SLOT);
  } catch {
    // Storage is forbidden: the page begins at its top.
    return;
  }
  const lists = drawnOf(data);
  const { entry } = spot;
  if (entry === null || lists.length === 0) return;
  const page = {
    accountId: me?.id ?? null,
    key,
    url: location.href,
    data: asPlain(data),
    layouts: lists.map(plainLayout),
    spot,
  };
  AROUND.some((around) => write({ ...page, part: partOf(store, nearOf(data, entry, around)) }));
};

/** Shows what came with the document where it is newer than a list that no stream tells of newer posts. */
const addNewest = ({ store, me }: Owner, data: unknown, loaded: unknown): void => {
  for (const feed of feedsOf(data)) {
    feedState(feed).isStale = true;
    const newest = feedsOf(loaded).find(({ path }) => path === feed.path);
    if (newest && !(feed.stream && me)) arriveAbove(store, feed, newest.ids);
  }
  if (!isNotifications(data) || !isNotifications(loaded)) return;
  const before = String(data.groups[0]?.most_recent_notification_id ?? "0");
  const ids = loaded.groups.map((group) => group.most_recent_notification_id);
  data.since = ids.filter((id) => isNewer(id, before)).length;
};

/**
 * Returns what the same person saved of this page, and puts its posts into the store. Where no stream tells of posts that
 * are newer, those of `loaded`, the data that came with the document, wait above them.
 */
export const restorePage = (
  owner: Owner,
  key: string,
  loaded: unknown,
): Pick<KeptPage, "data" | "spot"> | null => {
  try {
    const page = JSON.parse(sessionStorage.getItem(SLOT) ?? "null") as KeptPage | null;
    if (!page || page.accountId !== (owner.me?.id ?? null)) return null;
    if (page.key !== key || page.url !== location.href) return null;
    addPart(owner.store, page.part);
    drawnOf(page.data).forEach((list, index) => restoreLayout(list, page.layouts[index]!));
    addNewest(owner, page.data, loaded);
    return page;
  } catch {
    return null;
  }
};
