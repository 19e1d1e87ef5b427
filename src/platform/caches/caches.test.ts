// What an App holds in memory: records that are invalidated, whatever overtakes a read; jobs that read
// afresh; values that the database notifies of; and the register of all of it.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { CACHE_SHARES } from "../../cache-shares.ts";
import { freshApp } from "../app.ts";
import type { App } from "../app.ts";
import { invalidate } from "../db/commits.ts";
import type { Tx } from "../db/index.ts";
import { perApp } from "./index.ts";
import { createCaches } from "./register.ts";
import { memoizeLast } from "./memoize-last.ts";
import { cachedReader, recordCache } from "./records.ts";
import { singleFlight } from "./single-flight.ts";

type Thing = { text: string };

let t: TestApp;

before(async () => {
  t = await startTestApp({ env: { STATUS_CACHE: "true" } });
});
after(() => t.close());

/** Uses the share of a name that this process has no other use for. */
const things = recordCache<Thing>({ name: "threads", kind: "thing", size: () => 100 });
const get = (id: string): string | undefined => things(t.app).get(id)?.text;

beforeEach(() => t.app.caches.clear());

const fill = (app: App, id: string, text: string, meanwhile: () => unknown = () => {}) =>
  things(app).fill(async (put) => {
    await meanwhile();
    put(id, { text });
  });

test("a record is cached until it is invalidated, alone", async () => {
  await fill(t.app, "1", "one");
  await fill(t.app, "2", "two");
  invalidate(t.app.sql, "other:1", "thing:2");
  assert.deepEqual([get("1"), get("2")], ["one", undefined]);
});

test("a read that an invalidation overtook is not cached, another one is", async () => {
  await fill(t.app, "1", "old", () => invalidate(t.app.sql, "thing:1"));
  assert.equal(get("1"), undefined);
  await fill(t.app, "1", "new", () => invalidate(t.app.sql, "thing:2"));
  assert.equal(get("1"), "new");
  await fill(t.app, "2", "old", () => t.app.caches.clear());
  assert.equal(get("2"), undefined);
});

const change = (id: string, meanwhile: () => unknown = () => {}) =>
  things(t.app).change([id], async (put, before) => {
    await meanwhile();
    invalidate(t.app.sql, `thing:${id}`);
    const record = before(id);
    if (record) put(id, { text: `${record.text}, changed` });
  });

test("a record that an act changes stays cached, unless something else changed it meanwhile", async () => {
  await fill(t.app, "1", "one");
  await change("1");
  assert.equal(get("1"), "one, changed");
  await change("1", () => invalidate(t.app.sql, "thing:1"));
  assert.equal(get("1"), undefined);
  await change("1");
  assert.equal(get("1"), undefined, "it was not cached before");
  await fill(t.app, "1", "old", () => change("1"));
  assert.equal(get("1"), undefined, "what was read before the act");
});

test("of two acts at once, whose order is not known, nothing stays cached", async () => {
  await fill(t.app, "1", "one");
  await change("1", () => change("1"));
  assert.equal(get("1"), undefined);
});

test("a record that acts change keeps its age", async () => {
  await fill(t.app, "1", "one");
  things.age(t.app);
  await change("1");
  assert.equal(get("1"), undefined);
});

/** Changes a record within a transaction, which then does something else. */
const changeWithin = (id: string, then: (tx: Tx) => unknown = () => {}) =>
  t.app.sql.begin(async (tx) => {
    await things(t.app, tx).change([id], async (put, before) => {
      invalidate(tx, `thing:${id}`);
      const record = before(id);
      if (record) put(id, { text: `${record.text}, changed` });
    });
    await then(tx);
  });

test("a record that a transaction changes stays cached with its commit, unless anything else changed it", async () => {
  await fill(t.app, "1", "one");
  await changeWithin("1", () => assert.equal(get("1"), "one"));
  assert.equal(get("1"), "one, changed");
  const failing = changeWithin("1", () => Promise.reject(new Error("no")));
  await assert.rejects(failing, /no/);
  assert.equal(get("1"), "one, changed");
  for (const others of [
    (tx: Tx) => invalidate(tx, "thing:1"),
    () => invalidate(t.app.sql, "thing:1"),
    () => fill(t.app, "1", "read again"),
    () => t.app.caches.clear(),
  ]) {
    await fill(t.app, "1", "one");
    await changeWithin("1", others);
    assert.equal(get("1"), undefined);
  }
});

test("what was put before a read failed stays", async () => {
  const failing = things(t.app).fill(async (put) => {
    put("1", { text: "one" });
    throw new Error("no");
  });
  await assert.rejects(failing, /no/);
  assert.equal(get("1"), "one");
});

