import assert from "node:assert/strict";
import { test } from "node:test";
import { believable } from "./forwarded.ts";

test("addresses are believed up to the first entry that is none", () => {
  const cases: [string, string | null][] = [
    ["203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, 203.0.113.9", "198.51.100.1, 203.0.113.9"],
    ["203.0.113.9:4711", "203.0.113.9"],
    ["[2001:db8::1]:4711", "2001:db8::1"],
    ["2001:db8::1", "2001:db8::1"],
    ["anything, 203.0.113.9", "203.0.113.9"],
    ["198.51.100.1, anything, 203.0.113.9", "203.0.113.9"],
    ["203.0.113.9, anything", null],
    ["x".repeat(10_000), null],
    ["", null],
    ["unknown", null],
  ];
  for (const [header, wanted] of cases) assert.equal(believable(header), wanted, header);
});
