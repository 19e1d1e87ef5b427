// The slow and the dead never hold up the quick: with hundreds of hosts that do not answer, others get their
// copies at once, in order; nothing is lost with a worker that dies.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { sendable } from "../../src/domain/people/accounts/activitypub.ts";
import { deliver } from "../../src/federation/deliver.ts";
import { startPeer } from "../fake-peer.ts";
import { drainDeliveries, startDeliveries } from "../../src/federation/delivery/worker.ts";
import type { FakePeer } from "../fake-peer.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { eventually } from "../journeys/eventually.ts";

const HOSTS = 200;

let t: TestApp;
let alice: Person;
let bob: Person;
let peer: FakePeer;
/** One server on many addresses, whose answers are held back. */
let silent: Server;
let unanswered: ServerResponse[] = [];

before(async () => {
  t = await startTestApp({ pace: null });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});

beforeEach(async () => {
  await peer?.close();
  peer = await startPeer();
  release();
  silent?.closeAllConnections();
  silent?.close();
  silent = createServer((request, response) => {
    request.resume();
    unanswered.push(response);
  });
  await new Promise<void>((resolve) => silent.listen(0, "0.0.0.0", resolve));
  await t.app.sql`DELETE FROM deliveries`;
  await t.app.sql`DELETE FROM remote_hosts`;
});

after(async () => {
  release();
  silent.closeAllConnections();
  silent.close();
  await peer.close();
  await t.close();
});

const release = (): void => {
  for (const response of unanswered.splice(0)) response.writeHead(202).end();
};

/** Inboxes on as many hosts. */
const inboxesAt = (port: number, length = HOSTS): string[] =>
  Array.from(
    { length },
    (_, n) => `http://127.2.${Math.floor(n / 200)}.${1 + (n % 200)}:${port}/inbox`,
  );

const silentInboxes = () => inboxesAt((silent.address() as AddressInfo).port);

const send = (inboxes: string[], id: unknown = 0, from = alice) =>
  deliver(t.app, t.app.sql, [{ accountId: from.accountId, activity: sendable({ id }), inboxes }]);

const received = () => peer.inbox().map(({ id }) => id);

const arrives = (count = 1) =>
  eventually("the copy of the healthy host", () => peer.received.length >= count);

const countHosts = async (): Promise<{ failing: number; waiting: number }> => {
  const [row] = await t.app.sql<{ failing: number; waiting: number }[]>`
    SELECT count(*) FILTER (WHERE failures > 0)::int AS failing,
      count(*) FILTER (WHERE due_at IS NOT NULL)::int AS waiting
    FROM remote_hosts`;
  return row!;
};

test("hosts that never answer, nor were seen before: a new healthy host does not wait for them", async (context) => {
  await send(silentInboxes());
  await eventually("requests to them", () => unanswered.length > 50);
  const began = performance.now();
  await send([`${peer.origin}/inbox`]);
  await arrives();
  context.diagnostic(`${Math.round(performance.now() - began)} ms`);
  // None of them has even been given up.
  assert.equal((await countHosts()).failing, 0);
  await eventually("requests to all of them", () => unanswered.length === HOSTS);
});

test("in the same post", async () => {
  await send([...silentInboxes(), `${peer.origin}/inbox`]);
  await arrives();
  assert.equal((await countHosts()).failing, 0);
});

test("hosts known to be slow: they have their own places", async () => {
  const inboxes = silentInboxes();
  await t.app.sql`
    INSERT INTO remote_hosts (host, latency_ms, slow)
    SELECT unnest(${inboxes.map((inbox) => new URL(inbox).host)}::text[]), 9000, true`;
  await send(inboxes, 1);
  await send(inboxes, 2);
  await eventually("requests to them", () => unanswered.length >= 100);
  await send([`${peer.origin}/inbox`]);
  await arrives();
  const { failing, waiting } = await countHosts();
  assert.equal(failing, 0);
  // Slow ones are not hurried either: all of them still wait.
  assert.ok(waiting >= HOSTS, String(waiting));
  assert.ok(unanswered.length < HOSTS, `${unanswered.length} requests at once`);
});

test("hosts that refuse: each rests with all that waits for it", async () => {
  const { port } = silent.address() as AddressInfo;
  silent.close();
  for (const id of [1, 2, 3]) await send(inboxesAt(port), id);
  await send([`${peer.origin}/inbox`]);
  await arrives();
  await eventually("that they rest", async () => (await countHosts()).failing === HOSTS);
  await t.runJobs();
  const [row] = await t.app.sql<{ untouched: number; tried: number }[]>`
    SELECT count(*) FILTER (WHERE tries = 0)::int AS untouched,
      count(*) FILTER (WHERE tries > 0)::int AS tried
    FROM deliveries`;
  assert.deepEqual({ ...row }, { untouched: 2 * HOSTS, tried: HOSTS });
  await send([`${peer.origin}/inbox`], 4);
  await arrives(2);
});

