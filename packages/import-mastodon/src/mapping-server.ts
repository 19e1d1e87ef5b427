// Tables of Mastodon 4.3 about the server: its staff, reports, blocks, rules, emojis, announcements.

import { STAMP, FILES, INTERNAL, left, nothing } from "./table-mapping.ts";
import type { TableMapping } from "./table-mapping.ts";

export const OF_SERVER: Record<string, TableMapping> = {
  account_moderation_notes: {
    into: "account_remarks",
    take: "id content account_id target_account_id created_at",
    leave: left(STAMP, "updated_at"),
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
  canonical_email_blocks: {
    into: "canonical_email_blocks",
    take: "id canonical_email_hash reference_account_id created_at",
    leave: left(STAMP, "updated_at"),
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
  follow_recommendation_suppressions: nothing(
    "suggestions are made in another way here",
    "accounts that moderators took out of the suggestions",
  ),
  ip_blocks: {
    into: "ip_blocks",
    take: "id ip severity expires_at comment created_at",
    leave: left(STAMP, "updated_at"),
  },
  pghero_space_stats: nothing(INTERNAL),
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
  schema_migrations: nothing(INTERNAL),
  settings: {
    into: "settings, and roles for everybody",
    take: "id var value updated_at",
    leave: {
      ...left(STAMP, "created_at"),
      ...left("settings of single people, in the oldest versions", "thing_type", "thing_id"),
    },
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
  webhooks: {
    into: "webhooks",
    take: "id url events secret enabled created_at",
    leave: { ...left(STAMP, "updated_at"), template: "the body is always the whole" },
    losses: { "templates of webhooks": "o.template IS NOT NULL" },
  },
};
