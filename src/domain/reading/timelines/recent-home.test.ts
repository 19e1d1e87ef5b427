// The newest part of a home feed is read first: in random worlds it equals what is rebuilt as a whole, and
// paging goes on while the rest is missing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { seeded } from "../../../../test/seeded.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { memoryFeeds } from "../../../platform/feeds/memory.ts";
import type { FeedContent } from "../../../platform/feeds/index.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import { selectHome, selectRecentHome } from "./queries-home.ts";

const AUTHORS = 40;
const STATUSES = 900;
const BEGAN = Date.UTC(2026, 0);

let t: TestApp;
let people: Person[];

/** Counted over all worlds. */
let written = 0;

const nextTime = (): number => BEGAN + written++ * 1000;

/** Remote authors, of whom two in three are followed, in all the ways that one can follow. */
const insertAuthors = async (viewer: Person, random: () => number): Promise<string[]> => {
  const { username: by, accountId } = viewer;
  const names = Array.from({ length: AUTHORS }, (_, n) => `${by}${n}`);
  const rows = await t.write<{ id: string }[]>`
    INSERT INTO accounts (username, domain, uri, url)
    SELECT name, 'far.example', 'https://far.example/' || name, 'https://far.example/@' || name
    FROM unnest(${names}::text[]) AS name RETURNING id`;
  const ids = rows.map(({ id }) => id);
  const follows = ids
    .filter(() => random() < 0.66)
    .map((id) => ({
      account_id: accountId,
      target_account_id: id,
      show_reblogs: random() < 0.85,
      show_replies: random() < 0.85,
      daily_limit: random() < 0.1 ? 3 : null,
      languages: random() < 0.2 ? ["en"] : null,
    }));
  await t.fixture((sql) => sql`INSERT INTO follows ${sql(follows)}`);
  const muted = ids.filter(() => random() < 0.1);
  for (const id of muted) {
    await t.write`INSERT INTO mutes (account_id, target_account_id) VALUES (${accountId}, ${id})`;
  }
  const [list] = await t.write<{ id: string }[]>`
    INSERT INTO lists (account_id, title, exclusive) VALUES (${accountId}, 'List', true) RETURNING id`;
  const members = follows.slice(0, 3).map((follow) => ({
    list_id: list!.id,
    account_id: follow.target_account_id,
    owner_id: accountId,
    exclusive: true,
  }));
  await t.fixture((sql) => sql`INSERT INTO list_accounts ${sql(members)}`);
  return ids;
};

/** A few authors write most; posts, replies to what is new, boosts of what is newer still. */
const insertStatuses = async (viewer: Person, authors: string[], random: () => number) => {
  const pick = <T>(all: T[]): T => all[Math.floor(random() ** 2 * all.length)]!;
  const all = [...authors, viewer.accountId];
  const posts: { id: string; account_id: string }[] = [];
  const rows = Array.from({ length: STATUSES }, (_, n) => {
    const account_id = pick(all);
    const base = `https://far.example/${viewer.username}/${n}`;
    const kind = posts.length < 40 ? 0 : random();
    const target = posts.at(-1 - Math.floor(random() * 40));
    const time = nextTime();
    const row = {
      id: String(BigInt(time) << 16n),
      account_id,
      uri: base,
      url: base,
      local: false,
      visibility:
        kind > 0.8 ? "public" : pick(["public", "public", "unlisted", "private", "direct"]),
      awaits_approval: false,
      language: random() < 0.5 ? "en" : "de",
      in_reply_to_id: kind > 0.5 && kind <= 0.8 ? target!.id : null,
      in_reply_to_account_id: kind > 0.5 && kind <= 0.8 ? target!.account_id : null,
      reblog_of_id: kind > 0.8 ? target!.id : null,
      created_at: new Date(time),
    };
    if (kind <= 0.8) posts.push(row);
    return row;
  });
  await t.fixture((sql) => sql`INSERT INTO statuses ${sql(rows)} ON CONFLICT DO NOTHING`);
  const mentions = rows
    .filter(() => random() < 0.1)
    .map(({ id }) => ({ status_id: id, account_id: viewer.accountId }));
  await t.fixture(
    (sql) => sql`
      INSERT INTO mentions (status_id, account_id)
      SELECT m.status_id::bigint, m.account_id::bigint
      FROM jsonb_to_recordset(${sql.json(mentions)}) AS m (status_id text, account_id text)
      WHERE EXISTS (SELECT FROM statuses WHERE id = m.status_id::bigint)`,
  );
  const name = `${viewer.username}birds`;
  const [tag] = await t.write<{ id: string }[]>`
    INSERT INTO tags (name, display_name) VALUES (${name}, ${name}) RETURNING id`;
  await t.write`
    INSERT INTO statuses_tags (tag_id, status_id)
    SELECT ${tag!.id}, id FROM statuses
    WHERE uri LIKE ${`https://far.example/${viewer.username}/%7`} AND reblog_of_id IS NULL`;
  await t.write`
    INSERT INTO tag_follows (account_id, tag_id) VALUES (${viewer.accountId}, ${tag!.id})`;
};

