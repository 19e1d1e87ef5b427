// The relation of a viewer to other accounts, in one query for those that are not cached.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { packed, relationsCache, unpacked } from "./cached-relations.ts";
import { selectFollowUri, selectRelations } from "./queries.ts";
import type { Pair } from "./events.ts";
import type { Relation } from "./tables.ts";

/** Relations by account id; every id asked for is there. */
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

/** The uri of the Follow activity of a follow or request; null when there is none. */
export const getFollowUri = (app: App, pair: Pair): Promise<string | null> =>
  selectFollowUri(app.sql, pair.accountId, pair.targetId);
