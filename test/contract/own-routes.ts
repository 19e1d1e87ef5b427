// Routes that this server adds to those of the contract: what they answer, and the entities that only these have
// (docs/API-EXTENSIONS.md). The OpenAPI document has them beside the others.

import { GROUP_ACTIONS } from "../../src/domain/groups/tables.ts";
import type { Body } from "./rows.ts";

type OwnRoute = { tag: string; responses: Record<string, Body> };

const REFUSALS = { "401": "Error", "403": "Error" };

/** Of who moderates a group. */
const groupActs = (...paths: string[]): Record<string, OwnRoute> =>
  Object.fromEntries(
    paths.map((path) => [
      `POST /api/v1/groups/{id}/${path}`,
      { tag: "groups", responses: { "200": "Empty", ...REFUSALS, "404": "Error", "422": "Error" } },
    ]),
  );

const groupList = (entity: string): OwnRoute => ({
  tag: "groups",
  responses: { "200": [entity], ...REFUSALS, "404": "Error" },
});

const changedGroup: OwnRoute = {
  tag: "groups",
  responses: { "200": "Group", ...REFUSALS, "404": "Error", "422": "Error" },
};

const GROUP_ROUTES: Record<string, OwnRoute> = {
  "GET /api/v1/groups": { tag: "groups", responses: { "200": ["Group"], ...REFUSALS } },
  "GET /api/v1/groups/joined": { tag: "groups", responses: { "200": ["Account"], ...REFUSALS } },
  "POST /api/v1/groups": {
    tag: "groups",
    responses: { "200": "Group", ...REFUSALS, "422": "Error" },
  },
  "GET /api/v1/groups/{id}": { tag: "groups", responses: { "200": "Group", "404": "Error" } },
  "PATCH /api/v1/groups/{id}": changedGroup,
  "PUT /api/v1/groups/{id}": changedGroup,
  "DELETE /api/v1/groups/{id}": {
    tag: "groups",
    responses: { "200": "Empty", ...REFUSALS, "404": "Error" },
  },
  "GET /api/v1/groups/{id}/follow_requests": groupList("Account"),
  "GET /api/v1/groups/{id}/bans": groupList("Account"),
  "GET /api/v1/groups/{id}/held_statuses": groupList("Status"),
  "GET /api/v1/groups/{id}/acts": groupList("GroupAct"),
  ...groupActs(
    "follow_requests/{account_id}/authorize",
    "follow_requests/{account_id}/reject",
    "accounts/{account_id}/ban",
    "accounts/{account_id}/unban",
    "accounts/{account_id}/promote",
    "accounts/{account_id}/demote",
    "accounts/{account_id}/transfer",
    "statuses/{status_id}/approve",
    "statuses/{status_id}/remove",
  ),
};

const changedAnswer: OwnRoute = {
  tag: "statuses",
  responses: { "200": "Status", ...REFUSALS, "404": "Error", "422": "Error" },
};

