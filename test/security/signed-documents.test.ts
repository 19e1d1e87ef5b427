// AUTHORIZED_FETCH over every route of the route table: no ActivityPub document without a signature, whatever the
// request accepts, and nothing that asked for a signature in a shared cache. A new route is tested automatically.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { parsePrivateKey } from "../../src/federation/signatures/keys.ts";
import { signRequest } from "../../src/federation/signatures/sign.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { FUZZ } from "../fuzz.ts";
import { startTestApp } from "../harness.ts";
import type { Answer, Person, TestApp } from "../harness.ts";
import { filled, listRoutes } from "./routes.ts";

const LD = 'application/ld+json; profile="https://www.w3.org/ns/activitystreams"';
const ACCEPTS = [null, "*/*", "text/html", "application/json", "application/activity+json", LD];

/** Routes of documents: those of actors, posts, conversations and collections. */
const DOCUMENTS = /^\/(?:users|contexts|ap|actor)(?:\/|$)/;
/** What everybody needs: the key of the server's own actor, and custom emojis. */
const OPEN = new Set(["/actor", "/actor/outbox", "/emojis/:id"]);
/** Without a signature a browser is led to the page of these. */
const WITH_PAGE = new Set([
  "/users/:username",
  "/users/:username/statuses/:id",
  "/ap/users/:actorId",
  "/ap/users/:actorId/statuses/:id",
  "/ap/:account_id/collections/:id",
]);

let server: TestApp;
let peer: FakePeer;
let bob: PeerActor;
let alice: Person;
let routes: string[];
let statusId: string;

before(async () => {
  [server, peer] = await Promise.all([
    startTestApp({ env: { AUTHORIZED_FETCH: "true", RATE_LIMITS: "false" } }),
    startPeer(),
  ]);
  bob = peer.actor("bob");
  alice = await server.person("alice");
  const json = { status: "hello" };
  const posted = await alice.post("/api/v1/statuses", json);
  statusId = posted.json.id;
  const all = await listRoutes(server.app);
  routes = [...new Set(all.filter(({ method }) => method === "GET").map(({ url }) => url))];
});
after(async () => {
  await peer.close();
  await server.close();
});

const pathOf = (url: string): string =>
  filled(url.replace(/:(?:account_id|actorId)/, alice.accountId), statusId);

const signed = (path: string, accept: string | null, actor = bob, to = server): Promise<Answer> => {
  const { host: _host, ...headers } = signRequest({
    method: "GET",
    url: to.url + path,
    keyId: actor.keyId,
    privateKey: parsePrivateKey(actor.privateKeyPem),
    accept: accept ?? "*/*",
  });
  return to.visitor.get(path, headers);
};

const unsigned = (path: string, accept: string | null): Promise<Answer> =>
  server.request("GET", path, accept === null ? {} : { headers: { accept } });

const isShared = ({ headers }: Answer): boolean =>
  !/private|no-store/.test(headers.get("cache-control") ?? "no-store");

const isDocument = ({ headers, text }: Answer): boolean =>
  /activity\+json|ld\+json/.test(headers.get("content-type") ?? "") ||
  text.includes('"@context"') ||
  text.includes("orderedItems");

/** Documents are asked for in every way, other routes as documents and in one way more; all of it by `npm run fuzz`. */
const isAsked = (url: string, turn: number, accept: string | null): boolean =>
  FUZZ ||
  DOCUMENTS.test(url) ||
  accept === "application/activity+json" ||
  accept === ACCEPTS[turn % ACCEPTS.length];

describe("every route, without a signature", () => {
  for (const accept of ACCEPTS) {
    test(`Accept: ${accept ?? "(none)"}`, async () => {
      for (const [turn, url] of routes.entries()) {
        if (OPEN.has(url) || url.includes("*") || !isAsked(url, turn, accept)) continue;
        const answer = await unsigned(pathOf(url), accept);
        const where = `${url} as ${accept}: ${answer.status}`;
        if (!url.startsWith("/api/")) assert.ok(!isDocument(answer), where);
        if (!DOCUMENTS.test(url)) continue;
        if (accept === "text/html" && WITH_PAGE.has(url)) {
          assert.ok(answer.status === 302 || answer.status === 404, where);
        } else {
          assert.equal(answer.status, 401, where);
          assert.ok(!isShared(answer), where);
        }
      }
    });
  }
});

