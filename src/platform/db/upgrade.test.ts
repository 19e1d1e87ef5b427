// A database of the version before, with rows in it, becomes one of this version and loses nothing.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { databaseBefore } from "../../../test/database.ts";
import { insertManyIncoming } from "../../federation/inbox/queries.ts";
import { isUniqueViolation } from "./index.ts";
import type { Sql } from "./index.ts";

/** The last migration of the version before. */
const LAST = "0022";

let upgraded: Awaited<ReturnType<typeof databaseBefore>>;
let sql: Sql;

const fill = async (): Promise<void> => {
  await sql`
    INSERT INTO accounts (id, username, domain, uri, url, public_key, private_key)
    VALUES (1, 'alice', NULL, 'https://here.example/users/alice', '', 'PUBLIC', 'PRIVATE'),
      (2, 'bob', 'far.example', 'https://far.example/bob', '', 'THEIRS', NULL)`;
  await sql`INSERT INTO users (id, account_id, email, password_hash) VALUES (1, 1, 'a@b.example', '')`;
  await sql`
    INSERT INTO oauth_apps (id, name, redirect_uris, scopes, client_id, client_secret_hash)
    VALUES (1, 'app', '{}', '{}', 'id', '')`;
  await sql`
    INSERT INTO conversations (id, uri) VALUES (10, NULL), (11, 'tag:far.example,thread')`;
  await sql`
    INSERT INTO statuses
      (id, account_id, uri, url, local, visibility, conversation_id, app_id, created_at)
    VALUES (100, 1, 'https://here.example/1', NULL, true, 'direct', 10, 1, now()),
      (101, 2, 'https://far.example/1', 'https://far.example/@bob/1', false, 'public', 11, NULL, now())`;
  await sql`INSERT INTO mentions (status_id, account_id) VALUES (100, 2), (101, 1)`;
  await sql`
    INSERT INTO incoming_activities (id, uri, actor_uri, body, done_at)
    VALUES (1, 'https://far.example/a', 'https://far.example/bob', '', now()),
      (2, 'https://far.example/b', 'https://far.example/bob', '{}', NULL)`;
  await sql`INSERT INTO conversation_mutes (account_id, conversation_id) VALUES (1, 10), (1, 11)`;
  await sql`
    INSERT INTO account_conversations (account_id, conversation_id, participant_ids, last_status_id)
    VALUES (1, 10, '{2}', 100)`;
  await sql`INSERT INTO follows (account_id, target_account_id) VALUES (2, 1), (1, 2)`;
};

before(async () => {
  upgraded = await databaseBefore(LAST);
  ({ sql } = upgraded);
  await fill();
  await upgraded.upgrade();
});
after(() => upgraded.drop());

test("statuses keep their conversations, their app and their addresses", async () => {
  const rows = await sql`
    SELECT s.id, s.conversation_id, s.app_id, c.uri
    FROM statuses s LEFT JOIN conversations c ON c.id = s.conversation_id ORDER BY s.id`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [
      { id: "100", conversation_id: "10", app_id: "1", uri: null },
      { id: "101", conversation_id: "11", app_id: null, uri: "tag:far.example,thread" },
    ],
  );
  const again = sql`
    INSERT INTO statuses (id, account_id, uri, local, visibility, awaits_approval, created_at)
    VALUES (102, 2, 'https://far.example/1', false, 'public', false, now())`;
  await assert.rejects(again, isUniqueViolation);
});

test("mentions know whether their status is direct", async () => {
  const rows = await sql`SELECT status_id, direct FROM mentions ORDER BY 1`;
  assert.deepEqual(
    rows.map((row) => [row["status_id"], row["direct"]]),
    [
      ["100", true],
      ["101", false],
    ],
  );
});

test("private keys are in their table, of those who have one", async () => {
  const rows = await sql`SELECT account_id, private_key FROM account_keys`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ account_id: "1", private_key: "PRIVATE" }],
  );
  const [left] = await sql`
    SELECT count(*)::int AS count FROM information_schema.columns
    WHERE column_name = 'private_key' AND table_name = 'accounts'`;
  assert.equal(left!["count"], 0);
});

test("activities that wait still do, and all of the last days are known", async () => {
  const waiting = await sql`SELECT id, body FROM incoming_activities`;
  assert.deepEqual(
    waiting.map((row) => ({ ...row })),
    [{ id: "2", body: "{}" }],
  );
  const rows = ["a", "b", "c"].map((name) => ({
    uri: `https://far.example/${name}`,
    actorUri: "https://far.example/bob",
    body: "{}",
  }));
  const stored = await insertManyIncoming(sql, rows, new Date());
  assert.deepEqual(
    stored.map(({ uri }) => uri),
    ["https://far.example/c"],
  );
});

test("only conversations with an address have a row; mutes and direct conversations stay", async () => {
  const [row] = await sql`
    SELECT (SELECT count(*) FROM conversations)::int AS named,
      (SELECT count(*) FROM conversation_mutes)::int AS muted,
      (SELECT count(*) FROM account_conversations)::int AS direct`;
  assert.deepEqual({ ...row }, { named: 1, muted: 2, direct: 1 });
});

test("the digests of followers elsewhere are there", async () => {
  const rows = await sql`
    SELECT account_id, origin, followers, digest = uri_digest('https://far.example/bob') AS fits
    FROM follower_digests`;
  const expected = { account_id: "1", origin: "https://far.example", followers: 1, fits: true };
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [expected],
  );
});
