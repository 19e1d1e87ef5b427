// The compiled filters of a person, cached until one of them changes.

import { keptReader } from "../../platform/db/kept-reader.ts";
import { makeFilterSet } from "./match.ts";
import type { FilterSet } from "./match.ts";
import { selectFilters } from "./queries.ts";

/** Most people have none: they share one empty set. */
const MAX_PEOPLE = 20_000;
const NONE = makeFilterSet([]);

export const keptFilters = keptReader<FilterSet>("filters", MAX_PEOPLE, async (db, accountId) => {
  const rows = await selectFilters(db, accountId);
  return rows.length === 0 ? NONE : makeFilterSet([...rows]);
});
