// Keeps pages over a reload, for this window alone: their lists as far as they were loaded, the position in them, and
// the posts around it; others are asked for again when they come near (elements/parts.tsx).

import { addressOf } from "../app.ts";
import { arriveAbove, feedDataOf, feedState } from "../store/feed.ts";
import type { FeedData } from "../store/feed.ts";
import { isNewer } from "../store/notifications.ts";
import type { NotificationsData } from "../store/notifications.ts";
import { addPart, partOf } from "../store/part.ts";
import type { Snapshot, Store } from "../store/store.ts";
import { threadDataOf, threadState } from "../store/thread.ts";
import type { ThreadData } from "../store/thread.ts";
import { layoutOf, plainLayout, restoreLayout } from "../window/layout.ts";
import type { Spot } from "../window/spot.ts";
import type { Shown } from "./shown.ts";

/** A page of this window, by the key of its entry in the history. */
export type Kept = { key: string; shown: Shown; spot: Spot };

type KeptPage = {
  /** Account that read it. */
  accountId: string | null;
  key: string;
  address: string;
  data: unknown;
  /** How each list of the data was drawn. */
  layouts: ReturnType<typeof plainLayout>[];
  /** What is near. */
  part: Snapshot;
  spot: Spot;
};

const SLOT = "pages";
/** Pages that are kept, the newest first: a reader goes back from posts to the list that led to them. */
const MAX_PAGES = 4;
/** Entries on each side of the position that are kept whole; fewer where there is no room for so many. */
const AROUND = [60, 20];

const has = <T extends object>(value: unknown, name: keyof T, other: keyof T): value is T =>
  typeof value === "object" && value !== null && name in value && other in value;

const isFeed = (value: unknown): value is FeedData => has<FeedData>(value, "ids", "path");

const isNotifications = (value: unknown): value is NotificationsData =>
  has<NotificationsData>(value, "groups", "lastRead");

const isThread = (value: unknown): value is ThreadData => has<ThreadData>(value, "above", "below");

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
export const asPlain = (data: unknown): unknown =>
  isThread(data) ? threadDataOf(data) : mapFeeds(data, feedDataOf);

/** Returns what its parts are drawn of. */
const drawnOf = (store: Store, data: unknown): object[] => {
  if (isThread(data)) return [threadState(store, data)];
  return isNotifications(data) ? [data] : feedsOf(data).map(feedState);
};

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

/** Returns the data of a page without the entries that are far from the position; a thread is kept whole. */
const nearOf = (data: unknown, at: string, around: number): unknown => {
  if (isThread(data)) return asPlain(data);
  if (isNotifications(data))
    return { ...data, groups: nearIn(data, data.groups, (each) => each.group_key, at, around) };
  return mapFeeds(data, (feed) =>
    nearIn(feedState(feed), feedDataOf(feed).ids, (id) => id, at, around),
  );
};

type Owner = { store: Store; me: { id: string } | null };

const accountIdOf = ({ me }: Pick<Owner, "me">): string | null => me?.id ?? null;

const readPages = (owner: Pick<Owner, "me">): KeptPage[] => {
  try {
    const pages = JSON.parse(sessionStorage.getItem(SLOT) ?? "[]") as KeptPage[];
    return pages.filter(({ accountId }) => accountId === accountIdOf(owner));
  } catch {
    return [];
  }
};

/** Whether there was room. */
const write = (pages: string[]): boolean => {
  try {
    sessionStorage.setItem(SLOT, `[${pages.join()}]`);
    return true;
  } catch {
    return false;
  }
};

/** Forgets what others read in this window. */
export const forgetPagesOfOthers = (owner: Pick<Owner, "me">): void =>
  void write(readPages(owner).map((page) => JSON.stringify(page)));

/** Returns what makes the page that is kept, with the posts around its position; null for one without lists. */
const keeperOf = (
  owner: Owner,
  { key, shown, spot }: Kept,
): ((around: number) => KeptPage) | null => {
  const { store } = owner;
  const { data, place } = shown;
  const { entry } = spot;
  const lists = drawnOf(store, data);
  if (entry === null || lists.length === 0) return null;
  return (around) => ({
    accountId: accountIdOf(owner),
    key,
    address: addressOf(place),
    data: asPlain(data),
    layouts: lists.map(plainLayout),
    part: partOf(store, nearOf(data, entry, around)),
    spot,
  });
};

/** Keeps the pages of the window, the newest first, and older ones of before, as far as there is room. */
export const savePages = (owner: Owner, pages: Kept[]): void => {
  const others = readPages(owner).filter(({ key }) => pages.every((each) => each.key !== key));
  const keepers = [
    ...pages.flatMap((page) => keeperOf(owner, page) ?? []),
    ...others.map((page) => () => page),
  ];
  const kept: string[] = [];
  write(kept);
  for (const keeper of keepers.slice(0, MAX_PAGES))
    AROUND.some((around) => {
      const page = JSON.stringify(keeper(around));
      return write([...kept, page]) && kept.push(page);
    });
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
 * Returns what the same person saved of this page, and puts its posts into the store. Where no stream tells of newer
 * posts, those of `loaded`, the page as it was loaded now, wait above them.
 */
export const restorePage = (owner: Owner, key: string, loaded: Shown): Omit<Kept, "key"> | null => {
  const { store } = owner;
  const address = addressOf(loaded.place);
  const page = readPages(owner).find((each) => each.key === key && each.address === address);
  if (!page) return null;
  const { data, spot } = page;
  try {
    addPart(store, page.part);
    drawnOf(store, data).forEach((list, index) => restoreLayout(list, page.layouts[index]!));
    addNewest(owner, data, loaded.data);
    return { shown: { ...loaded, data }, spot };
  } catch {
    // Another version of the client kept it.
    return null;
  }
};
