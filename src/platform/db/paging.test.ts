// Keyset pagination: 64-bit ids, limits as in the API, bounds and order.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ascending, inOrder, lowerBound, parseLimit } from "./paging.ts";
import { MAX_ID, parseId } from "../ids/index.ts";
import { parsePage, upperBound } from "./paging.ts";

test("ids are 64-bit integers as text, anything else is ignored", () => {
  for (const id of ["0", "1", "-5", MAX_ID, `-${MAX_ID}`]) assert.equal(parseId(id), id);
  assert.equal(parseId("007"), "7");
  assert.equal(parseId("-0"), "0");
  const wrong = ["", " ", "1 ", "+1", "1.0", "1e3", "0x1", "abc", "9223372036854775808"];
  for (const id of [...wrong, "9".repeat(1000), "1\n", "١", 1, 1n, null, undefined, ["1"], {}]) {
    assert.equal(parseId(id), null, String(id).slice(0, 30));
  }
});

test("limit: default, maximum, absolute value; what is not a number gives an empty page", () => {
  const limit = (value: unknown) => parseLimit(value, 20);
  assert.equal(limit(undefined), 20);
  assert.equal(limit(null), 20);
  assert.equal(limit("5"), 5);
  assert.equal(limit(7), 7);
  assert.equal(limit("41"), 40);
  assert.equal(limit("999999999999999999999"), 40);
  assert.equal(limit("-5"), 5);
  assert.equal(limit("-100"), 40);
  assert.equal(limit("0"), 0);
  assert.equal(Object.is(limit("-0"), 0), true);
  for (const value of ["", "abc", "NaN", [], {}, true])
    assert.equal(limit(value), 0, String(value));
  assert.equal(limit("5.9"), 5);
  assert.equal(parseLimit("100", 40, 80), 80);
});

test("a page takes each edge that is an id", () => {
  const page = parsePage({ max_id: "9", since_id: "x", min_id: ["1"], limit: "3" }, 20);
  assert.deepEqual(page, { maxId: "9", sinceId: null, minId: null, limit: 3 });
});

test("bounds: min_id before since_id, the ends of 64 bits otherwise", () => {
  const bounds = (query: object) => {
    const page = parsePage(query, 20);
    return [lowerBound(page), upperBound(page), ascending(page)];
  };
  assert.deepEqual(bounds({}), [`-${MAX_ID}`, MAX_ID, false]);
  assert.deepEqual(bounds({ since_id: "3" }), ["3", MAX_ID, false]);
  assert.deepEqual(bounds({ min_id: "4", since_id: "3", max_id: "9" }), ["4", "9", true]);
});

test("rows are newest first, whichever way they were read; the rows given stay as they are", () => {
  const read = ["1", "2", "3"];
  assert.deepEqual(inOrder(parsePage({ min_id: "0" }, 20), read), ["3", "2", "1"]);
  assert.deepEqual(inOrder(parsePage({}, 20), ["3", "2"]), ["3", "2"]);
  assert.deepEqual(read, ["1", "2", "3"]);
});
