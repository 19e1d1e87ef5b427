// The OpenAPI document: every route of the API is in it, its references can be resolved, and its answers are
// those of the contract.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import SwaggerParser from "@apidevtools/swagger-parser";
import * as readme from "@readme/openapi-parser";
import * as scalar from "@scalar/openapi-parser";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ACTIONS } from "../../src/domain/base/spam/tables.ts";
import {
  GROUPED_TYPES,
  NOTIFICATION_TYPES,
  REACTION_TYPE,
} from "../../src/domain/reading/notifications/tables.ts";
import { MEASURE_SUBJECTS } from "../../src/domain/staff/measures/measures.ts";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { listRoutes } from "../security/routes.ts";
import { entityFaults, entityNames } from "../schema.ts";
import { ANSWERS, contractAnswers } from "./openapi-answers.ts";
import { operationsOf } from "./operations.ts";
import { ASKED, ROWS, nameOf } from "./rows.ts";

let server: TestApp;
// oxlint-disable-next-line typescript/no-explicit-any -- an arbitrary document
let document: any;

before(async () => {
  server = await startTestApp();
  const answer = await server.request("GET", "/api/openapi.json");
  assert.equal(answer.status, 200);
  document = answer.json;
});
after(() => server.close());

test("answers.json is what the contract says (node test/contract/openapi-answers.ts writes it)", () => {
  assert.deepEqual(JSON.parse(readFileSync(ANSWERS, "utf8")), contractAnswers());
});

test("it names its server, and may be cached for a while", async () => {
  const { headers } = await server.request("GET", "/api/openapi.json");
  assert.equal(document.openapi, "3.1.0");
  assert.equal(document.servers[0].url, server.url);
  assert.match(headers.get("cache-control")!, /public/);
});

test("every route of the API is in it, with its parameters and scopes", async () => {
  const missing: string[] = [];
  for (const { method, url, access } of await listRoutes(server.app)) {
    // What ends with * refuses unknown paths.
    if (!/^\/api\/.*[^*]$/.test(url) || ["HEAD", "OPTIONS"].includes(method)) continue;
    const operation = document.paths[url.replace(/:(\w+)/g, "{$1}")]?.[method.toLowerCase()];
    if (!operation) missing.push(`${method} ${url}`);
    for (const scope of access?.scopes ?? []) {
      const isDocumented = operation?.security.some((scheme: { OAuth?: string[] }) =>
        scheme.OAuth?.includes(scope),
      );
      if (!isDocumented) missing.push(`${method} ${url}: ${scope}`);
    }
    for (const [, name] of url.matchAll(/:(\w+)/g)) {
      const isDocumented = operation?.parameters?.some(
        (parameter: { name: string }) => parameter.name === name,
      );
      if (!isDocumented) missing.push(`${method} ${url}: ${name}`);
    }
  }
  assert.deepEqual(missing, []);
});

