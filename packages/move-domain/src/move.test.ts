// A server moves to another domain: another server of ours and one of another kind follow, old addresses are answered,
// and nothing is lost.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, mock, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor, Received } from "../../../test/fake-peer.ts";
import { freePort } from "../../../test/free-port.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { untilQuiet } from "../../../test/until-quiet.ts";
import { run } from "../../../src/cli/run.ts";
import { withAppNamed } from "./session.ts";
import { parsePublicKey } from "../../../src/federation/signatures/keys.ts";
import { parseSignature } from "../../../src/federation/signatures/parse.ts";
import { checkSignature, verifySignature } from "../../../src/federation/signatures/verify.ts";
import { readConfig } from "../../../src/platform/config/config.ts";
import { connect } from "../../../src/platform/db/index.ts";
import { keepSiteNames, selectFormerNames } from "../../../src/platform/db/site-names.ts";
import { holdDatabase } from "../../../src/platform/db/single.ts";
import { moveDomain } from "./move.ts";
import type { Moved } from "./move.ts";
import { COLUMNS, KEPT } from "./columns.ts";

type Json = Record<string, any>;

const PUBLIC = "https://www.w3.org/ns/activitystreams#Public";

let folder: string;
let database: { url: string; drop(): Promise<void> };
let home: TestApp;
let other: TestApp;
let peer: FakePeer;
let pia: PeerActor;
let alice: Person;
let carol: Person;
let bob: Person;
let old = "";
let now = "";
let posts: Json[] = [];

const envOf = (origin: string) => ({
  PORT: new URL(origin).port,
  BIND: "0.0.0.0",
  LOCAL_DOMAIN: new URL(origin).host,
  SECRET_KEY_BASE: "a key that both starts of the server have, as its data folder would",
});

/** Not checked: the command writes rows behind the server's back. */
const start = async (origin: string): Promise<TestApp> => {
  const env = envOf(origin);
  const server = await startTestApp({ env, databaseUrl: database.url, checked: false });
  server.url = origin;
  return server;
};

const call = async (
  server: TestApp,
  by: Person,
  method: string,
  path: string,
  json?: Json,
): Promise<any> => {
  const url = new URL(path, server.url).href;
  return server.as(by).send(method, url, json).ok();
};

const settle = () => untilQuiet(home, other);

const find = async (server: TestApp, by: Person, q: string): Promise<any> => {
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`;
  const { accounts, statuses } = await call(server, by, "GET", path);
  return accounts[0] ?? statuses[0];
};

const post = async (server: TestApp, by: Person, status: string, more: Json = {}): Promise<any> => {
  const answer = await call(server, by, "POST", "/api/v1/statuses", { status, ...more });
  await settle();
  return answer;
};

const follow = async (server: TestApp, by: Person, q: string): Promise<void> => {
  const { id } = await find(server, by, q);
  await call(server, by, "POST", `/api/v1/accounts/${id}/follow`);
  await settle();
};

const send = async (activity: Json): Promise<void> => {
  const whole = {
    "@context": "https://www.w3.org/ns/activitystreams",
    actor: pia.uri,
    ...activity,
  };
  const { status, text } = await peer.post(`${old}/inbox`, pia, whole);
  assert.equal(status, 202, text);
  await settle();
};

/** What everybody did before. */
const live = async (): Promise<void> => {
  await follow(other, bob, `${old}/users/alice`);
  await follow(home, alice, `${other.url}/users/bob`);
  await send({ id: `${pia.uri}#follows/1`, type: "Follow", object: `${old}/users/alice` });
  await follow(home, alice, pia.uri);
  await send({
    id: `${pia.uri}#accepts/1`,
    type: "Accept",
    object: { type: "Follow", actor: `${old}/users/alice`, object: pia.uri },
  });
  const { id: zed } = await find(home, carol, peer.actor("zed").uri);
  await call(home, carol, "POST", `/api/v1/accounts/${zed}/block`);
  posts = [
    await post(home, alice, `to @carol with #words and ${old}/@carol`),
    await post(home, alice, "second"),
    await post(home, carol, `quoting`, { poll: { options: ["a", "b"], expires_in: 3600 } }),
  ];
  const seen = await find(other, bob, posts[0]!["uri"]);
  await call(other, bob, "POST", `/api/v1/statuses/${seen.id}/favourite`);
  await call(home, carol, "POST", `/api/v1/statuses/${posts[0]!["id"]}/favourite`);
  await call(home, carol, "POST", `/api/v1/statuses/${posts[1]!["id"]}/reblog`);
  await call(home, alice, "PUT", `/api/v1/statuses/${posts[1]!["id"]}`, {
    status: "second, edited, to @carol",
  });
  await call(home, alice, "PATCH", "/api/v1/accounts/update_credentials", {
    note: "I am @carol's friend #tag",
    fields_attributes: { 0: { name: "me", value: `${old}/@alice` } },
  });
  await send({
    type: "Create",
    id: `${pia.uri}#creates/1`,
    to: [PUBLIC],
    cc: [`${old}/users/alice`],
    object: peer.note(pia, "/notes/1", {
      content: `<p><a href="${old}/@alice" class="u-url mention">@alice</a> hello</p>`,
      inReplyTo: posts[0]!["uri"],
      tag: [{ type: "Mention", href: `${old}/users/alice` }],
      cc: [`${old}/users/alice`],
    }),
  });
  await settle();
};

