// Joins everything that this server adds to the API beside routes, for
// `configuration.rookery` and the OpenAPI document (docs/API-EXTENSIONS.md).

import { FLAG, MAYBE_TEXT, OWN, TEXT, listOf } from "../../../platform/http/extension.ts";
import type { Addition, RouteAnswers, Schema } from "../../../platform/http/extension.ts";
import type { Parameter } from "../../../platform/http/openapi.ts";
import { ADDITIONS } from "./additions.ts";
import { DIALECTS, POST_ADDITIONS } from "./additions-posts.ts";

/**
 * `api_versions.rookery`: counts each change of what this server adds to Mastodon's API. `npm run level` raises it, and
 * a test fails where that was forgotten.
 */
export const OWN_API_LEVEL = 22;

const FEATURES: Record<string, Addition> = { ...POST_ADDITIONS, ...ADDITIONS };

const names = Object.keys(FEATURES);

/** Members of `configuration.rookery`: each extension by a name of its own, so that apps can look for it. */
export const EXTENSION_NAMES = Object.fromEntries(names.map((name) => [name, true]));

/** What is wrong with each field, in the reader's language. */
const FAULTS = { type: "object", additionalProperties: { type: "string" } };

/** Additions without a name, since they have no parameters. */
const unnamed: Addition = {
  members: {
    "Account.avatar_small": { type: "string", format: "uri" },
    "Collections.partial_accounts": listOf({ $ref: "PartialAccountWithAvatar.json" }),
    "Error.details": { type: "object" },
    "Error.error_text": { type: "string" },
    "Error.error_texts": FAULTS,
    "Instance.accent_color": TEXT,
    "Instance.api_versions.rookery": { type: "integer" },
    "Instance.configuration.urls.developers": { type: "string", format: "uri" },
    "Instance.configuration.rookery": {
      type: "object",
      properties: Object.fromEntries(names.map((name) => [name, FLAG])),
    },
    "Instance.trends_as_landing_page": FLAG,
    "Preferences.locale": TEXT,
    "Preferences.reading:languages": { type: ["array", "null"], items: TEXT },
    "Preferences.reading:languages:by_locale": { type: ["boolean", "null"] },
    "Preferences.time_zone": MAYBE_TEXT,
    "Suggestion.recently_joined": FLAG,
    "ValidationError.error_text": TEXT,
    "ValidationError.error_texts": FAULTS,
  },
};

export const EXTENSIONS: readonly Addition[] = [...Object.values(FEATURES), DIALECTS, unnamed];

/** What the contract documents. */
export type Documented = {
  answers: Record<string, RouteAnswers & { parameters?: Parameter[] }>;
  entities: Record<string, Schema>;
};

/** Returns the object of an entity that has the member, and the member's name. */
export const memberPlace = (
  entities: Record<string, Schema>,
  path: string,
): [object: Schema, name: string] => {
  const [title, ...names] = path.split(".");
  const name = names.pop()!;
  const whole = entities[title!]!;
  let object = whole.allOf?.find(({ properties }) => properties) ?? whole;
  for (const each of names) object = object.properties![each]!;
  return [object, name];
};

/** Returns the entities of the contract with what extensions add. */
export const withExtensions = (contract: Documented): Documented["entities"] => {
  const entities = structuredClone(contract.entities);
  for (const [path, schema] of EXTENSIONS.flatMap(({ members = {} }) => Object.entries(members))) {
    const [object, name] = memberPlace(entities, path);
    if (object.properties![name]) throw new Error(`the contract has ${path}`);
    object.properties![name] = { ...schema, ...OWN };
  }
  for (const [path, words] of EXTENSIONS.flatMap(({ words = {} }) => Object.entries(words))) {
    const [object, name] = memberPlace(entities, path);
    (object.properties![name]!["enum"] as string[]).push(...words);
  }
  return Object.assign(entities, ...EXTENSIONS.map((extension) => extension.entities));
};
