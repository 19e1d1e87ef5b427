// Builds schemas with TypeBox's types but without loading the library, which takes 24 MB and 75 ms. A schema is a plain
// JSON object that our own validator reads (validate.ts).

import type { FastifyContextConfig } from "fastify";
import type * as TypeBox from "typebox";

type Schema = Record<string, unknown>;

/** Key that marks an optional member; it is not enumerable, so that it is not part of the schema. */
const OPTIONAL = Symbol("optional");

const plain =
  (type: string) =>
  (options: Schema = {}): Schema => ({ type, ...options });

const object = (properties: Record<string, Schema & { [OPTIONAL]?: true }>, options?: Schema) => {
  const required = Object.keys(properties).filter((name) => !properties[name]![OPTIONAL]);
  return { type: "object", properties, ...(required.length > 0 && { required }), ...options };
};

const builders = {
  String: plain("string"),
  Boolean: plain("boolean"),
  Integer: plain("integer"),
  Number: plain("number"),
  Null: plain("null"),
  Unknown: (options: Schema = {}): Schema => ({ ...options }),
  Literal: (value: unknown, options: Schema = {}): Schema => ({ const: value, ...options }),
  Enum: (values: unknown[], options: Schema = {}): Schema => ({ enum: [...values], ...options }),
  Array: (items: Schema, options: Schema = {}): Schema => ({ type: "array", items, ...options }),
  Union: (anyOf: Schema[], options: Schema = {}): Schema => ({ anyOf, ...options }),
  Optional: (schema: Schema): Schema =>
    Object.defineProperty({ ...schema }, OPTIONAL, { value: true }),
  Object: object,
};

type Names = keyof typeof builders;

/** `Type.String()` and so on, typed by TypeBox; only the builders above exist. */
export const Type = builders as unknown as Pick<typeof TypeBox.Type, Names>;
export type TSchema = TypeBox.TSchema;
export type Static<T extends TSchema> = TypeBox.Static<T>;

type Config = FastifyContextConfig;

const Any = Type.Optional(Type.Unknown());

/** Parameters of paths with an id, and of lists that are read by page (db/paging.ts). */
export const IdParams = Type.Object({ id: Type.String() });
export const PageQuery = Type.Object({ max_id: Any, since_id: Any, min_id: Any, limit: Any });

/** Return the options of a route with parameters in its path, in its query, or in its body. */
export const withPath = <Path extends TSchema>(config: Config, params: Path) => ({
  config,
  schema: { params },
});
export const withQuery = <Query extends TSchema>(config: Config, querystring: Query) => ({
  config,
  schema: { querystring },
});
export const withBody = <Body extends TSchema>(config: Config, body: Body) => ({
  config,
  schema: { body },
});
/** Return the options of a route that changes something, in `server.route`: PUT and PATCH do the same. */
export const changing = <Body extends TSchema>(config: Config, body: Body) => ({
  method: ["PUT", "PATCH"],
  ...withBody(config, body),
});
export const changingById = <Body extends TSchema>(config: Config, body: Body) => ({
  method: ["PUT", "PATCH"],
  config,
  schema: { params: IdParams, body },
});

export const byId = (config: Config) => withPath(config, IdParams);
export const paged = (config: Config) => withQuery(config, PageQuery);
export const pagedById = (config: Config) => ({
  config,
  schema: { params: IdParams, querystring: PageQuery },
});
