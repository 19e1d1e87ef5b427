// Encodes ids for many feeds as arguments of the scripts that add or remove them (redis-scripts.ts). Feeds that get the
// same ids form a group, so that each feed is named and read once.

import type { Placed } from "./index.ts";

/** Ids placed in feeds by one call to Valkey, which does nothing else meanwhile. */
const MAX_PLACED = 2000;

/** Groups feeds by the posts that they get, named by positions from 1 with dots between them. */
const groupsOf = (posts: Placed[]): Map<string, string[]> => {
  if (posts.length === 1) return new Map([["1", posts[0]!.keys]]);
  const placesOf = new Map<string, string>();
  for (const [n, { keys }] of posts.entries()) {
    for (const key of keys) {
      const before = placesOf.get(key);
      placesOf.set(key, before === undefined ? `${n + 1}` : `${before}.${n + 1}`);
    }
  }
  return Map.groupBy(placesOf.keys(), (key) => placesOf.get(key)!);
};

/** Returns the groups of each call as text: "1.3=key,key;2=key". */
export const groupedCalls = (posts: Placed[]): string[] => {
  const calls: string[] = [];
  let groups: string[] = [];
  let room = MAX_PLACED;
  for (const [places, all] of groupsOf(posts)) {
    const width = places.split(".").length;
    for (let from = 0; from < all.length;) {
      const some = all.slice(from, from + Math.max(1, Math.floor(room / width)));
      groups.push(`${places}=${some.join()}`);
      from += some.length;
      room -= some.length * width;
      if (room >= width) continue;
      calls.push(groups.join(";"));
      [groups, room] = [[], MAX_PLACED];
    }
  }
  return groups.length > 0 ? [...calls, groups.join(";")] : calls;
};
