// What viewers do not want to see: the domains that they block, the conversations that they muted, their filters.
// Every page of statuses needs all of it, so it is read and cached together.

import type { App } from "../../platform/app.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import { sizeOf } from "../../platform/caches/size.ts";
import type { Db } from "../../platform/db/index.ts";
import { loadFilterSets } from "../filters/load.ts";
import { sizeOfFilters } from "../filters/match.ts";
import type { FilterSet } from "../filters/match.ts";
import { selectUnwanted } from "./queries-viewer.ts";

export type Unwanted = {
  domains: ReadonlySet<string>;
  /** The ids of conversations. */
  threads: ReadonlySet<string>;
  filters: FilterSet;
};

/** Most people have none: then it is one shared, empty set. */
const NONE: ReadonlySet<string> = new Set();
const setOf = (all: string[]): ReadonlySet<string> => (all.length === 0 ? NONE : new Set(all));

/** One query, and another where some have filters. */
const readMany = async (db: Db, viewerIds: string[]): Promise<Map<string, Unwanted>> => {
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

export const cachedUnwanted = cachedReader<Unwanted>(
  {
    name: "unwanted",
    kind: ["domains", "muted-conversations", "filters"],
    size: ({ domains, threads, filters }) =>
      sizeOf(domains) + sizeOf(threads) + sizeOfFilters(filters),
  },
  async (db, viewerId) => (await readMany(db, [viewerId])).get(viewerId)!,
);

/** Of many viewers, each of them: read at once for those of whom it is not cached. */
export const cachedUnwantedOf = (app: App, viewerIds: string[]): Promise<Map<string, Unwanted>> =>
  cachedUnwanted.many(app, viewerIds, readMany);
