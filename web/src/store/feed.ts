// Lists of posts: a page of one and, in the browser, how older and newer posts are added. A list keeps its state while
// its page is kept for going back.

import { batch, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Filter, Search, Status } from "../api/entities.ts";
import type { Get, Params } from "../api/get.ts";
import { loadByIds } from "./again.ts";
import { keepStatus, keepStatuses } from "./store.ts";
import type { Store } from "./store.ts";

/** A stream of the API. */
export type Stream = { stream: string; tag?: string; list?: string };

/** Places where filters of words apply. */
export type FilterContext = Filter["context"][number];

export type FeedData = {
  /** Path that the posts come from, for the next page. */
  path: string;
  params: Params;
  ids: string[];
  /** Query of the next page; null after the last. */
  next: Record<string, string> | null;
  /** Stream that reports new posts. */
  stream?: Stream;
  context?: FilterContext;
};

export const LIMIT = 20;

export type Asking = { get: Get; store: Store };

type Options = Pick<FeedData, "stream" | "context">;

/** Loads the page of a feed that begins at `from` (`max_id` …). One of older posts has no stream. */
export const loadFeed = async (
  { get, store }: Asking,
  path: string,
  params: Params = {},
  from: Record<string, string | undefined> = {},
  { stream, context }: Options = {},
): Promise<FeedData> => {
  type Found = Status[] | Search;
  const { body, next } = await get<Found>(path, { limit: LIMIT, ...params, ...from });
  const isNewest = Object.values(from).every((value) => value === undefined);
  return {
    path,
    params,
    ids: keepStatuses(store, Array.isArray(body) ? body : body.statuses),
    next,
    ...(stream && isNewest && { stream }),
    ...(context && { context }),
  };
};

export type FeedState = {
  data: FeedData;
  ids: Signal<string[]>;
  next: Signal<FeedData["next"]>;
  /** New posts that the reader has not asked to see, newest first. */
  waiting: Signal<string[]>;
  /** True when there are too many new posts to insert, so that the list begins anew. */
  isBehind: Signal<boolean>;
  /** Newest id up to which no post was missed. */
  reached: string | undefined;
  /** True while posts may have been missed above `reached`: what a stream reports meanwhile may be newer than these. */
  isStale: boolean;
};

/** Compares ids, which are too large for numbers. */
export const isNewer = (id: string, than: string | undefined): boolean =>
  than === undefined || (id.length === than.length ? id > than : id.length > than.length);

const states = new WeakMap<FeedData, FeedState>();

export const feedState = (data: FeedData): FeedState => {
  const known = states.get(data);
  if (known) return known;
  const state: FeedState = {
    data,
    ids: signal(data.ids),
    next: signal(data.next),
    waiting: signal([]),
    isBehind: signal(false),
    reached: data.ids[0],
    isStale: false,
  };
  states.set(data, state);
  return state;
};

/** Returns the posts that wait to be shown. */
export const waitingIn = (data: FeedData): readonly string[] =>
  states.get(data)?.waiting.peek() ?? [];

/** Returns plain data again, to be kept over a reload. */
export const feedDataOf = (data: FeedData): FeedData => {
  const state = states.get(data);
  return state ? { ...data, ids: state.ids.peek(), next: state.next.peek() } : data;
};

const subjectOf = (store: Store, id: string): string => store.statuses.get(id)?.peek().reblog ?? id;

/** Returns the ids whose post is not in the list, boosted or not. */
const unseen = (store: Store, known: readonly string[], ids: readonly string[]): string[] => {
  const subjects = new Set(known.map((id) => subjectOf(store, id)));
  return ids.filter((id) => {
    const subject = subjectOf(store, id);
    if (subjects.has(subject)) return false;
    subjects.add(subject);
    return true;
  });
};

/** Returns the ids without repeats of a post. */
export const withoutRepeats = (store: Store, ids: readonly string[]): string[] =>
  unseen(store, [], ids);

/** Appends the next page. */
export const loadOlder = async (asking: Asking, state: FeedState): Promise<void> => {
  const { path, params } = state.data;
  const older = await loadFeed(asking, path, params, state.next.peek() ?? {});
  batch(() => {
    const ids = unseen(asking.store, state.ids.peek(), older.ids);
    state.ids.value = [...state.ids.peek(), ...ids];
    state.next.value = older.next;
  });
};

