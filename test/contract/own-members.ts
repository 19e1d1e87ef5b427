// Where this server's document differs from the contract, which has the members of several servers: those that it adds,
// and those that it never answers and so does not promise.

import { EXTENSIONS } from "../../src/platform/version.ts";

type Schema = {
  [name: string]: unknown;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
};

const text = { type: "string" };
const strings = { type: ["array", "null"], items: text };

const contentType = { type: "string", enum: ["text/plain", "text/markdown"] };

const groups = {
  type: "array",
  items: {
    type: "string",
    enum: ["public", "followers", "following", "mentioned", "unsupported_policy"],
  },
};
const replyPolicy = {
  type: "string",
  enum: ["public", "followers", "following", "mentioned", "nobody"],
};

export const ADDED: Record<string, Schema> = {
  "Account.avatar_small": { type: "string", format: "uri" },
  "Collections.partial_accounts": {
    type: "array",
    items: { $ref: "PartialAccountWithAvatar.json" },
  },
  "CredentialAccount.source.reply_policy": replyPolicy,
  "CredentialAccount.source.content_type": contentType,
  "Error.details": { type: "object" },
  "FilterKeyword.wildcards": { type: "boolean" },
  "Instance.accent_color": text,
  "Instance.api_versions.rookery": { type: "integer" },
  "Instance.configuration.rookery": {
    type: "object",
    properties: Object.fromEntries(
      Object.keys(EXTENSIONS).map((name) => [name, { type: "boolean" }]),
    ),
  },
  "Instance.configuration.statuses.supported_mime_types": { type: "array", items: text },
  "Instance.trends_as_landing_page": { const: true },
  "Notification.emoji": text,
  "Notification.emoji_url": { type: "string", format: "uri" },
  "Preferences.locale": text,
  "Preferences.posting:default:content_type": contentType,
  "Preferences.posting:default:reply_policy": replyPolicy,
  "Preferences.notifying:quiet_from": { type: ["string", "null"] },
  "Preferences.notifying:quiet_until": { type: ["string", "null"] },
  "Preferences.reading:languages": strings,
  "Preferences.reading:languages:by_locale": { type: ["boolean", "null"] },
  "Preferences.time_zone": { type: ["string", "null"] },
  "ScheduledStatus.params.expires_at": text,
  "ScheduledStatus.params.expires_in": { type: "integer" },
  "ScheduledStatus.params.local_only": { type: "boolean" },
  "ScheduledStatus.params.reblog_of_id": text,
  "ScheduledStatus.params.reply_approval_policy": replyPolicy,
  "ScheduledStatus.params.thread": { type: "array", items: { type: "object" } },
  "ScheduledStatus.params.event": { type: "object" },
  "Status.event": {
    type: "object",
    properties: {
      name: text,
      starts_at: { type: "string", format: "date-time" },
      ends_at: { type: ["string", "null"], format: "date-time" },
      place: { type: ["string", "null"] },
      yes_count: { type: "integer" },
      maybe_count: { type: "integer" },
      no_count: { type: "integer" },
      answer: { enum: ["yes", "maybe", "no", null] },
      ics_url: { type: "string", format: "uri" },
    },
    required: [
      "name",
      "starts_at",
      "ends_at",
      "place",
      "yes_count",
      "maybe_count",
      "no_count",
      "answer",
      "ics_url",
    ],
  },
  "Status.expires_at": { type: "string", format: "date-time" },
  "ScheduledStatus.params.circle": { const: true },
  "ScheduledStatus.params.list_ids": { type: "array", items: text },
  "Status.circle": { const: true },
  "Relationship.showing_replies": { type: "boolean" },
  "Relationship.daily_limit": { type: ["integer", "null"] },
  "Role.max_characters": { type: "integer" },
  "ScheduledStatus.params.content_type": contentType,
  "V1_Instance.configuration.statuses.supported_mime_types": { type: "array", items: text },
  "Suggestion.recently_joined": { const: true },
  "Tag.muting": { type: "boolean" },
  "Tag.muting_expires_at": { type: ["string", "null"] },
  "Status.reactions": { type: "array", items: { $ref: "Reaction.json" } },
  "Status.reply_approval": {
    type: "object",
    properties: {
      automatic: groups,
      manual: groups,
      current_user: { type: "string", enum: ["automatic", "manual", "denied", "unknown"] },
    },
    required: ["automatic", "manual", "current_user"],
  },
};

export const LEFT_OUT = [
  "Account.email_subscriptions",
  "Account.invalid_handle",
  // Those of older schema versions.
  "AnnualReport.data.commonly_interacted_with_accounts",
  "AnnualReport.data.most_reblogged_accounts",
  "AnnualReport.data.most_used_apps",
  "AnnualReport.data.percentiles",
  "AnnualReport.data.type_distribution",
  "CustomEmoji.featured",
  "Error.state",
  "MediaAttachment.meta.colors",
  "NodeInfo.usage.localComments",
  "V1_Instance.max_toot_chars",
  "V1_Instance.poll_limits",
];

/** The object that has the member, and the member's name. */
const placeOf = (entities: Record<string, Schema>, path: string): [Schema, string] => {
  const [entity, ...names] = path.split(".");
  const name = names.pop()!;
  const whole = entities[entity!]!;
  let schema = whole.allOf?.find(({ properties }) => properties) ?? whole;
  for (const name of names) schema = schema.properties![name]!;
  return [schema, name];
};

/** The entities of the contract as this server answers them. */
export const asAnswered = (contract: Record<string, Schema>): Record<string, Schema> => {
  const entities = structuredClone(contract);
  for (const [path, schema] of Object.entries(ADDED)) {
    const [object, name] = placeOf(entities, path);
    if (object.properties![name]) throw new Error(`the contract has ${path}`);
    object.properties![name] = { ...schema, "x-source": "rookery" };
  }
  for (const path of LEFT_OUT) {
    const [object, name] = placeOf(entities, path);
    if (!object.properties?.[name]) throw new Error(`the contract has no ${path}`);
    if ((object["required"] as string[] | undefined)?.includes(name)) {
      throw new Error(`the contract requires ${path}`);
    }
    delete object.properties[name];
  }
  return entities;
};
