// A server that knew the one that moved in: it follows people there and has their keys and addresses stored. It fetches,
// verifies, sends and is sent to as before.

import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor, Received } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { TEST_KEYS } from "../../../test/keys.ts";
import { ENV_FILE, oldPeople, startOldServer } from "../test/old-server.ts";
import type { OldServer } from "../test/old-server.ts";
import { parsePrivateKey, parsePublicKey } from "../../../src/federation/signatures/keys.ts";
import { parseSignature } from "../../../src/federation/signatures/parse.ts";
import { signRequest } from "../../../src/federation/signatures/sign.ts";
import { verifySignature } from "../../../src/federation/signatures/verify.ts";
import { readOldEnv } from "./env.ts";
import { connectOld, moveIn } from "./move-in.ts";
import { openOldMedia } from "./old-media.ts";

const ORIGIN = "https://old.test";
const FAY = "118000000000000001";
const ANSWER = "118000000000000002";

let server: TestApp;
let old: OldServer;
let peer: FakePeer;
let fay: PeerActor;
let drop: () => Promise<void>;
/** What the peer has stored of people here: addresses and keys, by name. */
let known: Map<string, { uri: string; key: string; id: string }>;

const people = oldPeople();

/** g1 came to the old server when actors had numbers already. */
const number = async (): Promise<void> => {
  await old.sql`ALTER TABLE accounts ADD COLUMN id_scheme integer DEFAULT 0`;
  await old.sql`UPDATE accounts SET id_scheme = 1 WHERE username = 'g1' AND domain IS NULL`;
  await old.sql`
    UPDATE statuses s SET uri = replace(s.uri, '/users/g1/', '/ap/users/' || a.id || '/')
    FROM accounts a WHERE a.id = s.account_id AND a.username = 'g1' AND a.domain IS NULL
  `;
};

/** She follows two people there, and answered, favourited and boosted a post of one of them. */
const addFay = async (): Promise<void> => {
  await old.sql`
    INSERT INTO accounts (id, username, domain, uri, url, public_key, inbox_url, shared_inbox_url, outbox_url,
      followers_url, protocol, created_at, updated_at)
    VALUES (${FAY}, 'fay', ${peer.host}, ${fay.uri}, ${fay.uri}, ${TEST_KEYS[2]!.publicKeyPem}, ${`${fay.uri}/inbox`},
      ${`${peer.origin}/inbox`}, ${`${fay.uri}/outbox`}, ${`${fay.uri}/followers`}, 1, now(), now())
  `;
  await old.sql`
    INSERT INTO follows (id, account_id, target_account_id, uri, created_at, updated_at)
    SELECT 900000 + row_number() OVER (), ${FAY}, id, ${`${fay.uri}#follows/`} || username, now(), now()
    FROM accounts WHERE domain IS NULL AND username IN ('alice', 'g1')
  `;
  await old.sql`
    INSERT INTO statuses (id, uri, text, created_at, updated_at, visibility, local, account_id, in_reply_to_id,
      in_reply_to_account_id)
    SELECT ${ANSWER}, ${`${peer.origin}/notes/old`}, '<p>an old answer</p>', now(), now(), 0, false, ${FAY}, id, account_id
    FROM statuses WHERE text = 'Hello world' AND local
  `;
  await old.sql`
    INSERT INTO favourites (id, account_id, status_id, created_at, updated_at)
    SELECT 900000, ${FAY}, id, now(), now() FROM statuses WHERE text = 'Hello world' AND local
  `;
  await old.sql`
    INSERT INTO status_stats (id, status_id, favourites_count, replies_count, created_at, updated_at)
    SELECT 900000, id, 1, 1, now(), now() FROM statuses WHERE text = 'Hello world' AND local
    ON CONFLICT (status_id) DO UPDATE SET favourites_count = status_stats.favourites_count + 1
  `;
};

before(async () => {
  const database = await cloneDatabase();
  drop = database.drop;
  old = await startOldServer(database.url);
  peer = await startPeer();
  fay = peer.actor("fay", 2);
  await number();
  await addFay();
  const rows = await old.sql<{ id: string; username: string; key: string; scheme: number }[]>`
    SELECT id::text AS id, username, public_key AS key, id_scheme AS scheme FROM accounts WHERE domain IS NULL AND id > 0
  `;
  known = new Map(
    rows.map(({ id, username, key, scheme }) => [
      username,
      { id, key, uri: `${ORIGIN}${scheme === 1 ? `/ap/users/${id}` : `/users/${username}`}` },
    ]),
  );
  server = await startTestApp({
    databaseUrl: database.url,
    env: { LOCAL_DOMAIN: "old.test", LOCAL_HTTPS: "true" },
    checked: false,
    worker: false,
  });
  const from = await connectOld(old.url);
  const env = readOldEnv(ENV_FILE);
  const media = openOldMedia(server.app.config, env, old.media);
  await moveIn(server.app, { old: from, env, media });
  await from.end();
});

after(async () => {
  await server?.close();
  await peer?.close();
  await old?.close();
  await drop?.();
});

const get = (uri: string) =>
  server.visitor.get(uri.slice(ORIGIN.length), { accept: "application/activity+json" });

let serial = 0;

/** Signs as fay and sends to an inbox of the old address. */
const send = async (inbox: string, activity: object): Promise<void> => {
  const json = {
    "@context": "https://www.w3.org/ns/activitystreams",
    id: `${fay.uri}#activities/${++serial}`,
    actor: fay.uri,
    ...activity,
  };
  const headers = signRequest({
    method: "POST",
    url: inbox,
    body: JSON.stringify(json),
    keyId: fay.keyId,
    privateKey: parsePrivateKey(fay.privateKeyPem),
  });
  const path = inbox.slice(ORIGIN.length);
  await server.visitor.post(path, json, headers).done(202);
};

