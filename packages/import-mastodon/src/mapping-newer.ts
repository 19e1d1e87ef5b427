// Tables and columns that versions after 4.3 added, and what becomes of them, by their public documentation and schema.
// They are read where they exist; columns that are not listed here are reported in the plan.

import { INTERNAL, left, nothing, STAMP } from "./table-mapping.ts";
import type { Left, TableMapping } from "./table-mapping.ts";

const TIMES = left(STAMP, "created_at", "updated_at");
const DISCOVERY = "auxiliary discovery services (FASP) are not connected here";

export const NEWER_TABLES: Record<string, TableMapping> = {
  quotes: {
    into: "quotes",
    take: `id account_id status_id quoted_status_id quoted_account_id state approval_uri legacy created_at`,
    leave: { updated_at: TIMES["updated_at"]!, activity_uri: "found by the post" },
    losses: { "quotes of posts that are not there any more": "o.quoted_status_id IS NULL" },
  },
  collections: {
    into: "collections",
    take: `id account_id name description description_html language tag_id sensitive discoverable local uri url
      created_at updated_at`,
    leave: left(
      "counted from the rows themselves",
      "item_count",
      "original_number_of_items",
      "remote_items",
    ),
  },
  collection_items: {
    into: "collection_items",
    take: "id collection_id account_id state uri object_uri approval_uri created_at",
    leave: {
      updated_at: TIMES["updated_at"]!,
      position: "in the order in which they came",
      activity_uri: "found by the item",
      approval_last_verified_at: "verified again when it is needed",
    },
  },
  collection_reports: nothing(
    "reports are about accounts and posts here",
    "collections that reports name",
  ),
  tagged_objects: nothing("found in the post itself"),
  terms_of_services: {
    into: "terms_of_service",
    take: "id text published_at effective_date created_at",
    leave: {
      updated_at: TIMES["updated_at"]!,
      changelog: "of the mail that was sent",
      notification_sent_at: "of the mail that was sent",
    },
    losses: { "drafts of terms of service": "o.published_at IS NULL" },
  },
  username_blocks: {
    into: "settings.reserved_names",
    take: "id username exact allow_with_approval",
    leave: { ...TIMES, normalized_username: "made from the name" },
    losses: {
      "blocks of usernames that contain a word, or need approval":
        "NOT o.exact OR o.allow_with_approval",
    },
  },
  rule_translations: {
    into: "rules.translations",
    take: "id rule_id language text hint",
    leave: TIMES,
  },
  instance_moderation_notes: nothing(
    "there are notes on accounts and reports alone",
    "notes on servers",
  ),
  keypairs: {
    into: "account_keys, accounts.public_key",
    take: "id account_id type public_key private_key uri revoked",
    leave: {
      ...TIMES,
      ...left("keys here do not expire", "expires_at"),
      local_fragment: "the main key is the one that is taken",
    },
  },
  email_subscriptions: nothing(
    "people who did not ask this server get no mails from it",
    "subscriptions to people's posts by mail",
  ),
  annual_report_statuses_per_account_counts: nothing("counted from the posts"),
  tag_trends: nothing("counted again from the posts"),
  worker_batches: nothing(INTERNAL),
  fasp_providers: nothing(DISCOVERY),
  fasp_debug_callbacks: nothing(DISCOVERY),
  fasp_subscriptions: nothing(DISCOVERY),
  fasp_backfill_requests: nothing(DISCOVERY),
  fasp_follow_recommendations: nothing(DISCOVERY),
};

/** New columns of tables that 4.3 had. */
export const NEWER_COLUMNS: Record<string, { take: string; leave: Record<string, Left> }> = {
  accounts: {
    take: `id_scheme following_url avatar_description header_description show_media show_media_replies show_featured
      feature_approval_policy collections_url`,
    leave: {},
  },
  conversations: {
    take: "",
    leave: left("found from the posts", "parent_status_id", "parent_account_id"),
  },
  notification_policies: { take: "for_bots", leave: {} },
  preview_cards: {
    take: "",
    leave: left("asked again with the page", "unverified_author_account_id", "missing_attribution"),
  },
  status_edits: { take: "", leave: { quote_id: "a post shows the quote that it has now" } },
  status_stats: {
    take: "quotes_count",
    leave: left(
      "counted from the rows themselves",
      "untrusted_favourites_count",
      "untrusted_reblogs_count",
    ),
  },
  statuses: {
    take: "quote_approval_policy",
    leave: { fetched_replies_at: "answers are asked for again when somebody looks" },
  },
  user_roles: {
    take: "",
    leave: left("limits of roles are settings of the server", "collection_limit", "require_2fa"),
  },
  users: {
    take: "age_verified_at",
    leave: { require_tos_interstitial: "terms are told by a mail and a banner" },
  },
  web_push_subscriptions: { take: "standard", leave: {} },
};
