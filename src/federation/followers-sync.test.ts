// Synchronisation of followers, both ways (FEP-8fcf).

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { connect } from "../platform/db/index.ts";
import { FETCH_BUDGETS, refund } from "../platform/fetch/budget.ts";
import type { PeerActor } from "../../test/fake-peer.ts";
import * as w from "../../test/inbox-world.ts";
import { createHash } from "node:crypto";
import { parseSyncHeader } from "./followers-sync.ts";
import { selectLocalFollowers } from "./queries.ts";
import { parsePrivateKey } from "./signatures/keys.ts";
import { signRequest } from "./signatures/sign.ts";

before(w.openWorld);
after(w.closeWorld);
beforeEach(async () => {
  w.calmWorld();
  w.peer.received.length = 0;
  await w.test.app.kv.delete(`followers-sync:${await w.idOfActor(w.bob)}`);
  refund(w.test.app, "collection", w.peer.origin, FETCH_BUDGETS.collection.burst);
});

/** As the FEP defines it: the XOR of the hashes of the addresses. */
const followersDigest = (uris: string[]): string => {
  const hashes = uris.map((uri) => createHash("sha256").update(uri).digest("hex"));
  const sum = hashes.reduce((total, hash) => total ^ BigInt(`0x${hash}`), 0n);
  return sum.toString(16).padStart(64, "0");
};

it("the digest is that of a recorded Mastodon", async () => {
  const digest = "a324055411fd02b7479e8e903ca2755dc6018dd675f339ac63d05371f72c2f9d";
  const uri = "https://peer.test/users/s1";
  assert.equal(followersDigest([uri]), digest);
  const [row] = await w.test.app.sql<{ bits: string }[]>`SELECT uri_digest(${uri})::text AS bits`;
  assert.equal(BigInt(`0b${row!.bits}`).toString(16), digest);
});

const MANY = 50_000;

/**
 * Accounts that exist for these follows alone; returns their addresses. `host`: null for this server. By a connection
 * of its own, whose rows are not watched one by one: nothing is cached of them.
 */
const insertFollowers = async (
  target: string,
  { origin, host }: { origin: string; host: string | null },
): Promise<string[]> => {
  const sql = connect(w.test.databaseUrl, { max: 1, application: "followers" });
  const rows = await sql<{ uri: string }[]>`
    INSERT INTO accounts (id, username, domain, uri, url, inbox_url, outbox_url, followers_url,
      following_url, shared_inbox_url, public_key)
    SELECT snowflake(), 'many' || n, ${host}, uri, uri, uri || '/inbox', uri || '/outbox',
      uri || '/followers', uri || '/following', ${`${origin}/inbox`}, ''
    FROM generate_series(1, ${MANY}::int) AS n,
      LATERAL (SELECT ${origin} || '/users/many' || n AS uri) me
    RETURNING uri`;
  const uris = rows.map(({ uri }) => uri);
  await sql`
    INSERT INTO follows (id, account_id, target_account_id, local)
    SELECT snowflake(), id, ${target}, domain IS NULL FROM accounts WHERE uri = ANY(${uris})`;
  await sql.end();
  return uris;
};