/** Loads posts of which the list was restored with their ids; those that are there no more leave it. */
export const loadMissing = async (
  asking: Asking,
  state: FeedState,
  ids: readonly string[],
): Promise<void> => {
  await loadByIds(asking, ids);
  const gone = new Set(ids.filter((id) => !asking.store.statuses.has(id)));
  state.ids.value = state.ids.peek().filter((id) => !gone.has(id));
};

/** New posts that may wait; with more, the list begins anew. */
const MAX_WAITING = 200;

/** A repeat is left out if the post itself is among this many entries from the top. */
const REPEAT_WITHIN = 100;

const newestFirst = (a: string, b: string): number => (isNewer(a, b) ? -1 : 1);

/** Adds new ids, newest first, to those that wait to be shown. */
const arrive = (store: Store, state: FeedState, ids: readonly string[]): void => {
  const waiting = state.waiting.peek();
  for (const id of ids) if (!state.isStale && isNewer(id, state.reached)) state.reached = id;
  const known = [...waiting, ...state.ids.peek().slice(0, REPEAT_WITHIN)];
  const fresh = unseen(store, known, ids);
  if (fresh.length === 0) return;
  if (waiting.length + fresh.length > MAX_WAITING) state.isBehind.value = true;
  else {
    const all = [...fresh, ...waiting];
    // The order of other lists is not that of their ids.
    state.waiting.value = state.data.stream ? all.toSorted(newestFirst) : all;
  }
};

/** Adds a post that a stream reported. */
export const arriveOne = (store: Store, state: FeedState, status: Status): void => {
  if (state.isBehind.peek()) return;
  arrive(store, state, [keepStatus(store, status, true)]);
};

/** Adds what came with the document above a list that was kept over a reload, and that no stream tells of new posts. */
export const arriveAbove = (store: Store, data: FeedData, loaded: readonly string[]): void => {
  const state = feedState(data);
  const known = new Set(data.ids);
  const end = loaded.findIndex((id) => known.has(id));
  if (end >= 0) arrive(store, state, loaded.slice(0, end));
  else if (loaded.length > 0) state.isBehind.value = true;
};

/** Posts of a list whose reader is at its top; older ones are loaded again on scrolling. */
const MAX_AT_TOP = 200;

/** Shows waiting posts, from the top. */
export const showWaiting = (state: FeedState): void =>
  batch(() => {
    const ids = [...state.waiting.peek(), ...state.ids.peek()];
    state.waiting.value = [];
    state.ids.value = ids.slice(0, MAX_AT_TOP);
    if (ids.length > MAX_AT_TOP) state.next.value = { max_id: ids[MAX_AT_TOP - 1]! };
  });

/** Shows a new post of one's own at once. */
export const putOnTop = (state: FeedState, id: string): void => {
  const known = state.ids.peek();
  if (!isNewer(id, known[0])) return;
  batch(() => {
    state.waiting.value = state.waiting.peek().filter((each) => each !== id);
    state.ids.value = [id, ...known];
  });
};

/** Loads the list again from its newest post on. */
export const beginAnew = async (asking: Asking, state: FeedState): Promise<void> => {
  const { path, params } = state.data;
  const newest = await loadFeed(asking, path, params);
  batch(() => {
    state.ids.value = newest.ids;
    state.reached = newest.ids[0];
    state.next.value = newest.next;
    state.waiting.value = [];
    state.isBehind.value = false;
  });
};

const CATCH_UP_LIMIT = 40;
const CATCH_UP_PAGES = 4;

/**
 * Loads missed posts: those after the newest, from the oldest on. A page may be short where posts that are hidden from
 * the reader were passed by; the next one begins above these.
 */
export const catchUp = async ({ get, store }: Asking, state: FeedState): Promise<void> => {
  state.isStale = true;
  const { path, params } = state.data;
  let isFurther = true;
  for (let page = 0; isFurther && page < CATCH_UP_PAGES; page += 1) {
    const after = state.reached;
    const query = { ...params, limit: CATCH_UP_LIMIT, ...(after && { min_id: after }) };
    // Each page begins where the one before ended.
    // oxlint-disable-next-line no-await-in-loop
    const { body, newerFrom } = await get<Status[]>(path, query);
    const ids = keepStatuses(store, body);
    arrive(store, state, ids);
    const [newest = after] = ids;
    const isBeyond = newerFrom !== null && isNewer(newerFrom, newest);
    state.reached = isBeyond ? newerFrom : newest;
    isFurther = body.length >= CATCH_UP_LIMIT || (after !== undefined && isBeyond);
    // The newest page says nothing of what is between it and an empty list.
    if (!after) break;
  }
  if (isFurther) state.isBehind.value = true;
  state.isStale = false;
};
