// Cached credentials never outlive a change: revoked, suspended, disabled, another role or language.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { connect } from "../../../platform/db/index.ts";
import { authenticate, pageCredentials } from "./authenticate.ts";

let t: TestApp;
let alice: Person;

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  await warm(alice.token);
});
after(() => t.close());

const status = async (token: string) =>
  (await t.as(token).get("/api/v1/accounts/verify_credentials")).status;

const queriesOf = async (token: string): Promise<number> =>
  (await t.countQueries(async () => authenticate(t.app, token), { warm: true })).queries;

/** Requests until the token is cached: the first reads may come before the LISTEN is set up. */
const warm = async (token: string): Promise<void> => {
  for (let i = 0; i < 200; i++) {
    if ((await queriesOf(token)) === 0) return;
    await sleep(10);
  }
  assert.fail("the credentials are never cached");
};

/** The notification of the database takes a moment; waits for it at most two seconds. */
const eventually = async (token: string, expected: number): Promise<void> => {
  for (let i = 0; i < 200 && (await status(token)) !== expected; i++) await sleep(10);
  assert.equal(await status(token), expected);
};

test("a cached token needs no query", async () => {
  await warm(alice.token);
  assert.equal(await queriesOf(alice.token), 0);
});

test("a revoked token is refused by the very next request", async () => {
  const token = await t.token(alice.userId, ["read"]);
  await warm(token);
  assert.equal(await status(token), 200);
  await t.visitor.post("/oauth/revoke", new URLSearchParams({ token }));
  assert.equal(await status(token), 401);
});

test("the database notifies of changes by other processes", async () => {
  const sql = connect(t.databaseUrl, { max: 1, application: "other" });
  const bob = await t.person("bob");
  await warm(bob.token);
  await sql`UPDATE users SET disabled = true WHERE id = ${bob.userId}`;
  await eventually(bob.token, 403);
  await sql`UPDATE users SET disabled = false WHERE id = ${bob.userId}`;
  await eventually(bob.token, 200);
  await warm(bob.token);
  await sql`UPDATE accounts SET suspended_at = now() WHERE id = ${bob.accountId}`;
  await eventually(bob.token, 403);
  await sql`UPDATE accounts SET suspended_at = NULL WHERE id = ${bob.accountId}`;
  await eventually(bob.token, 200);
  await warm(bob.token);
  await sql`DELETE FROM oauth_tokens WHERE user_id = ${bob.userId}`;
  await eventually(bob.token, 401);
  await sql.end();
});

test("a chosen language holds at once", async () => {
  const settings = t.app.sql.json({ chosen_languages: ["de"] });
  await t.write`UPDATE users SET settings = ${settings} WHERE id = ${alice.userId}`;
  for (let i = 0; i < 200; i++) {
    const credentials = await authenticate(t.app, alice.token);
    const chosen = credentials?.viewer?.settings["chosen_languages"];
    if (Array.isArray(chosen) && chosen[0] === "de") return;
    await sleep(10);
  }
  assert.fail("the old languages are still cached");
});

test("an unknown token is asked for each time", async () => {
  await authenticate(t.app, "nobody's");
  assert.ok((await queriesOf("nobody's")) > 0);
});

test("what a page may do needs no query either, and changes with the person", async () => {
  const carol = await t.person("carol");
  await warm(carol.token);
  const who = { userId: carol.userId, accessId: null };
  const asked = () => t.countQueries(() => pageCredentials(t.app, who), { warm: true });
  assert.equal((await asked()).result?.viewer?.locale, "en");
  assert.equal((await asked()).queries, 0);
  await t.write`UPDATE users SET locale = 'de' WHERE id = ${carol.userId}`;
  assert.equal((await asked()).result?.viewer?.locale, "de");
});
