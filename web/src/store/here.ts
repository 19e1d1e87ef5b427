// What the newest posts of this server are about, for a server on which nothing trends yet: hashtags, and events of the
// next days.

import type { Get } from "../api/get.ts";
import type { Status, Tag } from "../api/entities.ts";
import { keepStatuses } from "./store.ts";
import type { Store } from "./store.ts";

/** Posts that are looked at. */
const LOOKED_AT = 40;
const WEEK_MS = 7 * 86_400_000;

export type Here = {
  /** By how many people used them, without a history. */
  tags: Tag[];
  /** Ids of posts whose events begin within a week or are under way, the next first. */
  events: string[];
};

const tagsOf = (statuses: readonly Status[]): Tag[] => {
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

const startOf = ({ event }: Status): number => Date.parse(event!.starts_at);

/** Whether its event is not over, and begins within a week of `now` in milliseconds. */
const isSoon = ({ event }: Status, now: number): boolean =>
  event !== undefined &&
  Date.parse(event.ends_at ?? event.starts_at) > now &&
  Date.parse(event.starts_at) < now + WEEK_MS;

type Asking = { get: Get; store: Store };

/** Throws ApiError where posts of this server are not shown to the person. */
export const loadHere = async ({ get, store }: Asking, now = Date.now()): Promise<Here> => {
  const params = { local: true, limit: LOOKED_AT };
  const { body } = await get<Status[]>("/api/v1/timelines/public", params);
  const soon = body.filter((status) => isSoon(status, now));
  const events = soon.toSorted((one, other) => startOf(one) - startOf(other));
  return { tags: tagsOf(body), events: keepStatuses(store, events) };
};

/** Returns trending hashtags; where there are none, those of the newest posts here. */
export const loadTags = async (
  asking: Asking,
  limit: number,
  here?: Here,
): Promise<{ tags: Tag[]; isTrending: boolean }> => {
  const { body } = await asking.get<Tag[]>("/api/v1/trends/tags", { limit });
  if (body.length > 0) return { tags: body, isTrending: true };
  const { tags } = here ?? (await loadHere(asking));
  return { tags: tags.slice(0, limit), isTrending: false };
};
