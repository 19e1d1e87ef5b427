// What is hidden from a reader of a public timeline is passed by: neither are its posts read, nor its authors asked for
// more than once.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPlans } from "../../../../test/plans.ts";
import type { Plans } from "../../../../test/plans.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { selectPublic, selectTagged } from "./queries.ts";
import type { PublicFilter } from "./queries.ts";

const BUSY = 20;
const POSTS = 4000;
/** Older than all of theirs. */
const SHOWN = 30;
const READER = "1";

let plans: Plans;
before(async () => {
  plans = await openPlans();
  const { sql } = plans;
  await sql`
    INSERT INTO accounts (id, username, domain, uri, url, inbox_url)
    SELECT id, 'a' || id, domain, uri, uri, uri FROM (
      SELECT n AS id, CASE WHEN n > 1 THEN 'large.example' END AS domain FROM generate_series(1, ${BUSY + 1}::int) AS n
      UNION ALL SELECT 1000, 'other.example'
    ) AS people, LATERAL (SELECT 'https://large.example/' || id AS uri) me
  `;
  await sql`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
    SELECT n, CASE WHEN n <= ${SHOWN} THEN 1000 ELSE 2 + n % ${BUSY} END, 'https://large.example/p/' || n, false,
      'public', false, now()
    FROM generate_series(1, ${SHOWN + POSTS}::int) AS n
  `;
  await sql`INSERT INTO tags (id, name, display_name) VALUES (1, 'busy', 'busy')`;
  await sql`INSERT INTO statuses_tags (tag_id, status_id, account_id) SELECT 1, id, account_id FROM statuses`;
  for (const table of ["accounts", "statuses", "statuses_tags"]) await plans.empty(table);
});
after(() => plans.close());

const filter = (more: Partial<PublicFilter> = {}): PublicFilter => ({
  local: false,
  remote: false,
  onlyMedia: false,
  languages: null,
  viewer: asPerson(READER),
  now: new Date(),
  ...more,
});
const PAGE = { maxId: null, sinceId: null, minId: null, limit: 20 };
const newest = Array.from({ length: PAGE.limit }, (_, n) => String(SHOWN - n));

const hiddenBy = {
  "a blocked server": `INSERT INTO account_domain_blocks (account_id, domain) VALUES (1, 'large.example')`,
  "mutes of busy people": `INSERT INTO mutes (account_id, target_account_id)
    SELECT 1, id FROM accounts WHERE domain = 'large.example'`,
};

const TIMELINES = {
  public: (more?: Partial<PublicFilter>) => selectPublic(plans.sql, PAGE, filter(more)),
  remote: () => selectPublic(plans.sql, PAGE, filter({ remote: true, languages: ["en"] })),
  hashtag: () => selectTagged(plans.sql, PAGE, { any: ["busy"], all: [], none: [] }, filter()),
};

for (const [what, statement] of Object.entries(hiddenBy)) {
  test(`${what}: the page is full, authors are asked for once, and hidden posts are not read`, async () => {
    await plans.sql.unsafe(`TRUNCATE account_domain_blocks, mutes`);
    await plans.sql.unsafe(statement);
    for (const [name, read] of Object.entries(TIMELINES)) {
      const [authors, posts] = [
        await plans.read("accounts_pkey"),
        await plans.read("statuses_pkey"),
      ];
      const rows = await read();
      assert.deepEqual(
        rows.map(({ id }) => id),
        newest,
        name,
      );
      assert.ok((await plans.read("accounts_pkey")) - authors <= 2 * BUSY + PAGE.limit, name);
      assert.ok((await plans.read("statuses_pkey")) - posts <= 2 * PAGE.limit, name);
    }
  });
}
