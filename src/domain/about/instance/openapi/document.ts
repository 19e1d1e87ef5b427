// Makes the OpenAPI document of the whole API. Paths, parameters, access and responses of extensions come from the
// routes; answers.json has the parameters and responses of the contract (test/contract/openapi.test.ts compares it),
// summaries.json what each request is for, parameters.json what a parameter is (by its name or path, its place in an
// address, tag and name, or operation and name), examples.json an answer for each entity (test/contract/examples.ts
// records them), and each feature declares what it adds to entities (../extensions.ts).

import { readFile } from "node:fs/promises";
import type { App } from "../../../../platform/app.ts";
import { openApiDocument, usualSchemas } from "../../../../platform/http/openapi.ts";
import type { DocumentationOf, Meaning } from "../../../../platform/http/openapi.ts";
import type { ResponseShape } from "../../../../platform/http/extension.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { VERSION } from "../../../../platform/version.ts";
import { withExtensions } from "../extensions.ts";
import type { Documented } from "../extensions.ts";

type Json = Record<string, unknown>;

/** What is documented: neither pages nor the address that refuses unknown streams. */
const IS_API = /^\/(?:api|oauth(?!\/authorized)|nodeinfo|health|\.well-known)(?:\/|$)(?!.*\*$)/;

const REFERENCE = "#/components/schemas/";

/** Turns references between files of entities into references of the document. */
const withReferences = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withReferences);
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema)
    .filter(([name]) => name !== "$id" && name !== "$schema")
    .map(([name, value]) => [
      name,
      name === "$ref" ? REFERENCE + String(value).replace(/\.json$/, "") : withReferences(value),
    ]);
  return Object.fromEntries(entries);
};

const SHAPES: Record<string, Json> = {
  array: { type: "array", items: {} },
  map: { type: "object" },
  boolean: { type: "boolean" },
};

const MEDIA: Record<string, string> = {
  html: "text/html",
  text: "text/plain",
  csv: "text/csv",
  xrd: "application/xrd+xml",
  "event-stream": "text/event-stream",
};

const contentOf = (response: ResponseShape): Json => {
  if (response === "Empty") return {};
  const json = (schema: Json) => ({ "application/json": { schema } });
  if (typeof response === "string") return json({ $ref: REFERENCE + response });
  if (Array.isArray(response))
    return json({ type: "array", items: { $ref: REFERENCE + response[0] } });
  if ("oneOf" in response) {
    const each = (response["oneOf"] as ResponseShape[]).map(contentOf);
    const schemas = each.flatMap((content) => {
      const json = content["application/json"] as { schema: Json } | undefined;
      return json ? [json.schema] : [];
    });
    return Object.assign(
      {},
      ...each,
      schemas.length > 0 ? json(schemas.length > 1 ? { anyOf: schemas } : schemas[0]!) : {},
    ) as Json;
  }
  const shape = SHAPES[response.shape];
  if (shape) return json(shape);
  const media = MEDIA[response.shape];
  return media ? { [media]: {} } : {};
};

const MEANINGS: Record<string, string> = {
  "200": "Success",
  "202": "Accepted for processing",
  "206": "Partial result; more is being prepared",
  "302": "Redirect",
  "400": "A parameter is missing or invalid",
  "401": "Missing or invalid token",
  "403": "Not allowed",
  "404": "Not found",
  "409": "Conflict with another change",
  "410": "Gone",
  "422": "Validation failed",
  "429": "Too many requests",
  "503": "Temporarily unavailable",
};

const OTHER_METHOD: Record<string, string> = { PUT: "PATCH", PATCH: "PUT" };

/** Returns the names of a route in the files beside this one: an older address says what the newer one does. */
const namesOf = (method: string, path: string): string[] => {
  const newer = path.replace("/v1_alpha/", "/v1/").replace(/(?<=host-meta)\.json$/, "");
  const paths = [...new Set([path, newer])];
  return paths.flatMap((each) =>
    [method, OTHER_METHOD[method]].flatMap((by) => (by ? `${by} ${each}` : [])),
  );
};

const firstOf = <Row>(rows: Record<string, Row>, names: readonly string[]): Row | undefined =>
  names.map((name) => rows[name]).find((row) => row !== undefined);

type Texts = { summaries: Record<string, string>; meanings: Record<string, string | Meaning> };

const documentationOf =
  (
    { answers }: Documented,
    { summaries, meanings }: Texts,
    { requests }: Examples,
  ): DocumentationOf =>
  (method, route, { config }) => {
    const names = namesOf(method, route);
    const documented = firstOf(answers, names);
    const row = config?.extension ?? documented;
    if (!row) return null;
    const responses = {
      ...row.responses,
      ...(config?.access?.auth === "user" && !row.responses["401"] && { "401": "Error" }),
    };
    const entries = Object.entries(responses).map(([status, response]) => [
      status,
      { description: MEANINGS[status] ?? "Response", content: contentOf(response) },
    ]);
    return {
      tag: row.tag,
      summary: firstOf(summaries, names) ?? "",
      answers: Object.fromEntries(entries),
      sent: firstOf(requests, names),
      parameters: documented?.parameters ?? [],
      meaningOf: (path) => {
        const [place = path] = new RegExp(`[^/]+/\\{${path}\\}`).exec(route) ?? [];
        const keys = [
          path,
          place,
          ...[row.tag, ...names.toReversed()].map((of) => `${of} ${path}`),
        ];
        const said = keys
          .flatMap((key) => meanings[key] ?? [])
          .map((meaning) => (typeof meaning === "string" ? { description: meaning } : meaning));
        return said.length > 0 ? Object.assign({}, ...said) : undefined;
      },
      isOwn: !documented,
    };
  };

export type Examples = { entities: Json; operations: Json; requests: Json };

const readData = async (name: string) =>
  JSON.parse(await readFile(new URL(name, import.meta.url), "utf8"));

/** A WebSocket is no route of the HTTP server (roles/streaming.ts). */
const SOCKET = { method: "GET", url: "/api/v1/streaming", handler: () => null };

/** Makes the document, and returns the examples that are in it with those of answers that are no entity. */
export const makeDocument = async (
  app: App,
  { routeTable }: Server,
): Promise<{ document: Json; examples: Examples }> => {
  const [contract, summaries, meanings, examples] = await Promise.all([
    readData("./answers.json") as Promise<Documented>,
    readData("./summaries.json"),
    readData("./parameters.json"),
    readData("./examples.json") as Promise<Examples>,
  ]);
  const schemas = withExtensions(contract);
  for (const [name, example] of Object.entries(examples.entities))
    schemas[name]!["examples"] = [example];
  const about = {
    title: "Rookery",
    version: VERSION,
    description: `Mastodon’s API and what Rookery adds to it ("x-source": "rookery"). To read: ${app.config.site.origin}/developers`,
    origin: app.config.site.origin,
    schemas: withReferences(schemas) as Json,
  };
  const routes = [...routeTable.filter(({ url }) => IS_API.test(url)), SOCKET];
  const parameters = Object.values(contract.answers).flatMap((row) => row.parameters ?? []);
  const known = documentationOf(contract, { summaries, meanings }, examples);
  const document = openApiDocument(about, routes, known, usualSchemas(parameters, routes));
  return { document, examples };
};
