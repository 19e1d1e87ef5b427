// Ranks accounts for the directory and for suggestions: the same for everybody, so once for many. Who may see whom is
// asked each time, so that a ranking shows nobody who is hidden by now.

import type { App } from "../../../platform/app.ts";
import { sizeOf } from "../../../platform/caches/bounded.ts";
import { cachedReader } from "../../../platform/caches/records.ts";
import { selectDirectory, selectListed, selectMostFollowed } from "./queries.ts";
import type { DirectoryQuery } from "./queries.ts";

/** Accounts of a ranking. */
const RANKED = 500;

/** Returns the first who want to be found, `by` "followed", "active", or "here", which is active on this server. */
export const rankedIds = cachedReader<string[]>(
  { name: "rankings", kind: "ranking", everything: "rankings", size: sizeOf, isShared: true },
  (db, by, { clock }) => {
    const first = { limit: RANKED, offset: 0, viewerId: null, now: clock.now() };
    if (by === "followed") return selectMostFollowed(db, RANKED);
    return selectDirectory(db, { order: "active", local: by === "here", ...first });
  },
);

/** Returns ids of discoverable accounts: those that posted last first, or the newest. */
export const listDirectory = async (app: App, query: DirectoryQuery): Promise<string[]> => {
  if (query.order === "new") return selectDirectory(app.sql, query);
  const ids = await rankedIds(app, query.local ? "here" : "active");
  const page = await selectListed(app.sql, ids, query);
  const isWhole = page.length === query.limit || ids.length < RANKED;
  return isWhole ? page : selectDirectory(app.sql, query);
};
