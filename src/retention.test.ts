// What is old is deleted, slice by slice, by the jobs that the crontab enqueues; what is not old stays.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { parseCronItem } from "graphile-worker";
import { startTestApp } from "../test/harness.ts";
import type { Person, TestApp } from "../test/harness.ts";
import { crontab, jobTable } from "./jobs.ts";
import { SLICE } from "./platform/db/delete-older.ts";
import { addDays, idAt } from "./platform/ids/index.ts";
import { retention } from "./retention.ts";

const NOW = new Date("2030-06-15T12:00:00Z");

let t: TestApp;
let alice: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => NOW } });
  alice = await t.person("alice");
});
after(() => t.close());

type Case = { table: string; days: number; insert: (at: Date, n: number) => Promise<unknown> };

const hash = (n: number): Buffer => Buffer.from(`h${n}`);

const statusId = async (): Promise<string> => {
  const json = { status: "one" };
  return (await alice.post("/api/v1/statuses", json)).json.id;
};

const appId = async (): Promise<string> => {
  const json = { client_name: "app", redirect_uris: "https://app.example/" };
  return (await t.visitor.post("/api/v1/apps", json)).json.id;
};

const cases: Record<string, Case> = {
  archives: {
    table: "archives",
    days: 7,
    insert: (at) => t.write`
      INSERT INTO archives (account_id, created_at) VALUES (${alice.accountId}, ${at})`,
  },
  blocked_sign_ups: {
    table: "email_domain_block_tries",
    days: 7,
    insert: (at, n) => t.write`
      WITH block AS (
        INSERT INTO email_domain_blocks (domain) VALUES (${`b${n}.example`}) RETURNING id
      )
      INSERT INTO email_domain_block_tries (block_id, day, ip)
      SELECT id, ${at}::date, '192.0.2.1' FROM block`,
  },
  codes: {
    table: "oauth_codes",
    days: 1,
    insert: async (at, n) => {
      const app = await appId();
      return t.write`
        INSERT INTO oauth_codes (code_hash, app_id, user_id, redirect_uri, scopes, expires_at)
        VALUES (${hash(n)}, ${app}, ${alice.userId}, 'https://app.example/', '{read}', ${at})`;
    },
  },
  deliveries: {
    table: "deliveries",
    days: 7,
    insert: (at) => t.write`
      INSERT INTO deliveries (id, host, activity_id, inbox)
      VALUES (${idAt(at)}, 'gone.example', 1, 'https://gone.example/inbox')`,
  },
  domain_list_changes: {
    table: "domain_list_changes",
    days: 90,
    insert: (at, n) => t.write`
      INSERT INTO domain_list_changes (domain, change, lists, created_at)
      VALUES (${`d${n}.example`}, 'removed', '{}', ${at})`,
  },
  early_deletes: {
    table: "early_deletes",
    days: 7,
    insert: (at, n) => t.write`
      INSERT INTO early_deletes (actor_uri, uri, created_at) VALUES ('a', ${`u${n}`}, ${at})`,
  },
  fasp_registrations: {
    table: "fasp_providers",
    days: 7,
    insert: (at) => t.write`
      INSERT INTO fasp_providers (name, base_url, server_id, public_key, private_key, created_at)
      VALUES ('Finder', 'https://finder.example', '1', '', '', ${at})`,
  },
  former_follows: {
    table: "former_follows",
    days: 90,
    insert: async (at) => {
      const stranger = await t.write`
        INSERT INTO accounts (username, domain, uri, url)
        SELECT n, 'former.example', 'https://former.example/' || n, '' FROM (SELECT gen_random_uuid()::text AS n) AS names
        RETURNING id`;
      return t.write`
        INSERT INTO former_follows (account_id, target_account_id, created_at)
        VALUES (${stranger[0]!["id"]}, ${alice.accountId}, ${at})`;
    },
  },
  idempotency_keys: {
    table: "status_idempotency",
    days: 1 / 24,
    insert: async (at, n) => t.write`
      INSERT INTO status_idempotency (account_id, key, status_id, created_at)
      VALUES (${alice.accountId}, ${`k${n}`}, ${await statusId()}, ${at})`,
  },
  imports: {
    table: "imports",
    days: 7,
    insert: (at) => t.write`
      INSERT INTO imports (account_id, kind, file_name, overwrite, created_at)
      VALUES (${alice.accountId}, 'mutes', 'mutes.csv', false, ${at})`,
  },
  ip_blocks: {
    table: "ip_blocks",
    days: 0.02,
    insert: (at, n) => t.write`
      INSERT INTO ip_blocks (ip, severity, expires_at)
      VALUES (${`192.0.2.${n}`}, 'sign_up_block', ${addDays(at, 0.02)})`,
  },
  notifications: {
    table: "notifications",
    days: 365,
    insert: (at, n) => t.write`
      INSERT INTO notifications (account_id, from_account_id, type, subject_id, created_at)
      VALUES (${alice.accountId}, ${alice.accountId}, 'annual_report', ${n}, ${at})`,
  },
  outgoing_activities: {
    table: "outgoing_activities",
    days: 8,
    insert: (at) => t.write`
      INSERT INTO outgoing_activities (account_id, body, created_at)
      VALUES (${alice.accountId}, '{}', ${at})`,
  },
  peers: {
    table: "peers",
    days: 90,
    insert: (at, n) => t.write`INSERT INTO peers (host, checked_at) VALUES (${`p${n}`}, ${at})`,
  },
  recommended_accounts: {
    table: "recommended_accounts",
    days: 30,
    insert: async (at, n) => {
      const { accountId } = await t.person(`recommended${n}`);
      return t.write`
        INSERT INTO recommended_accounts (account_id, target_account_id, found_at)
        VALUES (${alice.accountId}, ${accountId}, ${at})`;
    },
  },
  remote_hosts: {
    table: "remote_hosts",
    days: 30,
    insert: (at, n) => t.write`
      INSERT INTO remote_hosts (host, failures, settled_at) VALUES (${`h${n}`}, 9, ${at})`,
  },
  sessions: {
    table: "sessions",
    days: 90,
    insert: (at, n) => t.write`
      INSERT INTO sessions (token_hash, user_id, used_at)
      VALUES (${hash(n)}, ${alice.userId}, ${at})`,
  },
  shared_acts: {
    table: "shared_acts",
    days: 180,
    insert: (at) => t.write`
      INSERT INTO shared_acts (user_id, act, created_at) VALUES (${alice.userId}, 'post', ${at})`,
  },
  group_acts: {
    table: "group_acts",
    days: 365,
    insert: (at) => t.write`
      WITH new_group AS (
        INSERT INTO groups (account_id) VALUES (${alice.accountId}) ON CONFLICT DO NOTHING
      )
      INSERT INTO group_acts (group_id, action, created_at) VALUES (${alice.accountId}, 'ban', ${at})`,
  },
  group_answers: {
    table: "group_answers",
    days: 2,
    insert: (at, n) => t.write`
      WITH new_group AS (
        INSERT INTO groups (account_id) VALUES (${alice.accountId}) ON CONFLICT DO NOTHING
      ), answer AS (
        INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
        VALUES (
          snowflake(), ${alice.accountId}, ${`urn:answer${n}`}, true, 'public', false, ${at}
        ) RETURNING id
      )
      INSERT INTO group_answers (group_id, status_id, account_id, created_at)
      SELECT ${alice.accountId}, id, ${alice.accountId}, ${at} FROM answer`,
  },
  spam: {
    table: "spam_matches",
    days: 30,
    insert: (at, n) => t.write`
      WITH rule AS (
        INSERT INTO spam_rules (name, conditions, actions, created_at, updated_at)
        VALUES (${`r${n}`}, '[]', '{}', ${at}, ${at}) RETURNING id
      )
      INSERT INTO spam_matches (rule_id, account_id, state, text, created_at)
      SELECT id, ${alice.accountId}, 'rejected', 'x', ${at} FROM rule`,
  },
  subscriptions: {
    table: "email_subscriptions",
    days: 7,
    insert: (at, n) => t.write`
      INSERT INTO email_subscriptions (account_id, email, locale, expires_at)
      VALUES (${alice.accountId}, ${`n${n}@there.example`}, 'en', ${addDays(at, 7)})`,
  },
  tag_days: {
    table: "tag_days",
    days: 14,
    insert: async (at, n) => t.write`
      WITH tag AS (
        INSERT INTO tags (name, display_name) VALUES (${`t${n}`}, ${`t${n}`}) RETURNING id
      )
      INSERT INTO tag_days (tag_id, day) SELECT id, ${at}::date FROM tag`,
  },
  tokens: {
    table: "oauth_tokens",
    days: 30,
    insert: (at, n) => t.write`
      INSERT INTO oauth_tokens (token_hash, user_id, scopes, revoked_at)
      VALUES (${hash(n)}, ${alice.userId}, '{read}', ${at})`,
  },
  expired_tokens: {
    table: "oauth_tokens",
    days: 1,
    insert: (at, n) => t.write`
      INSERT INTO oauth_tokens (token_hash, user_id, scopes, session_id, expires_at)
      VALUES (${hash(n + 10)}, ${alice.userId}, '{read}', 1, ${at})`,
  },
  tombstones: {
    table: "tombstones",
    days: 90,
    insert: (at, n) => t.write`INSERT INTO tombstones (uri, created_at) VALUES (${`u${n}`}, ${at})`,
  },
  weeks: {
    table: "user_weeks",
    days: 91,
    insert: (at) => t.write`INSERT INTO user_weeks (user_id, week) VALUES (${alice.userId}, ${at})`,
  },
};

