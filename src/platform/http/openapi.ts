// Generates an OpenAPI 3.1 document from the routes: their paths, schemas and access rules.
// https://spec.openapis.org/oas/v3.1.1.html

import type { RouteOptions } from "fastify";
import type { Access } from "./auth.ts";
import { OWN } from "./extension.ts";

type Json = Record<string, unknown>;
/** A schema with the parts that others are in. */
type Part = Json & { properties?: Record<string, Json>; items?: Json; anyOf?: Json[] };

/** A parameter as documented: `type` is `string`, `boolean`, `integer`, `object`, `file`, or `array<…>` of one. */
export type Parameter = {
  name: string;
  in: "path" | "query" | "form" | "header" | "json";
  type: string;
  required: boolean;
  enum?: string[];
  default?: unknown;
  max?: number;
};

/** What a parameter is, and what its schema does not say, since what is wrong there is ignored or bounded. */
export type Meaning = Json & { description?: string; enum?: readonly string[] };

/** What is known of a route beside its schema: responses by status ("200" → schema), and the tag that groups it. */
type Documentation = {
  tag: string;
  summary: string;
  answers: Json;
  /** A body that was sent, as an example. */
  sent: unknown;
  /** Those of Mastodon's documentation. */
  parameters: readonly Parameter[];
  /** Says what a parameter is; one within others has a path, as `poll.options`. */
  meaningOf: (path: string) => Meaning | undefined;
  /** Whether Mastodon has no such route. */
  isOwn: boolean;
};

export type DocumentationOf = (
  method: string,
  path: string,
  route: RouteOptions,
) => Documentation | null;

/** The schema of a parameter that a route does not restrict, by the parameter's name. */
type UsualSchemas = ReadonlyMap<string, Json>;

export type About = {
  title: string;
  version: string;
  description: string;
  origin: string;
  schemas: Json;
};

/** Turns `/a/:id` into `/a/{id}`. */
const templateOf = (url: string): string => url.replace(/:(\w+)/g, "{$1}");

type Property = [name: string, schema: Json, required: boolean];

const propertiesOf = (schema: unknown): Property[] => {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => [
    name,
    schema,
    required.includes(name),
  ]);
};

