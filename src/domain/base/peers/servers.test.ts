// The list of servers: what is counted of each, in which orders and by what it is read, and that 50,000 are no problem.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { addDays } from "../../../platform/ids/index.ts";
import { purgeMedia } from "../../staff/moderation/servers.ts";
import { COMMAND_LINE } from "../roles/permissions.ts";
import {
  countServersDue,
  findServer,
  listServers,
  serverTotals,
  sizesOfServers,
  softwareOfServers,
} from "./servers.ts";
import type { ServerFilter } from "./servers.ts";

let time = Date.now();

let t: TestApp;
let alice: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(time) }, worker: false });
  alice = await t.person("alice");
});
after(() => t.close());

const accounts = (domain: string, count: number, host = domain) => t.write`
  INSERT INTO accounts (username, domain, uri, url, inbox_url, shared_inbox_url, avatar_url)
  SELECT ${domain} || n, ${domain}, 'https://' || ${host}::text || '/' || ${domain} || n, '', '',
    'https://' || ${host}::text || '/inbox', 'https://files.' || ${domain} || '/' || n
  FROM generate_series(1, ${count}::int) AS n`;

const file = (n: number, host: string, bytes: number) => t.app.sql`
  INSERT INTO remote_files (hash, host, key, bytes) VALUES (${Buffer.from(`f${n}`)}, ${host}, ${`remote/${n}`}, ${bytes})`;

/** All pieces of a pass. */
const count = async (): Promise<void> => {
  t.enqueued.length = 0;
  await countServersDue(t.app, {});
  for (;;) {
    const next = t.enqueued.pop();
    if (!next || next.name !== "servers.count") return;
    await countServersDue(t.app, next.payload as { after?: string });
  }
};

const ALL: ServerFilter = {
  order: "accounts",
  name: null,
  software: null,
  state: null,
  goneSince: addDays(new Date(time), -7),
  after: null,
};

const names = async (filter: Partial<ServerFilter>, limit = 50) =>
  (await listServers(t.app, { ...ALL, ...filter }, limit)).map(({ domain }) => domain);

