// JSON that is put together from parts.

import assert from "node:assert/strict";
import { test } from "node:test";
import { countTurns } from "../../../test/event-loop-turns.ts";
import { joinInTurns, listParts, listPartsInTurns } from "./json-bytes.ts";

const add = (entry: number, parts: Buffer[]): void => void parts.push(Buffer.from(String(entry)));

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

test("a list made in turns is the list made at once, and other work goes on in between", async () => {
  for (const count of [0, 1, 200, 201, 1000]) {
    const { turns, result: parts } = await countTurns(() => listPartsInTurns(range(count), add));
    assert.deepEqual(Buffer.concat(parts), Buffer.concat(listParts(range(count), add)));
    assert.ok(turns >= Math.ceil(count / 200) - 1, `${turns} turns for ${count}`);
  }
});

test("thousands of parts are joined in several turns of the event loop", async () => {
  const parts = Array.from({ length: 3500 }, (_, n) => Buffer.from(`${n},`));
  const { turns, result: whole } = await countTurns(() => joinInTurns(parts));
  assert.deepEqual(whole, Buffer.concat(parts));
  assert.ok(turns >= 3, String(turns));
});
