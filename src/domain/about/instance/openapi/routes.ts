// Serves GET /api/openapi.json: the whole API as an OpenAPI document. Paths, parameters, access and responses of
// extensions come from the routes; answers.json has the responses of the contract (test/contract/openapi.test.ts
// compares it), and each feature declares what it adds to entities (../extensions.ts).

import { readFile } from "node:fs/promises";
import type { App } from "../../../../platform/app.ts";
import { anybody } from "../../../../platform/http/auth.ts";
import { extension } from "../../../../platform/http/extension.ts";
import { sendJsonBytes } from "../../../../platform/http/json-bytes.ts";
import { openApiDocument } from "../../../../platform/http/openapi.ts";
import type { Answers } from "../../../../platform/http/openapi.ts";
import type { Server } from "../../../../platform/http/server.ts";
import type { ResponseShape } from "../../../../platform/http/extension.ts";
import { VERSION } from "../../../../platform/version.ts";
import { withExtensions } from "../extensions.ts";
import type { Documented } from "../extensions.ts";

type Json = Record<string, unknown>;
const IS_API = /^\/(?:api|oauth|nodeinfo|health|\.well-known)(?:\/|$)/;

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
  array: { type: "array" },
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
    return Object.assign({}, ...each, schemas.length > 0 ? json({ anyOf: schemas }) : {}) as Json;
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
  "503": "Temporarily unavailable",
};

const answersOf =
  ({ answers }: Documented): Answers =>
  (method, path, { config }) => {
    const row = config?.extension ?? answers[`${method} ${path}`];
    if (!row) return null;
    const entries = Object.entries(row.responses).map(([status, response]) => [
      status,
      { description: MEANINGS[status] ?? "Response", content: contentOf(response) },
    ]);
    return { tag: row.tag, answers: Object.fromEntries(entries) };
  };

const makeDocument = async (app: App, { routeTable }: Server): Promise<Buffer> => {
  const contract = JSON.parse(
    await readFile(new URL("./answers.json", import.meta.url), "utf8"),
  ) as Documented;
  const about = {
    title: "Rookery",
    version: VERSION,
    origin: app.config.site.origin,
    schemas: withReferences(withExtensions(contract)) as Json,
  };
  const routes = routeTable.filter(({ url }) => IS_API.test(url));
  return Buffer.from(JSON.stringify(openApiDocument(about, routes, answersOf(contract))));
};

export const openApiRoutes = (server: Server, app: App): void => {
  let document: Promise<Buffer> | null = null;
  const config = extension(anybody(), "instance", { shape: "map" });
  server.get("/api/openapi.json", { config }, async (_request, reply) => {
    reply.header("cache-control", "max-age=300, public").header("vary", "Accept, Origin");
    return sendJsonBytes(reply, await (document ??= makeDocument(app, server)));
  });
};
