// Row types of the accounts slice.

import type { ContentType } from "../../../platform/text/written.ts";
import type { RoleRow } from "../../base/roles/tables.ts";
import type { EmojiRow } from "../../base/emojis/tables.ts";

/**
 * Who may reply to a local post, as its author chooses; people whom it names or replies to may too, except with
 * `nobody`.
 */
export const REPLY_POLICIES = ["public", "followers", "following", "mentioned", "nobody"] as const;
export type ReplyPolicy = (typeof REPLY_POLICIES)[number];

export type AccountField = {
  name: string;
  value: string;
  value_html: string;
  verified_at: string | null;
};

/** An account with its counts, as `load` reads it and other code passes it on. */
export type AccountView = {
  id: string;
  username: string;
  /** Null for local accounts. */
  domain: string | null;
  uri: string;
  url: string;
  actor_type: string;
  display_name: string;
  note: string;
  note_html: string;
  fields: AccountField[];
  emojis: EmojiRow[];
  /** Set for remote accounts. */
  avatar_url: string | null;
  header_url: string | null;
  /** Keys of stored files of local accounts; the static ones exist where a picture is animated. */
  avatar_key: string | null;
  avatar_static_key: string | null;
  /** Key of a still picture in the size that lists show. */
  avatar_small_key: string | null;
  header_key: string | null;
  header_static_key: string | null;
  avatar_description: string;
  header_description: string;
  locked: boolean;
  discoverable: boolean | null;
  indexable: boolean;
  hide_collections: boolean | null;
  /** Which tabs the profile has. */
  show_media: boolean;
  show_media_replies: boolean;
  show_featured: boolean;
  /** Whether visitors may get the posts by mail, where the role allows it. */
  email_subscriptions: boolean;
  memorial: boolean;
  also_known_as: string[];
  attribution_domains: string[];
  inbox_url: string;
  shared_inbox_url: string | null;
  followers_url: string | null;
  /** Bits (policies.ts) for remote accounts; null where nothing is stated. */
  feature_policy: number | null;
  suspended_at: Date | null;
  silenced_at: Date | null;
  /** All its media are hidden behind a warning since then. */
  sensitized_at: Date | null;
  created_at: Date;
  updated_at: Date;
  statuses_count: string;
  followers_count: string;
  following_count: string;
  last_status_at: Date | null;
  moved_to_account_id: string | null;
  moved_to: AccountView | null;
  /** Set for local accounts only. */
  role: RoleRow | null;
  /** Whether the account is hidden: its user has not confirmed the e-mail address, or waits for approval. */
  pending: boolean;
};

/** The counts that follows change. */
export type FollowCounts = Pick<AccountView, "id" | "followers_count" | "following_count">;

/** The settings of a user, from users.settings; a missing member has its default. */
export type UserSettings = {
  privacy?: "public" | "unlisted" | "private" | "direct";
  sensitive?: boolean;
  language?: string | null;
  quote_policy?: "public" | "followers" | "nobody";
  reply_policy?: ReplyPolicy;
  content_type?: ContentType;
  chosen_languages?: string[] | null;
  /** Filters public timelines by the locale's language where none is chosen; null for the server's setting. */
  languages_by_locale?: boolean | null;
  /** Which media are shown without a click: those that are not sensitive, all, or none. */
  expand_media?: "default" | "show_all" | "hide_all";
  expand_spoilers?: boolean;
  autoplay_gifs?: boolean;
  /** Which notifications are sent by mail; see domain/reading/mails. */
  mails?: Record<string, boolean>;
  /** Local times such as `22:30`, between which notifications are not sent. */
  quiet_from?: string | null;
  quiet_until?: string | null;
};

/** The part of an account that only its person sees. */
export type OwnPart = { settings: UserSettings; timeZone: string | null; followRequests: number };

export type UserRow = {
  id: string;
  account_id: string;
  email: string;
  password_hash: string | null;
  role_id: string;
  locale: string;
  /** IANA name; null where none is chosen. */
  time_zone: string | null;
  confirmed_at: Date | null;
  approved: boolean;
  disabled: boolean;
  settings: UserSettings;
  created_at: Date;
};

export type AssertionKey = { id: string; key: string };

/** A remote actor, checked and sanitised; a missing member keeps its value or gets the default. */
export type RemoteAccount = {
  username: string;
  /** Domain of its handle; never one of this server. */
  domain: string;
  uri: string;
  url: string;
  inbox_url: string;
  public_key: string;
  key_id: string | null;
  /** Ed25519 keys as Multikey. */
  assertion_keys?: AssertionKey[];
  fetched_at: Date;
  actor_type?: string;
  display_name?: string;
  note_html?: string;
  fields?: AccountField[];
  emojis?: EmojiRow[];
  avatar_url?: string | null;
  header_url?: string | null;
  avatar_description?: string;
  header_description?: string;
  locked?: boolean;
  discoverable?: boolean | null;
  indexable?: boolean;
  hide_collections?: boolean | null;
  memorial?: boolean;
  also_known_as?: string[];
  moved_to_account_id?: string | null;
  attribution_domains?: string[];
  shared_inbox_url?: string | null;
  outbox_url?: string | null;
  followers_url?: string | null;
  following_url?: string | null;
  featured_url?: string | null;
  featured_tags_url?: string | null;
  featured_collections_url?: string | null;
  feature_policy?: number | null;
  /** Used only when the account is new. */
  created_at?: Date;
  /** Stated by the actor's own server; a suspension by this server is independent of it. */
  suspended?: boolean;
};
