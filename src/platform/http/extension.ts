// Describes what a feature adds to Mastodon's API. The description is next to the feature (`extension.ts` of its slice)
// and is read by what tells apps of it: `configuration.rookery` and the OpenAPI document
// (src/domain/about/instance/extensions.ts).

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

export type Extension = {
  /** Name by which apps find the feature in `configuration.rookery`; without one it is only documented. */
  name?: string;
  /** Maps `GET /api/v1/things/{id}` to its answers. */
  routes?: Record<string, RouteAnswers>;
  /** Entities that only these routes return. */
  entities?: Record<string, Schema>;
  /** Members that entities of the contract get, by name (`Status.thing`). */
  members?: Record<string, Schema>;
};

/** Marks in the document what is not in the contract. */
export const OWN = { "x-source": "rookery" };

/** Answers of a route for signed-in people; `errors` add to those of a missing token or right. */
export const toPeople = (
  tag: string,
  success: ResponseShape,
  ...errors: ("404" | "409" | "422" | "429")[]
): RouteAnswers => ({
  tag,
  responses: Object.fromEntries([
    ["200", success],
    ...["401", "403", ...errors].map((status) => [status, "Error"]),
  ]),
});

export const TEXT: Schema = { type: "string" };
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

/** Returns an entity's schema under its title. */
export const entity = (title: string, properties: Record<string, Schema>) => ({
  [title]: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $id: `${title}.json`,
    title,
    ...shapeOf(properties),
    additionalProperties: true,
    ...OWN,
  },
});
