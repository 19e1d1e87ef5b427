// Row types of the trends slice.

/** Uses of a URL on one day. */
export type LinkDay = {
  /** YYYY-MM-DD, UTC. */
  day: string;
  uses: string;
  accounts: string;
};

export type TrendingLink = {
  id: string;
  url: string;
  domain: string;
  language: string | null;
  history: LinkDay[];
};

/** A URL that may trend. */
export type LinkCandidate = {
  /** In hexadecimal (statuses/links.ts). */
  hash: string;
  score: number;
  language: string | null;
  /** The HTML of one of the statuses that link to it. */
  content: string;
  history: LinkDay[];
};