describe("what we say", () => {
  const url = () => `${w.uriOf(w.alice)}/followers_synchronization`;
  const get = async (actor: PeerActor) => {
    const { host: _host, ...headers } = signRequest({
      method: "GET",
      url: url(),
      keyId: actor.keyId,
      privateKey: parsePrivateKey(actor.privateKeyPem),
      accept: "application/activity+json",
    });
    return w.test.visitor.get(new URL(url()).pathname, headers);
  };

  it("goes with what is for followers alone, and the list to the server that they are on", async () => {
    for (const actor of [w.bob, w.mallory]) {
      await w.send(actor, { type: "Follow", object: w.uriOf(w.alice) });
    }
    await w.post(w.alice, "for you", { visibility: "private" });
    await w.post(w.alice, "for all");
    const sent = w.peer.received.filter(({ body }) => body.includes('"Create"'));
    const [header, ...others] = sent.map(({ headers }) => headers["collection-synchronization"]);
    assert.deepEqual(parseSyncHeader(String(header)), {
      collectionId: `${w.uriOf(w.alice)}/followers`,
      url: url(),
      digest: followersDigest([w.bob.uri]),
    });
    assert.match(String(sent[0]!.headers["signature"]), / collection-synchronization/);
    assert.deepEqual(others, [undefined]);
    const { status, json, headers } = await get(w.eve);
    assert.equal(status, 200);
    assert.deepEqual(json.orderedItems, [w.bob.uri]);
    assert.match(String(headers.get("cache-control")), /private/);
    assert.deepEqual((await get(w.mallory)).json.orderedItems, [w.mallory.uri]);
    assert.equal((await w.test.visitor.get(new URL(url()).pathname)).status, 401);
  });

  it("is right with 50,000 followers on a server", async () => {
    const people = await insertFollowers(w.alice.accountId, w.otherPeer);
    const [row] = await w.test.app.sql<{ followers: number }[]>`
      SELECT followers FROM follower_digests
      WHERE account_id = ${w.alice.accountId} AND origin = ${w.otherPeer.origin}`;
    assert.equal(row!.followers, MANY + 1);
    const before = w.otherPeer.received.length;
    await w.post(w.alice, "for all of you", { visibility: "private" });
    const [sent] = w.otherPeer.received.slice(before);
    const header = parseSyncHeader(String(sent?.headers["collection-synchronization"]));
    assert.equal(header?.digest, followersDigest([w.mallory.uri, ...people]));
    const { orderedItems } = (await get(w.mallory)).json;
    assert.deepEqual(orderedItems.toSorted(), [w.mallory.uri, ...people].toSorted());
    await w.test.write`DELETE FROM accounts WHERE uri = ${people[0]!}`;
    await w.post(w.alice, "for the others", { visibility: "private" });
    const last = parseSyncHeader(
      String(w.otherPeer.received.at(-1)!.headers["collection-synchronization"]),
    );
    assert.equal(last?.digest, followersDigest([w.mallory.uri, ...people.slice(1)]));
  });
});

