// Lists every column in which addresses of this server are stored. A test moves a server on which everything was used,
// and searches all other columns for its old name.

/** Columns of a table with a numeric `id`, or of one that a single statement changes (`isSmall`). */
export type Columns = {
  table: string;
  isSmall?: true;
  /** Columns that are an address as a whole. */
  uris?: readonly string[];
  /** Columns with arrays of addresses. */
  lists?: readonly string[];
  /** Columns with HTML, where addresses are values of attributes. */
  html?: readonly string[];
  /** Columns with JSON that contains addresses or HTML. */
  json?: readonly string[];
};

export const COLUMNS: readonly Columns[] = [
  {
    table: "accounts",
    uris: [
      "uri",
      "url",
      "inbox_url",
      "shared_inbox_url",
      "outbox_url",
      "followers_url",
      "following_url",
      "featured_url",
      "featured_tags_url",
      "featured_collections_url",
      "key_id",
      "avatar_url",
      "header_url",
    ],
    lists: ["also_known_as"],
    html: ["note_html"],
    json: ["fields", "emojis"],
  },
  {
    table: "statuses",
    uris: ["uri", "url", "approval_uri"],
    html: ["content"],
    json: ["emojis"],
  },
  { table: "status_edits", html: ["content"], json: ["emojis", "media"] },
  { table: "media_attachments", uris: ["url", "remote_url"] },
  { table: "conversations", uris: ["uri"] },
  { table: "follows", uris: ["uri"] },
  { table: "follow_requests", uris: ["uri"] },
  { table: "blocks", uris: ["uri"] },
  { table: "favourites", uris: ["uri", "reaction_url"] },
  { table: "further_reactions", isSmall: true, uris: ["uri", "reaction_url"] },
  { table: "poll_votes", uris: ["uri"] },
  { table: "event_answers", uris: ["uri"] },
  { table: "quotes", uris: ["approval_uri", "quoted_uri"] },
  { table: "collections", uris: ["uri", "url"] },
  { table: "collection_items", uris: ["uri", "approval_uri", "object_uri"] },
  { table: "reports", uris: ["uri"] },
  { table: "tombstones", isSmall: true, uris: ["uri"] },
  { table: "scheduled_statuses", json: ["draft"] },
  { table: "drafts", json: ["statuses"] },
  { table: "annual_reports", isSmall: true, json: ["data"] },
  { table: "outbox", json: ["payload"] },
  { table: "graphile_worker._private_jobs", json: ["payload"] },
];

/**
 * Columns that keep the old name, and why: what people wrote, records of what was sent or received, and the names
 * themselves.
 */
export const KEPT: Readonly<Record<string, string>> = {
  "accounts.note": "as its author wrote it; it leads to the new name",
  "statuses.text": "as its author wrote it",
  "status_edits.text": "as its author wrote it",
  "announcements.text": "as the staff wrote it",
  "outgoing_activities.body": "still to be sent in the old name, as it was signed",
  "incoming_activities.body": "as it was signed; it is read with the present names",
  "fasp_announced.uri": "as providers were told, who are told of its end by it",
  "domain_moves.counts": "what was done",
  "former_names.web_domain": "the name",
  "former_names.local_domain": "the name",
  "audit_log.target_label": "what was done then",
  "audit_log.details": "what was done then",
};
