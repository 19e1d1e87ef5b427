// Compares the members in answers with what the OpenAPI document promises: each promised member comes in some answer,
// and no other member comes.

import { withExtensions } from "../../src/domain/about/instance/extensions.ts";
import { contractAnswers } from "./openapi-answers.ts";
import type { Body } from "./rows.ts";

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
};

const entities = withExtensions(contractAnswers()) as Record<string, Schema>;

/** Promised members that these tests do not cause, and the tests that do. */
const NOT_ANSWERED: Record<string, string> = {
  "Account.avatar_small": "src/domain/people/accounts/pictures.test.ts",
  "Account.email_subscriptions": "src/domain/reading/subscriptions/subscriptions.test.ts",
  "Account.invalid_handle": "src/domain/people/accounts/upsert-remote.test.ts",
  "Account.limited": "src/domain/staff/moderation",
  "Account.memorial": "src/federation/actors.test.ts",
  "Account.moved": "src/federation/inbox/move.test.ts",
  "Account.suspended": "src/domain/staff/moderation",
  "Admin_Account.created_by_application_id": "only of sign-ups by an app",
  "Admin_Account.invited_by_account_id": "src/domain/people/users/invites.test.ts",
  "Admin_Measure.human_value": "only of measures in bytes",
  "Context.further": "src/pages/web/thread.test.ts",
  "Error.error_description": "src/domain/people/oauth",
  "Error.error_text": "src/platform/http/error-text.test.ts",
  "Error.error_texts": "src/platform/http/error-text.test.ts",
  "Error.index": "src/domain/posts/statuses/thread.test.ts",
  "Error.held": "src/domain/staff/moderation/spam.test.ts",
  "FilterKeyword.wildcards": "src/domain/posts/filters/filters.test.ts",
  "Instance.accent_color": "src/pages/admin/settings-look.test.ts",
  "Instance.trends_as_landing_page": "src/domain/reading/trends/trends.test.ts",
  "Instance.thumbnail.blurhash": "src/pages/admin/settings-look.test.ts",
  "Instance.thumbnail.versions": "src/pages/admin/settings-look.test.ts",
  "MediaAttachment.meta.original.bitrate": "src/domain/base/media",
  "MediaAttachment.meta.original.duration": "src/domain/base/media",
  "MediaAttachment.meta.original.frame_rate": "src/domain/base/media",
  "GroupedNotificationsResults.partial_accounts": "src/domain/reading/notifications",
  "Notification.collection": "src/domain/people/collections",
  "Notification.emoji": "test/federation/shapes.test.ts",
  "Notification.emoji_url": "test/federation/shapes.test.ts",
  "Notification.event": "src/domain/severances",
  "Notification.fallback": "src/domain/reading/notifications",
  "Notification.filtered": "src/domain/reading/notifications",
  "Notification.moderation_warning": "src/domain/staff/moderation/moderation.test.ts",
  "Notification.report": "src/domain/reading/reports",
  "NotificationGroup.annual_report": "src/domain/reading/notifications",
  "NotificationGroup.collection": "src/domain/reading/notifications",
  "NotificationGroup.event": "src/domain/reading/notifications",
  "NotificationGroup.fallback": "src/domain/reading/notifications",
  "NotificationGroup.moderation_warning": "src/domain/reading/notifications",
  "NotificationGroup.report": "src/domain/reading/notifications",
  "Reaction.static_url": "src/domain/reading/announcements",
  "Reaction.url": "src/domain/reading/announcements",
  "ScheduledStatus.params.expires_at": "src/domain/posts/statuses/expire.test.ts",
  "ScheduledStatus.params.expires_in": "src/domain/posts/statuses/expire.test.ts",
  "Role.max_characters": "src/domain/base/roles/characters.test.ts",
  "ScheduledStatus.params.content_type": "src/domain/posts/statuses/markdown.test.ts",
  "ScheduledStatus.params.audience": "src/domain/posts/statuses/audience.test.ts",
  "ScheduledStatus.params.local_only": "src/domain/posts/statuses/local-posts.test.ts",
  "ScheduledStatus.params.thread": "src/domain/posts/statuses/thread.test.ts",
  "ScheduledStatus.params.reblog_of_id": "src/domain/posts/statuses/scheduled-boosts.test.ts",
  "ScheduledStatus.params.event": "src/domain/posts/events/events.test.ts",
  "Status.event": "src/domain/posts/events/events.test.ts",
  "Status.expires_at": "src/domain/posts/statuses/expire.test.ts",
  "ScheduledStatus.params.circle": "src/domain/posts/statuses/circle.test.ts",
  "ScheduledStatus.params.list_ids": "src/domain/posts/statuses/circle.test.ts",
  "Suggestion.recently_joined": "src/domain/people/discovery/discovery.test.ts",
  "Status.circle": "src/domain/posts/statuses/circle.test.ts",
  "Status.audience": "src/domain/posts/statuses/audience.test.ts",
  "Status.local_only": "src/domain/posts/statuses/local-posts.test.ts",
  "NotificationGroup.emoji_reactions": "src/domain/posts/statuses/reaction-dialects.test.ts",
  "Status.emoji_reactions": "src/domain/posts/statuses/reaction-dialects.test.ts",
  "Status.interaction_policy": "src/domain/posts/statuses/dialects.test.ts",
  "Status.quote_id": "src/domain/posts/statuses/dialects.test.ts",
  "Status.reactions": "test/federation/shapes.test.ts",
  "Status.reply_approval": "src/domain/posts/statuses/reply-policy.test.ts",
  "Status.pinned": "only of own posts: contract.test.ts",
  "Status.content_type": "only of a deleted post: contract.test.ts",
  "Status.text": "only of a deleted post: contract.test.ts",
  "StatusEdit.poll": "src/domain/posts/statuses/history.test.ts",
  "ValidationError.error_text": "src/platform/http/error-text.test.ts",
  "ValidationError.error_texts": "src/platform/http/error-text.test.ts",
};

