// Lists the rows that cached records are made of, and the keys that have to be invalidated when such a row is written
// (platform/db/commits.ts). The rows of a new cache must be added here.

/**
 * A row that differs in one of `columns` (which have to name it) invalidates `keys`, which are SQL expressions over the
 * row `r`; null stands for no key.
 */
export type WatchedRows = { table: string; columns: string[]; keys: string[] };

const words = (text: string): string[] => text.trim().split(/\s+/);

const ofStatus = "'status:' || r.status_id";
/**
 * Returns the key, unless what the row refers to is gone: deleted in the same transaction, which invalidates that, or
 * visible to nobody any more.
 */
const whileThere = (key: string, ...references: [table: string, column: string][]): string => {
  const isThere = references.map(
    ([table, column]) =>
      `(r.${column} IS NULL OR EXISTS (SELECT FROM ${table} WHERE id = r.${column}))`,
  );
  return `CASE WHEN ${isThere.join(" AND ")} THEN ${key} END`;
};
const filterOwner = "'filters:' || (SELECT account_id FROM filters WHERE id = r.filter_id)";

const STATUSES: WatchedRows[] = [
  {
    table: "statuses",
    columns:
      words(`id account_id uri url local text content_type content spoiler_text visibility sensitive language
      in_reply_to_id in_reply_to_account_id reblog_of_id conversation_id app_id has_media has_event emojis card_hash
      quote_policy interaction_policy created_at edited_at expires_at`),
    keys: ["'status:' || r.id"],
  },
  // These keys are pages of its author and of public timelines.
  {
    table: "statuses",
    columns: words("id account_id visibility language has_media reblog_of_id in_reply_to_id"),
    keys: ["'account:' || r.account_id"],
  },
  // These keys are the thread above, and who reblogged.
  {
    table: "statuses",
    columns: words("id account_id in_reply_to_id reblog_of_id"),
    keys: [
      "'status:' || r.in_reply_to_id",
      "'status:' || r.reblog_of_id",
      "'mark:' || r.account_id || '/' || r.reblog_of_id",
    ],
  },
  {
    table: "status_stats",
    columns: words("status_id replies_count reblogs_count favourites_count quotes_count"),
    keys: [ofStatus],
  },
  { table: "mentions", columns: words("status_id account_id silent"), keys: [ofStatus] },
  { table: "statuses_tags", columns: words("status_id tag_id"), keys: [ofStatus] },
  {
    table: "media_attachments",
    columns: words(
      "id status_id position type media_type url remote_url file_key small_key description blurhash meta",
    ),
    keys: [ofStatus],
  },
  {
    table: "polls",
    columns: words("id status_id options tallies multiple hide_totals voters_count expires_at"),
    keys: [ofStatus],
  },
  {
    table: "status_events",
    columns: words("status_id name starts_at ends_at place yes_count maybe_count no_count"),
    keys: [ofStatus],
  },
  {
    table: "quotes",
    columns: words(`id status_id state quoted_status_id quoted_account_id quoted_uri legacy
      approval_uri`),
    keys: [ofStatus],
  },
  // Of many statuses with a card the newest are enough to find a write that forgets them.
  {
    table: "preview_cards",
    columns: words("id url_hash url card creator_account_id image_key"),
    keys: [
      `(SELECT 'status:' || max(s.id) FROM statuses s
        WHERE s.card_hash = r.url_hash AND r.card IS NOT NULL)`,
    ],
  },
  ...["favourites", "bookmarks", "status_pins"].map((table) => ({
    table,
    columns: words("account_id status_id"),
    keys: [
      whileThere(
        "'mark:' || r.account_id || '/' || r.status_id",
        ["accounts", "account_id"],
        ["statuses", "status_id"],
      ),
    ],
  })),
  {
    table: "status_pins",
    columns: words("account_id status_id"),
    keys: [whileThere("'account:' || r.account_id", ["accounts", "account_id"])],
  },
];

