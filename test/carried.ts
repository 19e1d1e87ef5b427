// Says which of each person's rows their archive contains, and whether importing the archive takes them: the table
// behind transfers/carried.test.ts, which fails for a new table or column until it is listed here.

import { FIELD_NAMES } from "../src/domain/people/lists/fields.ts";

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * The JSON and CSV files of an archive, and what an import does with each: `taken` (a round trip compares it), `with
 * settings` (where that is ticked), or why it takes nothing.
 */
export const FILES: Record<string, "taken" | "with settings" | (string & {})> = {
  "actor.json": "with settings",
  "settings.json": "with settings",
  "outbox.json": "taken",
  "featured.json": "taken",
  "drafts.json": "taken",
  "scheduled_statuses.json": "taken",
  "lists.json": "taken",
  "collections.json": "taken",
  "groups.json": "taken",
  "following_accounts.csv": "taken",
  "blocked_accounts.csv": "taken",
  "muted_accounts.csv": "taken",
  "blocked_domains.csv": "taken",
  "lists.csv": "taken",
  "bookmarks.csv": "taken",
  "custom_filters.json": "taken",
  "account_notes.csv": "taken",
  "followed_tags.csv": "taken",
  "muted_tags.csv": "taken",
  "saved_searches.csv": "taken",
  "following.json": "following_accounts.csv says more",
  "bookmarks.json": "bookmarks.csv says it",
  "followers.csv": "who follows is their own choice: followers come by a move of the account",
  "followers.json": "as followers.csv",
  "likes.json": "their authors would be notified once more",
  "received.json": "what others wrote is theirs to send",
  "edits.json": "an earlier version would be one that nobody here has seen",
  "media_attachments.json": "read with the posts and drafts that have the files",
};

export type CarriedRows = {
  table: string;
  /** Files that contain it. */
  files: string[];
  /** Columns that the files contain. */
  columns: string[];
  /** Columns of the files that another server does not take, by the reason. */
  stays?: Record<string, string[]>;
  /** Columns that they leave out, by the reason. */
  without?: Record<string, string[]>;
};

const KEYS = "names the row here";
const ELSEWHERE = "is another one on another server";

