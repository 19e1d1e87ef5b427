// A run puts its table between the marks of the page and leaves everything else as it is.

import assert from "node:assert/strict";
import { test } from "node:test";
import { readOptions } from "./options.ts";
import { withTable } from "./page.ts";
import { summarise } from "./results.ts";

const line = summarise({
  row: { name: "home", unit: "requests/core s", aim: { of: "ratio", least: 0.25, queries: 1 } },
  samples: [{ value: 2700, p50: 2.7, p99: 12.1, cpu: { node: 0.37, postgres: 0, valkey: 0 } }],
  floors: [10_000],
  queries: 0,
  memory: 385,
});

test("the table takes the place of the one before", () => {
  const page = "Before.\n\n<!-- bench -->\nold $& text\n\n|old|\n<!-- /bench -->\n\nAfter.\n";
  const written = withTable(page, "Size $1.", [line]);
  const [before, between, after] = written.split(/<!-- \/?bench -->/);
  assert.equal(before, "Before.\n\n");
  assert.equal(after, "\n\nAfter.\n");
  const [caption, , head, rule, row, ...rest] = between!.trim().split("\n");
  assert.equal(caption, "Size $1.");
  assert.match(head!, /^\|scenario\|figure\|unit\|/);
  assert.match(rule!, /^\|-\|-\|/);
  assert.match(row!, /^\|home\|2700\|requests\/core s\|10000\|0\.27\|.*\|yes\|2\.70\|12\.1\|/);
  assert.deepEqual(rest, []);
  assert.equal(withTable(written, "Size $1.", [line]), written);
});

test("a page without marks is refused, and so is the table of a part", () => {
  assert.throws(() => withTable("no marks", "", [line]), /marks/);
  assert.ok(readOptions(["--write", "--size", "0.3"]).write);
  for (const part of [["--only", "home"], ["--hot"], ["--against", "HEAD"], ["--processes", "2"]])
    assert.throws(() => readOptions(["--write", ...part]), /every scenario/);
});