before(async () => {
  t = await startTestApp();
  people = [await t.person("ada"), await t.person("ben"), await t.person("cleo")];
  for (const [seed, viewer] of people.entries()) {
    const random = seeded(seed + 1);
    await insertStatuses(viewer, await insertAuthors(viewer, random), random);
  }
});
after(() => t.close());

const filled = async (content: FeedContent) => {
  const feeds = memoryFeeds();
  await feeds.fill("home", async () => content);
  return feeds;
};

test("the newest part has exactly what the whole has from its floor on", async () => {
  for (const { accountId } of people) {
    const whole = await selectHome(t.app.sql, accountId);
    assert.ok(whole.ids.length > 200, `${whole.ids.length}`);
    for (const length of [10, 30, 60, 120]) {
      const part = await selectRecentHome(t.app.sql, accountId, length);
      assert.ok(part.floor && part.ids.length > length / 3, `${part.ids.length} of ${length}`);
      const floor = BigInt(part.floor);
      assert.deepEqual(
        part.ids,
        whole.ids.filter((id) => BigInt(id) >= floor),
      );
    }
    const everything = await selectRecentHome(t.app.sql, accountId, 800);
    assert.deepEqual({ ...everything, floor: null }, whole);
  }
});

test("its pages are those of the whole, also where boosts repeat something", async () => {
  let left = 0;
  for (const { accountId } of people) {
    const [part, whole] = [
      await selectRecentHome(t.app.sql, accountId),
      await selectHome(t.app.sql, accountId),
    ];
    const [inPart, asWhole] = [await filled(part), await filled(whole)];
    for (const limit of ["1", "20", "40"]) {
      const page = parsePage({ limit }, 20);
      const expected = (await asWhole.page("home", page))!;
      assert.deepEqual(await inPart.page("home", page), expected);
      const shown = new Set(expected);
      left += whole.ids.filter((id) => id > expected.at(-1)! && !shown.has(id)).length;
    }
  }
  assert.ok(left > 0, "no boost was left out");
});

test("one reads on below the part, and the rest follows behind", async () => {
  const [ada] = people as [Person];
  const key = homeKey(ada.accountId);
  // Pages of who mutes others are read on.
  await t.write`DELETE FROM mutes WHERE account_id = ${ada.accountId}`;
  const whole = (await (
    await filled(await selectHome(t.app.sql, ada.accountId))
  ).page("home", parsePage({ limit: "800" }, 20, 800)))!;
  const read = async (query: string): Promise<string[]> =>
    (await ada.get(`/api/v1/timelines/home${query}`).ok()).map((status: any) => status.id);
  const expect = (from: number, to: number) => whole.slice(from, to);

  await t.app.feeds.drop([homeKey(ada.accountId)]);
  assert.deepEqual(await read(""), expect(0, 20));
  assert.equal(await t.app.feeds.state(key), "part");
  assert.deepEqual(await read(`?max_id=${whole[19]}`), expect(20, 40));
  assert.equal(await t.app.feeds.state(key), "part");
  assert.deepEqual(await read(`?max_id=${whole[69]}`), expect(70, 90));
  for (let tries = 0; tries < 400 && (await t.app.feeds.state(key)) !== "whole"; tries++)
    await sleep(10);
  assert.equal(await t.app.feeds.state(key), "whole");

  await t.app.feeds.drop([homeKey(ada.accountId)]);
  await read("");
  assert.deepEqual(await read(`?max_id=${whole[200]}`), expect(201, 221));
  assert.equal(await t.app.feeds.state(key), "whole");

  await t.app.feeds.drop([homeKey(ada.accountId)]);
  assert.deepEqual(await read(`?min_id=${whole[60]}`), expect(40, 60));
  await t.app.feeds.drop([homeKey(ada.accountId)]);
  assert.deepEqual(await read(`?since_id=${whole[250]}&limit=5`), expect(0, 5));
});