test("routes that Mastodon does not have say what they answer, and API-EXTENSIONS.md has them", async () => {
  const contract = new Set(
    ROWS.flatMap(({ method, alt_methods: others = [], path }) =>
      [method, ...others].map((each) => `${each} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
    ),
  );
  const sections = readFileSync("docs/API-EXTENSIONS.md", "utf8").split(/^## /m);
  const isDocumented = (method: string, url: string): boolean => {
    const parts = [
      method,
      ...url
        .replace(/:\w+/g, "")
        .match(/[a-z_]{3,}/g)!
        .slice(1),
    ];
    return sections.some((section) => parts.every((part) => section.includes(part)));
  };
  const undeclared: string[] = [];
  const undocumented: string[] = [];
  for (const { method, url, extension } of await listRoutes(server.app)) {
    // What ends with * refuses unknown paths.
    const isOwn = /^\/api\/.*[^*]$/.test(url) && !/^(?:HEAD|OPTIONS)$/.test(method);
    if (!isOwn || contract.has(`${method} ${url}`)) continue;
    if (!extension) undeclared.push(`${method} ${url}`);
    if (!isDocumented(method, url)) undocumented.push(`${method} ${url}`);
  }
  assert.deepEqual({ undeclared, undocumented }, { undeclared: [], undocumented: [] });
});

test("the words of a member are those of Mastodon and what extensions add", () => {
  const words: string[] = document.components.schemas.Notification.properties.type.enum;
  assert.deepEqual([words[0], words.at(-1)], ["mention", "pleroma:emoji_reaction"]);
});

test("every row that is asked of us has its answers", () => {
  const without = ASKED.filter((row) => {
    const operation = document.paths[row.path]?.[row.method.toLowerCase()];
    return !operation?.responses?.["200"] && !operation?.responses?.["302"];
  });
  assert.deepEqual(without.map(nameOf), []);
});

type Described = {
  properties?: Record<string, Described>;
  items?: Described;
  anyOf?: Described[];
  description?: string;
  enum?: string[];
  default?: unknown;
  maximum?: number;
  required?: string[];
  "x-source"?: string;
};
type Operation = {
  summary?: string;
  parameters?: { name: string; description?: string; schema: Described }[];
  requestBody?: { content: Record<string, { schema: Described }> };
  responses: Record<string, unknown>;
  security?: object[];
};

const operations = () => operationsOf<Operation>(document);

const sentIn = ({ requestBody }: Operation): Described =>
  Object.values(requestBody?.content ?? {})[0]?.schema ?? {};

type Named = [path: string, schema: Described];

/** Returns what is within a schema, at every depth. */
const within = (schema: Described, path: string): Named[] => [
  ...Object.entries(schema.properties ?? {}).flatMap(([name, each]): Named[] => {
    const at = path ? `${path}[${name}]` : name;
    return [[at, each], ...within(each, at)];
  }),
  ...[schema.items ?? [], schema.anyOf ?? []].flat().flatMap((part) => within(part, path)),
];

/** Returns all parameters of an operation, with those within others. */
const parametersOf = (operation: Operation): Named[] => [
  ...(operation.parameters ?? []).flatMap(({ name, description, schema }): Named[] => [
    [name, { ...schema, ...(description !== undefined && { description }) }],
    ...within(schema, name),
  ]),
  ...within(sentIn(operation), ""),
];

test("every operation has a summary, answers, and types and meanings of all parameters at every depth", () => {
  const faults = operations().flatMap(([name, operation]) => {
    const { summary, responses, security } = operation;
    const named = parametersOf(operation);
    const isOpen = !security || security.some((each) => !("OAuth" in each));
    return [
      ...(summary ? [] : [`${name}: no summary`]),
      ...(Object.keys(responses).some((status) => /^[23]/.test(status))
        ? []
        : [`${name}: no answer`]),
      ...(isOpen || responses["401"] ? [] : [`${name}: no 401`]),
      ...named.flatMap(([parameter, schema]) =>
        Object.keys(schema).some((key) => key !== "description" && key !== "x-source")
          ? []
          : [`${name}: no type of ${parameter}`],
      ),
      ...named.flatMap(([parameter, { description }]) =>
        description ? [] : [`${name}: no meaning of ${parameter}`],
      ),
    ];
  });
  assert.deepEqual(faults, []);
});

test("every meaning is of a parameter", () => {
  const texts = JSON.parse(readFileSync(new URL("parameters.json", ANSWERS), "utf8")) as Record<
    string,
    string | Described
  >;
  const said = new Set(
    operations().flatMap(([, operation]) =>
      parametersOf(operation).map(([, { description }]) => description),
    ),
  );
  const unsaid = Object.entries(texts).filter(([, meaning]) => {
    const text = typeof meaning === "string" ? meaning : meaning.description;
    return text !== undefined && !said.has(text);
  });
  assert.deepEqual(unsaid, []);
});

/** Returns the words of a closed set, of one or of a list of them. */
const wordsOf = ({ enum: words, items, anyOf = [] }: Described): string[] | undefined =>
  words ?? [items ?? [], anyOf].flat().map(wordsOf).find(Boolean);

test("closed sets list their words, limits say how many come, and ids whose they are", () => {
  const all = new Map(operations());
  const parameter = (operation: string, path: string): Described =>
    parametersOf(all.get(operation)!).find(([name]) => name === path)![1];
  const types = [...NOTIFICATION_TYPES, REACTION_TYPE].toSorted();
  for (const version of ["v1", "v2"])
    for (const name of ["types[]", "exclude_types[]"]) {
      const words = wordsOf(parameter(`GET /api/${version}/notifications`, name));
      assert.deepEqual(words!.toSorted(), types, name);
    }
  const grouped = parameter("GET /api/v2/notifications", "grouped_types[]");
  assert.deepEqual(wordsOf(grouped)!.toSorted(), GROUPED_TYPES.toSorted());
  const alerts = within(parameter("POST /api/v1/push/subscription", "data[alerts]"), "");
  assert.deepEqual(alerts.map(([name]) => name).toSorted(), [...NOTIFICATION_TYPES].toSorted());
  const rule = "POST /api/v1/admin/spam_rules";
  assert.deepEqual(wordsOf(parameter(rule, "actions")), [...ACTIONS]);
  const measured = wordsOf(parameter("POST /api/v1/admin/measures", "keys"))!;
  assert.deepEqual(
    MEASURE_SUBJECTS.filter((key) => !measured.includes(key)),
    [],
  );
  const faults = operations().flatMap(([name, operation]) =>
    parametersOf(operation).flatMap(([path, { description = "", default: usual, maximum }]) => [
      ...(path === "limit" && name.startsWith("GET") && !maximum ? [`${name}: no maximum`] : []),
      ...(path === "limit" && name.startsWith("GET") && !usual ? [`${name}: no default`] : []),
      ...(/^The same\b|what the request is about/.test(description) ? [`${name}: ${path}`] : []),
    ]),
  );
  // Without a limit a context is whole.
  assert.deepEqual(faults, ["GET /api/v1/statuses/{id}/context: no default"]);
});

test("what must be sent is marked, also where the server judges it by itself", () => {
  const all = new Map(operations());
  const needed = (operation: string) => sentIn(all.get(operation)!).required;
  assert.deepEqual(needed("POST /api/v1/accounts/{id}/email_subscriptions"), ["email"]);
  const signUp = ["username", "email", "password", "agreement", "locale"];
  assert.deepEqual(needed("POST /api/v1/accounts"), signUp);
  assert.equal(needed("POST /api/v1/admin/canonical_email_blocks"), undefined);
});

test("every summary is of an operation", () => {
  const texts = JSON.parse(readFileSync(new URL("summaries.json", ANSWERS), "utf8")) as Record<
    string,
    string
  >;
  const known = new Set(operations().map(([name]) => name));
  assert.deepEqual(
    Object.keys(texts).filter((name) => !known.has(name)),
    [],
  );
});

test("OAuth, streams and uploads have their parameters, and what is ours is marked", () => {
  const all = new Map(operations());
  const names = (name: string) => all.get(name)!.parameters?.map((each) => each.name);
  assert.deepEqual(names("GET /api/v1/streaming"), ["stream", "list", "tag", "access_token"]);
  assert.ok(names("GET /oauth/authorize")!.includes("code_challenge"));
  assert.ok(names("POST /api/v1/statuses")!.includes("Idempotency-Key"));
  const bodyOf = (name: string) => all.get(name)!.requestBody!.content;
  assert.ok("grant_type" in bodyOf("POST /oauth/token")["application/json"]!.schema.properties!);
  const upload = bodyOf("POST /api/v2/media");
  assert.deepEqual(Object.keys(upload), ["multipart/form-data"]);
  assert.deepEqual(upload["multipart/form-data"]!.schema.properties!["file"], {
    type: "string",
    format: "binary",
    description: "The file",
  });
  const list = bodyOf("POST /api/v1/imports")["multipart/form-data"]!.schema.properties!["data"];
  assert.equal((list as { format?: string }).format, "binary");
  const post = bodyOf("POST /api/v1/statuses")["application/json"]!.schema.properties! as Record<
    string,
    Described
  >;
  assert.equal(post["content_type"]!["x-source"], "rookery");
  assert.equal(post["in_reply_to_id"]!["x-source"], undefined);
});

test("four validators find nothing wrong", async () => {
  const copy = () => structuredClone(document);
  await SwaggerParser.validate(copy());
  const bySchema = await new Validator().validate(copy());
  assert.ok(bySchema.valid, JSON.stringify(bySchema.errors));
  const byScalar = await scalar.validate(copy());
  assert.deepEqual([byScalar.valid, byScalar.errors ?? []], [true, []]);
  const byReadme = await readme.validate(copy());
  assert.ok(byReadme.valid, JSON.stringify(byReadme));
  assert.deepEqual(byReadme.warnings, []);
});

test("examples are answers by the schemas of their entities", () => {
  const { entities } = JSON.parse(readFileSync(new URL("examples.json", ANSWERS), "utf8")) as {
    entities: Record<string, unknown>;
  };
  const known = new Set(entityNames());
  const faults = Object.entries(entities).flatMap(([name, example]) =>
    known.has(name) ? entityFaults(name, example).map((fault) => `${name} ${fault}`) : [],
  );
  assert.deepEqual(faults, []);
  const answered = operations().flatMap(([, { responses }]) => [
    ...JSON.stringify([responses["200"], responses["202"]]).matchAll(/schemas\/(\w+)/g),
  ]);
  const without = new Set(answered.map(([, name]) => name!).filter((name) => !(name in entities)));
  // A list that is always empty, and answers that tests of the contract ask for as text and XML.
  assert.deepEqual([...without], ["IdentityProof", "HostMeta", "Health"]);
});

test("every reference leads to a schema", () => {
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)];
  assert.ok(references.length > 200);
  const lost = references.filter(([, path]) => {
    const name = path!.replace("#/components/schemas/", "");
    return !(name in document.components.schemas);
  });
  assert.deepEqual(
    lost.map(([, path]) => path),
    [],
  );
});