test("with a signature every document is for the signer alone, whatever is accepted", async () => {
  const served = new Set<string>();
  for (const url of routes.filter((path) => DOCUMENTS.test(path) && !OPEN.has(path))) {
    for (const accept of ACCEPTS) {
      if (accept === "text/html" && WITH_PAGE.has(url)) continue;
      const answer = await signed(pathOf(url), accept);
      assert.notEqual(answer.status, 401, url);
      assert.ok(!isShared(answer), `${url} as ${accept}`);
      assert.match(answer.headers.get("vary") ?? "", /Signature/, url);
      if (answer.status === 200 && isDocument(answer)) served.add(url);
    }
  }
  // The test looks at real documents, and not at those alone that are missing.
  assert.ok(served.size >= 14, [...served].join(" "));
});

test("what stays open is what everybody needs", async () => {
  for (const accept of ACCEPTS) {
    assert.equal((await unsigned("/actor", accept)).status, 200);
    assert.equal((await unsigned("/actor?x=1", accept)).status, 200);
    assert.equal((await unsigned("/actor/outbox", accept)).status, 200);
  }
});

const paths = () => [
  `/users/alice/statuses/${statusId}`,
  `/users/alice/statuses/${statusId}/likes`,
  `/contexts/${statusId}`,
];
const statuses = async (list: string[], actor: PeerActor): Promise<number[]> =>
  Promise.all(list.map(async (path) => (await signed(path, null, actor)).status));

test("whom the author blocked is served no posts", async () => {
  const eve = peer.actor("eve", 1);
  assert.deepEqual(await statuses(paths(), eve), [200, 200, 200]);
  const [row] = await server.app.sql<{ id: string }[]>`
    SELECT id FROM accounts WHERE uri = ${eve.uri}`;
  const page = "/users/alice/outbox?page=true";
  assert.equal((await signed(page, null, eve)).json.orderedItems.length, 1);
  const block = `/api/v1/accounts/${row!.id}/block`;
  await alice.post(block).ok();
  assert.deepEqual(await statuses(paths(), eve), [404, 404, 404]);
  assert.equal((await signed(page, null, eve)).json.orderedItems.length, 0);
  assert.deepEqual(await statuses(paths(), bob), [200, 200, 200]);
});

test("a blocked server is served nothing, and its key is not fetched", async () => {
  const all = ["/users/alice", ...paths()];
  const host = new URL(peer.origin).hostname;
  await server.fixture(
    (sql) => sql`INSERT INTO domain_blocks (domain, severity) VALUES (${host}, 'suspend')`,
  );
  const unknown = peer.actor("unknown", 2);
  peer.received.length = 0;
  assert.deepEqual(await statuses(all, bob), [401, 401, 401, 401]);
  assert.deepEqual(await statuses(all, unknown), [401, 401, 401, 401]);
  assert.deepEqual(peer.received, []);
});

test("in limited federation only servers that are allowed are served", async () => {
  const limited = await startTestApp({ env: { LIMITED_FEDERATION_MODE: "true" } });
  try {
    await limited.person("alice");
    const get = async () => (await signed("/users/alice", null, bob, limited)).status;
    assert.equal(await get(), 401);
    const { host } = new URL(peer.origin);
    await limited.fixture((sql) => sql`INSERT INTO domain_allows (domain) VALUES (${host})`);
    assert.equal(await get(), 200);
    // Its account stays stored.
    await limited.fixture((sql) => sql`DELETE FROM domain_allows`);
    assert.equal(await get(), 401);
  } finally {
    await limited.close();
  }
});
