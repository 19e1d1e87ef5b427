// Matching many texts at once finds the same as matching each of them, and searches each text once.

import assert from "node:assert/strict";
import { test } from "node:test";
import { makeFilterSet, matchAll, matchOne, NO_MATCHES } from "./match.ts";
import type { FilterRow } from "./tables.ts";

const NOW = new Date("2026-11-21T10:00:00Z");

const filter = (id: string, keywords: string[], more: Partial<FilterRow> = {}): FilterRow => ({
  id,
  account_id: "1",
  title: id,
  context: ["home"],
  action: "warn",
  expires_at: null,
  keywords: keywords.map((keyword, n) => ({
    id: String(n),
    keyword,
    whole_word: true,
    wildcards: false,
  })),
  statuses: [],
  ...more,
});

let number = 0;
const text = (words: string, ids: string[] = []) => ({ number: ++number, ids, words: () => words });

test("every text gets its own matches, whatever stands beside it", () => {
  const set = makeFilterSet([filter("1", ["one", "two"]), filter("2", ["two", "three words"])]);
  const texts = ["two", "", "nothing", "one two three words", "on", "e", "ONE"];
  const together = matchAll(
    set,
    texts.map((words) => text(words)),
    NOW,
  );
  const apart = texts.map((words) => matchOne(set, words, [], NOW));
  assert.deepEqual(together, apart);
  assert.deepEqual(
    together.map((matches) => matches.map((match) => [match.filter.id, match.words])),
    [
      [
        ["1", "two"],
        ["2", "two"],
      ],
      [],
      [],
      [
        ["1", "one"],
        ["2", "two"],
      ],
      [],
      [],
      [["1", "ONE"]],
    ],
  );
});

test("a text is looked through once, however often it is asked for", () => {
  const set = makeFilterSet([filter("1", ["one"])]);
  let calls = 0;
  const words = () => ((calls += 1), "one");
  const searched = [{ number: -1, ids: [], words }];
  for (let n = 0; n < 3; n++) assert.equal(matchAll(set, searched, NOW)[0]!.length, 1);
  assert.equal(calls, 1);
});

test("what has ended matches no more, words or ids", () => {
  const ended = { expires_at: NOW, statuses: [{ id: "9", status_id: "7" }] };
  const set = makeFilterSet([filter("1", ["one"], ended)]);
  const before = new Date(NOW.getTime() - 1);
  const searched = [text("one", ["7"])];
  assert.deepEqual(matchAll(set, searched, NOW)[0], []);
  const [match] = matchAll(set, searched, before)[0]!;
  assert.deepEqual([match!.words, match!.statusIds], ["one", ["7"]]);
});

test("combining marks are normalised; without filters nothing is searched", () => {
  const set = makeFilterSet([filter("1", ["caf\u0065\u0301"])]);
  assert.equal(matchOne(set, "the caf\u00e9 is open", [], NOW).length, 1);
  assert.equal(matchOne(set, "caf\u00e9s", [], NOW).length, 0);
  const none = { number: -2, ids: [], words: () => assert.fail("nobody asks") };
  assert.equal(matchAll(makeFilterSet([]), [none], NOW)[0], NO_MATCHES);
});

const wild = (keyword: string, whole_word = true): FilterRow =>
  filter("1", [], { keywords: [{ id: "1", keyword, whole_word, wildcards: true }] });

test("a wildcard stands for letters of the same word, in whole words and in parts of them", () => {
  const finds = (row: FilterRow, words: string) =>
    matchOne(makeFilterSet([row]), words, [], NOW)[0]?.words ?? null;
  assert.equal(finds(wild("foot*"), "Footballs fly"), "Foot");
  assert.equal(finds(wild("foot*"), "barefoot"), null);
  assert.equal(finds(wild("*foot"), "go barefoot"), "foot");
  assert.equal(finds(wild("*foot"), "footballs"), null);
  assert.equal(finds(wild("*foot*"), "barefooted"), "foot");
  assert.equal(finds(wild("f*ball"), "the Fußball!"), "Fußball");
  assert.equal(finds(wild("f*ball"), "fball"), "fball");
  assert.equal(finds(wild("f*ball"), "foot ball"), null);
  assert.equal(finds(wild("f*ball"), "footballs"), null);
  assert.equal(finds(wild("f*ball", false), "barefootballs"), "football");
  assert.equal(finds(wild("**a**b*"), "xaxbx"), "axb");
  assert.equal(finds(wild("grand f*al"), "the grand final"), "grand final");
  assert.equal(finds(wild("e\u0301t*"), "\u00e9tait"), "\u00e9t");
  assert.equal(finds(filter("1", ["f*ball"]), "football"), null);
  assert.equal(finds(filter("1", ["f*ball"]), "f*ball"), "f*ball");
});

test("keywords with and without wildcards are found beside each other", () => {
  const set = makeFilterSet([
    filter("1", ["foo", "f*", "fo*o"]),
    { ...wild("f*o"), id: "2" },
    { ...wild("f*"), id: "3" },
  ]);
  const found = matchAll(
    set,
    ["foo", "f*", "fxo", "fine", "xf"].map((words) => text(words)),
    NOW,
  );
  assert.deepEqual(
    found.map((matches) => matches.map((match) => match.filter.id)),
    [["1", "2", "3"], ["1", "3"], ["2", "3"], ["3"], []],
  );
});

test("wildcards over what makes them try most take a moment, not a second", () => {
  const keywords = Array.from({ length: 2000 }, (_, n) => ({
    id: String(n),
    keyword: `${"a".repeat(n % 20)}*a${n}`,
    whole_word: false,
    wildcards: true,
  }));
  const set = makeFilterSet([filter("1", [], { keywords })]);
  const page = Array.from({ length: 40 }, (_, n) => text(`${"a".repeat(500)}${n}`));
  const start = performance.now();
  matchAll(set, page, NOW);
  const took = performance.now() - start;
  assert.ok(took < 5000, `${took} ms`);
});

test("2,000 keywords over a page of long posts take a moment, not a second", () => {
  const keywords = Array.from({ length: 2000 }, (_, n) => `keyword number ${n}`);
  const set = makeFilterSet([filter("1", keywords)]);
  const page = Array.from({ length: 40 }, (_, n) => text(`${"keyword numbers ".repeat(30)}${n}`));
  const start = performance.now();
  matchAll(set, page, NOW);
  const took = performance.now() - start;
  assert.ok(took < 1000, `${took} ms`);
});
