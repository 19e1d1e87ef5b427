// A Mastodon newer than 4.3 moves in: quotes and who may quote, collections, terms of service, blocked names, keys
// that are stored beside the accounts.

import assert from "node:assert/strict";
import { createCipheriv, pbkdf2Sync, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { TEST_KEYS } from "../../../test/keys.ts";
import { ENV_FILE, oldPeople, startOldServer } from "../test/old-server.ts";
import type { OldServer } from "../test/old-server.ts";
import { getSetting } from "../../../src/domain/base/settings/settings.ts";
import { checkImport } from "./check.ts";
import { knownOf, newerOf } from "./columns.ts";
import { readOldEnv } from "./env.ts";
import { NEWER_COLUMNS, NEWER_TABLES } from "./mapping-newer.ts";
import { connectOld, moveIn } from "./move-in.ts";
import type { Moved } from "./move-in.ts";
import { openOldMedia } from "./old-media.ts";
import { planImport } from "./plan.ts";
import type { Plan } from "./plan.ts";
import { selectOldColumns } from "./queries-source.ts";

const NEWER = join(import.meta.dirname, "../test/newer.sql");
const ELSEWHERE = TEST_KEYS[1]!;

let server: TestApp;
let old: OldServer;
let plan: Plan;
let moved: Moved;
let drop: () => Promise<void>;
let faults: string[];

const people = oldPeople();

/** As Rails does: https://guides.rubyonrails.org/active_record_encryption.html */
const encrypted = (text: string): string => {
  const value = (name: string) =>
    new RegExp(`^${name}=(.*)$`, "m").exec(readFileSync(ENV_FILE, "utf8"))![1]!;
  const key = pbkdf2Sync(
    value("ACTIVE_RECORD_ENCRYPTION_PRIMARY_KEY"),
    value("ACTIVE_RECORD_ENCRYPTION_KEY_DERIVATION_SALT"),
    65_536,
    32,
    "sha256",
  );
  const iv = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const p = Buffer.concat([cipher.update(text), cipher.final()]).toString("base64");
  const at = cipher.getAuthTag().toString("base64");
  return JSON.stringify({ p, h: { iv: iv.toString("base64"), at } });
};

/** g4's keys are beside the account alone, as is that of somebody elsewhere. */
const moveKeys = async (): Promise<void> => {
  const [g4] = await old.sql`
    SELECT id, public_key, private_key FROM accounts WHERE username = 'g4' AND domain IS NULL
  `;
  await old.sql`
    INSERT INTO keypairs (id, account_id, type, public_key, private_key, local_fragment)
    VALUES (1, ${g4!["id"]}, 0, ${g4!["public_key"]}, ${encrypted(g4!["private_key"])}, 'main-key')
  `;
  await old.sql`
    INSERT INTO keypairs (id, account_id, type, public_key, uri)
    SELECT 2, id, 0, ${ELSEWHERE.publicKeyPem}, 'https://friend.test/keys/bob'
    FROM accounts WHERE username = 'bob' AND domain = 'friend.test'
  `;
  await old.sql`
    UPDATE accounts SET public_key = '', private_key = NULL WHERE id IN (SELECT account_id FROM keypairs)
  `;
};

before(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  old = await startOldServer(database.url);
  await old.sql.unsafe(readFileSync(NEWER, "utf8"));
  await moveKeys();
  server = await startTestApp({
    databaseUrl: database.url,
    env: { LOCAL_DOMAIN: "old.test", LOCAL_HTTPS: "true" },
    checked: false,
    worker: false,
  });
  const env = readOldEnv(ENV_FILE);
  const from = {
    old: await connectOld(old.url),
    env,
    media: openOldMedia(server.app.config, env, old.media),
  };
  plan = await planImport(from.old, null);
  moved = await moveIn(server.app, from);
  ({ faults } = await checkImport(server.app, from));
  await from.old.end();
});

after(async () => {
  await server?.close();
  await old?.close();
  await drop?.();
});

const idOf = async (text: string): Promise<string> => {
  const [row] = await old.sql`SELECT id FROM statuses WHERE text = ${text} AND local`;
  return row!["id"];
};

const quote = (n: number): string => `11810000000000000${n}`;

test("everything that is known of newer versions is in the data, and nothing in it is unknown", async () => {
  const columns = await selectOldColumns(old.sql);
  const there = new Set(columns.map(({ table, name }) => `${table}.${name}`));
  const named = [...Object.keys(NEWER_TABLES), ...Object.keys(NEWER_COLUMNS)].flatMap((table) =>
    [...newerOf(table), ...Object.keys(NEWER_COLUMNS[table]?.leave ?? {})].map(
      (name) => `${table}.${name}`,
    ),
  );
  assert.deepEqual(
    named.filter((name) => !there.has(name)),
    [],
  );
  assert.deepEqual(plan.unknown, []);
  assert.ok(knownOf("quotes").includes("state"));
});

test("what is lost is counted, and no row is refused or differs", () => {
  const lost = new Map(plan.lost.map(({ what, rows }) => [what, rows]));
  assert.equal(lost.get("quotes of posts that are not there any more"), 1);
  assert.equal(lost.get("blocks of usernames that contain a word, or need approval"), 2);
  assert.equal(lost.get("drafts of terms of service"), 1);
  assert.equal(lost.get("notes on servers"), 1);
  assert.deepEqual(
    moved.steps.filter(({ fault }) => fault !== null),
    [],
  );
  assert.deepEqual(faults, []);
});

