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

test("semicolons, tabs and CR are read as spreadsheets write them", () => {
  const rows = [
    ["Account address", "Show boosts", "Note"],
    ["a@x.example", "true", "one, two; three"],
    ["b@y.example", "false", "vier, fünf"],
  ];
  const semicolons =
    'Account address;Show boosts;Note\r\na@x.example;true;"one, two; three"\r\nb@y.example;false;vier, fünf\r\n';
  assert.deepEqual(parseCsv(semicolons), rows);
  assert.deepEqual(parseCsv(`sep=;\r\n${semicolons}`), rows);
  assert.deepEqual(parseCsv(rows.map((row) => `${row.join("\t")}\n`).join("")), rows);
  assert.deepEqual(parseCsv("a,b\rc,d\r"), [
    ["a", "b"],
    ["c", "d"],
  ]);
  assert.deepEqual(parseCsv("one; two\nthree\n", Infinity, ","), [["one; two"], ["three"]]);
});

test("rows beyond the most that are wanted, and cells that no file has, are not read", () => {
  assert.deepEqual(parseCsv("a\nb\nc\n", 2), [["a"], ["b"]]);
  assert.deepEqual(parseCsv("a\nb", 2), [["a"], ["b"]]);
  const [row] = parseCsv(",".repeat(100_000));
  assert.equal(row!.length, 50);
  const [[long] = []] = parseCsv(`"${"x".repeat(100_000)}",y`);
  assert.equal(long!.length, 20_000);
});

test("quotes in odd places belong to the text", () => {
  const cases: [string, string[][]][] = [
    ['a"b,"c', [['a"b', "c"]]],
    ['"a"b,c', [["ab", "c"]]],
    ['"a"b"c",d', [['ab"c"', "d"]]],
    ['""""', [['"']]],
    ['"a""b\n', [['a"b\n']]],
    ['"",x', [["", "x"]]],
    ['""\n"a"', [["a"]]],
    ["a\rb\r\n", [["ab"]]],
    ['"', []],
    ['x,"', [["x", ""]]],
  ];
  for (const [text, rows] of cases) assert.deepEqual(parseCsv(text), rows, text);
});
