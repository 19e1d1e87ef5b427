// What we send is signed as servers of each kind verify it. Those of which that is known share one signature for what
// anybody may forward (docs/design/signatures.md); everything else, and everybody else, has one of its own.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { after, before, beforeEach, describe, it } from "node:test";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor, Received } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { TEST_KEYS } from "../keys.ts";
import { refusal, signedBy, STRICT } from "../verifier.ts";
import type { VerifierRules } from "../verifier.ts";

type Json = Record<string, any>;
type Shapes = { server: string; software: string; verifies?: VerifierRules };
type Software = { name: string; version: string };

const FOLDER = new URL("shapes/", import.meta.url);
const shapes = readdirSync(FOLDER).map(
  (file) => JSON.parse(readFileSync(new URL(file, FOLDER), "utf8")) as Shapes,
);
const mastodon = shapes.find(({ software }) => software === "mastodon")!;

/** What their NodeInfo says: the version is in the name of the shapes (`Mastodon 4.4`). */
const softwareOf = ({ server, software }: Shapes): Software => ({
  name: software,
  version: `${/\d[\d.]*/.exec(server)?.[0] ?? "1"}.0`,
});

const ALICE_KEY = TEST_KEYS[0]!.publicKeyPem;
const WHOLE = ["(request-target)", "host", "date", "digest", "content-type"];
const SHARED = WHOLE.filter((name) => name !== "host");

let time = Date.now();
let test: TestApp;
let peers: FakePeer[] = [];
let followers: PeerActor[];
let alice: Person;
/** As if their NodeInfo had been read. */
const runs = async (software: Software, ...hosts: string[]): Promise<void> => {
  await test.app.sql`
    INSERT INTO peers (host, software, version, checked_at)
    SELECT host, ${software.name}, ${software.version}, now() FROM unnest(${hosts}::text[]) AS h (host)
    ON CONFLICT (host) DO UPDATE SET software = excluded.software, version = excluded.version`;
};

const forgetForms = async (): Promise<void> => {
  test.app.caches.clear();
  for (const { host } of peers) {
    await test.app.kv.delete(`signature-form:${host}`);
    await test.app.kv.delete(`signature-refused:${host}`);
  }
};

const post = (json: Json = {}): Promise<Json> =>
  alice.post("/api/v1/statuses", { status: "hello", ...json }).done();

/** What the peers got since the last time, in their order. */
const received = (): Received[] =>
  peers.flatMap((peer) => peer.received.splice(0).filter(({ method }) => method === "POST"));

const signature = ({ headers }: Received): string => String(headers["signature"]);
const verified = (request: Received, rules = mastodon.verifies!): string | null =>
  refusal(rules, request, ALICE_KEY, new Date(time));

before(async () => {
  test = await startTestApp({ clock: { now: () => new Date(time) }, worker: false });
  peers = await Promise.all(["127.0.0.1", "127.0.0.2", "127.0.0.3"].map((at) => startPeer(at)));
  alice = await test.person("alice");
  followers = peers.map((peer) => peer.actor("reader", 1));
  for (const follower of followers)
    await follower.deliver(test, { type: "Follow", object: `${test.url}/users/alice` });
});

beforeEach(async () => {
  time = Date.now();
  for (const peer of peers) peer.refuses = null;
  await runs(softwareOf(mastodon), ...peers.map(({ host }) => host));
  await forgetForms();
  received();
});

after(async () => {
  for (const peer of peers) await peer.close();
  await test?.close();
});

for (const shape of shapes) {
  const { server, verifies = STRICT } = shape;
  it(`a public post is signed as ${server} verifies it`, async () => {
    await runs(softwareOf(shape), ...peers.map(({ host }) => host));
    await post();
    const requests = received();
    assert.equal(requests.length, peers.length);
    for (const request of requests) assert.equal(verified(request, verifies), null);
    const isShared = new Set(requests.map(signature)).size === 1;
    assert.equal(isShared, shape.software === "mastodon");
  });
}