const isSignedBy = (name: string, { method, path, headers, body }: Received): boolean => {
  const { uri, key } = known.get(name)!;
  const signature = parseSignature(headers);
  const incoming = { method, target: path, headers, body: Buffer.from(body) };
  return (
    signature.keyId === `${uri}#main-key` &&
    verifySignature(signature, { ...incoming, scheme: "http" }, parsePublicKey(key))
  );
};

const statusOf = async (text: string) => {
  const [row] = await old.sql<{ id: string; uri: string }[]>`
    SELECT id::text AS id, uri FROM statuses WHERE text = ${text} AND local
  `;
  return row!;
};

/** What the peer was sent that has this in it. */
const receivedWith = (part: string): Received[] =>
  peer.received.filter(({ method, body }) => method === "POST" && body.includes(part));

test("actors have their old addresses and keys, whoever asks for whichever", async () => {
  for (const [name, { uri, key, id }] of known) {
    const { status, json } = await get(uri);
    // Who has not confirmed, or waits for approval, was no actor there either.
    if (["waiting", "unconfirmed"].includes(name)) {
      assert.equal(status, 404);
      continue;
    }
    assert.equal(json.id, uri);
    assert.equal(json.publicKey.id, `${uri}#main-key`);
    assert.equal(json.publicKey.publicKeyPem.trim(), key.trim());
    assert.equal((await get(`${ORIGIN}/users/${name}`)).json.id, uri);
    assert.equal((await get(`${ORIGIN}/ap/users/${id}`)).json.id, uri);
    const finger = await get(`${ORIGIN}/.well-known/webfinger?resource=acct:${name}@old.test`);
    if (json.suspended) continue;
    assert.equal(finger.json.links.find(({ rel }: any) => rel === "self").href, uri);
    for (const rest of ["/outbox", "/followers", "/following", "/collections/featured"])
      assert.equal((await get(uri + rest)).json.id, uri + rest);
    const page = await get(`${ORIGIN}/@${name}`);
    assert.deepEqual([page.status, page.headers.get("location")], [302, uri]);
  }
});

test("posts and boosts have their old addresses", async () => {
  const rows = await old.sql<{ id: string; uri: string; name: string; boost: boolean }[]>`
    SELECT s.id::text AS id, s.uri, a.username AS name, s.reblog_of_id IS NOT NULL AS boost
    FROM statuses s JOIN accounts a ON a.id = s.account_id
    WHERE a.domain IS NULL AND a.suspended_at IS NULL AND s.deleted_at IS NULL AND s.visibility < 2
  `;
  assert.ok(rows.length > 50);
  for (const { id, uri, name, boost } of rows) {
    const { status, json } = await get(uri);
    assert.deepEqual([status, json.id], [200, uri]);
    if (boost) continue;
    assert.equal(json.attributedTo, known.get(name)!.uri);
    assert.equal((await get(`${uri}/activity`)).json.id, `${uri}/activity`);
    const page = await get(`${ORIGIN}/@${name}/${id}`);
    assert.deepEqual([page.status, page.headers.get("location")], [302, uri]);
  }
});

test("old addresses of files lead to the same bytes", async () => {
  const paths = readdirSync(old.media, { recursive: true, encoding: "utf8" }).filter(
    (path) => statSync(join(old.media, path)).isFile() && !/^cache\/(?!preview_cards)/.test(path),
  );
  assert.ok(paths.length > 5);
  for (const path of paths) {
    const moved = await server.visitor.get(`/system/${path}`);
    assert.equal(moved.status, 301, path);
    const file = await fetch(server.url + new URL(moved.headers.get("location")!).pathname);
    assert.deepEqual(
      Buffer.from(await file.arrayBuffer()),
      readFileSync(join(old.media, path)),
      path,
    );
  }
});

