// The digests of followers, which the database keeps: compared with a recount after random changes, and what a post for
// many followers on one host costs.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import type { Sql } from "../platform/db/index.ts";
import { hostIn } from "../platform/json/read.ts";
import { followersOn, loadDigests } from "./followers-sync.ts";

let t: TestApp;
let people: Person[];

before(async () => {
  t = await startTestApp({ worker: false, checked: false });
  people = [];
  for (const name of ["alice", "carol", "dora"]) people.push(await t.person(name));
});
after(() => t.close());

/** The last two are one server. */
const ORIGINS = ["https://one.example", "https://two.example", "https://TWO.example:443"];

/** Remote accounts with numbered names. */
const addAccounts = async (sql: Sql, origin: string, from: number, to: number): Promise<void> => {
  await sql`
    INSERT INTO accounts (username, domain, uri, url, inbox_url, public_key)
    SELECT 'u' || n, ${new URL(origin).host}, ${origin} || '/users/u' || n, '', ${origin} || '/inbox', ''
    FROM generate_series(${from}::int, ${to}) n`;
};

type Follower = { id: string; target: string; uri: string };

const countedAnew = async (accountId: string): Promise<Map<string, string>> => {
  const rows = await t.app.sql<Follower[]>`
    SELECT a.uri FROM follows f JOIN accounts a ON a.id = f.account_id
    WHERE f.target_account_id = ${accountId} AND a.domain IS NOT NULL AND a.suspended_at IS NULL`;
  const sums = new Map<string, bigint>();
  for (const { uri } of rows) {
    const hash = BigInt(`0x${createHash("sha256").update(uri).digest("hex")}`);
    const host = hostIn(uri)!;
    sums.set(host, (sums.get(host) ?? 0n) ^ hash);
  }
  return new Map([...sums].map(([host, sum]) => [host, sum.toString(16).padStart(64, "0")]));
};

const compare = async (where: string): Promise<void> => {
  for (const { accountId } of people) {
    const { byHost } = await loadDigests(t.app, accountId, "");
    const again = await countedAnew(accountId);
    assert.deepEqual([...byHost].toSorted(), [...again].toSorted(), where);
  }
};

/** A small generator, so that a failure can be repeated. */
const randomFrom = (seed: number) => (below: number) => {
  seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
  return (seed >>> 8) % below;
};

test("the digests agree with a recount, whatever ended a follow", async () => {
  const { sql } = t.app;
  for (const [n, origin] of ORIGINS.entries())
    await addAccounts(sql, origin, n * 20 + 1, n * 20 + 20);
  const ids = (
    await sql<{ id: string }[]>`SELECT id FROM accounts WHERE domain IS NOT NULL ORDER BY id`
  ).map(({ id }) => id);
  const random = randomFrom(7);
  const some = () => ids.filter(() => random(4) === 0);
  const targets = people.map(({ accountId }) => accountId);
  const acts: Record<string, () => Promise<unknown>> = {
    follow: () => sql`
      INSERT INTO follows (account_id, target_account_id)
      SELECT a, t FROM unnest(${some()}::bigint[]) a, unnest(${targets}::bigint[]) t
      ON CONFLICT DO NOTHING`,
    unfollow: () => sql`
      DELETE FROM follows WHERE account_id = ANY(${some()}::bigint[])
        AND target_account_id = ${targets[random(3)]!}`,
    suspend: () => sql`
      UPDATE accounts SET suspended_at = now() WHERE id = ANY(${some()}::bigint[])`,
    "lift the suspension": () => sql`
      UPDATE accounts SET suspended_at = NULL WHERE id = ANY(${some()}::bigint[])`,
    "delete an account": () => sql`DELETE FROM accounts WHERE id = ${ids[random(ids.length)]!}`,
    "change an address": () => sql`
      UPDATE accounts SET uri = uri || 'x' WHERE id = ${ids[random(ids.length)]!}`,
    "follow back": () => sql`
      INSERT INTO follows (account_id, target_account_id)
      SELECT ${targets[0]!}::bigint, id FROM accounts WHERE id = ANY(${some()}::bigint[])
      ON CONFLICT DO NOTHING`,
  };
  await acts["follow"]!();
  const names = Object.keys(acts);
  for (let n = 0; n < 60; n++) {
    const name = names[random(names.length)]!;
    // Accounts that were deleted cannot follow.
    const left = await sql<
      { id: string }[]
    >`SELECT id FROM accounts WHERE id = ANY(${ids}::bigint[])`;
    ids.splice(0, ids.length, ...left.map(({ id }) => id));
    await acts[name]!();
    await compare(`${n}: ${name}`);
  }
  assert.ok((await countedAnew(targets[1]!)).size > 0);
});

test("a follow that ends while its account is suspended is counted out once", async () => {
  const { sql } = t.app;
  const [target] = [people[0]!.accountId];
  await addAccounts(sql, "https://race.example", 1, 1);
  const [row] = await sql<{ id: string }[]>`SELECT id FROM accounts WHERE domain = 'race.example'`;
  const { id } = row!;
  const follow = () => sql`
    INSERT INTO follows (account_id, target_account_id) VALUES (${id}, ${target!})`;
  const gate = Promise.withResolvers<void>();
  await follow();
  const locked = Promise.withResolvers<void>();
  const suspending = sql.begin(async (tx) => {
    await tx`UPDATE accounts SET suspended_at = now() WHERE id = ${id}`;
    locked.resolve();
    await gate.promise;
  });
  await locked.promise;
  const unfollowing = sql`DELETE FROM follows WHERE account_id = ${id}`.execute();
  // It waits for the suspension.
  for (let isWaiting = false; !isWaiting;) {
    const rows = await sql`SELECT FROM pg_locks WHERE NOT granted`;
    isWaiting = rows.length > 0;
  }
  gate.resolve();
  await Promise.all([suspending, unfollowing]);
  await compare("unfollowed while suspended");
  await sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${id}`;
  await compare("lifted");
});

test("an account that is deleted takes its digests along", async () => {
  const { sql } = t.app;
  const eve = await t.person("eve");
  await sql`
    INSERT INTO follows (account_id, target_account_id)
    SELECT id, ${eve.accountId} FROM accounts WHERE domain IS NOT NULL`;
  await sql`DELETE FROM accounts WHERE id = ${eve.accountId}`;
  assert.equal(
    (await sql`SELECT FROM follower_digests WHERE account_id = ${eve.accountId}`).length,
    0,
  );
});

test("many followers on one host: one row is read, however many they are", async () => {
  const many = 2_000;
  const { sql } = t.app;
  const frank = await t.person("frank");
  await addAccounts(sql, "https://big.example", 1, many);
  await sql`
    INSERT INTO follows (account_id, target_account_id)
    SELECT id, ${frank.accountId} FROM accounts WHERE domain = 'big.example'`;
  people.push(frank);
  await compare("big");
  const rows = await sql`SELECT FROM follower_digests WHERE account_id = ${frank.accountId}`;
  assert.equal(rows.length, 1);
  const { queries } = await t.countQueries(() => loadDigests(t.app, frank.accountId, ""));
  assert.equal(queries, 1);
  assert.equal((await followersOn(t.app, frank.accountId, "big.example")).length, many);
  assert.deepEqual(await followersOn(t.app, frank.accountId, "none.example"), []);
});
