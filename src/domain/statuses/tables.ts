// Row types of the statuses slice.

import type { AccountView, EmojiRow } from "../accounts/tables.ts";
import type { MediaView } from "../media/tables.ts";
import type { Relation } from "../relationships/tables.ts";

export type Visibility = "public" | "unlisted" | "private" | "direct";
export const VISIBILITIES = ["public", "unlisted", "private", "direct"] as const;

export type MentionRow = {
  id: string;
  username: string;
  domain: string | null;
  url: string;
  uri: string;
  silent: boolean;
};

export type TagRow = { name: string };

/** A status as it is read, without its people and without the viewer. */
export type StatusRow = {
  id: string;
  account_id: string;
  uri: string;
  url: string | null;
  local: boolean;
  text: string;
  content: string;
  spoiler_text: string;
  visibility: Visibility;
  sensitive: boolean;
  language: string | null;
  in_reply_to_id: string | null;
  in_reply_to_account_id: string | null;
  /** The address of what it answers, where that is known. */
  in_reply_to_uri: string | null;
  reblog_of_id: string | null;
  conversation_id: string | null;
  conversation_uri: string | null;
  emojis: EmojiRow[];
  created_at: Date;
  edited_at: Date | null;
  replies_count: string;
  reblogs_count: string;
  favourites_count: string;
  app_name: string | null;
  app_website: string | null;
  mentions: MentionRow[];
  tags: TagRow[];
  media: MediaView[];
};

/** A row in memory, with what was made of it since it was read; nothing else is keyed so cheaply. */
export type KeptRow = StatusRow & {
  made: {
    /** The view without a viewer. */
    plain: StatusView | null;
    /** The beginning of its JSON. */
    bytes: Buffer | null;
    /** No other row that was ever read has it. */
    number: number;
  };
};

/** What the viewer has done with a status. */
export type ViewerFlags = {
  favourited: boolean;
  reblogged: boolean;
  bookmarked: boolean;
  pinned: boolean;
};

/** How the viewer stands to the author, as far as it decides what is shown. */
export type Standpoint = Pick<Relation, "following" | "blocking" | "blocked_by" | "muting">;

/** The viewer's part: who looks, what they did, how they stand to the author. */
export type ViewerPart = { id: string; flags: ViewerFlags; relation: Standpoint | null };

export type StatusView = StatusRow & {
  /** What was read, the same object as long as it is cached. */
  row: KeptRow;
  account: AccountView;
  reblog: StatusView | null;
  /** null: nobody is signed in. */
  viewer: ViewerPart | null;
};

export type StatusEditRow = {
  text: string;
  content: string;
  spoiler_text: string;
  sensitive: boolean;
  emojis: EmojiRow[];
  created_at: Date;
};
