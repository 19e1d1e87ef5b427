// Verified profile links: pages that link back, pages that do not, and pages that no longer do.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer } from "../../../../test/fake-peer.ts";
import { nextNoon } from "../../../../test/clocks/noon.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";

const WEEK_MS = 7 * 24 * 3_600_000;

let server: TestApp;
let peer: FakePeer;
let alice: Person;
let time = nextNoon();

before(async () => {
  [server, peer] = await Promise.all([
    startTestApp({ clock: { now: () => time } }),
    startPeer("127.0.0.4"),
  ]);
});

after(async () => {
  await peer?.close();
  await server?.close();
});

let people = 0;
beforeEach(async () => {
  time = new Date();
  alice = await server.person(`alice${(people += 1)}`);
  peer.pages.clear();
  peer.received.length = 0;
  await server.app.sql`DELETE FROM graphile_worker._private_jobs`;
});

const profileUrl = () => `${server.url}/@${alice.username}`;
const page = (path: string, body: string, type = "text/html; charset=utf-8") =>
  peer.pages.set(path, { headers: { "content-type": type }, body });
const back = () => `<p><a rel="nofollow me" href="${profileUrl()}">me</a></p>`;

const save = async (...values: string[]) => {
  const fields_attributes = values.map((value, n) => ({ name: `f${n}`, value }));
  await alice.patch("/api/v1/accounts/update_credentials", { fields_attributes }).done();
};

const proofs = async (id = alice.accountId): Promise<(string | null)[]> => {
  const { json } = await server.visitor.get(`/api/v1/accounts/${id}`);
  assertEntity("Account", json);
  return json.fields.map((field: { verified_at: string | null }) => field.verified_at);
};

const requested = () =>
  peer.received.filter((request) => request.method === "GET").map((request) => request.path);

