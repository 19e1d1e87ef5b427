// Row types of the trends slice.

import type { CardRow } from "../../posts/cards/tables.ts";

/** The uses of a URL on one day. */
export type LinkDay = {
  /** In the form YYYY-MM-DD, in UTC. */
  day: string;
  uses: string;
  accounts: string;
};

export type TrendingLink = {
  /** Null where its page has none, or was not fetched. */
  card: CardRow | null;
  id: string;
  url: string;
  domain: string;
  language: string | null;
  history: LinkDay[];
};

/** A URL that may trend. */
export type LinkCandidate = {
  /** Hexadecimal hash (statuses/links.ts). */
  hash: string;
  score: number;
  language: string | null;
  /** HTML of one of the statuses that link to it. */
  content: string;
  history: LinkDay[];
};
