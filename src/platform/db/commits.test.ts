// Which handles can invalidate, and when their keys reach the caches.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import type { Tx } from "./index.ts";
import { invalidate, onInvalidate } from "./commits.ts";

let t: TestApp;
let seen: string[] = [];

before(async () => {
  t = await startTestApp();
  onInvalidate(t.app.sql, (keys) => seen.push([...keys].join()));
});
after(() => t.close());
beforeEach(() => (seen = []));

test("a transaction's keys come after its commit, all at once and each once", async () => {
  await t.app.sql.begin(async (tx) => {
    invalidate(tx, "status:1", "account:2");
    invalidate(tx, "status:1");
    await tx`SELECT 1`;
    assert.deepEqual(seen, []);
  });
  assert.deepEqual(seen, ["status:1,account:2"]);
});

test("none come of a transaction that is rolled back, or that names none", async () => {
  const failing = t.app.sql.begin(async (tx) => {
    invalidate(tx, "status:1");
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  await t.app.sql.begin((tx) => tx`SELECT 1`);
  assert.deepEqual(seen, []);
});

test("outside a transaction they come at once", () => {
  invalidate(t.app.sql, "status:1");
  assert.deepEqual(seen, ["status:1"]);
});

test("a handle that is neither is refused: a reserved connection, a transaction that has ended", async () => {
  const reserved = await t.app.sql.reserve();
  assert.throws(() => invalidate(reserved, "status:1"), /Neither a pool/);
  reserved.release();
  let ended: Tx | null = null;
  await t.app.sql.begin(async (tx) => {
    ended = tx;
    await tx`SELECT 1`;
  });
  assert.throws(() => invalidate(ended!, "status:1"), /Neither a pool/);
  assert.deepEqual(seen, []);
});
