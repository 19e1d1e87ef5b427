// Row types of the transfers slice: what people bring along, and what they take with them.

/** What a file can hold. `followers` can only be taken along. */
export const KINDS = [
  "following",
  "blocks",
  "mutes",
  "domain_blocks",
  "lists",
  "bookmarks",
  "filters",
  "account_notes",
  "followed_tags",
  "muted_tags",
  "saved_searches",
] as const;
export type Kind = (typeof KINDS)[number];

/** What archives of this software alone hold, as JSON: there is no other way to bring it. */
export const OWN_KINDS = ["list_options", "collections", "groups"] as const;
export type OwnKind = (typeof OWN_KINDS)[number];

/** Also the posts of a whole archive. */
export type ImportKind = Kind | OwnKind | "posts";

type ImportState = "new" | "unpacking" | "running" | "removing" | "done";

/** What of an archive is not imported, and how many of each; `documents`: files that nothing is known of. */
export type LeftOut = Partial<
  Record<
    | "boosts"
    | "others"
    | "files"
    | "more"
    | "favourites"
    | "followers"
    | "received"
    | "bookmarks"
    | "settings"
    | "documents",
    number
  >
>;

export type ImportRow = {
  id: string;
  account_id: string;
  kind: ImportKind;
  file_name: string;
  overwrite: boolean;
  state: ImportState;
  fault: string | null;
  total: number;
  done: number;
  failed: number;
  removed: number;
  left_out: LeftOut;
  created_at: Date;
  finished_at: Date | null;
};

/** A line of a file, read. */
export type Entry = {
  following: {
    acct: string;
    reblogs?: boolean;
    notify?: boolean;
    /** null: all of them. */
    languages?: string[] | null;
    replies?: boolean;
    /** null: as many as there are. */
    dailyLimit?: number | null;
  };
  blocks: { acct: string };
  mutes: {
    acct: string;
    notifications: boolean;
    /** ISO 8601; null or missing: never. */
    endsAt?: string | null;
  };
  domain_blocks: { domain: string };
  lists: { title: string; acct: string };
  bookmarks: { uri: string };
  filters: FilterEntry;
  account_notes: { acct: string; note: string };
  followed_tags: { name: string };
  muted_tags: { name: string };
  saved_searches: { q: string };
};

/** As in Mastodon's `custom_filters.json`. */
export type FilterEntry = {
  title: string;
  context: string[];
  action: string;
  expire_at: string | null;
  keywords_attributes: { keyword: string; whole_word: boolean; wildcards: boolean }[];
  /** URIs. */
  statuses: string[];
};

export type AnyEntry = Entry[Kind];

/** As archives of this software have them (docs/EXPORT.md). */
export type OwnEntry = {
  list_options: { title: string; replies_policy: string; exclusive: boolean };
  collections: {
    name: string;
    description: string;
    language: string | null;
    tag: string | null;
    sensitive: boolean;
    discoverable: boolean;
    /** URIs. */
    accounts: string[];
  };
  groups: {
    name: string;
    display_name: string;
    note: string;
    locked: boolean;
    rules: string[];
    holds_posts: boolean;
  };
};

/** `data`: an entry, or a post of an archive. */
export type ImportEntryRow = { n: number; data: object; tries: number };

/** What became of a line; `target` is what it named, also where that could not be done. */
export type Outcome =
  | { n: number; state: "done"; target: string }
  | { n: number; state: "failed"; fault: string; target?: string | null }
  | { n: number; state: "waiting"; dueAt: Date };