describe("what is shared", () => {
  it("is one signature over method, path, date and body for all, made again after a minute", async () => {
    await post();
    const [first, ...others] = received();
    assert.deepEqual(signedBy(first!), SHARED);
    for (const request of others) {
      assert.equal(signature(request), signature(first!));
      assert.notEqual(request.headers.host, first!.headers.host);
    }
    peers[0]!.answer.status = 503;
    await post();
    peers[0]!.answer.status = 202;
    const [failed] = received();
    time += 61_000;
    await test.runJobs();
    const [again] = received();
    assert.equal(again!.body, failed!.body);
    assert.notEqual(signature(again!), signature(failed!));
    assert.equal(verified(again!), null);
  });

  it("are posts, their changes and their deletion, for everybody", async () => {
    for (const visibility of ["public", "unlisted"]) {
      const { id } = await post({ visibility });
      await alice.put(`/api/v1/statuses/${id}`, { status: "changed" }).done();
      await alice.delete(`/api/v1/statuses/${id}`, {}).done();
      const requests = received();
      const types = requests.map(({ body }) => JSON.parse(body).type);
      assert.deepEqual(new Set(types), new Set(["Create", "Update", "Delete"]), visibility);
      for (const request of requests) assert.deepEqual(signedBy(request), SHARED);
    }
  });

  it("is nothing for some alone, and no act that its author did not sign for others to forward", async () => {
    const [reader] = followers;
    const mention = `@${reader!.name}@${peers[0]!.host}`;
    await post({ visibility: "private" });
    await post({ visibility: "direct", status: mention });
    const { id } = await post();
    received();
    await post({ visibility: "private" });
    await post({ visibility: "direct", status: mention });
    await alice.post(`/api/v1/statuses/${id}/reblog`, {}).done();
    const [row] = await test.app.sql<{ id: string }[]>`
      SELECT id FROM accounts WHERE uri = ${reader!.uri}`;
    for (const verb of ["follow", "unfollow", "block", "unblock"])
      await alice.post(`/api/v1/accounts/${row!.id}/${verb}`, {}).done();
    const requests = received();
    const types = new Set(requests.map(({ body }) => JSON.parse(body).type));
    for (const type of ["Create", "Announce", "Follow", "Undo", "Block"])
      assert.ok(types.has(type), `${type} of ${[...types].join()}`);
    for (const request of requests) {
      assert.ok(signedBy(request).includes("host"), request.body);
      assert.equal(verified(request, STRICT), null);
    }
    await reader!.deliver(test, { type: "Follow", object: `${test.url}/users/alice` });
  });

  it("is for no inbox but the shared one", async () => {
    await test.write`UPDATE accounts SET shared_inbox_url = NULL WHERE uri = ${followers[0]!.uri}`;
    await post();
    const [own, ...others] = received();
    assert.deepEqual(signedBy(own!), WHOLE);
    for (const request of others) assert.deepEqual(signedBy(request), SHARED);
    await test.write`
      UPDATE accounts SET shared_inbox_url = ${`${peers[0]!.origin}/inbox`}
      WHERE uri = ${followers[0]!.uri}`;
  });

  it("goes to nobody of whom it is not known that they take it", async () => {
    const unsure = [
      { name: "mastodon", version: "3.2.2" },
      { name: "mastodon", version: "nightly" },
      { name: "mastodonish", version: "4.5.1" },
    ];
    for (const [n, { host }] of peers.entries()) await runs(unsure[n]!, host);
    await post();
    const requests = received();
    assert.equal(requests.length, 3);
    for (const request of requests) assert.deepEqual(signedBy(request), WHOLE);
  });
});

describe("a server that refuses it", () => {
  it("gets the same activity with a signature of its own at once, and from then on", async () => {
    const [picky] = peers;
    picky!.refuses = ({ signature: header }) => !String(header).includes(" host ");
    await post();
    const toPicky = () => received().filter(({ headers }) => headers.host === picky!.host);
    const [shared, own, ...more] = toPicky();
    assert.deepEqual(more, []);
    assert.deepEqual(
      [shared, own].map((request) => signedBy(request!)),
      [SHARED, WHOLE],
    );
    assert.equal(own!.body, shared!.body);
    test.app.caches.clear();
    await post();
    assert.deepEqual(toPicky().map(signedBy), [WHOLE]);
  });
});

describe("a shared signature in the hands of another server", () => {
  const shared = async (): Promise<Received> => {
    await post();
    return received()[0]!;
  };

  it("is good for the same POST at the same path alone, and for an hour", async () => {
    const request = await shared();
    assert.equal(verified(request), null);
    assert.match(verified({ ...request, method: "GET" })!, /host is not signed/);
    const lax: VerifierRules = { ...mastodon.verifies!, get: [] };
    assert.match(verified({ ...request, method: "GET" }, lax)!, /something else/);
    assert.match(verified({ ...request, path: "/users/x/inbox" })!, /something else/);
    assert.match(verified({ ...request, body: `${request.body} ` })!, /digest/);
    const headers = { ...request.headers, host: "elsewhere.example" };
    assert.equal(verified({ ...request, headers }), null);
    time += 2 * 3_600_000;
    assert.match(verified(request)!, /date/);
  });

  it("is refused by us, who want the host signed", async () => {
    const { headers, body } = await shared();
    const { signature: header, date, digest, "content-type": type } = headers as Json;
    const answer = await fetch(`${test.url}/inbox`, {
      method: "POST",
      headers: { signature: header, date, digest, "content-type": type },
      body,
    });
    assert.equal(answer.status, 401);
    assert.match(await answer.text(), /host must be signed/);
  });
});