/** The settings are those of before, which the command does not mind. */
const settings = () => ({
  SECRET_KEY_BASE: envOf(old).SECRET_KEY_BASE,
  LOCAL_DOMAIN: envOf(old).LOCAL_DOMAIN,
  LOCAL_HTTPS: "false",
  ALLOWED_PRIVATE_ADDRESSES: "127.0.0.0/8",
  DATABASE_URL: database.url,
  DATA_DIR: folder,
});

/** The command in this process. */
const rookery = async (...options: string[]) => {
  const before = { ...process.env };
  const lines: string[] = [];
  mock.method(console, "log", (line: string) => lines.push(line));
  mock.method(console, "error", (line: string) => lines.push(line));
  process.exitCode = 0;
  Object.assign(process.env, settings());
  await run(["node", "rookery", "move-domain", ...options]);
  const code = Number(process.exitCode);
  process.exitCode = 0;
  mock.restoreAll();
  for (const name of Object.keys(settings())) delete process.env[name];
  Object.assign(process.env, before);
  return { code, output: lines.join("\n") };
};

before(async () => {
  folder = mkdtempSync(join(tmpdir(), "rookery-move-"));
  database = await cloneDatabase();
  const port = await freePort();
  [old, now] = [`http://127.0.0.1:${port}`, `http://127.0.0.4:${port}`];
  [home, other, peer] = await Promise.all([start(old), startTestApp(), startPeer("127.0.0.3")]);
  await keepSiteNames(home.app.sql, home.app.config.site);
  pia = peer.actor("pia");
  [alice, carol] = [await home.person("alice"), await home.person("carol")];
  bob = await other.person("bob");
  await live();
});

after(async () => {
  await Promise.all([home?.close?.(), other?.close(), peer?.close()]);
  await database?.drop();
  rmSync(folder, { recursive: true, force: true });
});

const fetchActor = async (uri: string): Promise<Json> => {
  const answer = await fetch(uri, { headers: { accept: "application/activity+json" } });
  return (await answer.json()) as Json;
};

/** As a receiver checks it. */
const checkSent = ({ method, path, headers, body }: Received, pem: string): boolean => {
  const signature = parseSignature(headers);
  const request = {
    method,
    target: path,
    headers,
    scheme: "http" as const,
    body: Buffer.from(body),
  };
  checkSignature(signature, request, { hosts: [peer.host], now: new Date() });
  return verifySignature(signature, request, parsePublicKey(pem));
};

const relation = async (server: TestApp, by: Person, id: string): Promise<Json> =>
  (await call(server, by, "GET", `/api/v1/accounts/relationships?id[]=${id}`))[0];

const newHost = () => new URL(now).host;

