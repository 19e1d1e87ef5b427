// Matching many texts at once finds the same as matching each of them, and searches each text once.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { TestContext } from "node:test";
import { makeFilterSet, matchAll, matchOne, NO_MATCHES } from "./match.ts";
import { MAX_ANY } from "./pattern.ts";
import type { FilterRow, KeywordRow } from "./tables.ts";

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

/** Counts how often a pattern looks through texts meanwhile. */
const searches = (t: TestContext, act: () => void): number => {
  const exec = t.mock.method(RegExp.prototype, "exec");
  act();
  exec.mock.restore();
  return exec.mock.callCount();
};

const timesIn = (words: string, part: string): number => words.split(part).length - 1;

test("wildcards over what makes them try most are tried once where keywords begin alike", (t) => {
  const keywords = Array.from({ length: 2000 }, (_, n) => ({
    id: String(n),
    keyword: `${"a".repeat(n % 20)}*a${n}`,
    whole_word: false,
    wildcards: true,
  }));
  const set = makeFilterSet([filter("1", [], { keywords })]);
  const { source } = set.any!.short!;
  // There are 19 beginnings with a wildcard after them; each keyword by itself would try all letters anew.
  assert.equal(timesIn(source, `{0,${MAX_ANY}}`), 19);
  const page = Array.from({ length: 40 }, (_, n) => text(`${"a".repeat(500)}${n}`));
  // All texts at once, once more after each that has a keyword, and then this text by itself.
  const count = searches(t, () => matchAll(set, page, NOW));
  assert.ok(count <= 2 * page.length + 1, `${count} searches`);
});

test("2,000 keywords are looked for over a page of long posts by what they begin with", (t) => {
  const keywords = Array.from({ length: 2000 }, (_, n) => `keyword number ${n}`);
  const set = makeFilterSet([filter("1", keywords)]);
  const page = Array.from({ length: 40 }, (_, n) => text(`${"keyword numbers ".repeat(30)}${n}`));
  // They all begin alike, which is looked for once, and compared further where it stands.
  assert.equal(set.any!.long!.heads.source.split("|").length, 1);
  const places = page.length * 30;
  const count = searches(t, () => matchAll(set, page, NOW));
  assert.ok(count <= places + 1, `${count} searches`);
});

const LETTERS = ["a", "A", "b", "\u00e9", "\u00c9", "\u03c3", "\u03c2", "\u{10428}", "\u{10400}"];

/** The same numbers at every run. */
const numbersFrom = (seed: number) => {
  let at = seed;
  return (below: number) => {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    return (at >>> 8) % below;
  };
};

const lettersFrom = (pick: (below: number) => number, count: number): string =>
  Array.from({ length: count }, () => LETTERS[pick(LETTERS.length)]).join("");

/** A keyword as a pattern of its own. */
const patternOf = ({ keyword, whole_word: whole, wildcards }: KeywordRow): RegExp => {
  const letter = String.raw`[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}]`;
  const inner = wildcards ? keyword.replace("*", `${letter}{0,30}`) : RegExp.escape(keyword);
  return new RegExp(whole ? `(?<!${letter})${inner}(?!${letter})` : inner, "iu");
};

/** Compiling takes long, and is needed only where the letters are there. */
const isIn = (row: KeywordRow, words: string): boolean => {
  const [first, last = first] = row.keyword.toUpperCase().split(row.wildcards ? "*" : "\0");
  const upper = words.toUpperCase();
  return upper.includes(first!) && upper.includes(last!) && patternOf(row).test(words);
};

const beginnings = { none: "", common: "ab\u00e9\u03c3".repeat(125) };

