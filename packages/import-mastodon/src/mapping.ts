// Every table and column of Mastodon 4.3, and what becomes of it; those of newer versions are in mapping-newer.ts. A
// step reads the columns that are taken and no others; a test checks this against a database of Mastodon, and the steps
// against this.

/** Why something is not imported: nothing is lost, or a loss that is named before anything is written. */
export type Left = string;

export type TableMapping = {
  /** Table here that gets the rows; null for none. */
  into: string | null;
  /** The columns that are read. */
  take: string;
  /** The other columns, and why they are not read. */
  leave: Record<string, Left>;
  /** A loss: what people lose by it. The plan counts the rows. */
  loss?: string;
  /** Losses of single columns: the SQL condition under which a row loses something. */
  losses?: Record<string, string>;
};

const STAMP = "a later pass looks at it; it is shown nowhere";
const OWN_ID = "rows here have another key";
const FILES = "the file itself says it";
const COUNTED = "counted from the rows themselves";
const FETCHED = "fetched again when somebody looks at it";
const PASSING = "it passes within hours or days";
const INTERNAL = "of the other software itself";

export const left = (reason: Left, ...names: string[]): Record<string, Left> =>
  Object.fromEntries(names.map((name) => [name, reason]));

/** Makes the mapping of a table of which nothing is taken; its columns need no names. */
export const nothing = (reason: Left, loss?: string): TableMapping => ({
  into: null,
  take: "",
  leave: { "*": reason },
  ...(loss && { loss }),
});

