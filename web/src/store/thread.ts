// The thread of a post: what it replies to, and its replies, which grow while it is shown. Only a part of a long one is
// drawn: of the rest only ids and positions are known, and posts are loaded as the reader comes near.

import { batch, computed, signal } from "@preact/signals";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { Context, Status } from "../api/entities.ts";
import type { Asking } from "./feed.ts";
import { keepStatus, keepStatuses } from "./store.ts";
import type { Store } from "./store.ts";
import { repliesOf, sequenceOf, treeOf } from "./thread-tree.ts";
import type { Place, Tree } from "./thread-tree.ts";

/** Answers, and posts above, that are drawn at first, and added each time. */
const PART = 40;
/** Posts requested at once by their ids. */
const MAX_IDS = 20;

/** A post that is not in the store: its id, what it replies to, its author. */
type Reference = [id: string, parentId: string | null, authorId: string];

export type ThreadData = {
  id: string;
  /** Ids above, beginning with the first post of the thread. */
  above: string[];
  /** Ids below, with parents before their replies. */
  below: string[];
  further: Reference[];
  /** Answers that are drawn at first: those that follow `after`, if the page begins there. */
  shown: string[];
  after: string | null;
  /** True until what is above and below is loaded. */
  isPartial?: boolean;
  /** What else was drawn, where it was kept over a reload. */
  kept?: { opened: string[]; aside: [string, readonly string[]][]; drawnAbove: number };
};

export type ThreadState = {
  data: ThreadData;
  below: Signal<readonly string[]>;
  tree: ReadonlySignal<Tree>;
  shown: Signal<ReadonlySet<string>>;
  /** Opened branches that were folded at first, by their first posts. */
  opened: Signal<ReadonlySet<string>>;
  /** Answers that were written here to posts above, by what is above. */
  aside: Signal<ReadonlyMap<string, readonly string[]>>;
  /** Number of posts above that are drawn, from the nearest on. */
  drawnAbove: Signal<number>;
  /** Positions of posts that came as references. */
  places: Map<string, Place>;
  /** True once the page was scrolled to its post. */
  isPlaced: boolean;
};

const states = new WeakMap<ThreadData, ThreadState>();

const addPlaces = (places: Map<string, Place>, further: readonly Reference[]): void => {
  for (const [id, parentId, authorId] of further) places.set(id, { parentId, authorId });
};

const placeIn =
  (store: Store, places: ReadonlyMap<string, Place>) =>
  (id: string): Place | undefined => {
    const status = store.statuses.get(id)?.peek();
    return status
      ? { parentId: status.in_reply_to_id, authorId: status.account.id }
      : places.get(id);
  };

export const threadState = (store: Store, data: ThreadData): ThreadState => {
  const known = states.get(data);
  if (known) return known;
  const places = new Map<string, Place>();
  addPlaces(places, data.further);
  const below = signal<readonly string[]>(data.below);
  const state: ThreadState = {
    data,
    below,
    tree: computed(() => treeOf(data.id, below.value, placeIn(store, places))),
    shown: signal(new Set(data.shown)),
    opened: signal(new Set(data.kept?.opened)),
    aside: signal(new Map(data.kept?.aside)),
    drawnAbove: signal(data.kept?.drawnAbove ?? PART),
    places,
    isPlaced: data.kept !== undefined,
  };
  states.set(data, state);
  return state;
};

/** Returns plain data again, to be kept over a reload. */
export const threadDataOf = (data: ThreadData): ThreadData => {
  const state = states.get(data);
  if (!state) return data;
  const { below, places, shown, opened, aside, drawnAbove } = state;
  return {
    ...data,
    below: [...below.peek()],
    further: [...places].map(([id, { parentId, authorId }]) => [id, parentId, authorId]),
    shown: [...shown.peek()],
    kept: { opened: [...opened.peek()], aside: [...aside.peek()], drawnAbove: drawnAbove.peek() },
  };
};

/** Returns the replies that the thread has now. */
export const answersIn = (data: ThreadData): readonly string[] => {
  const state = states.get(data);
  return state ? [...state.below.peek(), ...[...state.aside.peek().values()].flat()] : [];
};

type Outline = Pick<ThreadData, "above" | "below" | "further">;

