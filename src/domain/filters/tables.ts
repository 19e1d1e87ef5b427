// Row types of the filters slice.

/** Where a filter applies; clients look at it, the server tells of every match. */
export const CONTEXTS = ["home", "notifications", "public", "thread", "account"] as const;

export const ACTIONS = ["warn", "hide", "blur"] as const;
export type FilterAction = (typeof ACTIONS)[number];

export type KeywordRow = { id: string; keyword: string; whole_word: boolean };
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

/** A keyword with the filter that it belongs to: what the first version of the API calls a filter. */
export type KeywordOfFilter = KeywordRow & { filter: FilterRow };

/** What a filter found in a status. */
export type FilterMatch = {
  filter: FilterRow;
  /** The words as they stand in the status, or null. */
  words: string | null;
  /** Ids that the filter names, or null. */
  statusIds: string[] | null;
};
