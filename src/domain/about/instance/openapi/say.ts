// Says schemas and requests of the OpenAPI document as people read them.

export type Schema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: Schema | boolean;
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  example?: unknown;
  "x-source"?: string;
};

type Part = ({ code: string } | { entity: string }) & { isList?: boolean };

const code = (text: string): Part[] => [{ code: text }];

/** Returns the alternatives of a type, in words as JSON has them or names of entities. */
export const typeOf = (schema: Schema | undefined): Part[] => {
  if (!schema) return [];
  if (schema.$ref) return [{ entity: schema.$ref.split("/").at(-1)! }];
  if (schema.enum) return schema.enum.flatMap((word) => code(JSON.stringify(word)));
  if ("const" in schema) return code(JSON.stringify(schema.const));
  const each = schema.anyOf ?? schema.oneOf ?? schema.allOf;
  if (each) return each.flatMap(typeOf);
  if (schema.type === "array") {
    const items = typeOf(schema.items);
    return (items.length > 0 ? items : code("any")).map((part) => ({ ...part, isList: true }));
  }
  const types = [schema.type ?? []].flat();
  return types.flatMap((type) => code(schema.format && type === "string" ? schema.format : type));
};

/** Says what holds where nothing is sent, and the bounds of numbers. */
export const boundsOf = ({ default: usual, minimum, maximum }: Schema): string =>
  [
    usual !== undefined && `Default: ${JSON.stringify(usual)}`,
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
  ]
    .filter(Boolean)
    .join(", ");

const PLACES: Record<string, string> = { limit: "20", q: "rookery", hashtag: "caturday" };

type Asked = {
  method: string;
  path: string;
  parameters?: { name: string; in: string; required: boolean }[];
  requestBody?: { content: Record<string, { example?: unknown }> };
  security?: Record<string, string[]>[];
};

/** Returns a request as a command, with the parameters that it needs. */
export const curlOf = (
  origin: string,
  { method, path, parameters = [], security = [], requestBody }: Asked,
  body: readonly { name: string; needed: boolean }[],
): string => {
  const valueOf = (name: string) => PLACES[name] ?? name.replace(/\W/g, "").toUpperCase();
  const query = parameters
    .filter((each) => each.in === "query" && each.required)
    .map(({ name }) => `${name}=${valueOf(name)}`)
    .join("&");
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
  const example = requestBody?.content["application/json"]?.example;
  const sent =
    example === undefined
      ? body.filter(({ needed }) => needed).map(({ name }) => `-d ${name}=${valueOf(name)}`)
      : [`--json '${JSON.stringify(example).replaceAll("'", String.raw`'\''`)}'`];
  return [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${origin}${address}${query && `?${query}`}'`,
    ...(security.length > 0 && security.every((each) => "OAuth" in each)
      ? ["-H 'Authorization: Bearer TOKEN'"]
      : []),
    ...sent,
  ].join(" \\\n  ");
};
