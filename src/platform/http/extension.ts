// What a feature adds to the API of Mastodon, said beside the feature (`extension.ts` of its slice) and read by what
// tells apps of it: `configuration.rookery` and the OpenAPI document (src/domain/about/instance/extensions.ts).

export type Schema = {
  [name: string]: unknown;
  properties?: Record<string, Schema>;
  allOf?: Schema[];
};

/** An entity's name, a list of one, alternatives, or a shape of its own. */
export type ResponseShape =
  | string
  | [string]
  | { oneOf: ResponseShape[] }
  | { shape: string; [more: string]: unknown };

export type RouteAnswers = { tag: string; responses: Record<string, ResponseShape> };

export type Extension = {
  /** By which apps look for it in `configuration.rookery`; without one it is only documented. */
  name?: string;
  /** `GET /api/v1/things/{id}` → what it answers. */
  routes?: Record<string, RouteAnswers>;
  /** The entities that only these routes have. */
  entities?: Record<string, Schema>;
  /** `Status.thing`: members of entities of the contract. */
  members?: Record<string, Schema>;
};

/** What the document marks as not of the contract. */
export const OWN = { "x-source": "rookery" };

/** What a route answers to people who are signed in; `errors`: besides those of a missing token or right. */
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

/** An object that has all of the properties. */
export const shapeOf = (properties: Record<string, Schema>): Schema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

/** By its title. */
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
