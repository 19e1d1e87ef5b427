// Row types of the filters slice.

/** Where a filter applies; clients check it, the server reports every match. */
export const CONTEXTS = ["home", "notifications", "public", "thread", "account"] as const;

export const ACTIONS = ["warn", "hide", "blur"] as const;
export type FilterAction = (typeof ACTIONS)[number];

export type KeywordRow = {
  id: string;
  keyword: string;
  whole_word: boolean;
  /** `*` stands for any letters of a word. */
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

/** A keyword with its filter: version 1 of the API calls this a filter. */
export type KeywordOfFilter = KeywordRow & { filter: FilterRow };

/** What a filter matched in a status. */
export type FilterMatch = {
  filter: FilterRow;
  /** The matched words as the status has them, or null. */
  words: string | null;
  /** The matched ids, or null. */
  statusIds: string[] | null;
};
