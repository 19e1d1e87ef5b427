// The line of visitors: who begins, waits, is refused, or goes away.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { eventually } from "../../../test/journeys/eventually.ts";
import { VISITOR_LINE, createLine, visitorLineOf } from "./visitor-line.ts";

let t: TestApp;
let alice: Person;
before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
});
after(() => t.close());

test("so many begin at once, the others in order, and those beyond are refused", () => {
  const line = createLine({ atOnce: 2, waiting: 2, waitMs: 60_000 });
  const seen: string[] = [];
  const ends = ["a", "b", "c", "d", "e"].map((name) =>
    line.enter(
      () => seen.push(name),
      () => seen.push(`no ${name}`),
    ),
  );
  assert.deepEqual([seen, line.entries()], [["a", "b", "no e"], 2]);
  ends[0]!();
  ends[0]!();
  assert.deepEqual([seen.at(-1), line.entries()], ["c", 1]);
  // Who goes away while waiting is not begun.
  ends[3]!();
  ends[1]!();
  ends[2]!();
  ends[4]!();
  assert.deepEqual([seen.length, line.entries()], [4, 0]);
  line.enter(
    () => seen.push("f"),
    () => seen.push("no f"),
  );
  assert.equal(seen.at(-1), "f");
});

test("who waits too long is refused, and its place is free", async () => {
  const line = createLine({ atOnce: 1, waiting: 5, waitMs: 20 });
  const seen: string[] = [];
  const enter = (name: string) =>
    line.enter(
      () => seen.push(name),
      () => seen.push(`no ${name}`),
    );
  const end = enter("a");
  enter("b");
  await eventually("the refusal", () => seen.includes("no b"));
  enter("c");
  end();
  assert.deepEqual([seen, line.entries()], [["a", "no b", "c"], 0]);
});

test("a crowd of visitors is answered or refused, and who is signed in is not in the line", async () => {
  const line = visitorLineOf(t.app);
  const holders = Array.from({ length: VISITOR_LINE.atOnce }, () =>
    line.enter(
      () => undefined,
      () => undefined,
    ),
  );
  const own = await t.request("GET", "/api/v1/timelines/home", { token: alice.token });
  assert.ok(own.status < 300);
  assert.equal((await t.request("GET", "/health")).status, 200);
  const refused = await t.request("GET", "/api/v1/timelines/public");
  assert.equal(refused.status, 503);
  assert.ok(Number(refused.headers.get("retry-after")) > 0);
  const waits = t.request("GET", "/api/v1/timelines/public");
  await eventually("one in line", () => line.entries() === 1);
  for (const end of holders) end();
  assert.equal((await waits).status, 200);
  // Every place is free again, also after errors.
  const paths = ["/api/v1/timelines/public", "/nowhere", "/api/v1/statuses/1", "/@alice", "/"];
  for (let round = 0; round < VISITOR_LINE.atOnce; round++) {
    const answers = await Promise.all(paths.map((path) => t.request("GET", path)));
    for (const { status } of answers) assert.notEqual(status, 503);
  }
  await sleep(0);
  assert.equal(line.entries(), 0);
});