test("what is done one after another by two people arrives in that order", async () => {
  const numbers = Array.from({ length: 40 }, (_, n) => n);
  for (const n of numbers) await send([`${peer.origin}/inbox`], n, n % 2 === 0 ? alice : bob);
  await arrives(numbers.length);
  assert.deepEqual(received(), numbers);
});

test("a host that asks for a pause gets one, and then all in order", async () => {
  Object.assign(peer.answer, { status: 429, headers: { "retry-after": "2" } });
  await send([`${peer.origin}/inbox`], 1);
  await arrives();
  const started = performance.now();
  Object.assign(peer.answer, { status: 202, headers: {} });
  await send([`${peer.origin}/inbox`], 2);
  await arrives(3);
  assert.ok(performance.now() - started > 1000);
  assert.deepEqual(received(), [1, 1, 2]);
});

test("the hosts of a worker that died are taken over when its lease ends", async () => {
  await t.app.sql`
    INSERT INTO remote_hosts (host, owner, due_at)
    VALUES (${peer.host}, ${randomUUID()}, now() + interval '2 seconds')`;
  await send([`${peer.origin}/inbox`], 1);
  await send(["http://127.3.0.1:1/inbox"]);
  await t.runJobs();
  assert.deepEqual(received(), []);
  await arrives();
  await t.runJobs();
  assert.equal((await t.app.sql`SELECT 1 FROM deliveries WHERE host = ${peer.host}`).length, 0);
});

test("of more slow hosts than a worker may work on at once each gets its copy when others have ended", async () => {
  const { port } = silent.address() as AddressInfo;
  await send(inboxesAt(port, 700));
  let answered = 0;
  await eventually("requests to all", () => {
    // Only while all places are taken: the hosts are slow before they answer.
    if (unanswered.length >= 300 || answered >= 300) {
      answered += unanswered.length;
      release();
    }
    return answered === 700;
  });
});

test("a worker that stops gives back the hosts that do not answer, with nothing lost", async () => {
  const other = await startTestApp({ worker: false });
  const { app } = other;
  const { accountId } = await other.person("carol");
  const worker = await startDeliveries(app);
  const inboxes = silentInboxes().slice(0, 3);
  await deliver(app, app.sql, [{ accountId, activity: sendable({ id: 1 }), inboxes }]);
  await eventually("requests to them", () => unanswered.length === inboxes.length);
  await worker.stop();
  const [left] = await app.sql<{ hosts: number; deliveries: number }[]>`
    SELECT (SELECT count(*) FROM remote_hosts
        WHERE owner IS NULL AND failures = 0 AND due_at IS NOT NULL)::int AS hosts,
      (SELECT count(*) FROM deliveries WHERE tries = 0)::int AS deliveries`;
  assert.deepEqual({ ...left }, { hosts: 3, deliveries: 3 });
  await other.close();
});

test("/metrics shows what waits", async () => {
  const other = await startTestApp({ worker: false, env: { METRICS_TOKEN: "token" } });
  const { app } = other;
  const { accountId } = await other.person("carol");
  await deliver(app, app.sql, [
    { accountId, activity: sendable({ id: 1 }), inboxes: ["http://127.3.0.1:1/inbox"] },
  ]);
  await drainDeliveries(app);
  await app.jobs.add(app.sql, "files.delete", {});
  await other.write`
    INSERT INTO incoming_activities (uri, actor_uri, body)
    VALUES ('http://peer.example/1', 'http://peer.example/users/a', '{}')`;
  const { text } = await other.as("token").get("/metrics");
  const waits = Object.fromEntries(
    [...text.matchAll(/^rookery_(\w+)_(?:waiting|resting) (\d+)$/gm)].map(([line]) =>
      line.split(" "),
    ),
  );
  assert.deepEqual(
    [
      waits["rookery_deliveries_waiting"],
      waits["rookery_hosts_waiting"],
      waits["rookery_hosts_resting"],
    ],
    ["1", "1", "1"],
  );
  assert.ok("rookery_activities_waiting" in waits && "rookery_events_waiting" in waits);
  assert.match(text, /\nrookery_deliveries_total\{result="down"\} 1\n/);
  assert.match(text, /\nrookery_jobs_due\{job="files\.delete"\} 1\n/);
  assert.match(text, /\nrookery_jobs_due_seconds\{job="files\.delete"\} [\d.e-]+\n/);
  assert.match(text, /\nrookery_inbox_waiting\{shard="\d+"\} 1\n/);
  assert.match(text, /\nrookery_inbox_waiting_seconds\{shard="\d+"\} [\d.e-]+\n/);
  assert.match(text, /\nrookery_query_seconds_count\{statement="INSERT",result="done"\} [1-9]/);
  // Once, and not among what is in memory too.
  assert.doesNotMatch(text, /name="[^"]*waiting"/);
  await other.close();
});