const ACCOUNTS: WatchedRows[] = [
  {
    table: "accounts",
    columns: words(`id username domain uri url actor_type display_name note note_html fields emojis
      avatar_url header_url avatar_key avatar_static_key avatar_small_key header_key header_static_key avatar_description header_description locked discoverable indexable feature_policy
      hide_collections show_media show_media_replies show_featured memorial also_known_as
      attribution_domains inbox_url shared_inbox_url followers_url suspended_at silenced_at sensitized_at created_at
      moved_to_account_id`),
    keys: ["'account:' || r.id"],
  },
  {
    table: "accounts",
    columns: words("id domain uri key_id public_key suspended_at suspended_remotely"),
    keys: ["CASE WHEN r.domain IS NOT NULL THEN 'key:' || r.id END"],
  },
  {
    table: "accounts",
    columns: words("id domain inbox_url shared_inbox_url suspended_at"),
    keys: [
      `CASE WHEN r.domain IS NOT NULL AND EXISTS (SELECT FROM follows WHERE account_id = r.id)
        THEN 'inboxes:' END`,
    ],
  },
  {
    table: "assertion_keys",
    columns: words("account_id key_id public_key"),
    keys: ["'key:' || r.account_id"],
  },
  {
    table: "account_stats",
    columns: words("account_id statuses_count followers_count following_count last_status_at"),
    keys: ["'account:' || r.account_id"],
  },
  {
    table: "users",
    columns: words("id account_id role_id confirmed_at approved"),
    keys: ["'account:' || r.account_id"],
  },
  {
    table: "users",
    columns: words("id account_id settings time_zone"),
    keys: [whileThere("'person:' || r.account_id", ["accounts", "account_id"])],
  },
];

/** Rows that cached credentials (the account and the rights of a token) are made of. */
const CREDENTIALS: WatchedRows[] = [
  // Tokens that are deleted with their user are invalidated with it.
  {
    table: "oauth_tokens",
    columns: words("id user_id scopes revoked_at"),
    keys: [whileThere("'token:' || r.id", ["users", "user_id"])],
  },
  {
    table: "users",
    columns: words("id role_id locale confirmed_at approved disabled settings"),
    keys: ["'user:' || r.id"],
  },
  // This says whether an account is shared, and as what somebody uses it; a deleted account's user is invalidated.
  {
    table: "account_access",
    columns: words("id user_id person_id kind accepted_at"),
    keys: [
      `CASE WHEN r.kind <> 'identity' THEN ${whileThere("'user:' || r.user_id", ["users", "user_id"])} END`,
    ],
  },
  {
    table: "accounts",
    columns: words("id username suspended_at moved_to_account_id"),
    keys: ["'user:' || (SELECT id FROM users WHERE account_id = r.id)"],
  },
];

