// Presents accounts to somebody who chooses among them: whether they may feature one depends on who follows whom.

import type { App } from "../../../platform/app.ts";
import { dependsOnFollows } from "./policies.ts";
import type { Standing } from "./policies.ts";
import { accountEntityFor } from "./present.ts";
import { selectStandings } from "./queries.ts";
import type { AccountView } from "./tables.ts";

/** Returns how a person stands to each of these accounts. */
export const standingsOf = async (
  app: App,
  viewerId: string,
  ids: string[],
): Promise<Map<string, Standing>> => {
  if (ids.length === 0) return new Map();
  const rows = await selectStandings(app.sql, viewerId, ids);
  return new Map(rows.map((row) => [row.id, row]));
};

/** Returns entities in the order of the views; queries only where a policy depends on follows. */
export const entitiesFor = async (app: App, views: AccountView[], viewerId: string | null) => {
  const ids = viewerId === null ? [] : views.filter(dependsOnFollows).map(({ id }) => id);
  const standings = viewerId === null ? null : await standingsOf(app, viewerId, ids);
  return views.map((view) => accountEntityFor(view, app.config.site, standings?.get(view.id)));
};
