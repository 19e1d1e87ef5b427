// The relation of a viewer to other accounts, in one query.

import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
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
  const ids = [...new Set(accountIds)];
  if (ids.length === 0) return new Map();
  const rows = await selectRelations(db, viewerId, ids, app.clock.now());
  return new Map(rows.map((row) => [row.account_id, row]));
};

/** The uri of the Follow activity of a follow or request; null when there is none. */
export const getFollowUri = (app: App, pair: Pair): Promise<string | null> =>
  selectFollowUri(app.sql, pair.accountId, pair.targetId);
