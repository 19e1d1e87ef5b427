// The attacks still run, in a tiny size: the cheap ones. Bounds of time are not checked; those of numbers are.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { HostileResult } from "./run.ts";

const ATTACKS = ["slow_parents", "made_up_keys"];
const MEMBERS = "attack what bound seen unit ok".split(" ");

const folder = mkdtempSync(join(tmpdir(), "rookery-hostile-smoke-"));
after(() => rmSync(folder, { recursive: true, force: true }));

test("attacks run and give figures", async () => {
  const file = join(folder, "result.json");
  const run = new URL("../run.ts", import.meta.url).pathname;
  const args = ["--hostile", "--size", "0.01", "--only", ATTACKS.join(","), "--json", file];
  const child = spawn(process.execPath, [run, ...args]);
  let [out, err] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
  const code = await new Promise((resolve) => child.once("close", resolve));
  assert.equal(code, 0, err);
  const results = JSON.parse(readFileSync(file, "utf8")) as HostileResult[];
  assert.deepEqual([...new Set(results.map(({ attack }) => attack))], ATTACKS);
  for (const result of results) {
    assert.deepEqual(Object.keys(result), MEMBERS);
    assert.ok(out.includes(`| ${result.what} `), result.what);
    assert.ok(result.seen !== null && result.seen >= 0, result.what);
    assert.ok(result.bound !== null);
    if (result.unit === "") assert.ok(result.ok, `${result.what}: ${result.seen}`);
  }
});
