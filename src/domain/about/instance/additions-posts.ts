// Describes what is added to Mastodon's API about posts, beside routes, by the names of `configuration.rookery`.

import {
  FLAG,
  ID,
  MAYBE_TEXT,
  TEXT,
  TIME,
  entity,
  entityRef,
  listOf,
  nullable,
  shapeOf,
} from "../../../platform/http/extension.ts";
import type { Addition, Schema } from "../../../platform/http/extension.ts";
import { ANSWERS } from "../../posts/events/tables.ts";

const replyPolicy: Schema = {
  type: "string",
  enum: ["public", "followers", "following", "mentioned", "nobody"],
};

const repliers = listOf({
  type: "string",
  enum: ["public", "followers", "following", "mentioned", "unsupported_policy"],
});

/** The values by which an app may write a post again. */
const AUDIENCE: Schema = { type: "string", enum: ["local", "local_followers", "circle"] };

const groupsThatMay = listOf({
  type: "string",
  enum: ["public", "followers", "following", "mentioned", "author", "me"],
});
const interactionRule = shapeOf({
  automatic_approval: groupsThatMay,
  manual_approval: groupsThatMay,
  always: groupsThatMay,
  with_approval: groupsThatMay,
});

const interactionPolicy = shapeOf({
  can_favourite: interactionRule,
  can_reply: interactionRule,
  can_reblog: interactionRule,
});

const COUNT: Schema = { type: "integer" };
const ADDRESS: Schema = { type: "string", format: "uri" };
const reactions = listOf(entityRef("Reaction"));

const references = listOf(entityRef("StatusReference"));

const contentType: Schema = { type: "string", enum: ["text/plain", "text/markdown"] };