test("quotes have their states, and what they quote", async () => {
  const states: unknown[] = [];
  for (const n of [1, 2, 3, 4, 5]) {
    const status = await server
      .as(people["g2"]!.token)
      .get(`/api/v1/statuses/${quote(n)}`)
      .ok();
    states.push(status.quote && [status.quote.state, status.quote.quoted_status?.account.acct]);
  }
  assert.deepEqual(states[0], ["accepted", "alice"]);
  assert.equal((states[1] as string[])[0], "accepted");
  assert.equal((states[2] as string[])[0], "pending");
  assert.deepEqual(states[3], ["revoked", undefined]);
  assert.equal(states[4], null);
  const quoted = await server.visitor.get(`/api/v1/statuses/${await idOf("Hello world")}`).ok();
  assert.equal(quoted.quotes_count, 1);
});

test("authorizations have their old addresses", async () => {
  const headers = { accept: "application/activity+json" };
  const uri = "/users/alice/quote_authorizations/1";
  const { json: note } = await server.visitor.get(`/users/g2/statuses/${quote(1)}`, headers);
  assert.equal(note.quoteAuthorization, `https://old.test${uri}`);
  const { json } = await server.visitor.get(uri, headers);
  assert.equal(json.interactingObject, note.id);
  const { json: other } = await server.visitor.get(`/users/g2/statuses/${quote(2)}`, headers);
  assert.equal(other.quoteAuthorization, "https://friend.test/approvals/2");
});

test("who may quote is as it was", async () => {
  const all = await server
    .as(people["g2"]!.token)
    .get(`/api/v1/statuses/${await idOf("Hello world")}`)
    .ok();
  assert.deepEqual(all.quote_approval.automatic, ["public"]);
  const some = await server
    .as(people["g2"]!.token)
    .get(`/api/v1/statuses/${await idOf("careful")}`)
    .ok();
  assert.deepEqual(
    [some.quote_approval.automatic, some.quote_approval.manual],
    [["followers"], ["public"]],
  );
});

test("notifications of quotes are there", async () => {
  const list = await server
    .as(people["alice"]!.token)
    .get("/api/v1/notifications?types[]=quote")
    .ok();
  assert.deepEqual(
    list.map(({ type, status }: any) => [type, status.id]),
    [["quote", quote(1)]],
  );
});

test("profiles say what they said", async () => {
  const alice = await server.visitor.get("/api/v1/accounts/lookup?acct=alice").ok();
  assert.equal(alice.avatar_description, "me");
  assert.deepEqual([alice.show_media, alice.show_media_replies], [true, false]);
  const [bob] = await server.app.sql`
    SELECT feature_policy, featured_collections_url, public_key, key_id FROM accounts
    WHERE username = 'bob' AND domain = 'friend.test'
  `;
  assert.deepEqual(
    { ...bob },
    {
      feature_policy: 2 | (1 << 4),
      featured_collections_url: "https://friend.test/users/bob/collections",
      public_key: ELSEWHERE.publicKeyPem,
      key_id: "https://friend.test/keys/bob",
    },
  );
});

test("keys that are stored beside an account are its keys", async () => {
  const [pair] = await old.sql`SELECT public_key FROM keypairs WHERE id = 1`;
  const headers = { accept: "application/activity+json" };
  const { json } = await server.visitor.get("/users/g4", headers);
  assert.equal(json.publicKey.publicKeyPem, pair!["public_key"]);
  const [key] = await server.app.sql`
    SELECT private_key FROM account_keys k JOIN accounts a ON a.id = k.account_id
    WHERE a.username = 'g4' AND a.domain IS NULL
  `;
  assert.match(key!["private_key"], /^-----BEGIN (?:RSA )?PRIVATE KEY-----/);
});

test("collections have their members", async () => {
  const { collection } = await server.visitor.get("/api/v1/collections/118200000000000001").ok();
  assert.deepEqual(
    [collection.name, collection.description, collection.language, collection.discoverable],
    ["Birds", "who writes of them", "en", true],
  );
  const rows = await server.app.sql`
    SELECT a.username, i.state FROM collection_items i JOIN accounts a ON a.id = i.account_id
    ORDER BY i.id
  `;
  assert.deepEqual(
    rows.map((row) => [row["username"], row["state"]]),
    [
      ["g1", "accepted"],
      ["g2", "pending"],
      ["g3", "revoked"],
      ["g1", "accepted"],
    ],
  );
  const [theirs] = await server.app.sql`
    SELECT uri, description FROM collections WHERE id = 118200000000000002
  `;
  assert.deepEqual(
    { ...theirs },
    { uri: "https://friend.test/collections/1", description: "of bob" },
  );
});

test("terms of service, translations of rules and names that nobody may have are kept", async () => {
  const terms = await server.visitor.get("/api/v1/instance/terms_of_service").ok();
  assert.equal(terms.effective_date, "2026-03-01");
  assert.match(terms.content, /Be kinder/);
  const first = await server.visitor.get("/api/v1/instance/terms_of_service/2026-01-01").ok();
  assert.match(first.content, /Be \*\*kind\*\*\./);
  const rules = await server.visitor.get("/api/v1/instance/rules").ok();
  assert.deepEqual(rules[0].translations.de, { text: "Sei nett", hint: "immer" });
  assert.deepEqual(await getSetting(server.app, "reserved_names", []), ["council"]);
});
