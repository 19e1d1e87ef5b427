// How far away a time is, in words.

import assert from "node:assert/strict";
import { test } from "node:test";
import german from "../../texts/de/compose.json" with { type: "json" };
import { LANGUAGES } from "../../texts/languages.ts";
import * as times from "../../web/src/text/time.ts";

const { ago } = times;

const NOW = new Date("2030-05-01T12:00:00Z");
const [MINUTE, HOUR, DAY] = [60, 3600, 86_400];
const at = (seconds: number): string =>
  ago("en", new Date(NOW.getTime() + seconds * 1000).toISOString(), NOW);

test("what was set a moment ago to end in three days ends in three days", () => {
  assert.equal(at(3 * DAY - 1), "in 3d");
  assert.equal(at(DAY - 2), "tomorrow");
  assert.equal(at(6 * HOUR - 20), "in 6h");
  assert.equal(at(HOUR - 2), "in 1h");
  assert.equal(at(30 * MINUTE - 2), "in 30m");
  assert.equal(at(20), "now");
});

test("what is past is as old as it has whole days, hours and minutes", () => {
  assert.equal(at(-3 * DAY + 1), "2d ago");
  assert.equal(at(-HOUR + 1), "59m ago");
  assert.equal(at(-20), "now");
});

test("an age of days is one after a date alone was shown, as it is on a profile", () => {
  times.day("en", "2030-04-01T12:00:00Z");
  assert.equal(times.age("en", "2030-04-27T12:00:00Z", NOW), "4d");
});

test("no language says how far away a time is by a sign", () => {
  const soon = new Date(NOW.getTime() + 6 * HOUR * 1000).toISOString();
  const before = new Date(NOW.getTime() - 6 * HOUR * 1000).toISOString();
  for (const locale of Object.keys(LANGUAGES))
    for (const time of [soon, before])
      assert.doesNotMatch(ago(locale, time, NOW), /[+−]|^-/, locale);
  assert.match(ago("fr", soon, NOW), /^dans 6\sh$/);
});

test("how far away a time is has the words of an age", () => {
  const before = new Date(NOW.getTime() - 25 * MINUTE * 1000).toISOString();
  assert.match(ago("de", before, NOW), /^vor 25\sMin\.$/);
  assert.equal(times.age("de", before, NOW).replace(/\s/, " "), "25 Min.");
});

test("an age has English letters in no language that writes with others", () => {
  const ages = [5 * MINUTE, 5 * HOUR, 5 * DAY].map((old) => NOW.getTime() - old * 1000);
  for (const locale of ["ar", "el", "fa", "he", "ja", "ko", "ru", "uk", "zh-CN", "zh-TW"])
    for (const at of ages)
      assert.doesNotMatch(times.age(locale, new Date(at).toISOString(), NOW), /[a-z]/i, locale);
  assert.match(times.age("ja", new Date(ages[0]!).toISOString(), NOW), /^5\s?分$/);
});

test("German says when a post expires without a dative, which a length of time has not", () => {
  assert.doesNotMatch(german["compose.end_after"], /\b(nach|in|seit|vor) \{time\}/i);
});

test("each kind of time is the same whatever was shown before it", async () => {
  const [from, to] = ["2030-04-28T12:00:00Z", "2030-04-29T12:00:00Z"];
  const kinds: ((all: typeof times) => string)[] = [
    (all) => all.ago("en", from, NOW),
    (all) => all.agoInWords("en", from, NOW),
    (all) => all.age("en", from, NOW),
    (all) => all.age("en", "2030-05-01T09:00:00Z", NOW),
    (all) => all.age("en", "2030-05-01T11:50:00Z", NOW),
    (all) => all.age("en", "2030-01-01T12:00:00Z", NOW),
    (all) => all.age("en", "2029-01-01T12:00:00Z", NOW),
    (all) => all.moment("en", from),
    (all) => all.span("en", from, to),
    (all) => all.days("en", from, to),
    (all) => all.day("en", from),
    (all) => all.momentInUtc("en", NOW),
    (all) => all.dayInUtc("en", NOW),
    ...[86_400, 3600, 60].map((length) => (all: typeof times) => all.duration("en", 3 * length)),
    (all) => all.short("en", 1234),
    (all) => all.short("en", 12_345),
  ];
  const fresh = (name: string) => import(`../../web/src/text/time.ts?${name}`);
  const alone = await Promise.all(kinds.map(async (kind, n) => kind(await fresh(`alone${n}`))));
  const orders = { forwards: [...kinds.keys()], backwards: [...kinds.keys()].toReversed() };
  for (const [name, order] of Object.entries(orders)) {
    const all = await fresh(name);
    const shown: string[] = [];
    for (const n of order) shown[n] = kinds[n]!(all);
    assert.deepEqual(shown, alone, name);
  }
});
