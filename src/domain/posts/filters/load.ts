// Loads and compiles people's filters. They are cached with the other exclusions of a person (statuses/cache.ts).

import type { Db } from "../../../platform/db/index.ts";
import { isOver, withinLimits } from "./limits.ts";
import { makeFilterSet } from "./match.ts";
import type { FilterSet } from "./match.ts";
import { countFiltersOfAll, selectFiltersOf } from "./queries.ts";

/** One empty set is shared by most people, who have no filters. */
const NONE = makeFilterSet([]);

/** Returns the filters of each of these people, with one query, or none without people. */
export const loadFilterSets = async (
  db: Db,
  accountIds: string[],
): Promise<(accountId: string) => FilterSet> => {
  const rows = accountIds.length === 0 ? [] : await selectFiltersOf(db, accountIds);
  const own = Map.groupBy(rows, (row) => row.account_id);
  return (accountId) => {
    const filters = own.get(accountId);
    return filters ? makeFilterSet(withinLimits(filters)) : NONE;
  };
};

/** The names of those who have more keywords than are looked for: they moved in with them. */
export const peopleOverLimits = async (db: Db): Promise<string[]> => {
  const counts = await countFiltersOfAll(db);
  return counts.filter(isOver).map(({ username }) => username);
};
