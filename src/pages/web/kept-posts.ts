// Keeps posts as pages have drawn them. Keys have all that they were drawn from (web/src/kept-posts.ts), so nothing
// invalidates them; those that no page uses any more go by their age.

import { hash } from "node:crypto";
import type { App } from "../../platform/app.ts";
import { boundedCache, sizeOf } from "../../platform/caches/bounded.ts";
import type { KeptPosts } from "./bundle.ts";

const drawnPosts = boundedCache<string>("drawn posts", sizeOf);

export const keptPosts = (app: App): KeptPosts => {
  const cache = drawnPosts(app);
  const short = (key: string): string => hash("sha256", key, "base64");
  return {
    get(key) {
      const id = short(key);
      const html = cache.get(id);
      // What is in use does not age.
      if (html !== undefined && cache.young(id) === undefined) cache.set(id, html);
      return html;
    },
    set(key, html) {
      cache.set(short(key), html);
    },
  };
};