export const CARRIED: CarriedRows[] = [
  {
    table: "accounts",
    files: ["actor.json", "settings.json"],
    columns:
      words(`username domain uri url actor_type display_name note fields avatar_key header_key
      avatar_description header_description locked discoverable indexable hide_collections memorial
      also_known_as moved_to_account_id attribution_domains show_media show_media_replies show_featured
      created_at suspended_at feature_policy`),
    stays: {
      [ELSEWHERE]: words("username domain uri url created_at"),
      "is said by both accounts": words("also_known_as moved_to_account_id"),
      "is the staff's": words("memorial suspended_at"),
      "is made of the rest for people here": ["feature_policy"],
    },
    without: {
      [KEYS]: ["id"],
      "is made of the rest": words(
        "note_html emojis avatar_static_key header_static_key avatar_small_key",
      ),
      "is of accounts of other servers":
        words(`avatar_url header_url inbox_url shared_inbox_url outbox_url
        followers_url following_url featured_url featured_tags_url featured_collections_url key_id
        public_key suspended_remotely suspended_with_domain silenced_with_domain fetched_at filled_at`),
      "is the staff's": words(
        "silenced_at sensitized_at trendable reviewed_at requested_review_at",
      ),
      "is how far some work is": words("updated_at links_checked_at"),
    },
  },
  {
    table: "users",
    files: ["settings.json"],
    columns: words("locale time_zone settings"),
    without: {
      [KEYS]: words("id account_id"),
      "is in server/users.json, some of it with secrets alone": words(`email password_hash role_id
        sign_up_reason confirmed_at approved disabled last_active_at created_at invite_id`),
      "is of the sign-up or of mails here": words(`agreed sign_up_ip created_by_app_id
        confirmation_token_hash confirmation_sent_at digest_at age_verified_at staff_digest_at
        agreed_terms letter_month`),
    },
  },
  {
    table: "statuses",
    files: ["outbox.json"],
    columns: words(`account_id uri url text content spoiler_text visibility sensitive language
      in_reply_to_id reblog_of_id conversation_id created_at edited_at quote_policy interaction_policy
      approval_uri content_type expires_at emojis`),
    without: {
      [KEYS]: ["id"],
      "is made of the rest": words("local in_reply_to_account_id has_media has_event card_hash"),
      "is the staff's": words("trendable awaits_approval"),
      "names the app, which is of this server": ["app_id"],
      "names lists as they were: whom it was for is said": ["circle_lists"],
    },
  },
  {
    table: "polls",
    files: ["outbox.json"],
    columns: words("status_id options tallies multiple voters_count expires_at"),
    without: {
      [KEYS]: ["id"],
      "is how a poll was shown while it ran": ["hide_totals"],
      "is how far some work is": ["refreshed_at"],
    },
  },
  {
    table: "status_events",
    files: ["outbox.json"],
    columns: words("status_id name starts_at ends_at place"),
    without: { "is counted of others' answers": words("yes_count maybe_count no_count") },
  },
  {
    table: "mentions",
    files: ["outbox.json", "received.json"],
    columns: words("status_id account_id silent"),
    without: { "is made of the rest": ["direct"] },
  },
  {
    table: "statuses_tags",
    files: ["outbox.json"],
    columns: words("status_id tag_id place"),
    without: { "is made of the rest": words("account_id") },
  },
  {
    table: "quotes",
    files: ["outbox.json"],
    columns: words("status_id quoted_status_id quoted_uri approval_uri"),
    without: {
      [KEYS]: words("id account_id quoted_account_id"),
      "is between the two authors": words("state legacy created_at"),
    },
  },
  {
    table: "status_stats",
    files: ["outbox.json"],
    columns: words("status_id reblogs_count favourites_count"),
    without: { "is counted of others' posts": words("replies_count quotes_count") },
  },
  {
    table: "media_attachments",
    files: ["media_attachments.json", "outbox.json"],
    columns: words(`id status_id position type media_type description meta created_at file_key
      scheduled_id draft_id`),
    without: {
      [KEYS]: ["account_id"],
      "is made of the file": words("blurhash small_key file_size"),
      "is of files of other servers": words("url remote_url"),
      "is how far some work is": words("state fault upload detached_from"),
    },
  },
  {
    table: "status_edits",
    files: ["edits.json"],
    columns: words("status_id text content spoiler_text sensitive poll_options created_at"),
    without: {
      [KEYS]: ["id"],
      "is of the present version, which the post says": words("content_type media emojis"),
    },
  },
  {
    table: "favourites",
    files: ["likes.json"],
    columns: ["status_id"],
    without: {
      [KEYS]: words("id account_id uri created_at"),
      "is a favourite to other software": words("reaction reaction_url"),
    },
  },
  {
    table: "bookmarks",
    files: ["bookmarks.json", "bookmarks.csv"],
    columns: ["status_id"],
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "status_pins",
    files: ["featured.json"],
    columns: ["status_id"],
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "drafts",
    files: ["drafts.json"],
    columns: words("id statuses scheduled_at created_at updated_at"),
    stays: { [ELSEWHERE]: words("id created_at updated_at") },
    without: { [KEYS]: words("account_id idempotency_key version") },
  },
  {
    table: "scheduled_statuses",
    files: ["scheduled_statuses.json"],
    columns: words("id scheduled_at draft fault"),
    stays: { [ELSEWHERE]: ["id"], "is of an attempt to post it": ["fault"] },
    without: { [KEYS]: words("account_id app_id idempotency_key created_at") },
  },
  {
    table: "follows",
    files: ["following_accounts.csv", "following.json", "followers.csv", "followers.json"],
    columns: words(
      "account_id target_account_id show_reblogs notify languages show_replies daily_limit",
    ),
    without: { [KEYS]: words("id uri local created_at") },
  },
  {
    table: "blocks",
    files: ["blocked_accounts.csv"],
    columns: ["target_account_id"],
    without: { [KEYS]: words("id account_id uri created_at") },
  },
  {
    table: "mutes",
    files: ["muted_accounts.csv"],
    columns: words("target_account_id hide_notifications expires_at"),
    without: {
      [KEYS]: words("id account_id created_at"),
    },
  },
  {
    table: "account_domain_blocks",
    files: ["blocked_domains.csv"],
    columns: ["domain"],
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "lists",
    files: ["lists.json", "lists.csv"],
    columns: FIELD_NAMES,
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "list_accounts",
    files: ["lists.csv"],
    columns: words("list_id account_id"),
    without: { "is that of the list": words("owner_id exclusive") },
  },
  {
    table: "filters",
    files: ["custom_filters.json"],
    columns: words("title context action expires_at"),
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "filter_keywords",
    files: ["custom_filters.json"],
    columns: words("filter_id keyword whole_word wildcards"),
    without: { [KEYS]: ["id"] },
  },
  {
    table: "filter_statuses",
    files: ["custom_filters.json"],
    columns: words("filter_id status_id"),
    without: { [KEYS]: ["id"] },
  },
  {
    table: "account_notes",
    files: ["account_notes.csv"],
    columns: words("target_account_id comment"),
    without: { [KEYS]: ["account_id"] },
  },
  {
    table: "tag_follows",
    files: ["followed_tags.csv"],
    columns: ["tag_id"],
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "tag_mutes",
    files: ["muted_tags.csv"],
    columns: ["tag_id"],
    without: {
      [KEYS]: words("id account_id created_at"),
      "is of a mute that ends by itself, which is not taken along": ["expires_at"],
    },
  },
  {
    table: "saved_searches",
    files: ["saved_searches.csv"],
    columns: ["q"],
    without: { [KEYS]: words("id account_id created_at") },
  },
  {
    table: "featured_tags",
    files: ["settings.json"],
    columns: ["tag_id"],
    without: { [KEYS]: words("id account_id created_at"), "is made of the rest": ["name"] },
  },
  {
    table: "endorsements",
    files: ["settings.json"],
    columns: ["target_account_id"],
    stays: { "is for people who are followed there": ["target_account_id"] },
    without: { [KEYS]: words("account_id created_at") },
  },
  {
    table: "notification_policies",
    files: ["settings.json"],
    columns: words(`for_not_following for_not_followers for_new_accounts for_private_mentions
      for_limited_accounts for_bots`),
    without: { [KEYS]: ["account_id"] },
  },
  {
    table: "cleanup_policies",
    files: ["settings.json"],
    columns:
      words(`min_days keep_pinned keep_favourited keep_bookmarked keep_direct keep_polls keep_media
      min_favourites min_reblogs`),
    stays: {
      "would delete posts there that nobody has asked for":
        words(`min_days keep_pinned keep_favourited keep_bookmarked keep_direct keep_polls keep_media
        min_favourites min_reblogs`),
    },
    without: { [KEYS]: ["account_id"], "is how far some work is": words("checked_id due_at") },
  },
  {
    table: "collections",
    files: ["collections.json"],
    columns: words("name description language tag_display sensitive discoverable"),
    without: {
      [KEYS]: words("id account_id created_at updated_at"),
      "is made of the rest": ["tag_name"],
      "is of collections of other servers": words("uri url fetched_at"),
    },
  },
  {
    table: "collection_items",
    files: ["collections.json"],
    columns: words("collection_id account_id"),
    without: {
      [KEYS]: words("id created_at"),
      "is the consent of who is in it, which is asked for again": words(
        "state uri object_uri approval_uri",
      ),
    },
  },
  {
    table: "groups",
    files: ["groups.json"],
    columns: words("account_id owner_id rules holds_posts"),
    without: { [KEYS]: ["created_at"] },
  },
  {
    table: "group_moderators",
    files: ["groups.json"],
    columns: words("group_id account_id"),
    stays: { "is consent between people of this server": words("group_id account_id") },
  },
];

