// Reading and writing CSV.

import assert from "node:assert/strict";
import { test } from "node:test";
import { parseCsv, writeCsv } from "./csv.ts";

test("cells come back as they were written, whatever is in them", () => {
  const rows = [
    ["#domain", "#public_comment"],
    ["bad.example", 'spam, "lots" of it\r\nand more'],
    ["", "x"],
  ];
  assert.deepEqual(parseCsv(writeCsv(rows)), rows);
});

test("either line ending, a byte order mark and empty lines are read", () => {
  assert.deepEqual(parseCsv("\ufeffa,b\r\n\r\nc,\nd"), [["a", "b"], ["c", ""], ["d"]]);
  assert.deepEqual(parseCsv(""), []);
});

test("rows beyond the most that are wanted, and cells that no file has, are not read", () => {
  assert.deepEqual(parseCsv("a\nb\nc\n", 2), [["a"], ["b"]]);
  assert.deepEqual(parseCsv("a\nb", 2), [["a"], ["b"]]);
  const [row] = parseCsv(",".repeat(100_000));
  assert.equal(row!.length, 50);
});
