// Keeps visible posts up to date: their counts, edits and filters. Streams report edits, but not each favourite, so a
// post that has been visible for a while, got a reply, or becomes visible again, is loaded again, many at once. After
// filters have changed everything shown is.

import type { Status } from "../api/entities.ts";
import type { Get } from "../api/get.ts";
import { dropStatus, isUnwanted, keepStatus } from "../store/store.ts";
import type { Store } from "../store/store.ts";
import { isConnected, on } from "../window/live.ts";

const OLD_AFTER_MS = 120_000;
const LOOK_EVERY_MS = 15_000;
/** Posts of one request. */
const MAX_ASKED = 20;
/** Posts whose age is remembered; others count as just loaded. */
const MAX_KNOWN = 1000;

/** When each post was last requested or first seen; the oldest first. */
const known = new Map<string, number>();

const note = (id: string, at: number): void => {
  known.delete(id);
  known.set(id, at);
  const [oldest] = known.keys();
  if (known.size > MAX_KNOWN && oldest !== undefined) known.delete(oldest);
};

const isInSight = (post: Element): boolean => {
  const { top, bottom, height } = post.getBoundingClientRect();
  return height > 0 && bottom > 0 && top < innerHeight;
};

/** Moderators of a group review posts that they may see nowhere else. */
const FRESH = "article[data-status]:not(:empty, .group-post *)";

const idsInSight = (): string[] => {
  const posts = [...document.querySelectorAll<HTMLElement>(FRESH)];
  return [...new Set(posts.filter(isInSight).map(({ dataset }) => dataset["status"]!))];
};

type Freshening = { get: Get; store: Store };

const ask = async ({ get, store }: Freshening, ids: readonly string[]): Promise<void> => {
  const { body } = await get<Status[]>("/api/v1/statuses", { id: ids });
  for (const status of body) keepStatus(store, status);
  // Nothing tells a reader that an author has blocked them, but what is no longer answered is no longer theirs to see.
  const answered = new Set(body.map(({ id }) => id));
  for (const id of ids) if (!answered.has(id) && !isUnwanted(store, id)) dropStatus(store, id);
};

const look = async (freshening: Freshening): Promise<void> => {
  if (document.hidden || !isConnected.peek()) return;
  const now = Date.now();
  const old: string[] = [];
  for (const id of idsInSight()) {
    const at = known.get(id);
    if (at === undefined) note(id, now);
    else if (now - at > OLD_AFTER_MS && old.length < MAX_ASKED) old.push(id);
  }
  if (old.length === 0) return;
  for (const id of old) note(id, now);
  await ask(freshening, old);
};

/** Marks everything loaded before as old. */
const outdate = (store: Store): void => {
  known.clear();
  for (const id of [...store.statuses.keys()].slice(-MAX_KNOWN)) known.set(id, 0);
};

const ignore = (): void => {};

export const followAges = (freshening: Freshening): void => {
  const again = () => void look(freshening).catch(ignore);
  setInterval(again, LOOK_EVERY_MS);
  document.addEventListener("scrollend", again, { passive: true });
  document.addEventListener("visibilitychange", again);
  // The server counts the replies to a post.
  on("update", ({ in_reply_to_id: answered }) => {
    if (answered !== null && freshening.store.statuses.has(answered)) note(answered, 0);
  });
  on("filters_changed", () => {
    outdate(freshening.store);
    again();
  });
};
