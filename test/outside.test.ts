// The watch over what transactions ask outside of themselves sees it; the harness uses it in every test.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "./harness.ts";
import type { TestApp } from "./harness.ts";
import { unwatched } from "./outside.ts";

let t: TestApp;
before(async () => {
  t = await startTestApp({ worker: false });
});
after(() => t.close());

/** At the next request. */
const look = () => t.visitor.get("/health");

test("a statement of the pool within a transaction is found, with where both are", async () => {
  await t.app.sql.begin(async (tx) => {
    await tx`SELECT 1`;
    await t.app.sql`SELECT 'outside'`;
  });
  await assert.rejects(look(), (error: Error) => {
    assert.match(
      error.message,
      /SELECT 'outside'\n.*outside\.test\.ts:\d+.*\n +in .*outside\.test\.ts/,
    );
    return true;
  });
  await look();
});

test("so is a transaction within another one, of whatever kind they are", async () => {
  await t.app.sql.begin("read only", () => t.app.sql.begin((tx) => tx`SELECT 1`));
  await assert.rejects(look(), /\n {2}BEGIN\n/);
});

test("what is asked before, after, beside or of the transaction itself is right", async () => {
  await t.app.sql`SELECT 1`;
  let later: Promise<unknown> | undefined;
  await Promise.all([
    t.app.sql`SELECT 1`,
    t.app.sql.begin(async (tx) => {
      await tx`SELECT 1`;
      await tx.savepoint((inner) => inner`SELECT 1`);
      later = Promise.resolve().then(() => new Promise((done) => setTimeout(done, 20)));
      later = later.then(() => t.app.sql`SELECT 1`);
    }),
  ]);
  await later;
  await t.app.sql.begin(() => unwatched(async () => t.app.sql`SELECT 1`));
  await look();
});