const rows = async (table: string): Promise<number> => {
  const [row] = await t.app.sql<{ count: number }[]>`
    SELECT count(*)::int AS count FROM ${t.app.sql(table)}
  `;
  return row!.count;
};

const run = async (what: string): Promise<void> => {
  await t.app.jobs.add(t.app.sql, "retention.due", { what });
  await t.runJobs();
};

test("everything with an age has its case here, or a file of its own", () => {
  const own = [
    "cards",
    "remote_files",
    "remote_statuses",
    "seen_activities",
    "sso_assertions",
    "uploads",
  ];
  assert.deepEqual(Object.keys(retention).toSorted(), [...Object.keys(cases), ...own].toSorted());
});

for (const [what, { table, days, insert }] of Object.entries(cases)) {
  test(`${what}: what is older goes, the rest stays`, async () => {
    const before = await rows(table);
    const margin = days < 1 ? days / 2 : 1;
    await insert(addDays(NOW, -days - margin), 1);
    await insert(addDays(NOW, -days + margin), 2);
    assert.equal(await rows(table), before + 2);
    await run(what);
    assert.equal(await rows(table), before + 1);
    await run(what);
    assert.equal(await rows(table), before + 1);
  });
}

test("texts that rules against spam compare go after a day", async () => {
  for (const [n, days] of [-2, 0].entries()) {
    await t.write`
      INSERT INTO spam_texts (hash, account_id, at) VALUES (${hash(n)}, ${alice.accountId}, ${addDays(NOW, days)})`;
  }
  await run("spam");
  assert.equal(await rows("spam_texts"), 1);
});