test("between a commit and its invalidation a job reads what was committed", async () => {
  const { app } = t;
  await app.sql`CREATE TABLE things (id int, text text)`;
  await app.sql`INSERT INTO things VALUES (1, 'old')`;
  const read = cachedReader<Thing>(
    { name: "tag pages", kind: "thing", size: () => 100 },
    async (db, id) => (await db<Thing[]>`SELECT text FROM things WHERE id = ${id}`)[0]!,
  );
  assert.equal((await read(app, "1")).text, "old");
  // Committed by a connection of another process, whose invalidation is still on its way.
  await app.sql`UPDATE things SET text = 'new' WHERE id = 1`;
  assert.equal((await read(app, "1")).text, "old");
  assert.equal((await read(freshApp(app), "1")).text, "new");
  assert.equal((await read(app, "1")).text, "new", "what a job has read is cached");
  // A reader from before the commit comes late: the invalidation comes later still.
  const late = things(app).fill(async (put) => {
    await fill(freshApp(app), "1", "new");
    put("1", { text: "old" });
  });
  await late;
  invalidate(app.sql, "thing:1");
  assert.equal(get("1"), undefined);
});

test("a shared reader reads once for all who ask meanwhile", async () => {
  let reads = 0;
  const read = cachedReader<Thing>(
    { name: "rankings", kind: "shared", size: () => 100, isShared: true },
    async () => ({ text: `read ${(reads += 1)}` }),
  );
  const both = await Promise.all([read(t.app, "1"), read(t.app, "1")]);
  assert.deepEqual(both, [{ text: "read 1" }, { text: "read 1" }]);
});

test("those who miss a record at the same time read it together, unless it was invalidated since", async () => {
  const reads: string[][] = [];
  let answers: (() => void)[] = [];
  const ask = (...ids: string[]) =>
    things(t.app).together(ids, async (missing, put) => {
      reads.push(missing);
      const text = `read ${reads.length}`;
      await new Promise<void>((answer) => answers.push(answer));
      for (const id of missing) put(id, { text });
      return new Map(missing.filter((id) => id !== "9").map((id) => [id, { text }]));
    });
  const first = ask("1", "2");
  const second = ask("2", "3", "9");
  invalidate(t.app.sql, "thing:1");
  const third = ask("1", "2");
  assert.deepEqual(reads, [["1", "2"], ["3", "9"], ["1"]]);
  for (const answer of answers) answer();
  const textsOf = async (answer: Promise<Map<string, Thing>>) =>
    [...(await answer)].map(([id, { text }]) => `${id}: ${text}`);
  assert.deepEqual(await textsOf(first), ["1: read 1", "2: read 1"]);
  assert.deepEqual(await textsOf(second), ["2: read 1", "3: read 2"]);
  assert.deepEqual(await textsOf(third), ["1: read 3", "2: read 1"]);
  assert.equal(get("1"), "read 3");
  answers = [];
  const failing = things(t.app).together(["4"], () => Promise.reject(new Error("no")));
  await assert.rejects(failing, /no/);
  const later = ask("4");
  answers.pop()!();
  assert.deepEqual(await textsOf(later), ["4: read 4"]);
});

test("a transaction takes nothing from the cache and leaves nothing in it", async () => {
  await fill(t.app, "1", "cached");
  await t.app.sql.begin(async (tx) => {
    assert.equal(things(t.app, tx).get("1"), undefined);
    await things(t.app, tx).fill(async (put) => put("2", { text: "own" }));
  });
  assert.equal(get("2"), undefined);
});

test("what belongs to an App is made for it alone, and never for the handle of a job", () => {
  const seen: App[] = [];
  const thing = perApp("thing of a test", (app) => {
    seen.push(app);
    return { entries: () => 3 };
  });
  const fresh = thing(freshApp(t.app));
  assert.equal(thing(t.app), fresh);
  assert.deepEqual(seen, [t.app]);
  const figures = t.app.caches.figures().find(({ name }) => name === "thing of a test");
  assert.deepEqual(figures, {
    name: "thing of a test",
    entries: 3,
    bytes: 0,
    maxBytes: 0,
    hits: 0,
    misses: 0,
  });
});

test("a name stands for one thing, and a cache has a share of the memory", () => {
  const caches = createCaches(10, { a: 50 });
  caches.register("x", { entries: () => 0 });
  assert.throws(() => caches.register("x", { entries: () => 0 }), /Two things/);
  assert.equal(caches.budget("a"), 5 * 1024 * 1024);
  assert.throws(() => caches.budget("b"), /has no share/);
  caches.close();
});

test("the shares make a hundred", () => {
  const sum = Object.values(CACHE_SHARES).reduce((total, share) => total + share, 0);
  assert.equal(sum, 100);
});

test("work that several ask for at once is done once, and again when it has ended", async () => {
  const once = singleFlight("flights of a test");
  let runs = 0;
  const work = async () => ++runs;
  assert.deepEqual(await Promise.all([once(t.app, "k", work), once(t.app, "k", work)]), [1, 1]);
  assert.equal(await once(t.app, "k", work), 2);
  const fail = async () => {
    throw new Error("no");
  };
  await assert.rejects(once(t.app, "k", fail), /no/);
  assert.equal(await once(t.app, "k", work), 3);
});

test("a memoized result is made again when one of its sources changes", () => {
  let number = 0;
  const list = [1];
  const make = memoizeLast("made in a test", (_app, { n }: { n: number; list: number[] }) => {
    number += 1;
    return n;
  });
  assert.deepEqual([make(t.app, { n: 1, list }), make(t.app, { n: 1, list }), number], [1, 1, 1]);
  assert.deepEqual(
    [make(t.app, { n: 2, list }), make(t.app, { n: 2, list: [1] }), number],
    [2, 2, 3],
  );
});
