// Lines keep their order, go on beside each other, and are bounded.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { Lines } from "./lines.ts";

/** Work that ends when it is told to. */
const startWorks = () => {
  const lines = new Lines();
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const add = (line: string, name: string, items = 1) => {
    const end = Promise.withResolvers<void>();
    ends.set(name, end);
    return lines.add(line, items, async () => {
      begun.push(name);
      await end.promise;
    });
  };
  return { lines, begun, ends, add };
};

test("in a line one follows the other, also after one that failed; three lines go on at a time", async () => {
  const { begun, ends, add } = startWorks();
  const first = add("a", "a1");
  add("a", "a2");
  for (const line of ["b", "c", "d"]) add(line, `${line}1`);
  await endOfTurn();
  assert.deepEqual(begun, ["a1", "b1", "c1"]);
  ends.get("a1")!.reject(new Error("no"));
  await assert.rejects(first, /no/);
  await endOfTurn();
  assert.deepEqual(begun, ["a1", "b1", "c1", "d1"]);
  ends.get("b1")!.resolve();
  await endOfTurn();
  assert.deepEqual(begun.at(-1), "a2");
});

test("who brings more than there is room for waits", async () => {
  const { lines, ends, add } = startWorks();
  add("a", "small", 999);
  await lines.room();
  add("b", "more", 999);
  let hasRoom = false;
  const room = lines.room().then(() => (hasRoom = true));
  await endOfTurn();
  assert.equal(hasRoom, false);
  ends.get("small")!.resolve();
  await room;
});