const RELATIONS: WatchedRows[] = [
  // These rows are how a viewer stands to an author.
  ...["follows", "follow_requests"].map((table) => ({
    table,
    columns: words(
      "account_id target_account_id show_reblogs show_replies daily_limit notify languages",
    ),
    keys: ["'relations:' || r.account_id"],
  })),
  ...["follows", "follow_requests"].map((table) => ({
    table,
    columns: words("account_id target_account_id"),
    keys: ["'relations:' || r.target_account_id"],
  })),
  ...["endorsements", "account_notes"].map((table) => ({
    table,
    columns: words(`account_id target_account_id${table === "account_notes" ? " comment" : ""}`),
    keys: [
      whileThere(
        "'relations:' || r.account_id",
        ["accounts", "account_id"],
        ["accounts", "target_account_id"],
      ),
    ],
  })),
  {
    table: "follows",
    columns: words(
      "account_id target_account_id show_reblogs show_replies daily_limit notify languages local",
    ),
    keys: ["'followers:' || r.target_account_id"],
  },
  {
    table: "blocks",
    columns: words("account_id target_account_id"),
    keys: ["'relations:' || r.account_id", "'relations:' || r.target_account_id"],
  },
  {
    table: "mutes",
    columns: words("account_id target_account_id expires_at hide_notifications"),
    keys: ["'relations:' || r.account_id"],
  },
  {
    table: "mutes",
    columns: words("account_id target_account_id"),
    keys: ["'followers:' || r.target_account_id"],
  },
  {
    table: "list_accounts",
    columns: words("list_id account_id owner_id exclusive"),
    keys: ["'followers:' || r.account_id"],
  },
  {
    table: "tag_follows",
    columns: words("account_id tag_id"),
    keys: ["'tag-followers:' || (SELECT name FROM tags WHERE id = r.tag_id)"],
  },
  // Rows that are deleted with an account are not shown without it.
  {
    table: "notifications",
    columns: words(
      "id account_id from_account_id type status_id subject_id created_at group_key filtered",
    ),
    // Filtered ones are not cached.
    keys: [
      whileThere(
        "CASE WHEN NOT r.filtered THEN 'notifications:' || r.account_id END",
        ["accounts", "account_id"],
        ["accounts", "from_account_id"],
      ),
    ],
  },
  {
    table: "markers",
    columns: words("user_id timeline last_read_id"),
    keys: [
      "CASE WHEN r.timeline = 'notifications' THEN 'markers:' || (SELECT account_id FROM users WHERE id = r.user_id) END",
    ],
  },
  {
    table: "notification_clears",
    columns: words("account_id up_to"),
    keys: [whileThere("'notifications:' || r.account_id", ["accounts", "account_id"])],
  },
  {
    table: "account_domain_blocks",
    columns: words("account_id domain"),
    keys: [whileThere("'domains:' || r.account_id", ["accounts", "account_id"])],
  },
  {
    table: "conversation_mutes",
    columns: words("account_id conversation_id"),
    keys: [whileThere("'muted-conversations:' || r.account_id", ["accounts", "account_id"])],
  },
  {
    table: "filters",
    columns: words("id account_id title context action expires_at"),
    keys: [whileThere("'filters:' || r.account_id", ["accounts", "account_id"])],
  },
  {
    table: "filter_keywords",
    columns: words("id filter_id keyword whole_word wildcards"),
    keys: [filterOwner],
  },
  { table: "filter_statuses", columns: words("id filter_id status_id"), keys: [filterOwner] },
];

const SERVER: WatchedRows[] = [
  { table: "settings", columns: words("name value"), keys: ["'settings:'"] },
  { table: "rules", columns: words("id position text deleted_at"), keys: ["'rules:'"] },
  { table: "announcements", columns: ["id"], keys: ["'announcements:'"] },
  {
    table: "domain_blocks",
    columns: words(`domain severity reject_media reject_reports public_comment obfuscate`),
    keys: ["'domain-blocks:'"],
  },
  {
    table: "tags",
    columns: words("name usable"),
    keys: ["CASE WHEN r.usable = false THEN 'tags:' END"],
  },
  {
    table: "spam_rules",
    columns: words("id name conditions actions enabled"),
    keys: ["'spam-rules:'"],
  },
  { table: "domain_allows", columns: ["domain"], keys: ["'domain-blocks:'"] },
  { table: "ip_blocks", columns: words("ip severity expires_at"), keys: ["'ip-blocks:'"] },
  {
    table: "custom_emojis",
    columns: words(
      "id shortcode file_key static_key category visible_in_picker disabled updated_at",
    ),
    keys: ["'emojis:'"],
  },
  { table: "terms_of_service", columns: words("id effective_date content"), keys: ["'terms:'"] },
];

export const WATCHED: WatchedRows[] = [
  ...STATUSES,
  ...ACCOUNTS,
  ...CREDENTIALS,
  ...RELATIONS,
  ...SERVER,
];

/** Rows whose ids are new with them, so that nothing about them can be cached before they are committed. */
export const BORN: { table: string; keys: string[] }[] = [
  { table: "statuses", keys: ["'status:' || r.id"] },
  { table: "users", keys: ["'user:' || r.id", "'person:' || r.account_id"] },
  { table: "oauth_tokens", keys: ["'token:' || r.id"] },
  {
    table: "accounts",
    keys: ["'account:' || r.id", "'key:' || r.id", "'followers:' || r.id"],
  },
];
