// What belongs in homes and lists: what is known of a rule beforehand changes nothing, whatever is asked later.

import assert from "node:assert/strict";
import { test } from "node:test";
import { seeded } from "../../../../test/seeded.ts";
import { IN_HOME, IN_LIST, assume, holds } from "./belongs.ts";
import type { Fact, Known, Rule } from "./belongs.ts";

const factsIn = (rule: Rule): Fact[] => {
  if (typeof rule === "boolean") return [];
  if (typeof rule === "string") return [rule];
  if ("not" in rule) return [rule.not];
  return ("all" in rule ? rule.all : rule.any).flatMap(factsIn);
};

test("a rule of which a part is known says the same as the whole", () => {
  const random = seeded(104);
  for (const rule of [IN_HOME, IN_LIST]) {
    const facts = [...new Set(factsIn(rule))];
    for (let n = 0; n < 2000; n++) {
      const all = Object.fromEntries(facts.map((fact) => [fact, random() < 0.5])) as Known;
      const some = Object.fromEntries(Object.entries(all).filter(() => random() < 0.6)) as Known;
      const left = assume(rule, some);
      assert.ok(factsIn(left).every((fact) => some[fact] === undefined));
      assert.equal(
        holds(left, (fact) => all[fact]!),
        holds(rule, (fact) => all[fact]!),
      );
      assert.equal(typeof assume(rule, all), "boolean");
    }
  }
});

test("a public post by somebody who is followed is for all whom nothing else is asked of", () => {
  const post = { own: false, followed: true, tagFollowed: false, open: true, boost: false };
  const wanted = { languageWanted: true, withinLimit: true, exclusive: false, tagMuted: false };
  const rule = assume(IN_HOME, { ...post, reply: false, ...wanted });
  assert.equal(rule, true);
});