export const OWN_ROUTES: Record<string, OwnRoute> = {
  // Of the contract, with the answer to `scheduled_at`.
  "POST /api/v1/statuses/{id}/reblog": {
    tag: "statuses",
    responses: {
      "200": { oneOf: ["Status", "ScheduledStatus"] },
      ...REFUSALS,
      "404": "Error",
      "422": "Error",
    },
  },
  "GET /api/v1/statuses/{id}/home_reasons": {
    tag: "timelines",
    responses: { "200": ["HomeReason"], ...REFUSALS, "404": "Error" },
  },
  ...GROUP_ROUTES,
  "POST /api/v1/statuses/{id}/event/answer": changedAnswer,
  "DELETE /api/v1/statuses/{id}/event/answer": changedAnswer,
  "GET /api/v1/statuses/{id}/event/answers": {
    tag: "statuses",
    responses: { "200": ["Account"], ...REFUSALS, "404": "Error", "422": "Error" },
  },
  "GET /api/v1/statuses/{id}/circle": {
    tag: "statuses",
    responses: { "200": "Circle", ...REFUSALS, "404": "Error" },
  },
  "POST /api/v1/statuses/preview": {
    tag: "statuses",
    responses: { "200": "StatusPreview", ...REFUSALS, "422": "Error" },
  },
  "POST /api/v1/statuses/thread": {
    tag: "statuses",
    responses: {
      "200": { oneOf: [["Status"], "ScheduledStatus"] },
      ...REFUSALS,
      "404": "Error",
      "422": "Error",
      "429": "Error",
    },
  },
  "GET /api/v1/drafts": {
    tag: "statuses",
    responses: { "200": ["Draft"], ...REFUSALS },
  },
  "POST /api/v1/drafts": {
    tag: "statuses",
    responses: { "200": "Draft", ...REFUSALS, "422": "Error" },
  },
  "GET /api/v1/drafts/{id}": {
    tag: "statuses",
    responses: { "200": "Draft", ...REFUSALS, "404": "Error" },
  },
  "PUT /api/v1/drafts/{id}": {
    tag: "statuses",
    responses: { "200": "Draft", ...REFUSALS, "404": "Error", "409": "Error", "422": "Error" },
  },
  "DELETE /api/v1/drafts/{id}": {
    tag: "statuses",
    responses: { "200": "Empty", ...REFUSALS, "404": "Error" },
  },
  "GET /api/v1/muted_tags": {
    tag: "tags",
    responses: { "200": ["Tag"], ...REFUSALS },
  },
  "POST /api/v1/tags/{name}/mute": {
    tag: "tags",
    responses: { "200": "Tag", ...REFUSALS, "404": "Error", "422": "Error" },
  },
  "POST /api/v1/tags/{name}/unmute": {
    tag: "tags",
    responses: { "200": "Tag", ...REFUSALS, "404": "Error" },
  },
  "GET /api/v1/saved_searches": {
    tag: "search",
    responses: { "200": ["SavedSearch"], ...REFUSALS },
  },
  "POST /api/v1/saved_searches": {
    tag: "search",
    responses: { "200": "SavedSearch", ...REFUSALS, "422": "Error" },
  },
  "GET /api/v1/identities": {
    tag: "accounts",
    responses: { "200": ["Identity"], ...REFUSALS },
  },
  "DELETE /api/v1/saved_searches/{id}": {
    tag: "search",
    responses: { "200": "Empty", ...REFUSALS, "404": "Error" },
  },
};

const nullable = (schema: object) => ({ anyOf: [schema, { type: "null" }] });

const id = { type: "string", pattern: "^-?[0-9]{1,19}$" };
const time = { type: "string", format: "date-time" };

const entity = (title: string, properties: Record<string, object>) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: `${title}.json`,
  title,
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: true,
  "x-source": "rookery",
});

const account = { $ref: "Account.json" };

export const OWN_ENTITIES: Record<string, object> = {
  Group: entity("Group", {
    id,
    account,
    owner: nullable(account),
    moderators: { type: "array", items: account },
    note: { type: ["string", "null"] },
    rules: { type: "array", items: { type: "string" } },
    holds_posts: { type: "boolean" },
    created_at: time,
    role: nullable({ type: "string", enum: ["owner", "moderator"] }),
    waiting: nullable({
      type: "object",
      properties: { requests: { type: "integer" }, held: { type: "integer" } },
      required: ["requests", "held"],
    }),
  }),
  GroupAct: entity("GroupAct", {
    id,
    action: { type: "string", enum: [...GROUP_ACTIONS] },
    account: nullable(account),
    target: nullable(account),
    status_id: { type: ["string", "null"] },
    created_at: time,
  }),
  Circle: entity("Circle", {
    lists: {
      type: "array",
      items: {
        type: "object",
        properties: { id, title: { type: "string" } },
        required: ["id", "title"],
      },
    },
    accounts: { type: "array", items: { $ref: "Account.json" } },
  }),
  HomeReason: entity("HomeReason", {
    type: { type: "string", enum: ["own", "followed", "boosted", "hashtag"] },
    account: nullable(account),
    hashtag: { type: ["string", "null"] },
  }),
  Identity: entity("Identity", {
    account: { $ref: "Account.json" },
    kind: { type: "string", enum: ["identity", "owner", "author"] },
    created_at: time,
  }),
  StatusPreview: entity("StatusPreview", {
    content: { type: "string" },
    emojis: { type: "array", items: { $ref: "CustomEmoji.json" } },
  }),
  Draft: entity("Draft", {
    id,
    version: { type: "integer" },
    statuses: { type: "array", items: { type: "object" } },
    scheduled_at: nullable(time),
    media_attachments: { type: "array", items: { $ref: "MediaAttachment.json" } },
    created_at: time,
    updated_at: time,
  }),
  SavedSearch: entity("SavedSearch", { id, q: { type: "string" }, created_at: time }),
};