/** Names of an object's members, by the path of the object: an entity, or a member of one. */
const seen = new Map<string, Set<string>>();
const promisedAt = new Map<string, Set<string>>();

/** Returns a schema and its parts, with references resolved: [its name, or the path of the member, the schema]. */
const resolved = (path: string, schema: Schema): [string, Schema][] => {
  if (schema.$ref) {
    const name = schema.$ref.replace(/\.json$/, "");
    return resolved(name, entities[name]!);
  }
  const parts = [schema.allOf, schema.anyOf, schema.oneOf].flatMap((list) => list ?? []);
  return [[path, schema], ...parts.flatMap((part) => resolved(path, part))];
};

const membersOf = (schemas: [string, Schema][]): Map<string, Schema> =>
  new Map(schemas.flatMap(([, { properties = {} }]) => Object.entries(properties)));

const noteObject = (path: string, schemas: [string, Schema][], value: object): void => {
  const promised = membersOf(schemas);
  // An object without named members is a map, or anything.
  if (promised.size === 0) return;
  const names = seen.get(path) ?? new Set();
  seen.set(path, names);
  promisedAt.set(path, new Set(promised.keys()));
  for (const [name, member] of Object.entries(value)) {
    names.add(name);
    const schema = promised.get(name);
    if (schema) noteValue(`${path}.${name}`, schema, member);
  }
};

const noteValue = (path: string, schema: Schema, value: unknown): void => {
  const schemas = resolved(path, schema);
  if (Array.isArray(value)) {
    const items = schemas.flatMap(([at, schema]) =>
      schema.items ? [[at, schema.items] as const] : [],
    );
    for (const [at, schema] of items) for (const item of value) noteValue(at, schema, item);
  } else if (value !== null && typeof value === "object") {
    // With several alternatives it is unknown which one applies.
    const names = new Set(schemas.filter(([, schema]) => schema.properties).map(([name]) => name));
    if (names.size === 1 || schema.allOf) noteObject([...names].at(-1) ?? path, schemas, value);
  }
};

/** Records an answer under the entity that its row names. */
export const noteMembers = (body: Body | undefined, value: unknown): void => {
  if (typeof body === "string" && body in entities) {
    noteValue(body, { $ref: `${body}.json` }, value);
  } else if (Array.isArray(body) && Array.isArray(value)) {
    for (const item of value) noteMembers(body[0], item);
  }
};

/** Returns unpromised members that came, and promised members of answered entities that never came. */
export const memberFaults = (): string[] =>
  [...seen].flatMap(([path, names]) => {
    const promised = promisedAt.get(path)!;
    return [
      ...[...names]
        .filter((name) => !promised.has(name))
        .map((name) => `${path}.${name} is answered and not promised`),
      ...[...promised]
        .filter((name) => !names.has(name) && !(`${path}.${name}` in NOT_ANSWERED))
        .map((name) => `${path}.${name} is promised and was not answered`),
    ];
  });
