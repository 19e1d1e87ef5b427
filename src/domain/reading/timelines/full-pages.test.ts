// Pages of feeds are full while there are more posts, also for who mutes most of those whom they follow.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { FEED_LENGTH } from "../../../platform/feeds/index.ts";

const BEGAN = Date.UTC(2026, 0);
/** One in so many posts is by somebody who is not muted. */
const EACH = 40;
const SHOWN = FEED_LENGTH / EACH;
const LIMIT = 6;

let t: TestApp;
let reader: Person;
let list: string;
let loud: Person;

before(async () => {
  t = await startTestApp();
  reader = await t.person("reader");
  loud = await t.person("loud");
  const quiet = await t.person("quiet");
  list = (await reader.post("/api/v1/lists", { title: "all" }).ok()).id;
  for (const { accountId } of [loud, quiet]) {
    await reader.post(`/api/v1/accounts/${accountId}/follow`).ok();
    await reader.post(`/api/v1/lists/${list}/accounts`, { account_ids: [accountId] }).ok();
  }
  await t.write`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
    SELECT (${BEGAN}::bigint + n) << 16, CASE WHEN n % ${EACH}::int = 0 THEN ${quiet.accountId}::bigint
      ELSE ${loud.accountId}::bigint END, 'https://rookery.test/' || n, true, 'public', false, now()
    FROM generate_series(1, ${FEED_LENGTH}::int) AS n
  `;
  await reader.post(`/api/v1/accounts/${loud.accountId}/mute`).ok();
});
after(() => t.close());

/** Numbers of the posts of each page from this one on, as the links of this name lead. */
const pagesFrom = async (path: string, rel: "next" | "prev"): Promise<number[][]> => {
  const pages: number[][] = [];
  for (let next: string | undefined = path; next !== undefined;) {
    const { json, headers }: { json: { id: string }[]; headers: Headers } = await reader.get(next);
    if (json.length > 0) pages.push(json.map(({ id }) => Number(BigInt(id) >> 16n) - BEGAN));
    next = new RegExp(`<([^>]+)>; rel="${rel}"`).exec(headers.get("link") ?? "")?.[1];
  }
  return pages;
};

const fullPages = (numbers: number[]): number[][] =>
  Array.from({ length: Math.ceil(SHOWN / LIMIT) }, (_, n) =>
    numbers.slice(LIMIT * n, LIMIT * (n + 1)),
  );

const FALLING = Array.from({ length: SHOWN }, (_, n) => FEED_LENGTH - EACH * n);

for (const name of ["home", "list"]) {
  test(`${name}: down and up`, async () => {
    const path = `/api/v1/timelines/${name === "home" ? name : `list/${list}`}?limit=${LIMIT}`;
    assert.deepEqual(await pagesFrom(path, "next"), fullPages(FALLING));
    const up = fullPages(FALLING.toReversed()).map((page) => page.toReversed());
    assert.deepEqual(await pagesFrom(`${path}&min_id=1`, "prev"), up);
  });
}

test("one request looks through a whole feed, and no further", async () => {
  const path = "/api/v1/timelines/home";
  assert.equal((await reader.get(`${path}?limit=40`).ok()).length, SHOWN);
  await reader.post(`/api/v1/accounts/${loud.accountId}/unmute`).ok();
  assert.equal((await reader.get(`${path}?limit=40`).ok()).length, 40);
});
