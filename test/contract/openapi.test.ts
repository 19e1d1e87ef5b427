// The OpenAPI document: every route of the API is in it, its references can be resolved, and its answers are
// those of the contract.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startTestApp } from "../harness.ts";
import type { TestApp } from "../harness.ts";
import { listRoutes } from "../security/routes.ts";
import { ANSWERS, contractAnswers } from "./openapi-answers.ts";
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
    if (!url.startsWith("/api/") || ["HEAD", "OPTIONS"].includes(method)) continue;
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

test("every row that is asked of us has its answers", () => {
  const without = ASKED.filter((row) => {
    const operation = document.paths[row.path]?.[row.method.toLowerCase()];
    return !operation?.responses?.["200"] && !operation?.responses?.["302"];
  });
  assert.deepEqual(without.map(nameOf), []);
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
