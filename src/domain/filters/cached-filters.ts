// A person's filters as they were last read, compiled, until one of them changes.

import type { App } from "../../platform/app.ts";
import { cachedReader } from "../../platform/caches/records.ts";
import { makeFilterSet, sizeOfFilters } from "./match.ts";
import type { FilterSet } from "./match.ts";
import { selectFilters, selectFiltersOf } from "./queries.ts";
import type { FilterRow } from "./tables.ts";

/** Most people have none: then it is one shared, empty set. */
const NONE = makeFilterSet([]);

const setOf = (rows: FilterRow[]): FilterSet => (rows.length === 0 ? NONE : makeFilterSet(rows));

export const cachedFilters = cachedReader<FilterSet>(
  { name: "filters", kind: "filters", size: sizeOfFilters },
  async (db, accountId) => setOf([...(await selectFilters(db, accountId))]),
);

/** Of many people, each of them: one query for those whose filters are not cached. */
export const cachedFiltersOf = (app: App, accountIds: string[]): Promise<Map<string, FilterSet>> =>
  cachedFilters.many(app, accountIds, async (db, missing) => {
    const rows = Map.groupBy(await selectFiltersOf(db, missing), (row) => row.account_id);
    return new Map(missing.map((id) => [id, setOf(rows.get(id) ?? [])]));
  });
