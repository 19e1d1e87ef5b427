// Row types of the spam slice.

export const ACTIONS = ["reject", "hold", "report", "limit"] as const;
export type SpamAction = (typeof ACTIONS)[number];

/** A post matches where all given conditions hold. */
export type Conditions = {
  origin?: "local" | "remote";
  /** Hours since the account was made here, or first seen. */
  account_age_below?: number;
  followers_below?: number;
  /** Minimum numbers of links and mentions. */
  links?: number;
  mentions?: number;
  /** Minimum number of mentioned people who do not follow the author. */
  strangers?: number;
  /** Servers of authors; subdomains count too. */
  domains?: string[];
  /** Servers that the post links to. */
  link_domains?: string[];
  /** Words of which the text has at least one. */
  words?: string[];
  /** Pattern for RE2, whose time grows with the length of the text alone. */
  pattern?: string;
  /** Number of accounts that wrote the same text within an hour. */
  same_text?: number;
};

/** Results of a dry run over a day: posts that were looked at, and those that a rule matched. */
export type Tried = { looked: number; matched: number; accounts: number };

export type RuleRow = {
  id: string;
  account_id: string | null;
  name: string;
  conditions: Conditions;
  actions: SpamAction[];
  enabled: boolean;
  tried_at: Date | null;
  tried: Tried | null;
  hits: string;
  created_at: Date;
  updated_at: Date;
};

export type MatchState = "published" | "held" | "rejected" | "approved" | "discarded";

export type MatchRow = {
  id: string;
  rule_id: string;
  account_id: string;
  status_id: string | null;
  state: MatchState;
  text: string;
  post: object | null;
  /** Key with which the author sent the post. */
  idempotency_key: string | null;
  limited: boolean;
  report_id: string | null;
  created_at: Date;
};

/** The parts of a post that are judged, before its author is loaded. */
export type Judged = {
  accountId: string;
  /** HTML. */
  content: string;
  /** Plain texts: the warning, the name and the place of an event, the options of a poll. */
  beside: string[];
  /** Plain descriptions of its files, as far as they come with the post. */
  described: string[];
  /** Ids of local files whose descriptions are in the database. */
  uploadIds: string[];
  /** Addresses of its links. */
  links: string[];
  mentionIds: string[];
  createdAt: Date;
};

/** Facts about a post that rules ask for. */
export type Facts = {
  local: boolean;
  domain: string | null;
  ageHours: number;
  followers: number;
  /** Plain text in lower case. */
  text: string;
  linkHosts: string[];
  links: number;
  mentions: number;
  strangers: number;
  sameText: number;
};
