// Work in parts gives way to other work.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countTurns } from "../../test/event-loop-turns.ts";
import { inTurns, oneEachTurn } from "./event-loop-turns.ts";

const turnsOf = (sizes: number[]) =>
  countTurns(() =>
    inTurns(
      sizes,
      (size) => size,
      (size) => size + 1,
    ),
  );

test("other work goes on between large items, and small ones are done at once", async () => {
  const large = await turnsOf(Array.from({ length: 10 }, () => 1_000_000));
  assert.ok(large.turns >= 9, String(large.turns));
  assert.deepEqual(
    large.result,
    Array.from({ length: 10 }, () => 1_000_001),
  );
  assert.equal((await turnsOf(Array.from({ length: 100 }, () => 100))).turns, 0);
  assert.deepEqual((await turnsOf([])).result, []);
});

test("who waits for a turn has one of its own, in order", async () => {
  const untilItsTurn = oneEachTurn();
  const turns: string[][] = [[]];
  let isOver = false;
  const count = (): void => {
    if (isOver) return;
    turns.push([]);
    setImmediate(count);
  };
  setImmediate(count);
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => untilItsTurn().then(() => turns.at(-1)!.push(name))));
  isOver = true;
  assert.ok(turns.every((turn) => turn.length <= 1));
  assert.deepEqual(turns.flat(), names);
});
