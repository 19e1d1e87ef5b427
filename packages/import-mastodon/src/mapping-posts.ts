// Tables of Mastodon 4.3 about posts: what is in them, what people did with them, filters, conversations.

import { STAMP, FILES, FETCHED, INTERNAL, left, nothing } from "./table-mapping.ts";
import type { TableMapping } from "./table-mapping.ts";

export const OF_POSTS: Record<string, TableMapping> = {
  account_conversations: {
    into: "account_conversations, account_conversation_statuses",
    take: "id account_id conversation_id participant_account_ids status_ids last_status_id unread",
    leave: left(INTERNAL, "lock_version"),
  },
  account_statuses_cleanup_policies: {
    into: "cleanup_policies",
    take: `id account_id enabled min_status_age keep_direct keep_pinned keep_polls keep_media keep_self_fav
      keep_self_bookmark min_favs min_reblogs`,
    leave: left(STAMP, "created_at", "updated_at"),
  },
  bookmarks: {
    into: "bookmarks",
    take: "id account_id status_id created_at",
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
  favourites: {
    into: "favourites",
    take: "id created_at account_id status_id",
    leave: left(STAMP, "updated_at"),
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
  scheduled_statuses: {
    into: "scheduled_statuses",
    take: "id account_id scheduled_at params",
    leave: {},
  },
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
};
