// An account that goes takes what it wrote and did with it, in pieces, and empties no cache of others.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { deleteActsOf, deleteStatusesOf } from "./remove.ts";
import { loadAsServer } from "./load.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let posts: string[];

before(async () => {
  t = await startTestApp({ env: { STATUS_CACHE: "true" } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  posts = [];
  for (const status of ["one", "two", "@bob three"]) posts.push(await post(alice, { status }));
});
after(() => t.close());

const post = async (by: Person, json: Record<string, unknown>): Promise<string> =>
  (await by.post("/api/v1/statuses", json)).json.id;

const deleteAll = async (id: string): Promise<void> => {
  while (await t.app.sql.begin((tx) => deleteStatusesOf(tx, id, { app: t.app, isShutOut: false })));
  while (await t.app.sql.begin((tx) => deleteActsOf(tx, id)));
};

const figures = async (id: string) => {
  const { json } = await t.visitor.get(`/api/v1/statuses/${id}`);
  return [json.replies_count, json.reblogs_count, json.favourites_count];
};

/** A remote account with more statuses and favourites than there are in a batch. */
const busyStranger = (): Promise<string> =>
  t.fixture(async (sql) => {
    const [row] = await sql<{ id: string }[]>`
      INSERT INTO accounts (username, domain, uri, url)
      VALUES ('busy', 'far.example', 'https://far.example/busy', 'https://far.example/busy')
      RETURNING id
    `;
    const { id } = row!;
    await sql`INSERT INTO account_stats (account_id, statuses_count) VALUES (${id}, 1100)`;
    await sql`
      INSERT INTO statuses (id, account_id, uri, local, content, visibility, awaits_approval, in_reply_to_id,
        in_reply_to_account_id, created_at)
      SELECT 1000 + n, ${id}, 'https://far.example/' || n, false, 'busy', 'public', false, ${posts[0]!},
        ${alice.accountId}, now()
      FROM generate_series(1, 1100) AS n
    `;
    await sql`
      INSERT INTO favourites (account_id, status_id) SELECT ${id}, 1000 + n FROM generate_series(1, 700) AS n
    `;
    await sql`INSERT INTO favourites (account_id, status_id) VALUES (${id}, ${posts[1]!})`;
    await sql`INSERT INTO mentions (status_id, account_id) VALUES (${posts[1]!}, ${id})`;
    await sql`UPDATE statuses SET in_reply_to_account_id = ${id} WHERE id = ${posts[2]!}`;
    await sql`UPDATE status_stats SET replies_count = 1100 WHERE status_id = ${posts[0]!}`;
    await sql`UPDATE status_stats SET favourites_count = 1 WHERE status_id = ${posts[1]!}`;
    return id;
  });

test("more than a piece goes, with its counts, and what is cached of others is right", async () => {
  const id = await busyStranger();
  assert.deepEqual(await figures(posts[0]!), [1100, 0, 0]);
  assert.deepEqual(await figures(posts[1]!), [0, 0, 1]);
  await deleteAll(id);
  await t.checkInvalidation();
  assert.deepEqual(await figures(posts[0]!), [0, 0, 0]);
  assert.deepEqual(await figures(posts[1]!), [0, 0, 0]);
  const [mentioning, answering] = await loadAsServer(t.app, [posts[1]!, posts[2]!]);
  assert.deepEqual(mentioning!.mentions, []);
  assert.equal(answering!.in_reply_to_account_id, null);
  const [left] = await t.app.sql<{ count: number }[]>`
    SELECT (SELECT count(*) FROM statuses WHERE account_id = ${id})::int
      + (SELECT count(*) FROM favourites WHERE account_id = ${id})::int AS count
  `;
  assert.equal(left!.count, 0);
  await deleteAll(id);
});

test("what is cached of others stays when an account goes", async () => {
  const carol = await t.person("carol");
  await carol.post(`/api/v1/statuses/${posts[0]!}/favourite`);
  const own = await post(carol, { status: "@bob soon gone", in_reply_to_id: posts[0]! });
  await carol.post(`/api/v1/accounts/${bob.accountId}/follow`);
  await bob.post(`/api/v1/accounts/${carol.accountId}/block`);
  const read = () => loadAsServer(t.app, [posts[1]!, posts[2]!]);
  await read();
  await removeAccount(t.app, carol.accountId);
  await t.runJobs();
  await t.checkInvalidation();
  assert.equal((await t.countQueries(read, { warm: true })).queries, 0);
  assert.deepEqual(await figures(posts[0]!), [0, 0, 0]);
  assert.equal((await t.visitor.get(`/api/v1/statuses/${own}`)).status, 404);
});
