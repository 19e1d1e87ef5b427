// The way of an act does not get longer: whoever follows it opens no more files than now. A shorter way lowers a bound.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "./sources.ts";

/** Files that may be passed. */
const MOST: Record<string, number> = {
  "a post, to its answer": 67,
  "a post, with all that follows": 97,
  "a favourite, to its answer": 40,
  "a favourite, with all that follows": 60,
};

test("a post and a favourite pass through no more files than now", () => {
  const out = execFileSync(process.execPath, [join(ROOT, "test/passes.ts")], { encoding: "utf8" });
  const counts = out.matchAll(/^(.+): (\d+) files$/gm);
  const passed = Object.fromEntries([...counts].map(([, name, files]) => [name!, Number(files)]));
  assert.deepEqual(Object.keys(passed), Object.keys(MOST));
  for (const [name, files] of Object.entries(passed))
    assert.ok(files <= MOST[name]!, `${name}: ${files} files, at most ${MOST[name]}`);
});
