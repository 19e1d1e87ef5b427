// Every table and column of Mastodon 4.3, and what becomes of it; those of newer versions are in mapping-newer.ts. A
// step reads the columns that are taken and no others; a test checks this against a database of Mastodon, and the steps
// against this.

import { OF_PEOPLE } from "./mapping-people.ts";
import { OF_POSTS } from "./mapping-posts.ts";
import { OF_SERVER } from "./mapping-server.ts";
import type { TableMapping } from "./table-mapping.ts";

/** By name, as the plan lists them. */
export const MAPPING: Record<string, TableMapping> = Object.fromEntries(
  Object.entries({ ...OF_PEOPLE, ...OF_POSTS, ...OF_SERVER }).toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  ),
);
