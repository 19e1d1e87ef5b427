// Presents trending links as the JSON entity. https://docs.joinmastodon.org/entities/Trends_Link/

import type { FullConfig } from "../../../platform/config/config.ts";
import { bareCard, cardEntity } from "../../posts/cards/present.ts";
import type { CardView } from "../../posts/cards/tables.ts";
import { historyDays } from "../../posts/tags/rules.ts";
import { isoDate } from "../../../platform/ids/index.ts";
import type { LinkDay, TrendingLink } from "./tables.ts";

const historyEntity = (days: LinkDay[], now: Date) => {
  const known = new Map(days.map((day) => [day.day, day]));
  return historyDays(now).map((day) => {
    const { uses, accounts } = known.get(isoDate(day)) ?? { uses: "0", accounts: "0" };
    return { day: String(day.getTime() / 1000), accounts, uses };
  });
};

type Shape = { site: FullConfig["site"]; viewerId: string | null; now: Date };

/** `card` is that of its page; without one only its address is known. */
export const trendsLinkEntity = (
  link: TrendingLink,
  card: CardView | null,
  { site, viewerId, now }: Shape,
) => ({
  ...cardEntity(card ?? bareCard(link.url, link.language), link.url, viewerId, site),
  history: historyEntity(link.history, now),
});
