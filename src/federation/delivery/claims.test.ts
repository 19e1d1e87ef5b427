// Which hosts an act claims for the worker of its process, and what becomes of those that it does not get to.

import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { eventually } from "../../../test/journeys/eventually.ts";
import { sendable } from "../../domain/people/accounts/activitypub.ts";
import type { Db } from "../../platform/db/index.ts";
import type { QueueWorker } from "../../platform/queues/claimed-work.ts";
import { deliver } from "../deliver.ts";
import { startDeliveries } from "./worker.ts";

const AT_ONCE = { gather: 0, settle: 0, poll: 60_000 };
/** The worker never gets to what it is woken for. */
const NEVER = { gather: 60_000, settle: 0, poll: 120_000 };

let t: TestApp;
let alice: Person;
let peer: FakePeer;
let worker: QueueWorker | null = null;

before(async () => {
  t = await startTestApp({ worker: false });
  alice = await t.person("alice");
  peer = await startPeer();
});

beforeEach(async () => {
  peer.received.length = 0;
  await t.app.sql`DELETE FROM deliveries`;
  await t.app.sql`DELETE FROM remote_hosts`;
});

afterEach(async () => {
  await worker?.stop();
  worker = null;
});

after(async () => {
  await peer?.close();
  await t?.close();
});

const start = async (pace: typeof NEVER): Promise<void> => {
  worker = await startDeliveries(t.app, pace);
};

const send = (db: Db, inboxes = [`${peer.origin}/inbox`]) =>
  deliver(t.app, db, [{ accountId: alice.accountId, activity: sendable({ id: 1 }), inboxes }]);

type Host = { host: string; owner: string | null; is_due: boolean | null };

const hosts = async (db: Db = t.app.sql): Promise<Host[]> => [
  ...(await db<Host[]>`
    SELECT host, owner, due_at <= ${t.app.clock.now()} AS is_due FROM remote_hosts ORDER BY host`),
];

const owners = async (db: Db): Promise<(string | null)[]> =>
  (await hosts(db)).map(({ owner }) => owner);

const isFree = async (): Promise<boolean> => {
  const [host] = await hosts();
  return host?.owner === null && host.is_due === null;
};

test("an act claims new hosts, and those that are free, for the worker, which delivers and frees them", async () => {
  await start(AT_ONCE);
  for (const count of [1, 2]) {
    await t.app.sql.begin(async (tx) => {
      await send(tx);
      assert.deepEqual(await owners(tx), [t.app.process.id]);
    });
    await eventually("the copy", () => peer.received.length === count);
    await eventually("the end of the claim", isFree);
  }
  assert.equal((await t.app.sql`SELECT FROM deliveries`).length, 0);
});

test("nothing is claimed where the process has no worker, or too little room", async () => {
  await t.app.sql.begin(async (tx) => {
    await send(tx);
    assert.deepEqual(await owners(tx), [null]);
  });
  await start(NEVER);
  const many = Array.from({ length: 301 }, (_, n) => `http://h${n}.example/inbox`);
  await t.app.sql.begin(async (tx) => {
    await send(tx, many);
    assert.deepEqual(new Set(await owners(tx)), new Set([null]));
  });
});

test("of hosts that are slow, rest, are stopped, worked on or waited for none is claimed", async () => {
  await start(NEVER);
  const other = randomUUID();
  const later = new Date(t.app.clock.now().getTime() + 60_000);
  await t.app.sql`
    INSERT INTO remote_hosts (host, slow, resting, due_at, owner, stopped_at) VALUES
      ('owned.example', false, false, ${later}, ${other}, NULL),
      ('resting.example', false, true, ${later}, NULL, NULL),
      ('slow.example', true, false, NULL, NULL, NULL),
      ('stopped.example', false, false, NULL, NULL, now()),
      ('waited.example', false, false, ${later}, NULL, NULL)`;
  const before = (await hosts()).map(({ host }) => `http://${host}/inbox`);
  await send(t.app.sql, before);
  assert.deepEqual(await hosts(), [
    { host: "owned.example", owner: other, is_due: false },
    { host: "resting.example", owner: null, is_due: false },
    { host: "slow.example", owner: null, is_due: true },
    { host: "stopped.example", owner: null, is_due: null },
    { host: "waited.example", owner: null, is_due: true },
  ]);
});

test("an act that fails leaves no claim, and one that the worker did not get to is due when it stops", async () => {
  await start(NEVER);
  await assert.rejects(
    t.app.sql.begin(async (tx) => {
      await send(tx);
      throw new Error("no");
    }),
  );
  assert.deepEqual(await hosts(), []);
  await send(t.app.sql);
  assert.deepEqual(await hosts(), [{ host: peer.host, owner: t.app.process.id, is_due: false }]);
  await worker!.stop();
  assert.deepEqual(await hosts(), [{ host: peer.host, owner: null, is_due: true }]);
  await start(AT_ONCE);
  await eventually("the copy", () => peer.received.length === 1);
  await eventually("the end of the claim", isFree);
});

test("what several acts queue at once is sent to each inbox with the right body", async () => {
  await start(AT_ONCE);
  const inboxes = [1, 2, 3].map((n) => `${peer.origin}/inbox${n}`);
  const several = ["a", "b"].map((id, n) => ({
    accountId: alice.accountId,
    activity: sendable({ id }),
    inboxes: inboxes.slice(n),
  }));
  await deliver(t.app, t.app.sql, several);
  await eventually("all copies", () => peer.received.length === 5);
  await eventually("the end of the claim", isFree);
  const sent = peer.received.map(({ path, body }) => `${path} ${JSON.parse(body).id}`);
  assert.deepEqual(sent.toSorted(), [
    "/inbox1 a",
    "/inbox2 a",
    "/inbox2 b",
    "/inbox3 a",
    "/inbox3 b",
  ]);
});

test("what an act finds claimed is sent after what the worker has read", async () => {
  await start(AT_ONCE);
  await Promise.all(Array.from({ length: 20 }, () => send(t.app.sql)));
  await eventually("all copies", () => peer.received.length === 20);
  await eventually("the end of the claim", isFree);
});
