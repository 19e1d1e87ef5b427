// Notifications and push subscriptions of the version before get small ids: in their order, with everything that names
// them; jobs delete those by people who are hidden.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { databaseBefore } from "../../../../test/database.ts";
import type { Sql } from "../../../platform/db/index.ts";

/** The last migration of the version before. */
const LAST = "0348";
const COUNT = Number(process.env["UPGRADED_NOTIFICATIONS"] ?? 3000);
/** Ids of that version: milliseconds << 16. */
const FORMER = 1_790_000_000_000n << 16n;
const formerOf = (n: number): string => String(FORMER + BigInt(n) * 65_536n);

let upgraded: Awaited<ReturnType<typeof databaseBefore>>;
let sql: Sql;

/** Two people; ids of odd rows are alice's, those of even ones bob's; one of a Mastodon that moved in. */
const fill = async (): Promise<void> => {
  await sql`
    INSERT INTO accounts (id, username, uri, url, public_key)
    SELECT n, 'person' || n, 'https://here.example/users/' || n, '', '' FROM generate_series(1, 4) AS n`;
  await sql`
    INSERT INTO accounts (id, username, domain, uri, url) VALUES (5, 'far', 'far.example', 'https://far.example/5', '')`;
  await sql`
    INSERT INTO users (id, account_id, email, password_hash)
    VALUES (1, 1, 'a@b.example', ''), (2, 2, 'b@b.example', '')`;
  await sql`
    INSERT INTO notifications (id, account_id, from_account_id, type, subject_id, created_at)
    VALUES (77, 1, 3, 'mention', 0, '2020-01-01')`;
  // Inserted from the newest, so that the order of the table is not that of the ids.
  await sql`
    INSERT INTO notifications (id, account_id, from_account_id, type, subject_id, created_at, group_key, filtered)
    SELECT ${String(FORMER)}::bigint + n::bigint * 65536, 2 - n % 2, 3, CASE WHEN n % 3 = 0 THEN 'follow' ELSE 'mention' END, n,
      to_timestamp(1790000000 + n / 1000.0), CASE WHEN n % 3 = 0 THEN 'follow-' || n % 7 END, n % 11 = 5
    FROM generate_series(${COUNT}::int, 1, -1) AS n`;
  await sql`
    INSERT INTO markers (user_id, timeline, last_read_id, version, updated_at)
    VALUES (1, 'notifications', ${formerOf(102)}, 1, now()), (1, 'home', ${formerOf(102)}, 1, now()),
      (2, 'notifications', ${formerOf(1)}, 1, now())`;
  await sql`INSERT INTO notification_clears (account_id, up_to) VALUES (1, ${formerOf(9)})`;
  await sql`INSERT INTO blocks (account_id, target_account_id) VALUES (1, 3), (5, 1)`;
  await sql`INSERT INTO account_domain_blocks (account_id, domain) VALUES (1, 'large.example')`;
  await sql`
    INSERT INTO mutes (account_id, target_account_id, hide_notifications, expires_at)
    VALUES (2, 3, true, NULL), (3, 1, true, now()), (4, 1, false, NULL)`;
  const created = { id: formerOf(7), accountId: "1" };
  await sql`INSERT INTO outbox (type, payload) VALUES ('notification.created', ${sql.json(created)})`;
  await sql`
    INSERT INTO oauth_apps (id, name, redirect_uris, scopes, client_id, client_secret_hash)
    VALUES (1, 'app', '{}', '{}', 'id', '')`;
  await sql`
    INSERT INTO oauth_tokens (id, app_id, user_id, scopes, token_hash)
    SELECT n, 1, 1, '{push}', n::text::bytea FROM generate_series(1, 3) AS n`;
  await sql`
    INSERT INTO push_subscriptions (id, token_id, account_id, endpoint, p256dh, auth, standard, alerts, policy,
      access_token, created_at)
    SELECT CASE n WHEN 1 THEN 40 ELSE ${String(FORMER)}::bigint + n END, n, 1, '', '', '', true, '{}', 'all', '', now()
    FROM generate_series(1, 3) AS n`;
  const push = { subscriptionId: String(FORMER + 3n), notificationId: formerOf(7) };
  await sql`SELECT graphile_worker.add_job('push.send', ${JSON.stringify(push)}::text::json)`;
  await sql`
    SELECT graphile_worker.add_job('mail.notification', ${JSON.stringify({ notificationId: formerOf(9) })}::text::json)`;
};

