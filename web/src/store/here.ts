// What the newest posts of this server are about, for a server on which nothing trends yet: hashtags, and events of the
// next days.

import type { Get } from "../api/get.ts";
import type { Status, Tag } from "../api/entities.ts";
import { keepStatuses } from "./store.ts";
import type { Store, StoredStatus } from "./store.ts";

export const NEWEST_PATH = "/api/v1/timelines/public";
/** Posts that are looked at: a page of the timeline, which the server has in its cache. */
const LOOKED_AT = 20;
const WEEK_MS = 7 * 86_400_000;
/** Milliseconds for which an answer is good enough for what else shows it. */
const KEPT_MS = 60_000;

type Seen = Pick<Status, "tags" | "account" | "event">;

export type Here = {
  /** By how many people used them, without a history. */
  tags: Tag[];
  /** Ids of posts whose events begin within a week or are under way, the next first. */
  events: string[];
};

/** Returns the hashtags of these posts, by how many people used them, without a history. */
export const tagsOf = (statuses: readonly Seen[]): Tag[] => {
  const people = new Map<string, Set<string>>();
  const urls = new Map<string, string>();
  for (const { tags, account } of statuses)
    for (const { name, url } of tags) {
      people.set(name, (people.get(name) ?? new Set()).add(account.id));
      urls.set(name, url);
    }
  return [...people]
    .toSorted(([, one], [, other]) => other.size - one.size)
    .map(([name]) => ({ id: name, name, url: urls.get(name)!, history: [] }));
};

const startOf = ({ event }: Seen): number => Date.parse(event!.starts_at);

/** Whether its event is not over, and begins within a week of `now` in milliseconds. */
const isSoon = ({ event }: Seen, now: number): boolean =>
  event !== undefined &&
  Date.parse(event.ends_at ?? event.starts_at) > now &&
  Date.parse(event.starts_at) < now + WEEK_MS;

const soonOf = <S extends Seen>(statuses: readonly S[], now: number): S[] =>
  statuses
    .filter((status) => isSoon(status, now))
    .toSorted((one, other) => startOf(one) - startOf(other));

type Asking = { get: Get; store: Store };
type Kept = { at: number; newest: Promise<Status[]> };

const kept = new WeakMap<Store, Kept>();

/**
 * Returns the newest posts of this server; those who ask soon after each other share an answer. Throws ApiError where
 * they are not shown to the person.
 */
export const loadNewest = async ({ get, store }: Asking, now = Date.now()): Promise<Status[]> => {
  const known = kept.get(store);
  if (known && now - known.at < KEPT_MS) return known.newest;
  const params = { local: true, limit: LOOKED_AT };
  const newest = get<Status[]>(NEWEST_PATH, params).then(({ body }) => body);
  kept.set(store, { at: now, newest });
  newest.catch(() => kept.delete(store));
  return newest;
};

/** Returns what a page has that shows the newest posts of this server itself. */
export const hereIn = ({ statuses }: Store, now = Date.now()): Here => {
  const isOfHere = ({ account, visibility, reblog }: StoredStatus) =>
    !account.acct.includes("@") && visibility === "public" && reblog === null;
  const newest = [...statuses.values()].map((each) => each.peek()).filter(isOfHere);
  return { tags: tagsOf(newest), events: soonOf(newest, now).map(({ id }) => id) };
};

/** Throws ApiError where posts of this server are not shown to the person. */
export const loadHere = async (asking: Asking, now = Date.now()): Promise<Here> => {
  const newest = await loadNewest(asking, now);
  return { tags: tagsOf(newest), events: keepStatuses(asking.store, soonOf(newest, now)) };
};

/** Returns trending hashtags; where there are none, those of the newest posts here. */
export const loadTags = async (
  asking: Asking,
  limit: number,
  here: () => Promise<Here> = () => loadHere(asking),
): Promise<{ tags: Tag[]; isTrending: boolean }> => {
  const { body } = await asking.get<Tag[]>("/api/v1/trends/tags", { limit });
  if (body.length > 0) return { tags: body, isTrending: true };
  return { tags: (await here()).tags.slice(0, limit), isTrending: false };
};
