// Accounts that have to do with each other are removed at the same moment: their jobs do not wait for each other in a
// circle.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { TestApp } from "../../test/harness.ts";
import { removeAccount } from "../domain/people/accounts/remove.ts";
import { onAccountRemoved } from "./account-removed.ts";

const ACCOUNTS = 6;
const POSTS = 60;

let t: TestApp;

before(async () => {
  t = await startTestApp({ worker: false });
});
after(() => t?.close());

/** Strangers who follow each other, answer, boost and favourite each other's posts. */
const ring = (): Promise<string[]> =>
  t.fixture(async (sql) => {
    const accounts = await sql<{ id: string }[]>`
      INSERT INTO accounts (username, domain, uri, url, inbox_url, public_key)
      SELECT 'u' || n, 'ring.example', 'https://ring.example/' || n, '', '', ''
      FROM generate_series(1, ${ACCOUNTS}) AS n RETURNING id
    `;
    const ids = accounts.map(({ id }) => id);
    await sql`INSERT INTO account_stats (account_id) SELECT unnest(${ids}::bigint[])`;
    await sql`
      INSERT INTO follows (account_id, target_account_id)
      SELECT a, b FROM unnest(${ids}::bigint[]) AS a, unnest(${ids}::bigint[]) AS b WHERE a <> b
    `;
    await sql`
      INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at, in_reply_to_id)
      SELECT n, (${ids}::bigint[])[1 + n % ${ACCOUNTS}], 'https://ring.example/s' || n, false,
        'public', false, now(), CASE WHEN n > 1 THEN n - 1 END
      FROM generate_series(1, ${POSTS}) AS n
    `;
    await sql`
      INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at, reblog_of_id)
      SELECT 1000 + n, (${ids}::bigint[])[1 + (n + 3) % ${ACCOUNTS}],
        'https://ring.example/b' || n, false, 'public', false, now(), n
      FROM generate_series(1, ${POSTS}) AS n
    `;
    await sql`
      INSERT INTO favourites (account_id, status_id)
      SELECT a, n FROM unnest(${ids}::bigint[]) AS a, generate_series(1, ${POSTS}) AS n
      ORDER BY random()
    `;
    await sql`INSERT INTO status_stats (status_id) SELECT id FROM statuses ON CONFLICT DO NOTHING`;
    return ids;
  });

it("at the same moment, several times", async () => {
  for (let round = 0; round < 6; round++) {
    const ids = await ring();
    for (const id of ids) await removeAccount(t.app, id);
    // As the jobs do, which are run again until the account is gone.
    const finish = async (id: string): Promise<void> => {
      for (let n = 0; n < 20; n++) await onAccountRemoved(t.app, { id, announced: true });
    };
    await Promise.all(ids.map(finish));
    const left = await t.app.sql`SELECT FROM accounts WHERE domain = 'ring.example'`;
    assert.equal(left.length, 0);
    await t.runJobs();
  }
});
