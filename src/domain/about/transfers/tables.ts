// Row types of the transfers slice, which imports and exports people's data.

import type { ListDraft } from "../../people/lists/fields.ts";

/** Kinds of files; `followers` can only be exported. */
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

/** Kinds that only archives of this software contain, as JSON, and that cannot be uploaded alone. */
export const OWN_KINDS = ["list_options", "collections", "groups"] as const;
export type OwnKind = (typeof OWN_KINDS)[number];

/** Kinds of imports, one of which is the posts of a whole archive. */
export type ImportKind = Kind | OwnKind | "posts";

type ImportState = "new" | "unpacking" | "running" | "removing" | "done";

/** Numbers of what is not imported of an archive, by kind; `documents` are files that are not recognised. */
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

/** A parsed line of a file. */
export type Entry = {
  following: {
    acct: string;
    reblogs?: boolean;
    notify?: boolean;
    /** Null for all languages. */
    languages?: string[] | null;
    replies?: boolean;
    /** Null for no limit. */
    dailyLimit?: number | null;
  };
  blocks: { acct: string };
  mutes: {
    acct: string;
    notifications: boolean;
    /** ISO 8601; null or missing for never. */
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

/** A filter as in Mastodon's `custom_filters.json`. */
export type FilterEntry = {
  title: string;
  context: string[];
  action: string;
  expire_at: string | null;
  keywords_attributes: { keyword: string; whole_word: boolean; wildcards: boolean }[];
  /** URIs of statuses. */
  statuses: string[];
};

export type AnyEntry = Entry[Kind];

/** Entries that only archives of this software have (docs/EXPORT.md). */
export type OwnEntry = {
  list_options: ListDraft;
  collections: {
    name: string;
    description: string;
    language: string | null;
    tag: string | null;
    sensitive: boolean;
    discoverable: boolean;
    /** URIs of accounts. */
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

/** `data` is an entry, or a post of an archive. */
export type ImportEntryRow = { n: number; data: object; tries: number };

/** The outcome of a line; `target` is what it named, also where it failed. */
export type Outcome =
  | { n: number; state: "done"; target: string }
  | { n: number; state: "failed"; fault: string; target?: string | null }
  | { n: number; state: "waiting"; dueAt: Date };
