// Trending links → the JSON entity. https://docs.joinmastodon.org/entities/Trends_Link/

import { historyDays } from "../tags/rules.ts";
import { isoDate } from "../../platform/ids/index.ts";
import type { LinkDay, TrendingLink } from "./tables.ts";

const historyEntity = (days: LinkDay[], now: Date) => {
  const known = new Map(days.map((day) => [day.day, day]));
  return historyDays(now).map((day) => {
    const { uses, accounts } = known.get(isoDate(day)) ?? { uses: "0", accounts: "0" };
    return { day: String(day.getTime() / 1000), accounts, uses };
  });
};

/** The host and path, in place of a title. */
const titleOf = (address: string): string => {
  const { host, pathname } = new URL(address);
  return `${host}${pathname === "/" ? "" : pathname}`;
};

/** A link without a preview: only its URL is known. */
export const trendsLinkEntity = (link: TrendingLink, now: Date) => ({
  url: link.url,
  title: titleOf(link.url),
  description: "",
  language: link.language,
  type: "link",
  authors: [],
  author_name: "",
  author_url: "",
  provider_name: link.domain,
  provider_url: "",
  html: "",
  width: 0,
  height: 0,
  image: null,
  image_description: "",
  embed_url: "",
  blurhash: null,
  published_at: null,
  history: historyEntity(link.history, now),
});
