// How ids for many feeds are given to the scripts that add or look for them (redis-scripts.ts): feeds that get the same
// ids form a group, so that each feed is named and read once.

import type { Placed } from "./index.ts";

/** Ids in feeds of one call to Valkey, which does nothing else meanwhile. */
const MAX_PUSHES = 2000;

/** `text`: the groups; `keys`: their feeds, in the same order. */
export type GroupedCall = { text: string; keys: string[] };

/** The feeds by what goes into them: places from 1, with dots. */
const groupsOf = (posts: Placed[]): Map<string, string[]> => {
  if (posts.length === 1) return new Map([["1", posts[0]!.keys]]);
  const placesOf = new Map<string, string>();
  for (const [n, { keys }] of posts.entries()) {
    for (const key of keys) {
      const before = placesOf.get(key);
      placesOf.set(key, before === undefined ? `${n + 1}` : `${before}.${n + 1}`);
    }
  }
  const groups = new Map<string, string[]>();
  for (const [key, places] of placesOf) {
    const group = groups.get(places);
    if (group) group.push(key);
    else groups.set(places, [key]);
  }
  return groups;
};

export const groupedCalls = (posts: Placed[]): GroupedCall[] => {
  const calls: GroupedCall[] = [];
  let groups: string[] = [];
  let keys: string[] = [];
  let room = MAX_PUSHES;
  const end = (): void => {
    if (keys.length > 0) calls.push({ text: groups.join(";"), keys });
    [groups, keys, room] = [[], [], MAX_PUSHES];
  };
  for (const [places, all] of groupsOf(posts)) {
    const width = places.split(".").length;
    for (let from = 0; from < all.length;) {
      const some = all.slice(from, from + Math.max(1, Math.floor(room / width)));
      groups.push(`${places}=${some.join()}`);
      keys.push(...some);
      from += some.length;
      room -= some.length * width;
      if (room < width) end();
    }
  }
  end();
  return calls;
};
