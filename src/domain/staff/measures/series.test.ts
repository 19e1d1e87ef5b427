// The figures of the first page of the staff: which days are counted, what is compared, and that days that are over are
// counted once, by the job or when somebody looks.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { addDays, idAt, isoDate } from "../../../platform/ids/index.ts";
import { createDayCounts } from "./day-counts.ts";
import { periodOf, seriesOfPeriod, summaryOf } from "./summary.ts";
import { countFiguresDue, readSeries } from "./series.ts";
import type { Series, SeriesKey } from "./series.ts";

const NOW = new Date("2030-06-15T12:00:00Z");
let time = NOW.getTime();

let t: TestApp;
let alice: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(time) }, worker: false });
  alice = await t.person("alice");
  await t.write`UPDATE users SET created_at = ${addDays(NOW, -400)}`;
});
after(() => t.close());
beforeEach(async () => {
  time = NOW.getTime();
  await t.write`DELETE FROM daily_figures`;
  await t.write`DELETE FROM statuses`;
});

const post = (daysAgo: number, n = 0) => t.write`
  INSERT INTO statuses (id, account_id, uri, url, local, visibility, content, text, created_at, awaits_approval)
  VALUES (${String(BigInt(idAt(addDays(NOW, -daysAgo))) + BigInt(n))}, ${alice.accountId},
    ${`https://x.example/${daysAgo}/${n}`}, '', true, 'public', '', '', ${addDays(NOW, -daysAgo)}, false)`;

const series = async (name: "30" | "90" | "365"): Promise<Record<SeriesKey, Series>> => {
  const all = await readSeries(t.app, t.app.sql, periodOf(name, t.app.clock.now()));
  return Object.fromEntries(all.map((row) => [row.key, row])) as Record<SeriesKey, Series>;
};

const countAll = async (): Promise<number> => {
  for (let pieces = 1; ; pieces++) {
    t.enqueued.length = 0;
    await countFiguresDue(t.app);
    if (t.enqueued.length === 0) return pieces;
  }
};

describe("series", () => {
  test("a day each up to today, and what was before", async () => {
    await post(0);
    await post(0, 1);
    await post(29);
    await post(30);
    const { posts, new_users: users } = await series("30");
    assert.equal(posts.days.length, 30);
    assert.deepEqual(posts.days.at(-1), { day: isoDate(NOW), value: 2 });
    assert.deepEqual(posts.days[0], { day: isoDate(addDays(NOW, -29)), value: 1 });
    assert.equal(posts.total, 3);
    // The days before are counted by the job.
    assert.equal(posts.previous, null);
    assert.equal(users.total, 0);
    await countAll();
    assert.equal((await series("30")).posts.previous, 1);
    assert.equal((await series("365")).posts.total, 4);
  });

  test("days that are over are counted once, today always", async () => {
    await post(1);
    await post(0);
    assert.equal((await series("30")).posts.total, 2);
    await post(1, 1);
    await post(0, 1);
    assert.equal((await series("30")).posts.total, 3);
    time += 86_400_000;
    assert.equal((await series("30")).posts.total, 3);
  });

  test("a year that was not counted is not counted while somebody waits", async () => {
    await post(300);
    const { posts } = await series("365");
    assert.equal(posts.total, null);
    assert.equal(posts.days[0]!.value, null);
    assert.equal(posts.days.at(-1)!.value, 0);
    const pieces = await countAll();
    // The last 30 days that are over were counted when they were shown.
    assert.equal(pieces, Math.ceil((400 - 30) / 7));
    const counted = (await series("365")).posts;
    assert.equal(counted.total, 1);
    assert.ok(counted.days.every(({ value }) => value !== null));
  });

  test("before anybody was here there was nothing", async () => {
    await t.write`UPDATE users SET created_at = ${addDays(NOW, -40)}`;
    await countAll();
    const { posts, new_users: users } = await series("365");
    assert.equal(posts.total, 0);
    assert.equal(posts.previous, 0);
    assert.equal(users.total, 1);
    await t.write`UPDATE users SET created_at = ${addDays(NOW, -400)}`;
  });

  test("people who were active are counted once in the weeks that are known", async () => {
    await t.write`DELETE FROM user_weeks`;
    await t.write`
      INSERT INTO user_weeks (user_id, week)
      SELECT ${alice.userId}, date_trunc('week', ${NOW}::timestamptz) - n * interval '1 week'
      FROM generate_series(0, 2) AS n`;
    await t.write`INSERT INTO daily_figures VALUES ('active_users', ${isoDate(NOW)}, 1), ('active_users', ${isoDate(addDays(NOW, -3))}, 1)`;
    const { active_users: active } = await series("30");
    assert.equal(active.total, 1);
    assert.equal(active.days.at(-1)!.value, 1);
    assert.equal((await series("365")).active_users.total, null);
  });

  test("deliveries are added as they are counted, and nothing twice", async () => {
    const counts = createDayCounts(t.app);
    for (let n = 0; n < 3; n++) counts.count("deliveries");
    await counts.flush(false);
    counts.count("deliveries");
    counts.count("failed_deliveries");
    await counts.flush(false);
    assert.equal((await series("30")).deliveries.total, 3);
    time += 10_000;
    await counts.flush(false);
    const other = createDayCounts(t.app);
    other.count("deliveries");
    await other.flush(true);
    await other.flush(true);
    const { deliveries, failed_deliveries: failed } = await series("30");
    assert.deepEqual([deliveries.total, failed.total], [5, 1]);
  });

  test("a fixed number of statements, whatever the period", async () => {
    const period = (name: "30" | "365") => () =>
      readSeries(t.app, t.app.sql, periodOf(name, t.app.clock.now()));
    await countAll();
    // Of a year, people are not counted once each.
    assert.equal((await t.countQueries(period("30"))).queries, 8);
    assert.equal((await t.countQueries(period("365"))).queries, 6);
  });
});

test("what is cached is the same for a while", async () => {
  const first = await seriesOfPeriod(t.app, "90");
  await post(0);
  assert.deepEqual(await seriesOfPeriod(t.app, "90"), first);
  const summary = (await summaryOf(t.app, "90"))!;
  assert.equal(summary.cohorts.length, 12);
  assert.equal(summary.cohorts.at(-1)!.month, "2030-06");
  assert.equal(summary.cohorts.at(-1)!.kept.length, 1);
  assert.deepEqual(await summaryOf(t.app, "90"), summary);
});