before(async () => {
  upgraded = await databaseBefore(LAST);
  ({ sql } = upgraded);
  await fill();
  const start = process.hrtime.bigint();
  await upgraded.upgrade();
  if (COUNT > 100_000)
    console.log(`${COUNT} rows: ${(process.hrtime.bigint() - start) / 1_000_000n} ms`);
});
after(() => upgraded.drop());

const idOf = async (former: number): Promise<string> => {
  const [row] = await sql<{ id: string }[]>`
    SELECT id FROM notifications WHERE former_id = ${formerOf(former)}`;
  return row!.id;
};

test("rows keep their order, small ids stay, and new ones follow", async () => {
  const [row] = await sql<{ low: string; high: string; count: number; ordered: boolean }[]>`
    SELECT min(id) AS low, max(id) AS high, count(*)::int AS count, bool_and(id > before) AS ordered
    FROM (SELECT id, lag(id, 1, 0) OVER (ORDER BY coalesce(former_id, id)) AS before FROM notifications) AS n`;
  const high = String(77 + COUNT);
  assert.deepEqual({ ...row }, { low: "77", high, count: COUNT + 1, ordered: true });
  const [added] = await sql<{ id: string; former_id: null }[]>`
    INSERT INTO notifications (account_id, from_account_id, type) VALUES (3, 4, 'mention')
    RETURNING id, former_id`;
  assert.deepEqual({ ...added }, { id: String(78 + COUNT), former_id: null });
});

test("groups, markers and what was cleared name the same rows as before", async () => {
  const wrong = await sql`
    SELECT FROM notification_groups g WHERE latest_id IS DISTINCT FROM (
      SELECT max(id) FROM notifications n
      WHERE n.account_id = g.account_id AND n.group_key = g.group_key AND NOT n.filtered
    )`;
  assert.equal(wrong.count, 0);
  const markers = await sql`SELECT user_id, timeline, last_read_id FROM markers ORDER BY 1, 2`;
  assert.deepEqual(
    markers.map((row) => Object.values(row)),
    [
      ["1", "home", formerOf(102)],
      // What was read up to bob's 102nd is, of alice's, read up to the 101st.
      ["1", "notifications", await idOf(101)],
      ["2", "notifications", "0"],
    ],
  );
  const [clear] = await sql`SELECT up_to FROM notification_clears`;
  assert.equal(clear!["up_to"], await idOf(9));
});

test("a job deletes those by whoever is hidden, of each person here who hides somebody for good", async () => {
  const jobs = await sql`
    SELECT j.key, j.payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'notifications.hidden' ORDER BY j.key`;
  assert.deepEqual(
    jobs.map((job) => ({ ...job })),
    ["1", "2"].map((id) => ({ key: `notifications.hidden:${id}`, payload: { accountId: id } })),
  );
});

test("events, messages and mails that wait name them by the new ids", async () => {
  const [event] = await sql`SELECT payload FROM outbox WHERE type = 'notification.created'`;
  assert.deepEqual(event!["payload"], { id: await idOf(7), accountId: "1" });
  const [push, mail] = await sql`
    SELECT j.payload FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier <> 'notifications.hidden' ORDER BY t.identifier DESC`;
  assert.deepEqual(push!["payload"], { subscriptionId: "42", notificationId: await idOf(7) });
  assert.deepEqual(mail!["payload"], { notificationId: await idOf(9) });
  const ids = await sql`SELECT id FROM push_subscriptions ORDER BY token_id`;
  assert.deepEqual(
    ids.map(({ id }) => id),
    ["40", "41", "42"],
  );
});

test("a process of the version before, to whom ids are times, deletes nothing", async () => {
  const ofBefore = sql`
    DELETE FROM ${sql("notifications")} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${sql("notifications")} WHERE id < ${formerOf(0)} ORDER BY id LIMIT ${1000} FOR UPDATE SKIP LOCKED
    ))
    RETURNING account_id`;
  await assert.rejects(async () => ofBefore, /earlier version is still running/);
  const one = await sql`DELETE FROM notifications WHERE id = ${await idOf(5)}`;
  assert.equal(one.count, 1);
});
