// Makes a client of the OpenAPI document as authors of apps do, with openapi-typescript. It is a workspace of its own,
// because that needs an older compiler than ours, which compiles the client.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import openapiTs, { astToString } from "openapi-typescript";
import { operationsOf } from "../contract/operations.ts";
import { startTestApp } from "../harness.ts";
import { ROOT } from "../sources.ts";

test("a client with every operation compiles", async () => {
  const server = await startTestApp();
  const { json: document } = await server.request("GET", "/api/openapi.json");
  await server.close();
  const operations = operationsOf(document).map(([name]) => {
    const [method, path] = name.split(" ");
    return `paths["${path}"]["${method!.toLowerCase()}"]`;
  });
  assert.ok(operations.length > 400);
  const folder = mkdtempSync(join(tmpdir(), "openapi-"));
  try {
    writeFileSync(join(folder, "api.ts"), astToString(await openapiTs(document)));
    const client = `import type { components, paths } from "./api.ts";
${operations.map((each, place) => `export type Answer${place} = ${each}["responses"];`).join("\n")}
export const textOf = (status: components["schemas"]["Status"]): string => status.content ?? "";
export const wrong = (status: components["schemas"]["Status"]): number =>
  // @ts-expect-error -- ids are texts: the types are no \`any\`
  status.id;
`;
    writeFileSync(join(folder, "client.ts"), client);
    const options = ["--noEmit", "--strict", "--allowImportingTsExtensions", "--types", ""];
    const { stdout, status } = spawnSync(
      join(ROOT, "node_modules/.bin/tsc"),
      [...options, "--module", "nodenext", join(folder, "client.ts")],
      { encoding: "utf8", cwd: folder },
    );
    assert.equal(status, 0, stdout.slice(0, 2000));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
