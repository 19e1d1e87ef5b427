// A person's filters as they were last read, compiled, until one of them changes.

import type { App } from "../../platform/app.ts";
import { keptReader } from "../../platform/db/kept-reader.ts";
import { makeFilterSet } from "./match.ts";
import type { FilterSet } from "./match.ts";
import { selectFilters, selectFiltersOf } from "./queries.ts";
import type { FilterRow } from "./tables.ts";

/** Most people have none: then it is one shared, empty set. */
const MAX_PEOPLE = 20_000;
const NONE = makeFilterSet([]);

const setOf = (rows: FilterRow[]): FilterSet => (rows.length === 0 ? NONE : makeFilterSet(rows));

export const keptFilters = keptReader<FilterSet>("filters", MAX_PEOPLE, async (db, accountId) =>
  setOf([...(await selectFilters(db, accountId))]),
);

/** Of many people, each of them: one query for those whose filters are not in memory. */
export const keptFiltersOf = (app: App, accountIds: string[]): Promise<Map<string, FilterSet>> =>
  keptFilters.many(app, accountIds, async (db, missing) => {
    const rows = Map.groupBy(await selectFiltersOf(db, missing), (row) => row.account_id);
    return new Map(missing.map((id) => [id, setOf(rows.get(id) ?? [])]));
  });