const loadOutline = async ({ get, store }: Asking, id: string): Promise<Outline> => {
  const path = `/api/v1/statuses/${id}/context`;
  const { body } = await get<Context>(path, { limit: PART });
  const { ancestors, descendants } = body.further ?? { ancestors: [], descendants: [] };
  return {
    above: [...ancestors.map((each) => each.id), ...keepStatuses(store, body.ancestors)],
    below: [...keepStatuses(store, body.descendants), ...descendants.map((each) => each.id)],
    further: descendants.map((each) => [each.id, each.in_reply_to_id, each.account_id]),
  };
};

/** Loads posts that the store does not have. */
const loadMissing = async ({ get, store }: Asking, ids: readonly string[]): Promise<void> => {
  const missing = ids.filter((id) => !store.statuses.has(id));
  const parts = Array.from({ length: Math.ceil(missing.length / MAX_IDS) }, (_, part) =>
    missing.slice(part * MAX_IDS, (part + 1) * MAX_IDS),
  );
  await Promise.all(
    parts.map(async (part) => {
      keepStatuses(store, (await get<Status[]>("/api/v1/statuses", { id: part })).body);
    }),
  );
};

type ThreadOptions = {
  /** The page begins with the replies that follow this one. */
  after?: string | undefined;
  /** Throws where the post has no page. */
  check(status: Status): void;
};

/** Returns what the store has of the thread of a post: what is above it, as far as that is known. */
export const knownThread = ({ statuses }: Store, id: string): ThreadData => {
  const above: string[] = [];
  const parentOf = (of: string) => statuses.get(of)?.peek().in_reply_to_id;
  for (let parent = parentOf(id); parent && above.length < PART; parent = parentOf(parent)) {
    if (!statuses.has(parent)) break;
    above.unshift(parent);
  }
  return { id, above, below: [], further: [], shown: [], after: null, isPartial: true };
};

export const loadThread = async (
  asking: Asking,
  id: string,
  { after, check }: ThreadOptions,
): Promise<ThreadData> => {
  const { get, store } = asking;
  const [{ body: status }, outline] = await Promise.all([
    get<Status>(`/api/v1/statuses/${id}`),
    loadOutline(asking, id),
  ]);
  check(status);
  keepStatus(store, status);
  const places = new Map<string, Place>();
  addPlaces(places, outline.further);
  const sequence = sequenceOf(treeOf(id, outline.below, placeIn(store, places)));
  const from = after === undefined ? 0 : sequence.indexOf(after) + 1;
  const shown = sequence.slice(from, from + PART);
  await loadMissing(asking, [...outline.above.slice(0, 1), ...shown]);
  return { id, ...outline, shown, after: from === 0 ? null : after! };
};

/** Returns the replies of the page, or of a branch of it, that are not drawn yet, and which one they follow. */
export const leftOf = (
  { data, tree, shown }: ThreadState,
  branch: string | null,
): { ids: string[]; after: string } | null => {
  const sequence = branch === null ? sequenceOf(tree.value) : repliesOf(tree.value, branch);
  const from = branch === null && data.after !== null ? sequence.indexOf(data.after) + 1 : 0;
  const ids = sequence.slice(from).filter((id) => !shown.value.has(id));
  const first = ids[0];
  if (first === undefined) return null;
  return { ids, after: sequence[sequence.indexOf(first) - 1] ?? data.id };
};

const show = (state: ThreadState, ids: readonly string[]): void =>
  void (state.shown.value = new Set([...state.shown.peek(), ...ids]));

/** Draws the next of the remaining replies. */
export const showMore = async (
  asking: Asking,
  state: ThreadState,
  branch: string | null,
): Promise<void> => {
  const ids = leftOf(state, branch)?.ids.slice(0, PART) ?? [];
  await loadMissing(asking, ids);
  show(state, ids);
};

export const openBranch = (state: ThreadState, first: string): void =>
  void (state.opened.value = new Set([...state.opened.peek(), first]));

/**
 * Opens every folded branch with the posts of it that are loaded, as for paper, on which nothing can be opened. Returns
 * the function that folds them again.
 */
export const openLoaded = (store: Store, state: ThreadState): (() => void) => {
  const { below, shown, opened } = state;
  const before = [shown.peek(), opened.peek()] as const;
  const loaded = below.peek().filter((id) => store.statuses.has(id));
  batch(() => {
    show(state, loaded);
    opened.value = new Set([...opened.peek(), ...loaded]);
  });
  return () =>
    batch(() => {
      [shown.value, opened.value] = before;
    });
};

