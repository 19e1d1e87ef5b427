// What is kept in memory while a transaction changes it: nobody is given what is about to be old, not
// even in the moment between the commit and its telling.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { invalidate } from "./invalidate.ts";
import { keepRecords } from "./kept.ts";
import type { KeptRecords } from "./kept.ts";

type Thing = { text: string };

let t: TestApp;
let kept: KeptRecords<Thing>;

before(async () => {
  t = await startTestApp();
  kept = keepRecords<Thing>(t.app.sql, "status", 10);
});
after(() => t.close());

const keep = (id: string, text: string) => kept.put(id, { text }, kept.now());

test("a record that a transaction changes is not given out until it has ended", async () => {
  keep("1", "old");
  keep("2", "another");
  await t.app.sql.begin(async () => {
    assert.equal(kept.get("1")?.text, "old", "nothing was changed yet");
  });
  await t.app.sql.begin(async (tx) => {
    const readAt = kept.now();
    invalidate(tx, "status:1", "account:2");
    assert.equal(kept.get("1"), undefined);
    assert.equal(kept.get("2")?.text, "another");
    kept.put("1", { text: "read before the commit" }, readAt);
  });
  assert.equal(kept.get("1"), undefined, "it was forgotten with the commit");
  keep("1", "new");
  assert.equal(kept.get("1")?.text, "new");
});

test("it is given out again after a transaction that failed", async () => {
  keep("3", "as it was");
  const failing = t.app.sql.begin(async (tx) => {
    invalidate(tx, "all");
    assert.equal(kept.get("3"), undefined);
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  assert.equal(kept.get("3")?.text, "as it was");
});

test("two transactions hold it both", async () => {
  keep("4", "old");
  let first = (): void => {};
  const gate = new Promise<void>((resolve) => (first = resolve));
  const slow = t.app.sql.begin(async (tx) => {
    invalidate(tx, "status:4");
    await gate;
  });
  await t.app.sql.begin(async (tx) => invalidate(tx, "status:4"));
  keep("4", "between");
  assert.equal(kept.get("4"), undefined);
  first();
  await slow;
  keep("4", "new");
  assert.equal(kept.get("4")?.text, "new");
});
