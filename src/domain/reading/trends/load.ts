// Loads the settings of trends, and the cards of trending links.

import type { App } from "../../../platform/app.ts";
import { loadAccounts } from "../../people/accounts/load.ts";
import type { CardView } from "../../posts/cards/tables.ts";
import { getSettings } from "../../base/settings/settings.ts";
import type { TrendingLink } from "./tables.ts";

/** The server's settings of trends. */
type TrendRules = {
  shown: boolean;
  /** Whether tags, posts and links trend without a review. */
  byDefault: boolean;
};

export const trendRules = async (app: App): Promise<TrendRules> => {
  const settings = await getSettings(app, ["trends", "trendable_by_default"]);
  const { trends = true, trendable_by_default = false } = settings;
  return { shown: trends, byDefault: trendable_by_default };
};

/** Returns the cards of the links, with their authors, in the same order. */
export const loadCards = async (app: App, links: readonly TrendingLink[]) => {
  const creators = links.flatMap(({ card }) => card?.creator_id ?? []);
  const accounts = await loadAccounts(app, creators);
  return links.map(
    ({ card }): CardView | null =>
      card && { ...card, creator: accounts.get(card.creator_id ?? "") ?? null },
  );
};
