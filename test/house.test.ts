// What `npm run house` counts.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { test } from "node:test";
import { functionsIn, sizes, spreadOf } from "./house.ts";
import { ROOT } from "./sources.ts";

const SAMPLE = `type T = { a(): void };
function declared() {
  return [1].map((n) => n + 1);
}
const arrow = (): string =>
  "one";
class Thing {
  method(): void {}
  property = () => {};
}
`;

test("functions are those with a name, at their length", () => {
  assert.deepEqual(functionsIn("a.ts", SAMPLE), [
    { name: "declared", lines: 3 },
    { name: "arrow", lines: 2 },
    { name: "method", lines: 1 },
    { name: "property", lines: 1 },
  ]);
  assert.equal(functionsIn("a.tsx", "const View = () => <p>text</p>;")[0]!.name, "View");
});

test("the spread names the middle and the ends", () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n);
  assert.deepEqual(spreadOf(values), { median: 51, p90: 91, longest: 100 });
  assert.deepEqual(spreadOf([7]), { median: 7, p90: 7, longest: 7 });
});

test("each part has files, and no test is counted with what it tests", () => {
  const all = sizes();
  for (const [name, { files, lines }] of Object.entries(all))
    assert.ok(lines > files && files > 0, name);
  assert.ok(all["tests"]!.files > 300);
});

/**
 * Lines that src may have: what only commands need goes into packages. A smaller house lowers it; sign-in by directories
 * of others (people/sso/) raised it, since each request to sign in needs it, and LDAP did (directory.ts).
 */
const MOST_LINES = 119_600;

test("the server does not grow back", () => {
  const { lines } = sizes()["src"]!;
  assert.ok(lines <= MOST_LINES, `src has ${lines} lines, at most ${MOST_LINES}`);
});

test("it prints every figure", () => {
  const out = execFileSync(process.execPath, [join(ROOT, "test/house.ts"), "--without-passes"], {
    encoding: "utf8",
  });
  for (const line of [
    /^src: \d+ lines in \d+ files$/m,
    /^web: \d+ lines/m,
    /^packages: \d+ lines/m,
    /^tests: \d+ lines/m,
    /^docs: \d+ words, \d+ chapters$/m,
    /^functions: \d+, lines: median \d+, 90 % below \d+, longest \d+ \(\w+ in [\w./-]+\)$/m,
    /^files: \d+, lines: /m,
    /^imports that run up: 0$/m,
  ])
    assert.match(out, line);
});
