// Favourites with an emoji are found among very many without by an index of their own, also those of the version before.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { databaseBefore } from "../../../../test/database.ts";
import { newestPage } from "../../../platform/db/paging.ts";
import type { Sql } from "../../../platform/db/index.ts";
import { selectGroupPage } from "./queries-groups.ts";
import { selectPage } from "./queries.ts";
import type { NotificationFilter } from "./tables.ts";

/** The last migration of the version before. */
const LAST = "0381";
const COUNT = Number(process.env["UPGRADED_NOTIFICATIONS"] ?? 6000);
/** Each so many favourites have an emoji. */
const EACH = 500;
const REACTED = COUNT / EACH;

let upgraded: Awaited<ReturnType<typeof databaseBefore>>;
let sql: Sql;

/** The posts of the first person were favourited by the others, three times each. */
const fill = async (): Promise<void> => {
  await sql`
    INSERT INTO accounts (id, username, uri, url, public_key)
    SELECT n, 'person' || n, 'https://here.example/users/' || n, '', '' FROM generate_series(1, 4) AS n`;
  await sql`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
    SELECT n, 1, 'https://here.example/p/' || n, true, 'public', false, now()
    FROM generate_series(0, ${COUNT}::int / 3) AS n`;
  await sql`
    INSERT INTO favourites (account_id, status_id, reaction)
    SELECT 2 + n % 3, n / 3, CASE WHEN n % ${EACH} = 0 THEN '🎉' END FROM generate_series(0, ${COUNT}::int - 1) AS n`;
  await sql`
    INSERT INTO notifications (account_id, from_account_id, type, status_id, created_at, group_key)
    SELECT 1, 2 + n % 3, 'favourite', n / 3, now(), 'favourite-' || n / 3 || '-1'
    FROM generate_series(0, ${COUNT}::int - 1) AS n`;
};

const timed = async <T>(what: string, work: Promise<T>): Promise<T> => {
  const start = process.hrtime.bigint();
  const result = await work;
  const ms = Number(process.hrtime.bigint() - start) / 1_000_000;
  if (COUNT > 100_000) console.log(`${what} of ${COUNT}: ${Math.round(ms)} ms`);
  return result;
};

before(async () => {
  upgraded = await databaseBefore(LAST);
  ({ sql } = upgraded);
  await fill();
  await timed("upgrade", upgraded.upgrade());
  await sql.unsafe("VACUUM ANALYZE");
});
after(() => upgraded.drop());

test("the upgrade says it of those with an emoji, and keeps their groups", async () => {
  const rows = await sql`
    SELECT reacted, count(*)::int, bool_and(reacted = (f.reaction IS NOT NULL)) AS is_right
    FROM notifications n JOIN favourites f ON f.account_id = n.from_account_id AND f.status_id = n.status_id
    GROUP BY reacted ORDER BY reacted`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { reacted: false, count: COUNT - REACTED, is_right: true },
      { reacted: true, count: REACTED, is_right: true },
    ],
  );
  const wrong = await sql`
    SELECT FROM notification_groups g WHERE (latest_id, count) IS DISTINCT FROM (
      SELECT (max(id), count(*)::int) FROM notifications n
      WHERE n.account_id = g.account_id AND n.group_key = g.group_key
    )`;
  assert.equal(wrong.count, 0);
});

/** Counts what is read of the notifications by all indexes. */
const readSoFar = async (): Promise<number> => {
  await sql`SELECT pg_stat_force_next_flush()`;
  const [row] = await sql<{ count: number }[]>`
    SELECT sum(pg_stat_get_tuples_returned(indexrelid))::int AS count
    FROM pg_index WHERE indrelid = 'notifications'::regclass`;
  return row!.count;
};

test("a page of reactions alone reads little more than these", async () => {
  const alone: NotificationFilter = {
    types: ["favourite"],
    reactions: "alone",
    fromId: null,
    filtered: [false, true],
  };
  const page = newestPage(40);
  const now = new Date();
  for (const read of [
    async () => (await selectPage(sql, "1", page, alone, now)).length,
    async () => (await selectGroupPage(sql, "1", page, { ...alone, grouped: [] }, now)).length,
  ]) {
    const start = await readSoFar();
    assert.equal(await timed("page", read()), Math.min(REACTED, page.limit));
    const entries = (await readSoFar()) - start;
    assert.ok(entries <= 3 * page.limit, `${entries} entries were read`);
  }
});
