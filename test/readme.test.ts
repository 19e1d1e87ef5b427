// The README's configuration table is the one that the code generates.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { variablesTable } from "../src/platform/config/config.ts";

test("the README lists every variable as env.ts documents it", () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const table = /<!-- config -->\n([\s\S]*?)\n<!-- \/config -->/.exec(readme)?.[1];
  assert.equal(table, variablesTable(), "put the output of `rookery config` between the marks");
});
