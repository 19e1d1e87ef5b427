// Keeps posts as pages have parsed and drawn them. Keys have all that they were made from (web/src/kept-posts.ts), so
// nothing invalidates them; those that no page uses any more go by their age.

import { hash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { boundedCache } from "../../platform/caches/bounded.ts";
import type { Kept, KeptPosts } from "../../../web/src/served/pages.ts";

const digest = (data: string | Uint8Array): string => hash("sha256", data, "base64").slice(0, 22);

const digests = new WeakMap<Uint8Array, string>();

/** Returns the digest of a part of an answer, which is the same object as long as it says the same. */
export const digestOf = (part: Uint8Array): string => {
  let known = digests.get(part);
  if (known === undefined) digests.set(part, (known = digest(part)));
  return known;
};

const drawnPosts = boundedCache<Kept>("drawn posts", ({ bytes }) => bytes);

export const keptPosts = (app: App): KeptPosts => {
  const cache = drawnPosts(app);
  return {
    get(key) {
      const id = digest(key);
      const kept = cache.get(id);
      // What is in use does not age.
      if (kept && !cache.young(id)) cache.set(id, kept);
      return kept;
    },
    set: (key, kept) => cache.set(digest(key), kept),
    digest: digestOf,
  };
};
