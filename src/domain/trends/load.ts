// The settings of trends, and trending posts for the front page.

import type { App } from "../../platform/app.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { loadAccounts } from "../accounts/load.ts";
import type { CardView } from "../cards/tables.ts";
import { getSettings } from "../settings/settings.ts";
import { loadStatuses } from "../statuses/load.ts";
import { belongsInList } from "../statuses/rules.ts";
import type { SeenStatus } from "../statuses/tables.ts";
import { selectStatuses } from "./queries.ts";
import type { TrendingLink } from "./tables.ts";

/** The server's settings of trends. */
export type TrendRules = {
  shown: boolean;
  /** Tags, posts and links trend without a review. */
  byDefault: boolean;
  /** The front page shows trending posts. */
  asLanding: boolean;
};

export const trendRules = async (app: App): Promise<TrendRules> => {
  const settings = await getSettings(app, [
    "trends",
    "trendable_by_default",
    "trends_as_landing_page",
  ]);
  const { trends = true, trendable_by_default = false, trends_as_landing_page = false } = settings;
  return {
    shown: trends,
    byDefault: trendable_by_default,
    asLanding: trends && trends_as_landing_page,
  };
};

/** The cards of the links, with their authors, in the same order. */
export const loadCards = async (app: App, links: readonly TrendingLink[]) => {
  const creators = links.flatMap(({ card }) => card?.creator_id ?? []);
  const accounts = await loadAccounts(app, creators);
  return links.map(
    ({ card }): CardView | null =>
      card && { ...card, creator: accounts.get(card.creator_id ?? "") ?? null },
  );
};

/** Trending posts for the front page; null where it shows others. */
export const landingStatuses = async (
  app: App,
  viewer: Viewer,
  limit: number,
): Promise<SeenStatus[] | null> => {
  const { asLanding, byDefault } = await trendRules(app);
  if (!asLanding) return null;
  const rows = await selectStatuses(app.sql, {
    byDefault,
    languages: null,
    preferred: null,
    limit,
    offset: 0,
  });
  const ids = rows.map((row) => row.id);
  return (await loadStatuses(app, ids, viewer)).filter(belongsInList);
};