test("refusals are one sentence, and a dry run counts without writing", async () => {
  const server = connect(database.url, { max: 1, application: "tests" });
  await holdDatabase(server);
  const running = await rookery(newHost()).finally(() => server.end());
  assert.deepEqual(running.code, 1, running.output);
  assert.match(running.output, /The server is running: stop every process of it first\./);
  const invalid = await rookery("https://new.example");
  assert.match(invalid.output, /The new domain must be a bare domain such as/);
  const dry = await rookery(newHost(), "--dry-run", "--json");
  assert.equal(dry.code, 0, dry.output);
  const plan = JSON.parse(dry.output);
  assert.equal(plan.rewritten.statuses, 5);
  assert.deepEqual(plan.told, { accounts: 2, moves: 1, deliveries: 2, followers: 2, follows: 2 });
  const handlesOnly = await rookery("other.test", "--web-domain", new URL(old).host);
  assert.match(
    handlesOnly.output,
    /are at 127\.0\.0\.1:\d+ already: only a move to another WEB_DOMAIN/,
  );
  const nothing = await rookery();
  assert.match(nothing.output, /Name the new domain, or pass --forget/);
  await home.app.sql`UPDATE site SET local_domain = 'handles.test'`;
  const split = await rookery(newHost());
  await home.app.sql`UPDATE site SET local_domain = web_domain`;
  assert.match(split.output, /say where they are to be \(--web-domain\)/);
  const [known] = await home.app.sql<{ id: string }[]>`
    INSERT INTO accounts (username, domain, uri, url)
    VALUES ('x', ${newHost()}, 'http://x.test/x', '') RETURNING id`;
  const taken = await rookery(newHost(), "--dry-run");
  await home.app.sql`DELETE FROM accounts WHERE id = ${known!.id}`;
  assert.match(
    taken.output,
    /Another server was at 127\.0\.0\.4:\d+, 1 of whose accounts are known/,
  );
  const same = await rookery(new URL(old).host);
  assert.match(same.output, /is 127\.0\.0\.1:\d+ already/);
});

test("after the move nothing in the database has the old name, but what is kept for a reason", async () => {
  await home.close();
  const moved = await rookery(newHost());
  assert.equal(moved.code, 0, moved.output);
  assert.match(moved.output, /Set LOCAL_DOMAIN=127\.0\.0\.4:\d+, and start it/);
  const again = await rookery(newHost());
  assert.match(again.output, /already/);
  home = await start(now);
  const columns = await home.app.sql<{ table: string; column: string }[]>`
    SELECT c.table_name AS table, c.column_name AS column FROM information_schema.columns c
    JOIN information_schema.tables t USING (table_schema, table_name)
    WHERE table_schema = 'public' AND t.table_type = 'BASE TABLE'
      AND c.data_type IN ('text', 'json', 'jsonb', 'ARRAY', 'USER-DEFINED', 'character varying')`;
  const rendered = new Set(
    COLUMNS.flatMap(({ table, html = [], json = [] }) =>
      [...html, ...json].map((column) => `${table}.${column}`),
    ),
  );
  const left: string[] = [];
  for (const { table, column } of columns) {
    const name = `${table}.${column}`;
    // What is seen of a link stays as its author wrote it.
    const text = rendered.has(name) ? `"${old}` : new URL(old).host;
    const [row] = await home.app.sql<{ n: number }[]>`
      SELECT count(*)::int AS n FROM ${home.app.sql(table)}
      WHERE strpos(${home.app.sql(column)}::text, ${text}) > 0`;
    if (row!.n > 0 && !(name in KEPT)) left.push(name);
  }
  assert.deepEqual(left, []);
});

const activities = (type: string, actor: string) =>
  peer.inbox().filter((activity) => activity["type"] === type && activity["actor"] === actor);

const followersOf = async (by: Person): Promise<string[]> => {
  const path = `/api/v1/accounts/${by.accountId}/followers`;
  return (await call(home, by, "GET", path)).map((account: Json) => account["username"]).sort();
};

const notices = async (by: Person): Promise<number> =>
  (await call(home, by, "GET", "/api/v1/notifications?types[]=follow")).length;

