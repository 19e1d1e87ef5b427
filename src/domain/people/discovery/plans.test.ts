// Suggestions and the directory look at a bounded number of accounts, however many there are.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPlans } from "../../../../test/plans.ts";
import type { Plans } from "../../../../test/plans.ts";
import { selectListed, selectMostFollowed, selectSuggested } from "./queries.ts";

const PEOPLE = 20_000;
const VIEWER = "1";
/** Accounts that the viewer follows, which are those with most followers. */
const FOLLOWED = 100;
const RANKED = 500;

let plans: Plans;
before(async () => {
  plans = await openPlans();
  const { sql } = plans;
  await sql`
    INSERT INTO accounts (id, username, domain, uri, url, discoverable, created_at)
    SELECT n, 'a' || n, CASE WHEN n % 2 = 0 THEN 'large.example' END, 'https://large.example/' || n, '', true,
      now() - interval '1 year'
    FROM generate_series(1, ${PEOPLE}::int) AS n
  `;
  await sql`
    INSERT INTO account_stats (account_id, followers_count, last_status_at)
    SELECT id, ${PEOPLE} - id, now() - id * interval '1 minute' FROM accounts
  `;
  await sql`
    INSERT INTO follows (account_id, target_account_id)
    SELECT ${VIEWER}, n FROM generate_series(2, ${FOLLOWED + 1}::int) AS n
    UNION ALL
    SELECT n, 1000 + n * 10 + m FROM generate_series(2, ${FOLLOWED + 1}::int) AS n, generate_series(1, 40) AS m
  `;
  for (const table of ["accounts", "account_stats", "follows", "blocks", "mutes"])
    await plans.empty(table);
});
after(() => plans.close());

const now = new Date();

/** Runs a statement several times, as after the fifth its plan may be one for all viewers; counts accounts read. */
const counted = async <T>(read: () => Promise<T>) => {
  for (let time = 0; time < 6; time += 1) await read();
  const before = [await plans.read("accounts_pkey"), await plans.scanned("accounts")] as const;
  const result = await read();
  const scanned = (await plans.scanned("accounts")) - before[1];
  return { result, accounts: (await plans.read("accounts_pkey")) - before[0] + scanned };
};

test("those with most followers are found among the first", async () => {
  const { result, accounts } = await counted(() => selectMostFollowed(plans.sql, RANKED));
  assert.deepEqual(result.slice(0, 3), ["1", "2", "3"]);
  assert.equal(result.length, RANKED);
  assert.ok(accounts <= 5000, String(accounts));
});

test("a page of the directory reads the accounts that it shows", async () => {
  const ids = await selectMostFollowed(plans.sql, RANKED);
  const page = {
    order: "active",
    local: true,
    viewerId: VIEWER,
    now,
    limit: 40,
    offset: 0,
  } as const;
  const { result, accounts } = await counted(() => selectListed(plans.sql, ids, page));
  assert.equal(result.length, page.limit);
  assert.ok(accounts <= 3 * page.limit, String(accounts));
});

test("suggestions read their candidates", async () => {
  const popular = await selectMostFollowed(plans.sql, RANKED);
  const { result, accounts } = await counted(async () => [
    ...(await selectSuggested(plans.sql, VIEWER, { popular, now, limit: 160 })),
  ]);
  const first = result.find(({ source }) => source === "most_followed");
  assert.equal(first?.id, String(FOLLOWED + 2));
  assert.equal(result.length, 2 * 160);
  assert.ok(accounts <= FOLLOWED + 1000 + RANKED, String(accounts));
});
