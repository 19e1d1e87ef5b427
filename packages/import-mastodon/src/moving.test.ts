// A Mastodon that people lived on moves in: the API answers as before, and nobody has to sign in again.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { insertTitle } from "./queries-finish.ts";
import { after, before, test } from "node:test";
import { hash as bcrypt } from "@node-rs/bcrypt";
import { TOTP, Secret } from "otpauth";
import { checkLogin } from "../../../src/domain/people/users/sign-in.ts";
import {
  recoveryCodesLeft,
  takeRecovery,
} from "../../../src/domain/people/users/factors/recovery.ts";
import { takeTotpCode } from "../../../src/domain/people/users/factors/totp.ts";
import { cloneDatabase } from "../../../test/database.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { compareRecordings } from "../test/compare.ts";
import { ENV_FILE, oldPeople, startOldServer } from "../test/old-server.ts";
import type { OldServer } from "../test/old-server.ts";
import { readOldEnv } from "./env.ts";
import { knownOf, newerOf, takenOf } from "./columns.ts";
import { NEWER_TABLES } from "./mapping-newer.ts";
import { MAPPING } from "./mapping.ts";
import { connectOld, moveIn } from "./move-in.ts";
import type { Moved } from "./move-in.ts";
import { openOldMedia } from "./old-media.ts";
import { selectOldColumns } from "./queries-source.ts";
import { STEPS } from "./steps.ts";

let server: TestApp;
let old: OldServer;
let moved: Moved;
let drop: () => Promise<void>;

const people = oldPeople();
const NOW = new Date("2026-11-23T14:45:30Z");
const issuers = { openid_connect: "https://id.old.test", saml: "https://saml.old.test" };
const env = { ...readOldEnv(ENV_FILE), issuers };
/** Nobody knows those of the data. */
const CODE = "0f5a4c1db2e3968770f1e2d3c4b5a697";

before(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  old = await startOldServer(database.url);
  server = await startTestApp({
    databaseUrl: database.url,
    env: {
      LOCAL_DOMAIN: "old.test",
      DEFAULT_LOCALE: "en",
      LOCAL_HTTPS: "true",
      VAPID_PUBLIC_KEY: env.vapid!.publicKey,
      VAPID_PRIVATE_KEY: env.vapid!.privateKey,
    },
    // When the answers were recorded.
    clock: { now: () => NOW },
    // The import writes rows before anything is read.
    checked: false,
    worker: false,
  });
  await old.sql`
    UPDATE users SET otp_backup_codes[10] = ${await bcrypt(CODE, 4)} WHERE email = ${people["g8"]!.email}
  `;
  const [user] = await old.sql`SELECT id FROM users WHERE email = ${people["g8"]!.email}`;
  await old.sql`
    INSERT INTO identities (provider, uid, created_at, updated_at, user_id)
    VALUES ('openid_connect', 'gee', now(), now(), ${user!["id"]}), ('saml', 'gee', now(), now(), ${user!["id"]}),
      ('cas', 'gee', now(), now(), ${user!["id"]})
  `;
  const from = await connectOld(old.url);
  moved = await moveIn(server.app, {
    old: from,
    env,
    media: openOldMedia(server.app.config, env, old.media),
  });
  await from.end();
});

after(async () => {
  await server?.close();
  await old?.close();
  await drop?.();
});

test("the mapping names every table and column of the other database", async () => {
  const columns = await selectOldColumns(old.sql);
  const unknown = columns.filter(({ table, name }) => {
    const known = knownOf(table);
    return !known.includes(name) && !known.includes("*");
  });
  assert.deepEqual(unknown, []);
  const tables = new Set(columns.map(({ table }) => table));
  assert.deepEqual(
    Object.keys(MAPPING).filter((table) => !tables.has(table)),
    [],
  );
});

/** What several steps have in common. */
const NEWER = readFileSync(join(import.meta.dirname, "newer.ts"), "utf8");

test("the steps read every column that is taken, and no table that is not", () => {
  const folder = import.meta.dirname;
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith(".ts") && !/mapping|test/.test(name))
    .map((name) => readFileSync(join(folder, name), "utf8"));
  const tables = [...Object.keys(MAPPING), ...Object.keys(NEWER_TABLES)];
  const unread = tables.flatMap((table) => {
    const source = sources.filter((text) => text.includes(`"${table}"`)).join("\n");
    const isJoined = sources.some((text) => new RegExp(`(?:FROM|JOIN) ${table}\\b`).test(text));
    const text = source === "" && isJoined ? sources.join("\n") : source + NEWER;
    return [...takenOf(table), ...newerOf(table)]
      .filter((column) => !new RegExp(`\\b${column}\\b`).test(text))
      .map((column) => `${table}.${column}`);
  });
  assert.deepEqual(unread, []);
  const read = STEPS.map(({ from }) => from);
  assert.deepEqual(
    read.filter((table) => takenOf(table).length + newerOf(table).length === 0),
    [],
  );
});

