// Caches what a viewer does not want to see: the servers that they blocked, muted conversations, filters.

import type { App } from "../../../platform/app.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import type { Db } from "../../../platform/db/index.ts";
import { cachedReader } from "../../../platform/caches/records.ts";
import { loadFilterSets } from "../filters/load.ts";
import { sizeOfFilters } from "../filters/match.ts";
import type { FilterSet } from "../filters/match.ts";
import { selectUnwanted } from "./queries.ts";

export type Exclusions = {
  domains: ReadonlySet<string>;
  /** Ids of conversations. */
  threads: ReadonlySet<string>;
  filters: FilterSet;
};

/** One empty set is shared by most people, who exclude nothing. */
const NONE: ReadonlySet<string> = new Set();
const setOf = (all: string[]): ReadonlySet<string> => (all.length === 0 ? NONE : new Set(all));

/** Takes one query, and another where some viewers have filters. */
const readMany = async (db: Db, viewerIds: string[]): Promise<Map<string, Exclusions>> => {
  const rows = await selectUnwanted(db, viewerIds);
  const filtering = rows.filter(({ has_filters }) => has_filters).map(({ id }) => id);
  const filtersOf = await loadFilterSets(db, filtering);
  return new Map(
    rows.map(({ id, domains, threads }) => [
      id,
      { domains: setOf(domains), threads: setOf(threads), filters: filtersOf(id) },
    ]),
  );
};

export const cachedExclusions = cachedReader<Exclusions>(
  {
    name: "unwanted",
    kind: ["domains", "muted-conversations", "filters"],
    size: ({ domains, threads, filters }) =>
      sizeOf(domains) + sizeOf(threads) + sizeOfFilters(filters),
  },
  async (db, viewerId) => (await readMany(db, [viewerId])).get(viewerId)!,
);

/** Returns the exclusions of many viewers, reading those that are not cached at once. */
export const cachedExclusionsOf = (app: App, viewerIds: string[]) =>
  cachedExclusions.many(app, viewerIds, readMany);