/** Returns the posts above that are drawn: the first of the thread, and those next to the page's post. */
export const aboveOf = ({ data: { above }, drawnAbove }: ThreadState) => {
  const from = Math.max(0, above.length - drawnAbove.value);
  return {
    first: from > 0 ? above[0]! : null,
    left: Math.max(0, from - 1),
    near: above.slice(from),
  };
};

/** Draws more of the posts above. */
export const showAbove = async (asking: Asking, state: ThreadState): Promise<void> => {
  const count = state.drawnAbove.peek() + PART;
  await loadMissing(asking, state.data.above.slice(-count));
  state.drawnAbove.value = count;
};

/** Returns the post and what it replies to, up to the post of the page. */
const pathTo = (store: Store, { data, places }: ThreadState, id: string): string[] => {
  const placeOf = placeIn(store, places);
  const path: string[] = [];
  for (let at: string | null | undefined = id; at && at !== data.id; at = placeOf(at)?.parentId)
    path.push(at);
  return path;
};

/**
 * Returns the ids with a new reply right below what it replies to; where the author continues their own thread, below
 * that.
 */
const asFirst = (store: Store, { data, tree, below }: ThreadState, status: Status): string[] => {
  const parent = status.in_reply_to_id!;
  const answers = tree.peek().children.get(parent) ?? [];
  const { authors } = tree.peek();
  const goesOn = authors.get(parent) === status.account.id;
  const isEarlier = (id: string) => id !== status.id && authors.get(id) === status.account.id;
  const continued = goesOn && answers.find(isEarlier);
  const ids = below.peek().filter((id) => id !== status.id);
  const before = continued || parent;
  const at = before === data.id ? 0 : ids.indexOf(before) + 1;
  return ids.toSpliced(at, 0, keepStatus(store, status));
};

/** Returns the post above below which a reply to `parent` is shown; undefined where it is elsewhere. */
const placeAside = ({ data, aside }: ThreadState, parent: string): string | undefined =>
  data.above.includes(parent)
    ? parent
    : [...aside.peek()].find(([, answers]) => answers.includes(parent))?.[0];

/** Shows a reply below the post above that it replies to, although the page's post is not in its branch. */
const addAside = (store: Store, { aside }: ThreadState, above: string, status: Status): void => {
  const before = (aside.peek().get(above) ?? []).filter((id) => id !== status.id);
  const at = before.indexOf(status.in_reply_to_id!) + 1;
  const ids = before.toSpliced(at, 0, keepStatus(store, status));
  aside.value = new Map(aside.peek()).set(above, ids);
};

/**
 * Adds a reply to something in the thread; other posts are ignored. One's own is shown wherever it is, also if a
 * stream or a refresh reported it before the request that posted it was answered.
 */
export const addAnswer = (
  store: Store,
  state: ThreadState,
  status: Status,
  isOwn = false,
): void => {
  const { data, below, shown, opened } = state;
  const parent = status.in_reply_to_id;
  const answers = below.peek();
  if (parent === null || (!isOwn && answers.includes(status.id))) return;
  const above = placeAside(state, parent);
  if (above !== undefined && (isOwn || above !== parent))
    return addAside(store, state, above, status);
  if (parent !== data.id && !answers.includes(parent)) return;
  batch(() => {
    below.value = isOwn ? asFirst(store, state, status) : [...answers, keepStatus(store, status)];
    if (isOwn || parent === data.id || shown.peek().has(parent)) show(state, [status.id]);
    if (isOwn) opened.value = new Set([...opened.peek(), ...pathTo(store, state, status.id)]);
  });
};

/** Loads new replies, changes and counts. */
export const refreshThread = async (asking: Asking, state: ThreadState): Promise<void> => {
  const { below, further } = await loadOutline(asking, state.data.id);
  const known = new Set(state.below.peek());
  const fresh = below.filter((id) => !known.has(id));
  if (fresh.length === 0) return;
  // New replies are appended, and drawn if the reader has reached the end.
  const isAtEnd = leftOf(state, null) === null;
  addPlaces(state.places, further);
  state.below.value = [...state.below.peek(), ...fresh];
  if (isAtEnd) await showMore(asking, state, null);
};
