// Row types of the trends slice.

import type { CardRow } from "../../posts/cards/tables.ts";

/** The uses of a URL on one day. */
export type LinkDay = {
  /** Is YYYY-MM-DD in UTC. */
  day: string;
  uses: string;
  accounts: string;
};

export type TrendingLink = {
  /** Is null where its page has none, or was not fetched. */
  card: CardRow | null;
  id: string;
  url: string;
  domain: string;
  language: string | null;
  history: LinkDay[];
};

/** A URL that may trend. */
export type LinkCandidate = {
  /** Is in hexadecimal (statuses/links.ts). */
  hash: string;
  score: number;
  language: string | null;
  /** Is the HTML of one of the statuses that link to it. */
  content: string;
  history: LinkDay[];
};
