// Row types of the trends slice.

/** Uses of an address on one day. */
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

/** An address that is much linked, before it is kept. */
export type LinkCandidate = {
  /** In hexadecimal (statuses/links.ts). */
  hash: string;
  score: number;
  language: string | null;
  /** The HTML of one of the statuses that link it. */
  content: string;
  history: LinkDay[];
};