/** Tables with a person's rows that are in no archive, by the reason. A backup has all of them. */
export const LEFT_OUT: Record<string, string[]> = {
  "is counted or made of the rest": words(`account_stats account_conversations
    account_conversation_statuses status_search search_backlog annual_reports follower_digests
    tag_day_accounts notification_groups`),
  "is what others did; it comes again as they do": words(
    "event_answers further_reactions notifications notification_requests follow_requests poll_votes",
  ),
  "is about notifications that stay here": words(
    "notification_clears notification_permissions markers conversation_mutes",
  ),
  "is how somebody signs in, and to what": words(`sessions oauth_codes oauth_tokens passkeys
    password_resets recovery_codes totp_secrets email_changes push_subscriptions account_keys
    assertion_keys sso_identities scim_members`),
  "is consent between people of this server, which only they can give elsewhere": words(
    "account_access shared_acts",
  ),
  "is a device's, which alone can read it": words("crypto_devices crypto_messages"),
  "is the staff's, or about what the staff did": words(`account_remarks appeals strikes reports
    spam_matches spam_rules audit_log invites severed_relationships
    canonical_email_blocks`),
  "is of visitors, whose addresses are theirs": ["email_subscriptions"],
  "is what a group's moderators did, and what others sent it": words(
    "group_acts group_answers group_posts",
  ),
  "is what providers of this server were told": ["fasp_announced"],
  "is what this server showed": words(
    "announcement_dismissals announcement_reactions dismissed_suggestions recommended_accounts trend_statuses",
  ),
  "is work that goes on, or what keeps it from being done twice":
    words(`account_deletions account_moves
    archives imports imported_posts former_follows spam_texts status_idempotency user_weeks
    outgoing_activities`),
  "is of pages that posts link to": words("preview_cards status_links"),
};
