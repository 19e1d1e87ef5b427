// Generates an OpenAPI 3.1 document from the routes: their paths, schemas and access rules.
// https://spec.openapis.org/oas/v3.1.1.html

import type { RouteOptions } from "fastify";
import type { Access } from "./auth.ts";

type Json = Record<string, unknown>;

/** The documented responses of a route by status ("200" → schema), and the tag that groups it. */
export type Answers = (
  method: string,
  path: string,
  route: RouteOptions,
) => { tag: string; answers: Json } | null;

export type About = { title: string; version: string; origin: string; schemas: Json };

/** Turns `/a/:id` into `/a/{id}`. */
const templateOf = (url: string): string => url.replace(/:(\w+)/g, "{$1}");

const propertiesOf = (schema: unknown): [name: string, schema: Json, required: boolean][] => {
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

/** Describes a query parameter; lists are sent as `name[]=…`, maps as `name[key]=…`. */
const queryParameter = ([name, schema, required]: [string, Json, boolean]): Json => {
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

const parametersOf = ({ url, schema }: RouteOptions): Json[] => {
  const inPath = [...url.matchAll(/:(\w+)/g)].map((match) => ({
    name: match[1]!,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  return [...inPath, ...propertiesOf(schema?.querystring).map(queryParameter)];
};

const MEDIA = ["application/json", "application/x-www-form-urlencoded", "multipart/form-data"];

const bodyOf = ({ schema }: RouteOptions): Json | null => {
  if (!schema?.body) return null;
  const content = Object.fromEntries(MEDIA.map((type) => [type, { schema: schema.body }]));
  return { content };
};

/** Each scope is an alternative, because one of them is enough; `{}` means no authentication. */
const securityOf = (access: Access | undefined): Json[] => {
  if (!access || access.auth === "ignored") return [];
  const granted = access.scopes.map((scope) => ({ OAuth: [scope] }));
  const some = granted.length > 0 ? granted : [{ OAuth: [] }];
  return access.auth === "public" ? [{}, ...some] : some;
};

const operation = (route: RouteOptions, method: string, answersOf: Answers): Json => {
  const path = templateOf(route.url);
  const documented = answersOf(method, path, route);
  const parameters = parametersOf(route);
  const requestBody = bodyOf(route);
  const security = securityOf(route.config?.access);
  return {
    operationId: `${method.toLowerCase()}${path.replace(/[^a-zA-Z0-9]+/g, "_")}`,
    ...(documented && { tags: [documented.tag] }),
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
export const openApiDocument = (about: About, routes: RouteOptions[], answersOf: Answers): Json => {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    for (const method of [route.method].flat()) {
      if (method === "OPTIONS") continue;
      const path = (paths[templateOf(route.url)] ??= {});
      path[method.toLowerCase()] = operation(route, method, answersOf);
    }
  }
  return {
    openapi: "3.1.0",
    info: { title: about.title, version: about.version },
    servers: [{ url: about.origin }],
    paths,
    components: { schemas: about.schemas, securitySchemes: securitySchemes(about, routes) },
  };
};