/** A list, a map and what is within them have the name of the whole. */
const nameOf = ({ name }: { name: string }): string => name.replace(/\[.*$/, "");

/** Whether a schema says anything; parameters that commands judge by themselves have none. */
const isTyped = (schema: Json): boolean => Object.keys(schema).some((key) => key !== "description");

const FILE: Json = { type: "string", format: "binary" };

const schemaOf = ({ type }: Pick<Parameter, "type">): Json => {
  const [, items] = /^array<(\w+)>$/.exec(type) ?? [];
  if (items) return { type: "array", items: schemaOf({ type: items }) };
  return type === "file" ? FILE : { type };
};

/** Adds the words that a parameter, or each of a list, may be. */
const withWords = ({ anyOf, items, ...schema }: Part, words: readonly string[]): Json => {
  if (items) return { ...schema, items: withWords(items, words) };
  if (!anyOf) return { ...schema, enum: words };
  const [first, ...others] = anyOf;
  return { ...schema, anyOf: [withWords(first!, words), ...others] };
};

/** What a schema says of itself stays: it is of the route, and the meaning of the name. */
const withMeaning = (schema: Json, { enum: words, ...meaning }: Meaning): Json => {
  const isOpen = words && !JSON.stringify(schema).includes('"enum"');
  return { ...meaning, ...(isOpen ? withWords(schema, words) : schema) };
};

/** Returns the schemas of all parameters by name: those documented, then those of other routes. */
export const usualSchemas = (
  documented: readonly Parameter[],
  routes: readonly RouteOptions[],
): UsualSchemas => {
  const declared = routes
    .flatMap(({ schema }) => [schema?.querystring, schema?.body].flatMap(propertiesOf))
    .filter(([, schema]) => isTyped(schema));
  const named = documented.filter(({ name }) => /^\w+(?:\[\])?$/.test(name));
  return new Map([
    ...declared.toReversed().map(([name, schema]) => [name, schema] as const),
    ...named.map((each) => [nameOf(each), schemaOf(each)] as const),
  ]);
};

/** What is known of one route. */
type Known = {
  route: RouteOptions;
  /** Its URL as a template. */
  path: string;
  documented: Documentation | null;
  usual: UsualSchemas;
};

type Say = Documentation["meaningOf"];

const eachOf = (all: Record<string, Json>, change: (each: Json, name: string) => Json) =>
  Object.fromEntries(Object.entries(all).map(([name, each]) => [name, change(each, name)]));

/** Says what is within a parameter. */
const withMembers = (
  say: Say,
  { properties, items, anyOf, ...schema }: Part,
  path: string,
): Json => {
  const within = (part: Json): Json => withMembers(say, part, path);
  return {
    ...schema,
    ...(properties && {
      properties: eachOf(properties, (each, name) => said(say, each, `${path}.${name}`)),
    }),
    ...(items && { items: within(items) }),
    ...(anyOf && { anyOf: anyOf.map(within) }),
  };
};

/** Says what a parameter is: by its path, or the end of it where it is the same wherever it stands. */
const said = (say: Say, schema: Json, path: string): Json => {
  const parts = path.split(".");
  const meanings = parts.map((_, n) => say(parts.slice(n).join(".")));
  return withMembers(say, withMeaning(schema, meanings.find(Boolean) ?? {}), path);
};

const saying =
  (documented: Documentation | null) =>
  ([name, schema, required]: Property): Property => [
    name,
    documented ? said(documented.meaningOf, schema, name) : schema,
    required,
  ];

const meaningIn = ({ enum: words, default: usual, max }: Parameter): Meaning => ({
  ...(words && { enum: words }),
  ...(usual !== undefined && { default: usual }),
  ...(max !== undefined && { maximum: max }),
});

/** Returns the parameters of one place, with those that only the documentation has, and the mark of our own. */
const described = (
  { route, documented, usual }: Known,
  place: Parameter["in"],
  schema: unknown,
): Property[] => {
  const known = (documented?.parameters ?? []).filter((each) => each.in === place);
  const names = new Set(documented?.parameters.map(nameOf));
  const isOwn = (name: string) => documented && !documented.isOwn && !names.has(name);
  const usually = (name: string): Json =>
    (route.config?.upload && FILE) || usual.get(name) || { type: "string" };
  const declared = propertiesOf(schema).map(([name, schema, required]): Property => {
    const documentedAs = known.find((each) => each.name.replace("[]", "") === name);
    const type = documentedAs ? schemaOf(documentedAs) : usually(name);
    const whole = isTyped(schema) ? schema : { ...type, ...schema };
    const meant = documentedAs ? withMeaning(whole, meaningIn(documentedAs)) : whole;
    const isNeeded = required || (documentedAs?.required ?? false);
    return [name, { ...meant, ...(isOwn(name) && OWN) }, isNeeded];
  });
  const others = known.filter((each) => !declared.some(([name]) => name === nameOf(each)));
  const undeclared = others.map((each): Property => {
    return [nameOf(each), withMeaning(schemaOf(each), meaningIn(each)), each.required];
  });
  return [...declared, ...undeclared].map(saying(documented));
};

/** Describes a query parameter; lists are sent as `name[]=…`, maps as `name[key]=…`. */
const queryParameter = ([name, schema, required]: Property): Json => {
  const { description, ...rest } = schema;
  const isList = rest["type"] === "array";
  const isMap = rest["type"] === "object";
  return {
    name: isList ? `${name}[]` : name,
    in: "query",
    required,
    ...(description !== undefined && { description }),
    ...(isList && { style: "form", explode: true }),
    ...(isMap && { style: "deepObject", explode: true }),
    schema: rest,
  };
};

const plainParameter = (
  place: "path" | "header",
  [name, { description, ...schema }, required]: Property,
): Json => ({
  name,
  in: place,
  required,
  ...(description !== undefined && { description }),
  schema,
});

const parametersOf = (known: Known): Json[] => {
  const { url, schema } = known.route;
  const inPath = [...url.matchAll(/:(\w+)/g)].map(([, name]): Property => [
    name!,
    { type: "string" },
    true,
  ]);
  return [
    ...inPath.map(saying(known.documented)).map((each) => plainParameter("path", each)),
    ...described(known, "query", schema?.querystring).map(queryParameter),
    ...described(known, "header", null).map((each) => plainParameter("header", each)),
  ];
};

const FORMS = ["application/x-www-form-urlencoded", "multipart/form-data"];

const bodyOf = (known: Known): Json | null => {
  const { schema } = known.route;
  const properties = described(known, "form", schema?.body);
  if (!schema?.body && properties.length === 0) return null;
  const required = properties.filter(([, , isRequired]) => isRequired).map(([name]) => name);
  const whole = {
    ...((schema?.body as Json | undefined) ?? { type: "object" }),
    ...(properties.length > 0 && {
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
    }),
  };
  const hasFile = properties.some(([, { format }]) => format === "binary");
  const media = hasFile ? FORMS.slice(1) : ["application/json", ...FORMS];
  const example = hasFile ? undefined : known.documented?.sent;
  const content = { schema: whole, ...(example !== undefined && { example }) };
  return { content: Object.fromEntries(media.map((type) => [type, content])) };
};

/** Each scope is an alternative, because one of them is enough; `{}` means no authentication. */
const securityOf = (access: Access | undefined): Json[] => {
  if (!access || access.auth === "ignored") return [];
  const granted = access.scopes.map((scope) => ({ OAuth: [scope] }));
  const some = granted.length > 0 ? granted : [{ OAuth: [] }];
  return access.auth === "public" ? [{}, ...some] : some;
};

const operation = (known: Known, method: string): Json => {
  const { route, path, documented } = known;
  const parameters = parametersOf(known);
  const requestBody = bodyOf(known);
  const security = securityOf(route.config?.access);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z0-9]+/g, "_")}`,
    ...(documented && { summary: documented.summary, tags: [documented.tag] }),
    ...(documented?.isOwn && OWN),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody && { requestBody }),
    ...(security.length > 0 && { security }),
    responses: documented?.answers ?? { default: { description: "Response" } },
  };
};

const scopesOf = (routes: RouteOptions[]): Json => {
  const all = routes.flatMap(({ config }) => config?.access?.scopes ?? []);
  return Object.fromEntries([...new Set(all)].toSorted().map((scope) => [scope, scope]));
};

const securitySchemes = (about: About, routes: RouteOptions[]): Json => {
  const scopes = scopesOf(routes);
  const tokenUrl = `${about.origin}/oauth/token`;
  const authorizationUrl = `${about.origin}/oauth/authorize`;
  const flows = {
    authorizationCode: { authorizationUrl, tokenUrl, scopes },
    clientCredentials: { tokenUrl, scopes },
  };
  return { OAuth: { type: "oauth2", flows } };
};

/** Makes the document of these routes. */
export const openApiDocument = (
  about: About,
  routes: RouteOptions[],
  documentationOf: DocumentationOf,
  usual: UsualSchemas,
): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = templateOf(route.url);
    for (const method of [route.method].flat()) {
      if (method === "OPTIONS") continue;
      const documented = documentationOf(method, path, route);
      const known = { route, path, documented, usual };
      (paths[path] ??= {})[method.toLowerCase()] = operation(known, method);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: about.title, version: about.version, description: about.description },
    servers: [{ url: about.origin }],
    paths,
    components: { schemas: about.schemas, securitySchemes: securitySchemes(about, routes) },
  };
};
