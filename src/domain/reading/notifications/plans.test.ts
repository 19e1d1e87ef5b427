// Who is hidden costs nothing: until their notifications are put away, a count asks once for each of them; then
// everything reads little more than it shows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openPlans } from "../../../../test/plans.ts";
import type { Plans } from "../../../../test/plans.ts";
import { newestPage } from "../../../platform/db/paging.ts";
import { judgeSlice, selectPage } from "./queries.ts";
import { countUnreadGroups, selectGroupPage } from "./queries-groups.ts";
import { selectRequests, selectSummary } from "./queries-policy.ts";
import { GROUPED_TYPES, NOTIFICATION_TYPES } from "./tables.ts";
import type { NotificationFilter, NotificationType } from "./tables.ts";

const READER = "1";
const HIDDEN = 20;
/** Those of hidden senders, which are newer than the ones of the sender who is shown. */
const OF_HIDDEN = 3000;
const SHOWN = 50;
/** Those that each of some others got by the same senders. */
const OF_OTHERS = 500;
const LIMIT = 20;

let plans: Plans;
before(async () => {
  plans = await openPlans();
  const { sql } = plans;
  await plans.people(2, HIDDEN);
  await sql`
    INSERT INTO notifications (account_id, from_account_id, type, subject_id, group_key, filtered)
    SELECT to_id, CASE WHEN n <= ${SHOWN * 3} THEN 1000 ELSE 3 + n % ${HIDDEN} END,
      CASE n % 3 WHEN 1 THEN 'follow' ELSE 'mention' END, n, CASE n % 3 WHEN 1 THEN 'follow-' || n END, n % 3 = 2
    FROM generate_series(1, ${SHOWN * 3 + OF_HIDDEN}::int) AS n, generate_series(1, ${HIDDEN}::int) AS to_id
    WHERE to_id = 1 OR n > ${OF_HIDDEN - OF_OTHERS} ORDER BY n
  `;
  // One in four blocks the reader, one is suspended, one is muted for a while; the reader blocks one.
  await sql`INSERT INTO blocks (account_id, target_account_id, uri)
    SELECT CASE n % 4 WHEN 0 THEN n ELSE 1 END, CASE n % 4 WHEN 0 THEN 1 ELSE n END, 'https://large.example/' || n
    FROM generate_series(3, ${HIDDEN + 2}::int) AS n WHERE n % 4 IN (0, 1)`;
  await sql`UPDATE accounts SET suspended_at = now() WHERE id % 4 = 2 AND id BETWEEN 3 AND ${HIDDEN + 2}`;
  await sql`INSERT INTO mutes (account_id, target_account_id, expires_at)
    SELECT 1, n, now() + interval '1 day' FROM generate_series(3, ${HIDDEN + 2}::int) AS n WHERE n % 4 = 3`;
  for (const table of ["accounts", "notifications", "notification_groups"])
    await plans.empty(table);
});
after(() => plans.close());

const of = (types: readonly NotificationType[]): NotificationFilter => ({
  types: [...types],
  fromId: null,
  filtered: [false],
  reactions: null,
});
const groupsOf = (types: readonly NotificationType[]) => ({
  ...of(types),
  grouped: GROUPED_TYPES,
});

const alone = (types: readonly NotificationType[]) => ({ ...of(types), grouped: [] });

const PAGE = newestPage(LIMIT);
const now = new Date();

const READS = {
  unread: () => countUnreadGroups(plans.sql, READER, alone(NOTIFICATION_TYPES), LIMIT, now),
  "unread groups": () =>
    countUnreadGroups(plans.sql, READER, groupsOf(NOTIFICATION_TYPES), LIMIT, now),
  page: () => selectPage(plans.sql, READER, PAGE, of(NOTIFICATION_TYPES), now),
  mentions: () => selectPage(plans.sql, READER, PAGE, of(["mention"]), now),
  groups: () => selectGroupPage(plans.sql, READER, PAGE, groupsOf(NOTIFICATION_TYPES), now),
  summary: () => selectSummary(plans.sql, READER, LIMIT, now),
  requests: () => selectRequests(plans.sql, READER, PAGE, now),
};

/** Entries of indexes for a page of groups: each, one that shows it, its sample, and a sender. */
const MOST_READ = 8 * LIMIT;

/** Indexes that these reads may use, with that of the senders. */
const INDEXES = [
  "accounts_pkey",
  "notifications_pkey",
  "notifications_page",
  "notifications_of_type",
  "notifications_of_group",
  "notification_groups_page",
  "notification_requests_page",
];

const entriesRead = async (): Promise<number> => {
  let entries = await plans.scanned("notifications");
  for (const index of INDEXES) entries += await plans.read(index);
  return entries;
};

/** Judges as many slices as those of whoever is hidden fill. */
const judge = async (): Promise<void> => {
  let slices = 1;
  while (await plans.sql.begin((tx) => judgeSlice(tx, { accountId: READER }, now))) slices += 1;
  assert.equal(slices, 1 + OF_HIDDEN / 1000);
};

test("a count asks once for each sender who is hidden, however much they sent", async () => {
  const before = await plans.read("accounts_pkey");
  assert.equal(await READS.unread(), LIMIT);
  assert.ok((await plans.read("accounts_pkey")) - before < 2 * HIDDEN);
});

test("once theirs are put away, everything reads little, and is as before; it comes back with them", async () => {
  const shown = new Map<string, unknown>();
  for (const [name, read] of Object.entries(READS)) shown.set(name, await read());
  await judge();
  for (const table of ["notifications", "notification_groups", "notification_requests"])
    await plans.empty(table);
  for (const [name, read] of Object.entries(READS)) {
    const before = await entriesRead();
    assert.deepEqual(await read(), shown.get(name), name);
    assert.ok((await entriesRead()) - before <= MOST_READ, name);
  }
  await plans.sql`DELETE FROM blocks`;
  await plans.sql`DELETE FROM mutes`;
  await plans.sql`UPDATE accounts SET suspended_at = NULL`;
  await judge();
  const left = await plans.sql`
    SELECT FROM notifications WHERE filtered IS NULL OR was_filtered IS NOT NULL
      OR filtered <> (type = 'mention' AND subject_id % 3 = 2)`;
  assert.equal(left.count, 0);
});
