// Routes that this server adds to those of the contract: what they answer, and the entities that only these have
// (docs/API-EXTENSIONS.md). The OpenAPI document has them beside the others.

import type { Body } from "./rows.ts";

type OwnRoute = { tag: string; responses: Record<string, Body> };

const REFUSALS = { "401": "Error", "403": "Error" };

export const OWN_ROUTES: Record<string, OwnRoute> = {
  "GET /api/v1/statuses/{id}/home_reasons": {
    tag: "timelines",
    responses: { "200": ["HomeReason"], ...REFUSALS, "404": "Error" },
  },
  "GET /api/v1/saved_searches": {
    tag: "search",
    responses: { "200": ["SavedSearch"], ...REFUSALS },
  },
  "POST /api/v1/saved_searches": {
    tag: "search",
    responses: { "200": "SavedSearch", ...REFUSALS, "422": "Error" },
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

export const OWN_ENTITIES: Record<string, object> = {
  HomeReason: entity("HomeReason", {
    type: { type: "string", enum: ["own", "followed", "boosted", "hashtag"] },
    account: nullable({ $ref: "Account.json" }),
    hashtag: { type: ["string", "null"] },
  }),
  SavedSearch: entity("SavedSearch", { id, q: { type: "string" }, created_at: time }),
};
