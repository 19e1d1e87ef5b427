// Describes what a feature adds to Mastodon's API: its routes in their `config`, the rest in
// src/domain/about/instance/additions.ts. What tells apps of it reads this: `configuration.rookery` and the OpenAPI
// document (extensions.ts, beside it).

import type { Access } from "./auth.ts";

export type Schema = {
  [name: string]: unknown;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
};

/** An entity's name, a list of one entity, alternatives, or a shape of its own. */
export type ResponseShape =
  | string
  | [string]
  | { oneOf: ResponseShape[] }
  | { shape: string; [more: string]: unknown };

export type RouteAnswers = { tag: string; responses: Record<string, ResponseShape> };

export type Addition = {
  /** Entities that only these routes return. */
  entities?: Record<string, Schema>;
  /** Members that entities of the contract get, by name (`Status.thing`). */
  members?: Record<string, Schema>;
  /** Words that members of the contract have besides their own. */
  words?: Record<string, string[]>;
};

/** Marks in the document what is not in the contract. */
export const OWN = { "x-source": "rookery" };

declare module "fastify" {
  interface FastifyContextConfig {
    /** Answers of a route that Mastodon does not have, or that answers more than Mastodon's. */
    extension?: RouteAnswers;
  }
}

export type ErrorStatus = "404" | "409" | "422" | "429";

/** Adds the answers to the options of such a route; `errors` add to those of a missing token or right. */
export const extension = <C extends { access: Access }>(
  config: C,
  tag: string,
  success: ResponseShape,
  ...errors: ErrorStatus[]
): C & { extension: RouteAnswers } => {
  const all = config.access.auth === "public" ? errors : ["401", "403", ...errors];
  const responses = Object.fromEntries(all.map((status) => [status, "Error"]));
  return { ...config, extension: { tag, responses: { "200": success, ...responses } } };
};

export const TEXT: Schema = { type: "string" };
/** A boolean that is left out where it is false. */
export const FLAG: Schema = { type: "boolean", default: false };
export const ID: Schema = { type: "string", pattern: "^-?[0-9]{1,19}$" };
export const TIME: Schema = { type: "string", format: "date-time" };
export const MAYBE_TEXT: Schema = { type: ["string", "null"] };

export const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: "null" }] });
export const listOf = (items: Schema): Schema => ({ type: "array", items });
export const entityRef = (title: string): Schema => ({ $ref: `${title}.json` });

/** Returns the schema of an object that has all of the properties. */
export const shapeOf = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** Returns an entity's schema under its title; it need not have those of `others`. */
export const entity = (
  title: string,
  properties: Record<string, Schema>,
  others: Record<string, Schema> = {},
) => ({
  [title]: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${title}.json`,
    title,
    ...shapeOf(properties),
    properties: { ...properties, ...others },
    additionalProperties: true,
    ...OWN,
  },
});