test("the other server follows, and gets what is posted from now on", async () => {
  await settle();
  const account = await find(other, bob, `${now}/users/alice`);
  assert.equal(account.uri, `${now}/users/alice`);
  assert.equal((await relation(other, bob, account.id))["following"], true);
  const before = await find(other, bob, `${old}/users/alice`);
  assert.equal(before.moved?.uri, `${now}/users/alice`);
  assert.equal((await relation(other, bob, before.id))["following"], false);
  await post(home, alice, "from the new place");
  const read: Json[] = await call(other, bob, "GET", "/api/v1/timelines/home");
  const arrived = read.find(({ content }) => content.includes("from the new place"));
  assert.equal(arrived?.["account"].uri, `${now}/users/alice`);
});

test("whom people here follow elsewhere, they follow by the new address alone, and read on", async () => {
  const { id } = await find(home, alice, `${other.url}/users/bob`);
  assert.equal((await relation(home, alice, id))["following"], true);
  const followers = await call(other, bob, "GET", `/api/v1/accounts/${bob.accountId}/followers`);
  assert.deepEqual(
    followers.map((account: Json) => account["uri"]),
    [`${now}/users/alice`],
  );
  await post(other, bob, "to those who moved");
  const read = await call(home, alice, "GET", "/api/v1/timelines/home");
  assert.ok(read.some(({ content }: Json) => content.includes("to those who moved")));
});

test("a server of another kind gets the Move from the old actor with its key, and finds each at the other", async () => {
  const request = peer.received.find(({ body }) => body.includes('"Move"'))!;
  const { actor, object, target, to } = JSON.parse(request.body) as Json;
  const [oldAlice, newAlice] = [`${old}/users/alice`, `${now}/users/alice`];
  assert.deepEqual([actor, object, target], [oldAlice, oldAlice, newAlice]);
  assert.deepEqual(to, [`${oldAlice}/followers`]);
  assert.match(String(request.headers.signature), new RegExp(`keyId="${oldAlice}#main-key"`));
  const { publicKeyPem } = (await fetchActor(oldAlice)).publicKey;
  const verified = checkSent(request, publicKeyPem);
  assert.equal(verified, true);
  const next = await fetchActor(newAlice);
  assert.deepEqual([next.alsoKnownAs, next.publicKey.publicKeyPem], [[oldAlice], publicKeyPem]);
  const [again] = activities("Follow", newAlice) as Json[];
  assert.equal(again!["object"], pia.uri);
  assert.equal(activities("Undo", oldAlice).length, 0, "not before the new one is accepted");
  await send({ id: `${pia.uri}#accepts/2`, type: "Accept", object: again });
  const [undone] = activities("Undo", oldAlice) as Json[];
  assert.deepEqual(
    [undone!["object"].type, undone!["object"].actor, undone!["object"].object],
    ["Follow", oldAlice, pia.uri],
  );
});

test("whom people here block elsewhere, is told of it under the new name", () => {
  const [first] = activities("Block", `${old}/users/carol`) as Json[];
  const [again] = activities("Block", `${now}/users/carol`) as Json[];
  assert.equal(again!["object"], first!["object"]);
});

test("who follows the new address and leaves the old one goes on following, in either order and without news", async () => {
  const before = await notices(alice);
  const leave = {
    id: `${pia.uri}#undo/1`,
    type: "Undo",
    object: {
      id: `${pia.uri}#follows/1`,
      type: "Follow",
      actor: pia.uri,
      object: `${old}/users/alice`,
    },
  };
  await send(leave);
  assert.deepEqual(await followersOf(alice), ["bob"]);
  await call(home, alice, "PATCH", "/api/v1/accounts/update_credentials", { locked: true });
  await send({ id: `${pia.uri}#follows/2`, type: "Follow", object: `${now}/users/alice` });
  assert.deepEqual(await followersOf(alice), ["bob", "pia"]);
  const [accept] = activities("Accept", `${now}/users/alice`) as Json[];
  assert.equal(accept!["object"].id, `${pia.uri}#follows/2`);
  await send({ ...leave, id: `${pia.uri}#undo/2` });
  assert.deepEqual(await followersOf(alice), ["bob", "pia"]);
  // That of before went with the follow of before.
  assert.equal(await notices(alice), before - 1);
});

