// Row types of the spam slice.

export const ACTIONS = ["reject", "hold", "report", "limit"] as const;
export type SpamAction = (typeof ACTIONS)[number];

/** All that are given have to hold. */
export type Conditions = {
  origin?: "local" | "remote";
  /** Hours since the account was made here, or first seen. */
  account_age_below?: number;
  followers_below?: number;
  /** At least so many. */
  links?: number;
  mentions?: number;
  /** Of people who do not follow the author. */
  strangers?: number;
  /** The author's servers, with what is below them. */
  domains?: string[];
  /** Servers that the post links to. */
  link_domains?: string[];
  /** One of them is in the text. */
  words?: string[];
  /** RE2: its time grows with the text alone. */
  pattern?: string;
  /** So many accounts wrote the same within an hour. */
  same_text?: number;
};

/** Of a day: posts that were looked at, and what a rule matched of them. */
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
  /** Under which its author sent it. */
  idempotency_key: string | null;
  limited: boolean;
  report_id: string | null;
  created_at: Date;
};

/** What is judged of a post, before it is known whose it is. */
export type Judged = {
  accountId: string;
  /** HTML. */
  content: string;
  /** Plain: the warning, the name and the place of an event, the options of a poll. */
  beside: string[];
  /** Plain: the descriptions of its files, as far as they come with it. */
  described: string[];
  /** Files here whose descriptions are stored with them. */
  uploadIds: string[];
  /** Addresses. */
  links: string[];
  mentionIds: string[];
  createdAt: Date;
};

/** What the rules ask about. */
export type Facts = {
  local: boolean;
  domain: string | null;
  ageHours: number;
  followers: number;
  /** Plain, in lower case. */
  text: string;
  linkHosts: string[];
  links: number;
  mentions: number;
  strangers: number;
  sameText: number;
};