describe("what is counted", () => {
  before(async () => {
    await accounts("big.example", 3);
    await accounts("Mid.example", 2, "social.mid.example");
    await accounts("small.example", 1);
    await t.write`
      INSERT INTO follows (account_id, target_account_id)
      SELECT ${alice.accountId}, id FROM accounts WHERE domain IN ('mid.example', 'small.example')`;
    await t.write`
      INSERT INTO follows (account_id, target_account_id)
      SELECT id, ${alice.accountId} FROM accounts WHERE domain = 'mid.example'`;
    await file(1, "files.mid.example", 5000);
    await file(2, "mid.example", 7);
    await file(3, "big.example", 900);
    await t.app.sql`
      INSERT INTO peers (host, software, version, checked_at)
      VALUES ('big.example', 'mastodon', '4.5.1', now()), ('social.mid.example', 'pleroma', NULL, now())`;
    await t.app.sql`
      INSERT INTO remote_hosts (host, failing_since, stopped_at) VALUES
        ('big.example', NULL, NULL), ('social.mid.example', ${addDays(new Date(time), -1)}, NULL)`;
    await count();
  });

  test("accounts, follows both ways, files and where the inboxes are", async () => {
    const {
      counted_at: _at,
      settled_at: _settled,
      failing_since: _since,
      ...mid
    } = (await findServer(t.app, "mid.example"))!;
    assert.deepEqual(mid, {
      domain: "mid.example",
      host: "social.mid.example",
      media_hosts: ["mid.example", "files.mid.example"],
      accounts: 2,
      followed: 2,
      followers: 2,
      media_bytes: "5007",
      software: "pleroma",
      version: null,
      stopped_at: null,
    });
    assert.equal(await findServer(t.app, "nobody.example"), null);
  });

  test("in each order, page by page", async () => {
    assert.deepEqual(await names({}), ["big.example", "mid.example", "small.example"]);
    assert.deepEqual(await names({ order: "followed" }), [
      "mid.example",
      "small.example",
      "big.example",
    ]);
    assert.deepEqual(await names({ order: "followers" }, 1), ["mid.example"]);
    assert.deepEqual(await names({ order: "media_bytes" }), [
      "mid.example",
      "big.example",
      "small.example",
    ]);
    for (const order of ["accounts", "followed", "followers", "media_bytes", "name"] as const) {
      const whole = await names({ order });
      const pages: string[] = [];
      for (let after: ServerFilter["after"] = null; ;) {
        const [row] = await listServers(t.app, { ...ALL, order, after }, 1);
        if (!row) break;
        pages.push(row.domain);
        after = { value: order === "name" ? "0" : String(row[order]), domain: row.domain };
      }
      assert.deepEqual(pages, whole, order);
    }
  });

  test("by name, software and state", async () => {
    assert.deepEqual(await names({ name: "ID.EX".toLowerCase() }), ["mid.example"]);
    assert.deepEqual(await names({ name: "%" }), []);
    assert.deepEqual(await names({ software: "mastodon" }), ["big.example"]);
    assert.deepEqual(await names({ state: "working" }), ["big.example"]);
    assert.deepEqual(await names({ state: "failing" }), ["mid.example"]);
    assert.deepEqual(await names({ state: "gone" }), []);
    assert.deepEqual(await names({ state: "gone", goneSince: new Date(time) }), ["mid.example"]);
    assert.deepEqual(await names({ state: "stopped" }), []);
    const totals = await serverTotals(t.app, ALL.goneSince);
    assert.deepEqual({ ...totals }, { servers: 3, failing: 1, gone: 0, stopped: 0 });
    assert.deepEqual(
      (await softwareOfServers(t.app, 9))
        .map((row) => ({ ...row }))
        .toSorted((a, b) => a.accounts - b.accounts),
      [
        { software: null, servers: 1, accounts: 1 },
        { software: "pleroma", servers: 1, accounts: 2 },
        { software: "mastodon", servers: 1, accounts: 3 },
      ],
    );
    assert.deepEqual(
      (await sizesOfServers(t.app)).map((row) => ({ ...row })),
      [
        { size: 0, servers: 1 },
        { size: 1, servers: 2 },
      ],
    );
  });

  test("once a day, and what is known no more goes", async () => {
    await accounts("new.example", 1);
    await t.write`DELETE FROM accounts WHERE domain = 'small.example'`;
    await t.write`DELETE FROM accounts WHERE username = 'big.example3'`;
    await count();
    assert.ok(await findServer(t.app, "new.example"));
    assert.equal(await findServer(t.app, "small.example"), null);
    assert.equal((await findServer(t.app, "big.example"))!.accounts, 3);
    time += 86_400_000;
    await count();
    assert.equal((await findServer(t.app, "big.example"))!.accounts, 2);
  });

  test("copies of its media go, wherever they are, and no others", async () => {
    await purgeMedia(t.app, COMMAND_LINE, "mid.example");
    await t.runJobs();
    const rows = await t.app.sql`SELECT host FROM remote_files`;
    assert.deepEqual(
      rows.map(({ host }) => host),
      ["big.example"],
    );
    const [entry] = await t.app.sql`SELECT action, target_label FROM audit_log ORDER BY id DESC`;
    assert.deepEqual({ ...entry }, { action: "domain.purge_media", target_label: "mid.example" });
  });
});

describe("50,000 servers", () => {
  before(async () => {
    await t.app.sql`
      INSERT INTO servers
      SELECT 's' || n || '.many.example', 's' || n || '.many.example', '{}', n % 977, n % 89, n % 97,
        n % 9973, now()
      FROM generate_series(1, 50000) AS n`;
    await t.app.sql`
      INSERT INTO remote_hosts (host, failing_since)
      SELECT 's' || n || '.many.example', CASE WHEN n % 100 = 0 THEN now() END
      FROM generate_series(1, 50000) AS n`;
    for (const table of ["servers", "remote_hosts", "peers"]) {
      await t.app.sql.unsafe(`VACUUM ANALYZE ${table}`);
    }
  });

  const scanned = async (table: string): Promise<number> => {
    const [row] = await t.app.sql`
      SELECT pg_stat_get_tuples_returned(${table}::regclass)::int AS rows,
        pg_stat_force_next_flush()`;
    return row!["rows"];
  };

  test("a page is read by the index of its order, whatever comes before it", async () => {
    for (const order of ["accounts", "followed", "followers", "media_bytes", "name"] as const) {
      const page = (after: ServerFilter["after"]) =>
        listServers(t.app, { ...ALL, order, after }, 50);
      const first = await page(null);
      const last = first.at(-1)!;
      const value = order === "name" ? "0" : String(last[order]);
      const before = await scanned("servers");
      const next = await page({ value, domain: last.domain });
      assert.equal(next.length, 50);
      assert.ok((await scanned("servers")) - before < 50_000, order);
      const all = [...first, ...next].map(({ domain }) => domain);
      assert.equal(new Set(all).size, 100);
    }
  });

  test("the few that do not answer are found among them", async () => {
    const rows = await names({ state: "failing", order: "name" }, 600);
    assert.equal(rows.filter((name) => name.endsWith("many.example")).length, 500);
  });
});
