// A file that failed and then passed alone fails the run, unless it is named with a reason and a date.

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { judgeRepeat, MAY_REPEAT } from "./repeats.ts";
import type { Result } from "./run-lane.ts";

const result = (passed: number, failed: number): Result => ({
  file: "src/slow.test.ts",
  count: { passed, failed, skipped: 0 },
  failures: failed > 0 ? ["✖ it was slow"] : [],
  ms: 1,
});

const failed = (results: Result[]): number =>
  results.reduce((sum, { count }) => sum + count.failed, 0);

test("what passed alone only fails, and what failed twice is counted once", () => {
  const once = judgeRepeat(result(1, 1), [result(2, 0)], []);
  assert.equal(failed(once), 1);
  assert.match(once.at(-1)!.failures.join(), /failed beside others, and passed alone/);
  assert.equal(failed(judgeRepeat(result(1, 1), [result(1, 1)], [])), 1);
});

test("what is named passes by its second result; each name has a reason, a date and a file", () => {
  const named = [{ file: "src/slow.test.ts", reason: "a clock", since: "2026-01-01" }];
  assert.equal(failed(judgeRepeat(result(1, 1), [result(2, 0)], named)), 0);
  for (const { file, reason, since } of MAY_REPEAT) {
    assert.ok(existsSync(join(import.meta.dirname, "..", file)), file);
    assert.match(reason, /\w{3}/);
    assert.match(since, /^\d{4}-\d{2}-\d{2}$/);
  }
});