test("a stranger who follows the old address is refused there", async () => {
  const sue = peer.actor("sue", 1);
  const follow = { id: `${sue.uri}#follows/1`, type: "Follow", actor: sue.uri };
  const whole = { "@context": "https://www.w3.org/ns/activitystreams", ...follow };
  await peer.post(`${old}/inbox`, sue, { ...whole, object: `${old}/users/carol` });
  await settle();
  const [refused] = activities("Reject", `${old}/users/carol`) as Json[];
  assert.equal(refused!["object"].id, follow.id);
  assert.deepEqual(await followersOf(carol), []);
});

test("an edit and a deletion of an old post reach the copies that others have of it", async () => {
  const [first] = posts as [Json];
  const copy = await find(other, bob, first["uri"]);
  assert.equal(copy.uri, first["uri"]);
  await call(home, alice, "PUT", `/api/v1/statuses/${first["id"]}`, { status: "changed later" });
  await settle();
  const read = `/api/v1/statuses/${copy.id}`;
  assert.match((await call(other, bob, "GET", read)).content, /changed later/);
  await call(home, alice, "DELETE", `/api/v1/statuses/${first["id"]}`);
  await settle();
  assert.equal((await bob.get(read)).status, 404);
  const update = activities("Update", `${old}/users/alice`).at(-1) as Json | undefined;
  assert.equal(update!["object"].id, first["uri"]);
  assert.equal(update!["signature"].creator, `${old}/users/alice#main-key`);
});

test("interrupted after every slice and moved once more, all of it is done once; both old names are answered", async () => {
  await home.close();
  const third = now.replace("127.0.0.4", "127.0.0.5");
  const { host } = new URL(third);
  const names = { localDomain: host, webDomain: host, https: false };
  let slices = 0;
  const moveSome = (most: number) =>
    withAppNamed(
      settings(),
      () => names,
      (app, { stored }) => {
        const onProgress = () => {
          if ((slices += 1) % most === 0) throw new Error("killed");
        };
        return moveDomain(app, { from: stored, onProgress });
      },
    );
  await assert.rejects(moveSome(1), /killed/);
  const refused = await rookery("other.example");
  assert.match(refused.output, new RegExp(`A move to ${host} was begun and is not finished`));
  const sql = connect(database.url, { max: 1, application: "tests" });
  await assert.rejects(
    keepSiteNames(sql, home.app?.config.site ?? readConfig({}).site),
    /is moving to 127\.0\.0\.5/,
  );
  let moved: Moved | null = null;
  for (let runs = 0; moved === null && runs < 40; runs += 1) {
    moved = await moveSome(runs < 30 ? 2 : 1000).catch((error: Error) => {
      assert.equal(error.message, "killed");
      return null;
    });
  }
  const sent = await sql<{ body: string }[]>`
    SELECT body FROM outgoing_activities WHERE body LIKE ${`%"${third}/users/alice"%`}`;
  await sql.end();
  assert.deepEqual(sent.map(({ body }) => (JSON.parse(body) as Json)["type"]).sort(), [
    "Follow",
    "Follow",
    "Move",
  ]);
  assert.deepEqual([moved?.counts["Move"], moved?.counts["Follow"]], [1, 2]);
  home = await start(third);
  await settle();
  for (const origin of [old, now]) {
    const { id, movedTo } = await fetchActor(`${origin}/users/alice`);
    assert.deepEqual([id, movedTo], [`${origin}/users/alice`, `${third}/users/alice`]);
  }
  assert.deepEqual((await fetchActor(`${third}/users/alice`)).alsoKnownAs, [
    `${now}/users/alice`,
    `${old}/users/alice`,
  ]);
  const account = await find(other, bob, `${third}/users/alice`);
  assert.equal((await relation(other, bob, account.id))["following"], true);
});

test("a former name is given up", async () => {
  const unknown = await rookery("--forget", "never.example");
  assert.match(unknown.output, /never\.example is no former domain of this server/);
  const { code, output } = await rookery("--forget", new URL(now).host);
  assert.equal(code, 0, output);
  assert.deepEqual(
    (await selectFormerNames(home.app.sql)).map(({ origin }) => origin),
    [old],
  );
  const log = await home.app.sql`SELECT action FROM audit_log ORDER BY id`;
  assert.deepEqual(
    log.map((row) => row["action"]),
    ["server.move_domain", "server.move_domain", "server.forget_domain"],
  );
});
