// Loads the relation of a viewer to other accounts, in one query for those that are not cached.

import type { App } from "../../../platform/app.ts";
import type { Db } from "../../../platform/db/index.ts";
import { packed, relationsCache, unpacked } from "./cached-relations.ts";
import { selectFollowUris, selectRelations } from "./queries.ts";
import type { Pair } from "./events.ts";
import type { Relation } from "./tables.ts";

/** Returns relations by account id, for every requested id. */
export const loadRelations = async (
  app: App,
  viewerId: string,
  accountIds: string[],
  db: Db = app.sql,
): Promise<Map<string, Relation>> => {
  const cached = relationsCache.open(app, db, viewerId);
  const relations = new Map<string, Relation>();
  const missing = new Set<string>();
  for (const id of accountIds) {
    const bits = cached.get(id);
    if (bits === undefined) missing.add(id);
    else relations.set(id, unpacked(id, bits));
  }
  if (missing.size === 0) return relations;
  const rows = await selectRelations(db, viewerId, [...missing], app.clock.now());
  for (const row of rows) {
    const bits = packed(row);
    if (bits !== null) cached.put([[row.account_id, bits]]);
    relations.set(row.account_id, row);
  }
  return relations;
};

/**
 * Returns the uris of the Follow activities of follows or requests, in the order of the pairs; null where there is
 * none.
 */
export const getFollowUris = async (app: App, pairs: Pair[]): Promise<(string | null)[]> => {
  if (pairs.length === 0) return [];
  const rows = await selectFollowUris(app.sql, pairs);
  const uriOf = ({ accountId, targetId }: Pair) =>
    // A follow is preferred to a request.
    rows.find((row) => row.account_id === accountId && row.target_account_id === targetId)?.uri;
  return pairs.map((pair) => uriOf(pair) ?? null);
};

export const getFollowUri = async (app: App, pair: Pair): Promise<string | null> =>
  (await getFollowUris(app, [pair]))[0]!;