test("more than a slice goes, slice by slice; two at once do no harm", async () => {
  await t.write`
    INSERT INTO tombstones (uri, created_at)
    SELECT 'many' || n, '2020-01-01' FROM generate_series(1, ${2 * SLICE + 5}) AS n`;
  const kept = await rows("tombstones");
  await Promise.all([retention["tombstones"]!(t.app, NOW), retention["tombstones"]!(t.app, NOW)]);
  assert.ok((await rows("tombstones")) >= kept - 2 * SLICE);
  t.enqueued.length = 0;
  await run("tombstones");
  assert.equal(await rows("tombstones"), kept - 2 * SLICE - 5);
  assert.ok(t.enqueued.length <= 3);
});

test("that an activity was received is known in the week after, then its week is emptied at once", async () => {
  const week = (offset: number) => Math.floor(addDays(NOW, offset).getTime() / 604_800_000) % 3;
  const add = (offset: number) => t.write`
    INSERT INTO seen_activities (slot, key) VALUES (${week(offset)}, gen_random_uuid())`;
  for (const offset of [0, -7, -14]) await add(offset);
  await run("seen_activities");
  const left = await t.app.sql`SELECT slot FROM seen_activities ORDER BY slot`;
  assert.deepEqual(
    left.map((row) => row["slot"]),
    [week(0), week(-7)].toSorted((a, b) => a - b),
  );
});

test("0 days: notifications are stored for ever", async () => {
  const { retention: settings } = t.app.config;
  settings.notificationDays = 0;
  await cases["notifications"]!.insert(new Date("2020-01-01T00:00:00Z"), 3);
  const all = await rows("notifications");
  await run("notifications");
  assert.equal(await rows("notifications"), all);
  settings.notificationDays = 365;
  await run("notifications");
  assert.equal(await rows("notifications"), all - 1);
});

test("the crontab enqueues every retention, and jobs that exist", () => {
  for (const { job, match, payload } of crontab) {
    assert.ok(job in jobTable, job);
    parseCronItem({ task: job, match });
    if (job === "retention.due") assert.ok(payload.what in retention);
  }
  const due = crontab.flatMap((schedule) =>
    schedule.job === "retention.due" ? [schedule.payload.what] : [],
  );
  assert.deepEqual(due.toSorted(), Object.keys(retention).toSorted());
});