test("followers get new posts, signed with the old key", async () => {
  for (const name of ["alice", "g1"]) {
    const { json } = await server
      .as(people[name]!.token)
      .post("/api/v1/statuses", { status: `after the move of ${name}` });
    await server.runJobs();
    assert.equal(json.uri, `${known.get(name)!.uri}/statuses/${json.id}`);
    const [received] = receivedWith(`after the move of ${name}`);
    assert.ok(received && isSignedBy(name, received), name);
    const { type, actor, object } = JSON.parse(received.body);
    assert.deepEqual([type, actor, object.id], ["Create", known.get(name)!.uri, json.uri]);
    assert.equal((await get(json.uri)).json.id, json.uri);
  }
});

test("what is changed and deleted of before the move is known elsewhere by its old address", async () => {
  const { id, uri } = await statusOf("Hello world");
  const { token } = people["alice"]!;
  await server.as(token).put(`/api/v1/statuses/${id}`, { status: "Hello moved" });
  await server.runJobs();
  const [update] = receivedWith("Hello moved");
  assert.ok(update && isSignedBy("alice", update));
  assert.deepEqual(
    [JSON.parse(update.body).type, JSON.parse(update.body).object.id],
    ["Update", uri],
  );
  const careful = await statusOf("careful");
  await server.as(token).delete(`/api/v1/statuses/${careful.id}`);
  await server.runJobs();
  const [deletion] = receivedWith(careful.uri);
  assert.ok(deletion && isSignedBy("alice", deletion));
  const { type, object } = JSON.parse(deletion.body);
  assert.deepEqual([type, object.id ?? object], ["Delete", careful.uri]);
  assert.equal((await get(careful.uri)).status, 404);
});

test("activities of before the move are taken back", async () => {
  const { id, uri } = await statusOf("Hello world");
  const read = async () => (await server.visitor.get(`/api/v1/statuses/${id}`)).json;
  const first = await read();
  const inbox = `${known.get("alice")!.uri}/inbox`;
  await send(inbox, {
    type: "Undo",
    object: { id: `${fay.uri}#likes/1`, type: "Like", actor: fay.uri, object: uri },
  });
  assert.equal((await read()).favourites_count, first.favourites_count - 1);
  await send(`${ORIGIN}/inbox`, {
    type: "Delete",
    object: { id: `${peer.origin}/notes/old`, type: "Tombstone" },
  });
  assert.equal((await server.visitor.get(`/api/v1/statuses/${ANSWER}`)).status, 404);
  const follow = {
    id: `${fay.uri}#follows/alice`,
    type: "Follow",
    actor: fay.uri,
    object: known.get("alice")!.uri,
  };
  await send(inbox, { type: "Undo", object: follow });
  const follows = await server.app.sql`
    SELECT FROM follows WHERE account_id = ${FAY} AND target_account_id = ${known.get("alice")!.id}
  `;
  assert.equal(follows.length, 0);
});

test("new activities are taken at the old addresses, and answered with the old key", async () => {
  const g1 = known.get("g1")!;
  const undone = { id: `${fay.uri}#follows/g1`, type: "Follow", actor: fay.uri, object: g1.uri };
  await send(`${g1.uri}/inbox`, { type: "Undo", object: undone });
  const id = `${fay.uri}#follows/again`;
  await send(`${g1.uri}/inbox`, { id, type: "Follow", object: g1.uri });
  const [accept] = receivedWith(id);
  assert.ok(accept && isSignedBy("g1", accept));
  assert.equal(JSON.parse(accept.body).type, "Accept");
  const [status] = await old.sql<{ id: string; uri: string }[]>`
    SELECT id::text AS id, uri FROM statuses
    WHERE account_id = ${g1.id} AND visibility = 0 AND reblog_of_id IS NULL AND deleted_at IS NULL LIMIT 1
  `;
  const note = peer.note(fay, "/notes/new", { inReplyTo: status!.uri, cc: [g1.uri] });
  await send(`${ORIGIN}/inbox`, { type: "Create", object: note });
  await send(`${g1.uri}/inbox`, { type: "Like", object: status!.uri });
  const { json } = await server.visitor.get(`/api/v1/statuses/${status!.id}/context`);
  assert.ok(json.descendants.some(({ uri }: { uri: string }) => uri === note["id"]));
  const likers = await server.visitor.get(`/api/v1/statuses/${status!.id}/favourited_by`);
  assert.ok(likers.json.some(({ username }: { username: string }) => username === "fay"));
});
