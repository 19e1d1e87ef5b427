// What is hidden from a reader of a public timeline is passed by: its posts are not read, and a page looks at so many
// posts, however many are hidden.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPlans } from "../../../../test/plans.ts";
import type { Plans } from "../../../../test/plans.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { selectPublic, selectTagged } from "./queries.ts";
import type { PublicFilter, Walked } from "./queries.ts";

const BUSY = 20;
const POSTS = 2500;
/** Older than all of theirs. */
const SHOWN = 30;
const READER = "1";

let plans: Plans;
before(async () => {
  plans = await openPlans();
  const { sql } = plans;
  await plans.people(1, BUSY);
  await sql`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, language, created_at)
    SELECT n, CASE WHEN n <= ${SHOWN} THEN 1000 ELSE 2 + n % ${BUSY} END, 'https://large.example/p/' || n, false,
      'public', false, CASE WHEN n > ${SHOWN} THEN 'en' WHEN n % 2 = 0 THEN 'de' END, now()
    FROM generate_series(1, ${SHOWN + POSTS}::int) AS n
  `;
  await sql`INSERT INTO tags (id, name, display_name) VALUES (1, 'busy', 'busy')`;
  await sql`INSERT INTO statuses_tags (tag_id, status_id, account_id) SELECT 1, id, account_id FROM statuses`;
  await sql`INSERT INTO tags (id, name, display_name) VALUES (2, 'rare', 'rare')`;
  await sql`INSERT INTO statuses_tags (tag_id, status_id, account_id) SELECT 2, id, account_id FROM statuses WHERE id <= ${SHOWN}`;
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
/** Begins so far above what is shown that a page gets there. */
const NEAR: Page = { ...PAGE, maxId: String(SHOWN + 900) };
/** Posts that a page looks at. */
const LOOKED_AT = 1000;
const newest = Array.from({ length: PAGE.limit }, (_, n) => String(SHOWN - n));

const hiddenBy = {
  "a blocked server": `INSERT INTO account_domain_blocks (account_id, domain) VALUES (1, 'large.example')`,
  "mutes of busy people": `INSERT INTO mutes (account_id, target_account_id)
    SELECT 1, id FROM accounts WHERE domain = 'large.example'`,
};

const TAGS = { any: ["busy"], all: [], none: [] };

const TIMELINES = {
  public: (page: Page) => selectPublic(plans.sql, page, filter()),
  remote: (page: Page) => selectPublic(plans.sql, page, filter({ remote: true })),
  languages: (page: Page) => selectPublic(plans.sql, page, filter({ languages: ["en", "de"] })),
  hashtag: (page: Page) => selectTagged(plans.sql, page, TAGS, filter()),
};

const hide = async (statement: string): Promise<void> => {
  await plans.sql.unsafe(`TRUNCATE account_domain_blocks, mutes`);
  await plans.sql.unsafe(statement);
};

/** Reads a page, and counts the authors that were asked for and the posts that were read. */
const counted = async (read: () => Promise<Walked>) => {
  const [authors, posts] = [await plans.read("accounts_pkey"), await plans.read("statuses_pkey")];
  return {
    page: await read(),
    authors: (await plans.read("accounts_pkey")) - authors,
    posts: (await plans.read("statuses_pkey")) - posts,
  };
};

for (const [what, statement] of Object.entries(hiddenBy)) {
  test(`${what}: the page is full, and hidden posts are not read`, async () => {
    await hide(statement);
    for (const [name, read] of Object.entries(TIMELINES)) {
      const { page, posts } = await counted(() => read(NEAR));
      assert.deepEqual(page, { ids: newest, edge: null }, name);
      assert.ok(posts <= 2 * PAGE.limit, name);
    }
  });

  test(`${what}: a page of which much is hidden ends, and the next goes on there`, async () => {
    await hide(statement);
    const edge = SHOWN + POSTS - LOOKED_AT + 1;
    for (const [name, read] of Object.entries(TIMELINES)) {
      const { page, authors, posts } = await counted(() => read(PAGE));
      assert.deepEqual(page, { ids: [], edge: String(edge) }, name);
      assert.ok(authors <= LOOKED_AT + 2 * PAGE.limit && posts <= 2 * PAGE.limit, name);
      const next = await read({ ...PAGE, maxId: page.edge });
      assert.deepEqual(next, { ids: [], edge: String(edge - LOOKED_AT) }, name);
      assert.deepEqual((await read({ ...PAGE, maxId: next.edge })).ids, newest, name);
    }
  });
}

test("a page upwards ends there too, and one that is full or has all has no edge", async () => {
  await hide(hiddenBy["a blocked server"]);
  for (const [name, read] of Object.entries({
    public: TIMELINES.public,
    hashtag: TIMELINES.hashtag,
  })) {
    const up = await read({ ...PAGE, minId: String(SHOWN - 5) });
    assert.deepEqual(up, { ids: newest.slice(0, 5), edge: String(SHOWN - 5 + LOOKED_AT) }, name);
    const last = await read({ ...PAGE, maxId: "11" });
    const ten = Array.from({ length: 10 }, (_, n) => String(10 - n));
    assert.deepEqual(last, { ids: ten, edge: null }, name);
  }
});

test("who reads one language has a full page however much is in others, and no post is read in these", async () => {
  await plans.sql`TRUNCATE account_domain_blocks, mutes`;
  const { page, posts } = await counted(() =>
    selectPublic(plans.sql, PAGE, filter({ languages: ["de"] })),
  );
  assert.deepEqual(page, { ids: newest, edge: null });
  assert.ok(posts <= 2 * PAGE.limit);
});

test("of several tags, the next page begins at the nearest end", async () => {
  await hide(hiddenBy["a blocked server"]);
  const tags = { any: ["busy", "rare"], all: [], none: [] };
  const page = await selectTagged(plans.sql, PAGE, tags, filter());
  assert.deepEqual(page, { ids: [], edge: String(SHOWN + POSTS - LOOKED_AT + 1) });
  const near = await selectTagged(plans.sql, NEAR, tags, filter());
  assert.deepEqual(near, { ids: newest, edge: null });
});