/** Runs the verifications that are due by then. */
const later = async (ms: number) => {
  time = new Date(time.getTime() + ms);
  await server.app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now()
    WHERE run_at <= ${time}::timestamptz + interval '1 second'
  `;
  await server.runJobs();
};

test("a page that links back proves the field, in the account and in source", async () => {
  page("/", back());
  page("/head", `<html><head><link rel=me href="${profileUrl()}/"></head></html>`);
  page("/none", "<p>nothing</p>");
  await save(peer.origin, `${peer.origin}/head`, `${peer.origin}/none`, "she/her");
  const verified = await proofs();
  assert.deepEqual(
    verified.map((proof) => proof !== null),
    [true, true, false, false],
  );
  assert.equal(Date.parse(verified[0]!), time.getTime());
  const { json } = await alice.get("/api/v1/accounts/verify_credentials");
  assert.equal(json.source.fields[0].verified_at, verified[0]);
  const { headers } = peer.received[0]!;
  assert.equal(headers.authorization, undefined);
  assert.equal(headers.cookie, undefined);
});

test("the address of the actor counts too, and a page reached by redirects", async () => {
  page("/there", `<a rel="me" href="${server.url}/users/${alice.username}">me</a>`);
  peer.pages.set("/moved", { status: 301, headers: { location: "/there" } });
  await save(`${peer.origin}/moved`);
  assert.notEqual((await proofs())[0], null);
});

test("what proves nothing: another's profile, no rel, no HTML, an error", async () => {
  page("/other", `<a rel="me" href="${server.url}/@somebody">me</a>`);
  page("/prefix", `<a rel="me" href="${profileUrl()}x">me</a>`);
  page("/plain", back(), "text/plain");
  peer.pages.set("/gone", { status: 404, headers: { "content-type": "text/html" }, body: back() });
  await save(...["/other", "/prefix", "/plain", "/gone"].map((path) => peer.origin + path));
  assert.deepEqual(await proofs(), [null, null, null, null]);
  assert.equal(requested().length, 4);
});

test("a text that only contains a link is not verified", async () => {
  page("/", back());
  await save(`see ${peer.origin}/`, "#tag", "plain");
  assert.deepEqual(await proofs(), [null, null, null]);
  assert.deepEqual(requested(), []);
});

test("a huge page and one inside our network are not read", async () => {
  page("/huge", back() + "x".repeat(1024 * 1024 + 1));
  await save(`${peer.origin}/huge`, "http://10.0.0.1/", "http://169.254.169.254/latest");
  assert.deepEqual(await proofs(), [null, null, null]);
});

test("a proof keeps its time; it ends when the link is gone, not while the page is away", async () => {
  page("/p", back());
  await save(`${peer.origin}/p`);
  const [first] = await proofs();
  time = new Date(time.getTime() + 60_000);
  await save(`${peer.origin}/p`, "other");
  assert.deepEqual(await proofs(), [first, null]);
  peer.pages.set("/p", { status: 503 });
  await later(WEEK_MS);
  assert.equal((await proofs())[0], first);
  page("/p", "<p>sold</p>");
  await later(WEEK_MS);
  assert.equal((await proofs())[0], null);
  page("/p", back());
  await later(WEEK_MS);
  assert.equal((await proofs())[0], time.toISOString());
});

test("another value of a verified field has to be verified again", async () => {
  page("/p", back());
  await save(`${peer.origin}/p`);
  await save(`${peer.origin}/q`);
  assert.deepEqual(await proofs(), [null]);
});

const actorWith = (name: string, values: string[]) => {
  const actor = peer.actor(name);
  actor.document["attachment"] = values.map((value, n) => ({
    type: "PropertyValue",
    name: `f${n}`,
    value,
  }));
  return actor;
};

const lookUp = async (name: string): Promise<string> => {
  const path = `/api/v1/accounts/lookup?acct=${name}@${peer.host}`;
  const { json, text } = await alice.get(path);
  assert.ok(json?.id, text);
  await server.runJobs();
  return json.id;
};

const anchor = (url: string) => `<a href="${url}" rel="me">${url}</a>`;

test("profiles of other servers are proven here; what their server claims is not believed", async () => {
  const site = `${peer.origin}/site`;
  const actor = actorWith("remy", [
    anchor(site),
    `<a href="${site}" rel="me">https://famous.example</a>`,
    anchor(`${peer.origin}/liar`),
  ]);
  (actor.document["attachment"] as Record<string, unknown>[])[2]!["verified_at"] = "2020-01-01";
  page("/site", `<a rel="me" href="${peer.origin}/@remy">me</a>`);
  page("/liar", back());
  const id = await lookUp("remy");
  const verified = await proofs(id);
  assert.deepEqual(
    verified.map((proof) => proof !== null),
    [true, false, false],
  );
});

test("a remote verification survives a new fetch, and remote profiles are verified at most once an hour", async () => {
  const site = `${peer.origin}/site`;
  const actor = actorWith("rolf", [anchor(site)]);
  page("/site", `<a rel="me" href="${peer.origin}/@rolf">me</a>`);
  const id = await lookUp("rolf");
  const [first] = await proofs(id);
  assert.notEqual(first, null);
  const { accountId } = alice;
  await server.write`
    INSERT INTO follows (account_id, target_account_id) VALUES (${accountId}, ${id})`;
  const refresh = async () => {
    await server.app.jobs.add(server.app.sql, "actor.refresh", { uri: actor.uri });
    await server.runJobs();
  };
  const pages = () => requested().filter((path) => path === "/site").length;
  assert.equal(pages(), 1);
  actor.document["name"] = "New name";
  await refresh();
  assert.deepEqual([await proofs(id), pages()], [[first], 1]);
  (actor.document["attachment"] as unknown[]).push({
    type: "PropertyValue",
    name: "two",
    value: anchor(`${peer.origin}/two`),
  });
  await refresh();
  assert.deepEqual([await proofs(id), pages()], [[first, null], 1]);
  await later(3_600_000);
  assert.equal(pages(), 2);
  assert.ok(requested().includes("/two"));
});
