// Row types of the filters slice.

/** Where a filter applies; clients check it, the server reports every match. */
export const CONTEXTS = ["home", "notifications", "public", "thread", "account"] as const;

export const ACTIONS = ["warn", "hide", "blur"] as const;
export type FilterAction = (typeof ACTIONS)[number];

export type KeywordRow = {
  id: string;
  keyword: string;
  whole_word: boolean;
  /** Whether `*` stands for any letters of a word. */
  wildcards: boolean;
};
export type FilterStatusRow = { id: string; status_id: string };

export type FilterRow = {
  id: string;
  account_id: string;
  title: string;
  context: string[];
  action: FilterAction;
  expires_at: Date | null;
  keywords: KeywordRow[];
  statuses: FilterStatusRow[];
};

/** A keyword with its filter, which version 1 of the API calls a filter. */
export type KeywordOfFilter = KeywordRow & { filter: FilterRow };

/** The match of a filter in a status. */
export type FilterMatch = {
  filter: FilterRow;
  /** Matched words as the status has them, or null. */
  words: string | null;
  /** Matched ids, or null. */
  statusIds: string[] | null;
};
