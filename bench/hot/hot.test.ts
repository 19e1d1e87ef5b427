// Hot spots still run, in a tiny size. Times are not checked; what was counted is.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { SpotResult } from "./spot.ts";

const SPOTS = "famous viral thread flood away reconnect crowd followed searches chores".split(" ");

const folder = mkdtempSync(join(tmpdir(), "rookery-hot-smoke-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("hot spots run and give figures", async () => {
  const file = join(folder, "result.json");
  const run = new URL("../run.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [run, "--hot", "--size", "0.0001", "--json", file]);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, err);
  const results = JSON.parse(readFileSync(file, "utf8")) as SpotResult[];
  assert.deepEqual([...new Set(results.map(({ spot }) => spot))], SPOTS);
  for (const { spot, what, value, unit, met } of results) {
    assert.ok(out.includes(`| ${spot} | ${what} |`), what);
    assert.ok(Number.isFinite(value) && value >= 0, what);
    if (unit === "") assert.notEqual(met, false, `${what}: ${value}`);
  }
  const others = results.filter(({ what }) => what === "p99 of everybody else meanwhile");
  assert.equal(others.length, SPOTS.length);
});