test("who people are at the providers of OpenID Connect and SAML comes along, not at others", async () => {
  const rows = await server.app.sql`
    SELECT i.issuer, i.subject, u.email::text FROM sso_identities i JOIN users u ON u.id = i.user_id
    ORDER BY i.id
  `;
  const email = people["g8"]!.email;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    Object.values(issuers).map((issuer) => ({ issuer, subject: "gee", email })),
  );
});

test("no row is refused", () => {
  assert.deepEqual(
    moved.steps.filter(({ fault }) => fault !== null),
    [],
  );
  assert.equal(moved.files.missing, 0);
});

test("notes of the staff are about an account, or about a report on it", async () => {
  const notes = await server.app.sql<{ text: string; report_id: string | null }[]>`
    SELECT n.text, n.report_id FROM account_remarks n
    LEFT JOIN reports r ON r.id = n.report_id AND r.target_account_id = n.target_account_id
    WHERE n.report_id IS NULL OR r.id IS NOT NULL
    ORDER BY n.id
  `;
  assert.deepEqual(
    [...notes],
    [
      { text: "seen before", report_id: null },
      { text: "looked at it", report_id: "4" },
    ],
  );
});

test("a title that came stays; a server that nobody has named is called by its domain", async () => {
  const { sql, config } = server.app;
  const titles = () => sql`SELECT value FROM settings WHERE name = 'title'`;
  const [came] = await titles();
  assert.equal(came!["value"], "Old Town");
  await sql`DELETE FROM settings WHERE name = 'title'`;
  await insertTitle(sql, config.site.localDomain);
  assert.equal((await titles())[0]!["value"], config.site.localDomain);
  await sql`UPDATE settings SET value = '"Old Town"' WHERE name = 'title'`;
});

test("the API answers as before", async () => {
  const { faults, compared } = await compareRecordings(server);
  assert.deepEqual(faults.slice(0, 20), []);
  assert.ok(compared > 1000, `only ${compared} answers were compared`);
});

test("people sign in with their old passwords, which are then stored as all others", async () => {
  const { email, password } = people["alice"]!;
  const login = { login: email, password, ip: "127.0.0.1", knownBrowser: () => null };
  assert.equal(await checkLogin(server.app, { ...login, password: "wrong" }), null);
  assert.equal((await checkLogin(server.app, login))?.username, "alice");
  const [row] = await server.app.sql`SELECT password_hash FROM users WHERE email = ${email}`;
  assert.match(row!["password_hash"], /^\$argon2id\$/);
  assert.equal((await checkLogin(server.app, login))?.username, "alice");
});

test("an old second factor is asked for, and its codes are taken", async () => {
  const { email, password } = people["g8"]!;
  const login = { login: email, password, ip: "127.0.0.1", knownBrowser: () => null };
  const who = (await checkLogin(server.app, login))!;
  assert.equal(who.twoFactor, true);
  const totp = new TOTP({ secret: Secret.fromBase32("JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP") });
  assert.equal(await takeTotpCode(server.app, who.userId, "000000"), false);
  assert.equal(
    await takeTotpCode(server.app, who.userId, totp.generate({ timestamp: NOW.getTime() })),
    true,
  );
});

test("old recovery codes are good for one sign-in each", async () => {
  const [user] = await server.app.sql`SELECT id FROM users WHERE email = ${people["g8"]!.email}`;
  const userId = user!["id"];
  assert.equal(await recoveryCodesLeft(server.app, userId), 10);
  assert.equal(await takeRecovery(server.app, userId, CODE.replace("0", "1")), false);
  assert.equal(await takeRecovery(server.app, userId, ` ${CODE} `), true);
  assert.equal(await takeRecovery(server.app, userId, CODE), false);
  assert.equal(await recoveryCodesLeft(server.app, userId), 9);
});

test("old addresses of files lead to where they are now", async () => {
  const { json } = await server.visitor.get("/api/v1/accounts/lookup?acct=g1");
  const path = "/system/accounts/avatars/117/666/255/851/114/680/original/b8d32bac177d5539.png";
  const { status, headers } = await server.visitor.get(path);
  assert.equal(status, 301);
  assert.equal(headers.get("location"), json.avatar);
  await server.visitor.get(new URL(json.avatar).pathname).ok();
  assert.equal((await server.visitor.get(path.replace("b8d3", "b8d4"))).status, 404);
});

test("actors and objects keep their addresses and keys", async () => {
  const headers = { accept: "application/activity+json" };
  const actor = await server.visitor.get("/users/g1", headers);
  assert.equal(actor.json.id, "https://old.test/users/g1");
  const [row] = await old.sql`SELECT public_key FROM accounts WHERE username = 'g1'`;
  assert.equal(actor.json.publicKey.publicKeyPem.trim(), row!["public_key"].trim());
  const own = await server.visitor.get("/actor", headers);
  const [instance] = await old.sql`SELECT public_key FROM accounts WHERE id = -99`;
  assert.equal(own.json.publicKey.publicKeyPem.trim(), instance!["public_key"].trim());
  const uri = "/users/alice/statuses/117666252144496523";
  const note = await server.visitor.get(uri, headers);
  assert.equal(note.json.id, `https://old.test${uri}`);
  await server.visitor.get(`${uri}/activity`, headers).ok();
});
