// Describes additions to the API for posts, for apps.

import {
  FLAG,
  ID,
  TEXT,
  TIME,
  entity,
  entityRef,
  listOf,
  nullable,
  shapeOf,
} from "../../../platform/http/extension.ts";
import type { Extension, Schema } from "../../../platform/http/extension.ts";

const replyPolicy: Schema = {
  type: "string",
  enum: ["public", "followers", "following", "mentioned", "nobody"],
};

const repliers = listOf({
  type: "string",
  enum: ["public", "followers", "following", "mentioned", "unsupported_policy"],
});

/** Authors choose who may reply to a post. */
export const replyPolicies: Extension = {
  name: "reply_policies",
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
};

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

/** What apps for other software read, beside what other features have of it; it has no name. */
export const dialects: Extension = {
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

/** Posts may be for people of this server. */
export const localPosts: Extension = {
  name: "local_posts",
  members: {
    "ScheduledStatus.params.audience": AUDIENCE,
    "ScheduledStatus.params.local_only": FLAG,
    "Status.audience": AUDIENCE,
  },
};

/** Posts may be for people of one's lists. */
export const circles: Extension = {
  name: "circles",
  entities: entity("Circle", {
    lists: listOf(shapeOf({ id: ID, title: TEXT })),
    accounts: listOf(entityRef("Account")),
  }),
  members: {
    "ScheduledStatus.params.circle": FLAG,
    "ScheduledStatus.params.list_ids": listOf(TEXT),
    "Status.circle": FLAG,
  },
};

const COUNT: Schema = { type: "integer" };
const ADDRESS: Schema = { type: "string", format: "uri" };
const reactions = listOf(entityRef("Reaction"));

/** People may react to posts with emojis. */
export const emojiReactions: Extension = {
  name: "emoji_reactions",
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
};

/** Boosts may be scheduled. */
export const scheduledBoosts: Extension = {
  name: "scheduled_boosts",
  members: { "ScheduledStatus.params.reblog_of_id": TEXT },
};

/** Threads may be posted as one. */
export const threads: Extension = {
  name: "threads",
  members: {
    "Error.index": { type: "integer" },
    "ScheduledStatus.params.thread": listOf({ type: "object" }),
  },
};

/** Errors have `held` where a rule against spam holds a post, and a list shows what waits. */
export const heldStatuses: Extension = {
  name: "held_statuses",
  entities: entity("HeldStatus", {
    id: ID,
    created_at: TIME,
    text: TEXT,
    spoiler_text: TEXT,
    edited_status_id: nullable(ID),
  }),
  members: { "Error.held": FLAG },
};

const references = listOf(entityRef("StatusReference"));

/** Long threads may be requested in parts. */
export const contextLimits: Extension = {
  name: "context_limits",
  entities: entity("StatusReference", {
    id: ID,
    in_reply_to_id: nullable(ID),
    account_id: ID,
  }),
  members: { "Context.further": shapeOf({ ancestors: references, descendants: references }) },
};

/** Posts may end. */
export const expiringPosts: Extension = {
  name: "expiring_posts",
  members: {
    "ScheduledStatus.params.expires_at": TEXT,
    "ScheduledStatus.params.expires_in": { type: "integer" },
    "Status.expires_at": TIME,
  },
};

const contentType: Schema = { type: "string", enum: ["text/plain", "text/markdown"] };

/** Posts may be in Markdown. */
export const markdown: Extension = {
  name: "markdown",
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
};