export const POST_ADDITIONS = {
  /** Authors choose who may reply to a post. */
  reply_policies: {
    members: {
      "CredentialAccount.source.reply_policy": replyPolicy,
      "Preferences.posting:default:reply_policy": replyPolicy,
      "ScheduledStatus.params.reply_approval_policy": replyPolicy,
      "Status.reply_approval": shapeOf({
        automatic: repliers,
        manual: repliers,
        current_user: { type: "string", enum: ["automatic", "manual", "denied", "unknown"] },
      }),
    },
  },
  /** Keywords of filters in which `*` stands for any letters. */
  filter_wildcards: { members: { "FilterKeyword.wildcards": FLAG } },
  /** Posts may be for people of this server. */
  local_posts: {
    members: {
      "ScheduledStatus.params.audience": AUDIENCE,
      "ScheduledStatus.params.local_only": FLAG,
      "Status.audience": AUDIENCE,
    },
  },
  /** Posts may be for people of one's lists. */
  circles: {
    entities: entity("Circle", {
      lists: listOf(shapeOf({ id: ID, title: TEXT })),
      accounts: listOf(entityRef("Account")),
    }),
    members: {
      "ScheduledStatus.params.circle": FLAG,
      "ScheduledStatus.params.list_ids": listOf(TEXT),
      "Status.circle": FLAG,
    },
  },
  /** People may react to posts with emojis. */
  emoji_reactions: {
    entities: entity(
      "StatusReaction",
      { name: TEXT, count: COUNT, me: { type: "boolean" }, accounts: listOf(entityRef("Account")) },
      { url: ADDRESS, static_url: ADDRESS },
    ),
    members: {
      "Instance.configuration.reactions": shapeOf({ max_reactions: COUNT }),
      "Notification.emoji": TEXT,
      "Notification.emoji_url": ADDRESS,
      "NotificationGroup.emoji_reactions": listOf({
        allOf: [entityRef("Reaction"), shapeOf({ account_ids: listOf(ID) })],
      }),
      "Status.emoji_reactions": reactions,
      "Status.pleroma": shapeOf({ local: { type: "boolean" }, emoji_reactions: reactions }),
      "Status.reactions": reactions,
      "V1_Instance.configuration.reactions": shapeOf({ max_reactions: COUNT }),
    },
    // For apps that name it (reading/notifications/tables.ts).
    words: { "Notification.type": ["pleroma:emoji_reaction"] },
  },
  /** Boosts may be scheduled. */
  scheduled_boosts: { members: { "ScheduledStatus.params.reblog_of_id": TEXT } },
  /** Drafts, which all apps of a person share. */
  drafts: {
    entities: entity("Draft", {
      id: ID,
      version: { type: "integer" },
      statuses: listOf({ type: "object" }),
      scheduled_at: nullable(TIME),
      media_attachments: listOf(entityRef("MediaAttachment")),
      created_at: TIME,
      updated_at: TIME,
    }),
  },
  /** Threads may be posted as one. */
  threads: {
    members: {
      "Error.index": { type: "integer" },
      "ScheduledStatus.params.thread": listOf({ type: "object" }),
    },
  },
  /** Long threads may be requested in parts. */
  context_limits: {
    entities: entity("StatusReference", {
      id: ID,
      in_reply_to_id: nullable(ID),
      account_id: ID,
    }),
    members: { "Context.further": shapeOf({ ancestors: references, descendants: references }) },
  },
  /** Errors have `held` where a rule against spam holds a post, and a list shows what waits. */
  held_statuses: {
    entities: entity("HeldStatus", {
      id: ID,
      created_at: TIME,
      text: TEXT,
      spoiler_text: TEXT,
      edited_status_id: nullable(ID),
    }),
    members: { "Error.held": FLAG },
  },
  /** Posts may end. */
  expiring_posts: {
    members: {
      "ScheduledStatus.params.expires_at": TEXT,
      "ScheduledStatus.params.expires_in": { type: "integer" },
      "Status.expires_at": TIME,
    },
  },
  /** Posts that are a calendar event, which people answer. */
  events: {
    members: {
      "ScheduledStatus.params.event": { type: "object" },
      "Status.event": shapeOf({
        name: TEXT,
        starts_at: TIME,
        ends_at: { type: ["string", "null"], format: "date-time" },
        place: MAYBE_TEXT,
        yes_count: { type: "integer" },
        maybe_count: { type: "integer" },
        no_count: { type: "integer" },
        answer: { enum: [...ANSWERS, null] },
        ics_url: { type: "string", format: "uri" },
      }),
    },
  },
  /** Muted hashtags, whose posts and threads are left out of one's home. */
  muted_tags: {
    members: { "Tag.muting": { type: "boolean" }, "Tag.muting_expires_at": MAYBE_TEXT },
  },
  /** Posts may be in Markdown. */
  markdown: {
    entities: entity("StatusPreview", {
      content: TEXT,
      emojis: listOf(entityRef("CustomEmoji")),
    }),
    members: {
      "CredentialAccount.source.content_type": contentType,
      "Instance.configuration.statuses.supported_mime_types": listOf(TEXT),
      "Preferences.posting:default:content_type": contentType,
      "ScheduledStatus.params.content_type": contentType,
      "V1_Instance.configuration.statuses.supported_mime_types": listOf(TEXT),
    },
  },
} satisfies Record<string, Addition>;

/** What apps for other software read, beside what other features have of it; it has no name. */
export const DIALECTS: Addition = {
  entities: entity("InteractionPolicies", {
    public: interactionPolicy,
    unlisted: interactionPolicy,
    private: interactionPolicy,
    direct: interactionPolicy,
  }),
  members: {
    "Status.interaction_policy": interactionPolicy,
    "Status.quote_id": ID,
    "V1_Instance.max_toot_chars": { type: "integer" },
    "V1_Instance.poll_limits": shapeOf({
      max_options: { type: "integer" },
      max_option_chars: { type: "integer" },
      min_expiration: { type: "integer" },
      max_expiration: { type: "integer" },
    }),
  },
};
