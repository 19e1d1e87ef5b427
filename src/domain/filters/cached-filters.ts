// A person's filters as they were last read, compiled, until one of them changes.

import { cachedReader } from "../../platform/caches/records.ts";
import { makeFilterSet, sizeOfFilters } from "./match.ts";
import type { FilterSet } from "./match.ts";
import { selectFilters } from "./queries.ts";

/** Most people have none: then it is one shared, empty set. */
const NONE = makeFilterSet([]);

export const cachedFilters = cachedReader<FilterSet>(
  { name: "filters", kind: "filters", size: sizeOfFilters },
  async (db, accountId) => {
    const rows = await selectFilters(db, accountId);
    return rows.length === 0 ? NONE : makeFilterSet([...rows]);
  },
);
