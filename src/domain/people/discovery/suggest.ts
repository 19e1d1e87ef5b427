// Suggests accounts that the viewer might want to follow, with the reason; dismissed ones are never suggested again.

import type { App } from "../../../platform/app.ts";
import { NotFound } from "../../../platform/errors.ts";
import { listAccounts } from "../accounts/load.ts";
import type { AccountView } from "../accounts/tables.ts";
import { rankedIds } from "./rank.ts";
import { wantRecommendations } from "./recommend.ts";
import { insertDismissal, selectSuggested } from "./queries.ts";
import type { Source } from "./queries.ts";

export type Suggestion = { account: AccountView; sources: Source[]; isRecent: boolean };

/** Suggestions of each source. */
const MAX_OF_EACH = 160;

/**
 * Returns the best first: who invited the viewer, accounts followed by friends (those that joined lately before
 * others), whom providers recommended earlier, then accounts with most followers. Takes two queries.
 */
export const suggestAccounts = async (
  app: App,
  viewerId: string,
  page: { limit: number; offset: number },
): Promise<Suggestion[]> => {
  if (page.limit === 0) return [];
  const popular = await rankedIds(app, "followed");
  const choice = { popular, now: app.clock.now(), limit: MAX_OF_EACH };
  const rows = await selectSuggested(app.sql, viewerId, choice);
  await wantRecommendations(app, viewerId);
  const sources = new Map<string, Source[]>();
  for (const { id, source } of rows) sources.set(id, [...(sources.get(id) ?? []), source]);
  const ids = [...sources.keys()].slice(page.offset, page.offset + page.limit);
  const recent = new Set(rows.filter((row) => row.recent).map(({ id }) => id));
  const views = await listAccounts(app, ids);
  return views.map((account) => {
    const { id } = account;
    return { account, sources: sources.get(id)!, isRecent: recent.has(id) };
  });
};

/** Dismisses permanently; throws NotFound for an unknown account. */
export const dismissSuggestion = async (
  app: App,
  viewerId: string,
  targetId: string,
): Promise<void> => {
  if (!(await insertDismissal(app.sql, viewerId, targetId))) throw new NotFound();
};