describe("what we are told", () => {
  const path = "/users/bob/followers_synchronization";
  const list = (people: string[]) =>
    w.peer.documents.set(path, {
      id: w.peer.origin + path,
      type: "OrderedCollection",
      orderedItems: people,
    });

  /** A post with the header, which the signature covers unless `isSigned` is false. */
  const tell = (followers: string[], { url = w.peer.origin + path, isSigned = true } = {}) =>
    sendDigest(followersDigest(followers), { url, isSigned });

  const sendDigest = async (
    digest: string,
    { url = w.peer.origin + path, isSigned = true } = {},
  ) => {
    const header = `collectionId="${w.bob.uri}/followers", digest="${digest}", url="${url}"`;
    const more = { "collection-synchronization": header };
    const body = JSON.stringify({
      id: w.nextId(w.bob),
      actor: w.bob.uri,
      type: "Create",
      object: w.note(w.bob, { to: [`${w.bob.uri}/followers`], cc: [] }),
    });
    const { host: _host, ...headers } = signRequest({
      method: "POST",
      url: w.inbox(),
      body,
      keyId: w.bob.keyId,
      privateKey: parsePrivateKey(w.bob.privateKeyPem),
      contentType: "application/activity+json",
      ...(isSigned && { more }),
    });
    const request = { method: "POST", headers: { ...headers, ...more }, body };
    assert.equal((await fetch(w.inbox(), request)).status, 202);
    await w.test.runJobs();
  };
  const requests = () => w.peer.received.filter((request) => request.path === path).length;
  const follows = async (): Promise<string[]> =>
    (
      await w.test.app.sql<{ uri: string }[]>`
        SELECT a.uri FROM follows f JOIN accounts a ON a.id = f.account_id
        WHERE f.target_account_id = ${await w.idOfActor(w.bob)} ORDER BY a.uri`
    ).map(({ uri }) => uri);

  it("is not asked about where both agree, nor where it is not the actor who says it", async () => {
    list([]);
    await tell([w.uriOf(w.alice)]);
    await tell([], { isSigned: false });
    await tell([], { url: `${w.otherPeer.origin}${path}` });
    assert.equal(requests(), 0);
    assert.deepEqual(await follows(), [w.uriOf(w.alice)]);
  });

  it("a follow that they do not know ends, one that ended here ends there", async () => {
    list([w.uriOf(w.carol)]);
    await tell([w.uriOf(w.carol)]);
    assert.equal(requests(), 1);
    assert.deepEqual(await follows(), []);
    const undone = w.peer
      .inbox()
      .filter((activity) => activity["type"] === "Undo" && activity["actor"] === w.uriOf(w.carol));
    const follow = undone[0]?.["object"] as Record<string, unknown> | undefined;
    assert.equal(follow?.["type"], "Follow");
    assert.equal(follow?.["object"], w.bob.uri);
    // Once in ten minutes.
    await tell([w.uriOf(w.carol)]);
    assert.equal(requests(), 1);
  });

  it("a list that is not what the digest was made of ends no follow", async () => {
    await w.test.write`
      INSERT INTO follows (id, account_id, target_account_id, local)
      VALUES (snowflake(), ${w.carol.accountId}, ${await w.idOfActor(w.bob)}, true)`;
    list([]);
    // As a server says that knows the followers by another name of this one.
    await tell(["https://former.test/users/carol"]);
    assert.equal(requests(), 1);
    assert.deepEqual(await follows(), [w.uriOf(w.carol)]);
  });

  it("who was asked again under a new name of this server is waited for", async () => {
    const bob = await w.idOfActor(w.bob);
    const pair = w.test.write`
      INSERT INTO former_follows (account_id, target_account_id, created_at)
      VALUES (${w.carol.accountId}, ${bob}, now())`;
    await pair;
    list([]);
    await tell(["https://former.test/users/carol"]);
    list([w.uriOf(w.alice)]);
    await w.test.app.kv.delete(`followers-sync:${bob}`);
    await tell([w.uriOf(w.alice)]);
    assert.deepEqual(await follows(), [w.uriOf(w.carol)]);
    await w.test.write`DELETE FROM former_follows`;
    await w.test.app.kv.delete(`followers-sync:${bob}`);
    await tell([w.uriOf(w.alice)]);
    assert.deepEqual(await follows(), []);
  });

  it("an Accept that was lost is made up for", async () => {
    const bob = await w.idOfActor(w.bob);
    await w.alice.post(`/api/v1/accounts/${bob}/follow`);
    await w.test.runJobs();
    assert.deepEqual(await follows(), []);
    list([w.uriOf(w.alice)]);
    await tell([w.uriOf(w.alice)]);
    assert.deepEqual(await follows(), [w.uriOf(w.alice)]);
  });

  it("a list without an end changes nothing", async () => {
    const next = `${w.peer.origin}${path}?page=1`;
    const page = { type: "OrderedCollectionPage", orderedItems: [], next };
    w.peer.documents.set(path, {
      id: w.peer.origin + path,
      type: "OrderedCollection",
      first: next,
    });
    w.peer.documents.set(`${path}?page=1`, { id: next, ...page });
    await tell([]);
    assert.deepEqual(await follows(), [w.uriOf(w.alice)]);
    assert.ok(w.peer.received.filter((request) => request.path.startsWith(path)).length <= 11);
  });

  it("who follows is found row by row also where the statistics knew few people here", async () => {
    const sql = connect(w.test.databaseUrl, { max: 1, application: "plans" });
    try {
      // The accounts of other servers are many, as after the tests before; autovacuum would do this at any time.
      await sql`ANALYZE accounts, follows, follow_requests`;
      await selectLocalFollowers(sql, await w.idOfActor(w.bob), []);
      const [prepared] = await sql<{ name: string }[]>`
        SELECT name FROM pg_prepared_statements WHERE statement LIKE '%AS listed (uri)%'
          AND statement NOT LIKE '%pg_prepared_statements%'`;
      const plan = await sql.unsafe(`EXPLAIN EXECUTE "${prepared!.name}" (1, 1, 1, '{}')`);
      const lines = plan.map((row) => String(row["QUERY PLAN"]));
      // A nested loop that compares each with each: 50,000 people took minutes.
      assert.deepEqual(
        lines.filter((line) => /Join Filter|= ANY/.test(line)),
        [],
      );
    } finally {
      await sql.end();
    }
  });

  it("of 50,000 people, in pages: who does not follow any more is found", async () => {
    const us = { origin: w.test.url, host: null };
    const people = await insertFollowers(await w.idOfActor(w.bob), us);
    const known = [w.uriOf(w.alice), ...people];
    const [gone, ...left] = people;
    const pages = 5;
    for (let n = 0; n < pages; n++) {
      const next = n + 1 < pages ? { next: `${w.peer.origin}${path}?page=${n + 1}` } : {};
      const orderedItems = [w.uriOf(w.alice), ...left].filter((_, place) => place % pages === n);
      const id = `${path}?page=${n}`;
      const type = "OrderedCollectionPage";
      w.peer.documents.set(id, { id: w.peer.origin + id, type, orderedItems, ...next });
    }
    const first = `${w.peer.origin}${path}?page=0`;
    w.peer.documents.set(path, { id: w.peer.origin + path, type: "OrderedCollection", first });
    await tell([w.uriOf(w.alice), ...left]);
    const after = await follows();
    assert.deepEqual(after, known.filter((uri) => uri !== gone).toSorted());
  });
});