for (const [name, beginning] of Object.entries(beginnings)) {
  test(`2,000 keywords of 512 letters are found as each by itself (common beginning: ${name})`, () => {
    const pick = numbersFrom(7);
    const keywords = Array.from({ length: 2000 }, (_, n): KeywordRow => {
      const letters = beginning + lettersFrom(pick, 512 - [...beginning].length);
      // Some are the beginnings of others, some have a wildcard.
      const keyword = n % 4 === 3 ? [...letters].with(300 + (n % 200), "*").join("") : letters;
      return { id: String(n), keyword, whole_word: n % 2 === 0, wildcards: n % 4 === 3 };
    });
    for (let n = 0; n < 400; n += 4) {
      keywords[n]!.keyword = [...keywords[n + 1]!.keyword].slice(0, 20 + n).join("");
    }
    const filters = Array.from({ length: 20 }, (_, n) =>
      filter(String(n), [], { keywords: keywords.filter((_, at) => at % 20 === n) }),
    );
    const texts = Array.from({ length: 24 }, (_, n) => {
      const chosen = keywords[pick(400)]!;
      const written = chosen.keyword.replace("*", lettersFrom(pick, pick(33)));
      const said = pick(2) === 0 ? written.toUpperCase().normalize("NFC") : written;
      const changed =
        pick(3) === 0 ? [...said].with(-1 - (pick(200) % [...said].length), "-").join("") : said;
      return `${lettersFrom(pick, 40)}${[" ", "a", ""][n % 3]}${changed}${[" ", "b", "!"][pick(3)]}`;
    });
    const found = matchAll(
      makeFilterSet(filters),
      texts.map((words) => text(words)),
      NOW,
    ).map((matches) => matches.map((match) => match.filter.id));
    const expected = texts.map((words) =>
      filters.filter((row) => row.keywords.some((one) => isIn(one, words))).map(({ id }) => id),
    );
    assert.deepEqual(found, expected);
    const hits = expected.filter((ids) => ids.length > 0).length;
    assert.ok(hits > 5 && hits < 24, `${hits} of 24 texts have a keyword`);
  });
}

test("the words of a long keyword are reported as they stand, of several the first", () => {
  const long = `${"stra\u00dfe und ".repeat(4)}platz`;
  const found = (keywords: string[], words: string) =>
    matchOne(makeFilterSet([filter("1", keywords)]), words, [], NOW)[0]?.words ?? null;
  const shouted = long.replaceAll("und", "UND");
  assert.equal(found([long], `Die ${shouted}.`), shouted);
  assert.equal(found([long], `Die ${shouted}s`), null);
  assert.equal(found([long, "stra\u00dfe"], `Die ${shouted}s`), "stra\u00dfe");
  assert.equal(found([long, "stra\u00dfe"], `Die ${shouted}, stra\u00dfe`), shouted);
  assert.equal(found([long, `${long} 9`], `Die ${shouted} 9!`), `${shouted} 9`);
  assert.equal(found([long, `${long} 9`], `Die ${shouted} 99`), shouted);
  assert.equal(found([long], `${long.slice(0, -1)} ${long}`), long);
});

test("what keywords cost does not grow with their letters", () => {
  const page = () => Array.from({ length: 20 }, (_, n) => `word${n} ${"Donaudampf ".repeat(40)}`);
  const costOf = (keywords: string[]): number => {
    const row = filter("1", keywords);
    const start = process.threadCpuUsage();
    const set = makeFilterSet([row]);
    matchAll(
      set,
      page().map((words) => text(words)),
      NOW,
    );
    const { user, system } = process.threadCpuUsage(start);
    return user + system;
  };
  const least = (keyword: (n: number) => string) => {
    // Others each time: a pattern that was compiled before is cached.
    const runs = [0, 1000].map((from) => Array.from({ length: 1000 }, (_, n) => keyword(from + n)));
    return Math.min(...runs.map(costOf));
  };
  const pad = (n: number, length: number) =>
    lettersFrom(numbersFrom(n + 1), length).slice(0, length);
  const short = least((n) => pad(n, 24));
  for (const long of [(n: number) => pad(n, 512), (n: number) => "c".repeat(500) + pad(n, 12)]) {
    const times = least(long) / short;
    assert.ok(times < 8, `${times} times the cost of short keywords`);
  }
});

test("a letter beyond the first 65,536 at the end of a whole word is a letter", () => {
  const set = makeFilterSet([filter("1", ["\u{10400}\u{10401}"])]);
  assert.equal(matchOne(set, "a \u{10428}\u{10429}!", [], NOW).length, 1);
  assert.equal(matchOne(set, "a \u{10428}\u{10429}\u{1042a}", [], NOW).length, 0);
});