export const MAPPING: Record<string, TableMapping> = {
  account_aliases: nothing("accounts.also_known_as says it"),
  account_conversations: {
    into: "account_conversations, account_conversation_statuses",
    take: "id account_id conversation_id participant_account_ids status_ids last_status_id unread",
    leave: left(INTERNAL, "lock_version"),
  },
  account_deletion_requests: {
    into: "account_deletions",
    take: "account_id created_at",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "updated_at") },
  },
  account_domain_blocks: {
    into: "account_domain_blocks",
    take: "id account_id domain created_at",
    leave: left(STAMP, "updated_at"),
  },
  account_migrations: {
    into: "account_moves",
    take: "id account_id target_account_id created_at",
    leave: { ...left(STAMP, "updated_at"), acct: "of the target", followers_count: COUNTED },
  },
  account_moderation_notes: {
    into: "account_remarks",
    take: "id content account_id target_account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  account_notes: {
    into: "account_notes",
    take: "account_id target_account_id comment",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "created_at", "updated_at") },
  },
  account_pins: {
    into: "endorsements",
    take: "account_id target_account_id created_at",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "updated_at") },
  },
  account_relationship_severance_events: {
    into: null,
    take: "id relationship_severance_event_id",
    leave: {
      ...left(COUNTED, "followers_count", "following_count"),
      ...left(STAMP, "created_at", "updated_at"),
      account_id: "of the severed relationships",
    },
  },
  account_stats: {
    into: "account_stats",
    take: "account_id statuses_count following_count followers_count last_status_at",
    leave: { ...left(OWN_ID, "id"), ...left(STAMP, "created_at", "updated_at") },
  },
  account_statuses_cleanup_policies: {
    into: "cleanup_policies",
    take: `id account_id enabled min_status_age keep_direct keep_pinned keep_polls keep_media keep_self_fav
      keep_self_bookmark min_favs min_reblogs`,
    leave: left(STAMP, "created_at", "updated_at"),
  },
  account_warning_presets: {
    into: "warning_presets",
    take: "id title text created_at",
    leave: left(STAMP, "updated_at"),
  },
  account_warnings: {
    into: "strikes",
    take: "id account_id target_account_id action text created_at report_id status_ids overruled_at",
    leave: left(STAMP, "updated_at"),
  },
  accounts: {
    into: "accounts, account_keys",
    take: `id username domain private_key public_key created_at updated_at note display_name uri url
      avatar_file_name avatar_remote_url header_file_name header_remote_url locked last_webfingered_at inbox_url
      outbox_url shared_inbox_url followers_url memorial moved_to_account_id featured_collection_url fields actor_type
      discoverable also_known_as silenced_at suspended_at hide_collections sensitized_at suspension_origin trendable
      reviewed_at requested_review_at indexable attribution_domains`,
    leave: {
      ...left(
        FILES,
        "avatar_content_type",
        "avatar_file_size",
        "avatar_updated_at",
        "avatar_storage_schema_version",
        "header_content_type",
        "header_file_size",
        "header_updated_at",
        "header_storage_schema_version",
      ),
      protocol: "there is one",
    },
  },
  accounts_tags: nothing("found in the profile itself"),
  admin_action_logs: {
    into: "audit_log",
    take: "id account_id action target_type target_id created_at human_identifier",
    leave: { ...left(STAMP, "updated_at"), ...left(INTERNAL, "route_param", "permalink") },
  },
  announcement_mutes: {
    into: "announcement_dismissals",
    take: "id account_id announcement_id",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  announcement_reactions: {
    into: "announcement_reactions",
    take: "id account_id announcement_id name",
    leave: { ...left(STAMP, "created_at", "updated_at"), custom_emoji_id: "its name says it" },
  },
  announcements: {
    into: "announcements",
    take: "id text published all_day scheduled_at starts_at ends_at created_at updated_at published_at",
    leave: { status_ids: "found in the text" },
  },
  appeals: {
    into: "appeals",
    take: `id account_warning_id text approved_at approved_by_account_id rejected_at rejected_by_account_id created_at`,
    leave: { ...left(STAMP, "updated_at"), account_id: "of the strike" },
  },
  ar_internal_metadata: nothing(INTERNAL),
  backups: nothing(
    "people make a new archive in a minute",
    "archives that people had made of their posts",
  ),
  blocks: {
    into: "blocks",
    take: "id created_at account_id target_account_id uri",
    leave: left(STAMP, "updated_at"),
  },
  bookmarks: {
    into: "bookmarks",
    take: "id account_id status_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  bulk_import_rows: nothing(PASSING, "lines of imports that people had begun and not finished"),
  bulk_imports: nothing(PASSING, "the list of the files that people imported"),
  canonical_email_blocks: {
    into: "canonical_email_blocks",
    take: "id canonical_email_hash reference_account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  conversation_mutes: {
    into: "conversation_mutes",
    take: "id conversation_id account_id",
    leave: {},
  },
  conversations: {
    into: "conversations",
    take: "id uri",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  custom_emoji_categories: {
    into: "custom_emojis.category",
    take: "id name",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  custom_emojis: {
    into: "custom_emojis, and the emojis of accounts and statuses elsewhere",
    take: "id shortcode image_file_name created_at updated_at disabled visible_in_picker category_id",
    leave: {
      ...left(FILES, "image_content_type", "image_file_size", "image_updated_at"),
      ...left(FILES, "image_storage_schema_version"),
      ...left("looked up by the texts that use it", "domain", "image_remote_url"),
      uri: "made from the id",
    },
  },
  custom_filter_keywords: {
    into: "filter_keywords",
    take: "id custom_filter_id keyword whole_word",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  custom_filter_statuses: {
    into: "filter_statuses",
    take: "id custom_filter_id status_id",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  custom_filters: {
    into: "filters",
    take: "id account_id expires_at phrase context created_at action",
    leave: left(STAMP, "updated_at"),
  },
  domain_allows: {
    into: "domain_allows",
    take: "id domain created_at",
    leave: left(STAMP, "updated_at"),
  },
  domain_blocks: {
    into: "domain_blocks",
    take: "id domain created_at severity reject_media reject_reports private_comment public_comment obfuscate",
    leave: left(STAMP, "updated_at"),
  },
  email_domain_blocks: {
    into: "email_domain_blocks",
    take: "id domain created_at allow_with_approval",
    leave: {
      ...left(STAMP, "updated_at"),
      parent_id: "mail servers of a domain are looked up when they are needed",
    },
  },
  favourites: {
    into: "favourites",
    take: "id created_at account_id status_id",
    leave: left(STAMP, "updated_at"),
  },
  featured_tags: {
    into: "featured_tags",
    take: "id account_id tag_id created_at name",
    leave: { ...left(COUNTED, "statuses_count", "last_status_at"), ...left(STAMP, "updated_at") },
  },
  follow_recommendation_mutes: {
    into: "dismissed_suggestions",
    take: "id account_id target_account_id",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  follow_recommendation_suppressions: nothing(
    "suggestions are made in another way here",
    "accounts that moderators took out of the suggestions",
  ),
  follow_requests: {
    into: "follow_requests",
    take: "id created_at account_id target_account_id show_reblogs uri notify languages",
    leave: left(STAMP, "updated_at"),
  },
  follows: {
    into: "follows, follower_digests",
    take: "id created_at account_id target_account_id show_reblogs uri notify languages",
    leave: left(STAMP, "updated_at"),
  },
  generated_annual_reports: {
    into: null,
    take: "",
    leave: { "*": "made again from the posts when somebody asks for it" },
  },
  identities: nothing(
    "there is no sign-in by another service",
    "sign-ins by another service (OpenID, SAML, CAS): these people set a password by mail",
  ),
  imports: nothing(PASSING),
  invites: {
    into: "invites",
    take: "id user_id code expires_at max_uses uses created_at",
    leave: {
      ...left(STAMP, "updated_at"),
      autofollow: "people choose whom they follow",
      comment: "shown nowhere",
    },
  },
  ip_blocks: {
    into: "ip_blocks",
    take: "id ip severity expires_at comment created_at",
    leave: left(STAMP, "updated_at"),
  },
  list_accounts: {
    into: "list_accounts",
    take: "id list_id account_id",
    leave: left("found when it is needed", "follow_id", "follow_request_id"),
  },
  lists: {
    into: "lists",
    take: "id account_id title created_at replies_policy exclusive",
    leave: left(STAMP, "updated_at"),
  },
  login_activities: nothing(PASSING, "the list of recent sign-ins"),
  markers: {
    into: "markers",
    take: "id user_id timeline last_read_id lock_version updated_at",
    leave: left(STAMP, "created_at"),
  },
  media_attachments: {
    into: "media_attachments",
    take: `id status_id file_file_name file_content_type file_file_size remote_url created_at type file_meta account_id
      description scheduled_status_id blurhash thumbnail_file_name`,
    leave: {
      ...left(FILES, "file_updated_at", "file_storage_schema_version"),
      ...left(FILES, "thumbnail_content_type", "thumbnail_file_size", "thumbnail_updated_at"),
      ...left(FETCHED, "thumbnail_remote_url"),
      ...left(STAMP, "updated_at"),
      processing: "what is not finished has no file",
      shortcode: "the shortened address of the oldest versions",
    },
  },
  mentions: {
    into: "mentions",
    take: "id status_id account_id silent",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  mutes: {
    into: "mutes",
    take: "id created_at hide_notifications account_id target_account_id expires_at",
    leave: left(STAMP, "updated_at"),
  },
  notification_permissions: {
    into: "notification_permissions",
    take: "id account_id from_account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  notification_policies: {
    into: "notification_policies",
    take: `id account_id for_not_following for_not_followers for_new_accounts for_private_mentions
      for_limited_accounts`,
    leave: left(STAMP, "created_at", "updated_at"),
  },
  notification_requests: {
    into: "notification_requests",
    take: "id account_id from_account_id created_at updated_at",
    leave: left(COUNTED, "last_status_id", "notifications_count"),
  },
  notifications: {
    into: "notifications, notification_groups, notification_requests",
    take: "id activity_id activity_type created_at account_id from_account_id type filtered group_key",
    leave: left(STAMP, "updated_at"),
  },
  oauth_access_grants: nothing("they are valid for ten minutes"),
  oauth_access_tokens: {
    into: "oauth_tokens",
    take: "id token expires_in revoked_at created_at scopes application_id resource_owner_id last_used_at",
    leave: {
      refresh_token: "there are none",
      last_used_ip: "networks of clients are kept for days only",
    },
  },
  oauth_applications: {
    into: "oauth_apps",
    take: "id name uid secret redirect_uri scopes created_at website",
    leave: {
      ...left(STAMP, "updated_at"),
      ...left(INTERNAL, "superapp", "owner_type", "owner_id"),
      confidential: "every app has a secret",
    },
  },
  pghero_space_stats: nothing(INTERNAL),
  poll_votes: {
    into: "poll_votes",
    take: "id account_id poll_id choice created_at uri",
    leave: left(STAMP, "updated_at"),
  },
  polls: {
    into: "polls",
    take: "id status_id expires_at options cached_tallies multiple hide_totals last_fetched_at voters_count",
    leave: {
      ...left(STAMP, "created_at", "updated_at"),
      account_id: "of the status",
      votes_count: "the sum of the tallies",
      ...left(INTERNAL, "lock_version"),
    },
  },
  preview_card_providers: {
    into: "trend_publishers",
    take: "id domain trendable reviewed_at requested_review_at",
    leave: {
      ...left(
        "shown nowhere",
        "icon_file_name",
        "icon_content_type",
        "icon_file_size",
        "icon_updated_at",
      ),
      ...left(STAMP, "created_at", "updated_at"),
    },
  },
  preview_card_trends: nothing("counted again from the posts"),
  preview_cards: {
    into: "preview_cards, trend_links",
    take: `id url title description image_file_name type author_name author_url provider_name provider_url width
      height embed_url html blurhash language published_at image_description author_account_id updated_at trendable`,
    leave: {
      ...left(FILES, "image_content_type", "image_file_size", "image_updated_at"),
      ...left(FILES, "image_storage_schema_version"),
      ...left("counted again from the posts", "max_score", "max_score_at"),
      ...left(STAMP, "created_at"),
      link_type: "shown nowhere",
    },
  },
  preview_cards_statuses: {
    into: "statuses.card_hash",
    take: "preview_card_id status_id",
    leave: { url: "of the card" },
  },
  relationship_severance_events: {
    into: "severance_events",
    take: "id type target_name purged created_at",
    leave: left(STAMP, "updated_at"),
  },
  relays: {
    into: "settings.relays",
    take: "id inbox_url state",
    leave: { ...left(STAMP, "created_at", "updated_at"), follow_activity_id: "asked for again" },
    losses: { "relays that were switched off": "o.state = 0" },
  },
  report_notes: {
    into: "account_remarks",
    take: "id content report_id account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  reports: {
    into: "reports",
    take: `id status_ids comment created_at updated_at account_id action_taken_by_account_id target_account_id
      assigned_account_id uri forwarded category action_taken_at rule_ids`,
    leave: { application_id: "shown nowhere" },
  },
  rules: {
    into: "rules",
    take: "id priority deleted_at text created_at hint",
    leave: left(STAMP, "updated_at"),
  },
  scheduled_statuses: {
    into: "scheduled_statuses",
    take: "id account_id scheduled_at params",
    leave: {},
  },
  schema_migrations: nothing(INTERNAL),
  session_activations: nothing(
    "sessions of browsers are signed by the other software",
    "sign-ins in browsers (apps stay signed in)",
  ),
  settings: {
    into: "settings, and roles for everybody",
    take: "id var value updated_at",
    leave: {
      ...left(STAMP, "created_at"),
      ...left("settings of single people, in the oldest versions", "thing_type", "thing_id"),
    },
  },
  severed_relationships: {
    into: "severed_relationships",
    take: `id relationship_severance_event_id local_account_id remote_account_id direction show_reblogs notify
      languages`,
    leave: left(STAMP, "created_at", "updated_at"),
  },
  site_uploads: {
    into: "settings.thumbnail_url",
    take: "id var file_file_name",
    leave: {
      ...left(FILES, "file_content_type", "file_file_size", "file_updated_at", "meta", "blurhash"),
      ...left(STAMP, "created_at", "updated_at"),
    },
  },
  software_updates: nothing(INTERNAL),
  status_edits: {
    into: "status_edits",
    take: `id status_id text spoiler_text created_at ordered_media_attachment_ids media_descriptions poll_options
      sensitive`,
    leave: { ...left(STAMP, "updated_at"), account_id: "of the status" },
  },
  status_pins: {
    into: "status_pins",
    take: "id account_id status_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  status_stats: {
    into: "status_stats",
    take: "id status_id replies_count reblogs_count favourites_count",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  status_trends: nothing("counted again from the posts"),
  statuses: {
    into: "statuses",
    take: `id uri text created_at in_reply_to_id reblog_of_id url sensitive visibility spoiler_text language
      conversation_id local account_id application_id in_reply_to_account_id edited_at trendable
      ordered_media_attachment_ids`,
    leave: {
      ...left(STAMP, "updated_at"),
      reply: "in_reply_to_account_id says it",
      poll_id: "of the poll",
      deleted_at: "deleted posts are left",
    },
  },
  statuses_tags: {
    into: "statuses_tags",
    take: "status_id tag_id",
    leave: {},
  },
  tag_follows: {
    into: "tag_follows",
    take: "id tag_id account_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  tags: {
    into: "tags",
    take: "id name created_at usable trendable listable reviewed_at requested_review_at display_name",
    leave: {
      ...left("counted again from the posts", "last_status_at", "max_score", "max_score_at"),
      ...left(STAMP, "updated_at"),
    },
  },
  tombstones: {
    into: "tombstones",
    take: "id uri created_at",
    leave: {
      ...left(STAMP, "updated_at"),
      ...left("its address says it", "account_id", "by_moderator"),
    },
  },
  unavailable_domains: nothing("found again by the first delivery"),
  user_invite_requests: {
    into: "users.sign_up_reason",
    take: "id user_id text",
    leave: left(STAMP, "created_at", "updated_at"),
  },
  user_roles: {
    into: "roles",
    take: "id name color position permissions highlighted created_at",
    leave: left(STAMP, "updated_at"),
  },
  users: {
    into: "users, totp_secrets, recovery_codes",
    take: `id email created_at encrypted_password current_sign_in_at confirmed_at locale
      consumed_timestep otp_required_for_login account_id disabled invite_id chosen_languages
      created_by_application_id approved sign_up_ip role_id settings time_zone otp_secret otp_backup_codes`,
    leave: {
      ...left(STAMP, "updated_at"),
      ...left(PASSING, "reset_password_token", "reset_password_sent_at"),
      ...left(PASSING, "sign_in_token", "sign_in_token_sent_at", "skip_sign_in_token"),
      ...left(
        "a new mail is sent at the next sign-in",
        "confirmation_token",
        "confirmation_sent_at",
      ),
      unconfirmed_email: "a change of address that was not confirmed",
      sign_in_count: "shown nowhere",
      last_sign_in_at: "current_sign_in_at is newer",
      ...left(
        "of versions before 4.3",
        "encrypted_otp_secret",
        "encrypted_otp_secret_iv",
        "encrypted_otp_secret_salt",
      ),
      last_emailed_at: "shown nowhere",
      webauthn_id: "no passkey needs it",
    },
    losses: {
      "changes of address that were not confirmed": "o.unconfirmed_email IS NOT NULL",
    },
  },
  web_push_subscriptions: {
    into: "push_subscriptions",
    take: "id endpoint key_p256dh key_auth data created_at access_token_id",
    leave: { ...left(STAMP, "updated_at"), user_id: "of the token" },
    losses: { "push to browsers that were signed in": "o.access_token_id IS NULL" },
  },
  web_settings: nothing(
    "the columns and choices of the other web client",
    "how people had arranged the other web client",
  ),
  webauthn_credentials: {
    into: "passkeys",
    take: "id external_id public_key nickname sign_count user_id created_at",
    leave: left(STAMP, "updated_at"),
  },
  webhooks: {
    into: "webhooks",
    take: "id url events secret enabled created_at",
    leave: { ...left(STAMP, "updated_at"), template: "the body is always the whole" },
    losses: { "templates of webhooks": "o.template IS NOT NULL" },
  },
};
