import assert from "node:assert/strict";
import { createHash, createPublicKey, verify } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { TEST_KEYS } from "../../../test/keys.ts";
import { upsertRemoteAccount } from "../../domain/accounts/upsert-remote.ts";
import { deliver } from "../deliver.ts";
import { OPEN_AFTER } from "./circuit.ts";
import { deliverOnce, LIFETIME_MS } from "./deliver-once.ts";
import { claimProbe } from "./queries.ts";

const MINUTE = 60_000;
let time = Date.now();
const clock = { now: () => new Date(time) };
/** A port without a listener. */
const DEAD = "http://127.0.0.1:1/inbox";

let test: TestApp;
let peer: FakePeer;
let alice: Person;

type Waiting = { payload: { activityId: string; inbox: string; tries: number }; run_at: Date };

const waiting = async (): Promise<Waiting[]> => {
  const rows = await test.app.sql<Waiting[]>`
    SELECT j.payload, j.run_at FROM graphile_worker._private_jobs j
    JOIN graphile_worker._private_tasks t ON t.id = j.task_id
    WHERE t.identifier = 'delivery' ORDER BY j.id
  `;
  return [...rows];
};

const activity = { id: "http://us.example/1", type: "Like", actor: "x" };

const send = (inboxes: string[], accountId: string | null = alice.accountId) =>
  deliver(test.app, test.app.sql, [{ accountId, activity, inboxes }]);

/** Takes the only waiting job and runs it, as the worker would at its time. */
const runNext = async (): Promise<Waiting[]> => {
  const [job] = await waiting();
  await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
  await deliverOnce(test.app, job!.payload);
  return waiting();
};

before(async () => {
  // Each attempt is run by hand.
  test = await startTestApp({ clock, worker: false });
  alice = await test.person("alice");
});

beforeEach(async () => {
  await peer?.close();
  peer = await startPeer();
  await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
  await test.app.sql`DELETE FROM remote_hosts`;
  await test.app.sql`DELETE FROM outgoing_activities`;
});

after(async () => {
  await peer.close();
  await test.close();
});

describe("what is sent", () => {
  it("one body, one job for each distinct inbox, none for local or invalid addresses", async () => {
    await send([DEAD, DEAD, `${peer.origin}/inbox`, `${test.url}/inbox`, "javascript:x", ""]);
    const inboxes = (await waiting()).map((job) => job.payload.inbox);
    assert.deepEqual(inboxes, [DEAD, `${peer.origin}/inbox`]);
    const [{ count }] = await test.app.sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM outgoing_activities`;
    assert.equal(count, 1);
  });

  it("in turns: the first of each host before the second of any", async () => {
    const [one, other] = ["http://127.0.0.1:1", "http://127.0.0.1:2"];
    await send([`${one}/a`, `${one}/b`, `${one}/c`, `${other}/a`, `${other}/b`]);
    const inboxes = (await waiting()).map((job) => job.payload.inbox);
    const turns = [`${one}/a`, `${other}/a`, `${one}/b`, `${other}/b`, `${one}/c`];
    assert.deepEqual(inboxes, turns);
  });

  it("nothing when the transaction does not commit", async () => {
    await assert.rejects(
      test.app.sql.begin(async (tx) => {
        await deliver(test.app, tx, [{ accountId: alice.accountId, activity, inboxes: [DEAD] }]);
        throw new Error("no");
      }),
    );
    assert.deepEqual(await waiting(), []);
  });

  it("the body as stored, signed by the sender with a digest", async () => {
    await send([`${peer.origin}/users/s1/inbox`]);
    assert.deepEqual(await runNext(), []);
    const [got] = peer.received;
    assert.equal(got!.body, JSON.stringify(activity));
    assert.equal(got!.headers["content-type"], "application/activity+json");
    const digest = createHash("sha256").update(got!.body).digest("base64");
    assert.equal(got!.headers["digest"], `SHA-256=${digest}`);
    const text = [
      "(request-target): post /users/s1/inbox",
      `host: ${peer.host}`,
      `date: ${got!.headers.date}`,
      `digest: SHA-256=${digest}`,
      "content-type: application/activity+json",
    ].join("\n");
    const signature = /keyId="([^"]+)".*signature="([^"]+)"/.exec(
      String(got!.headers["signature"]),
    )!;
    assert.equal(signature[1], `${test.url}/users/alice#main-key`);
    const key = createPublicKey(TEST_KEYS[0]!.publicKeyPem);
    assert.ok(verify("sha256", Buffer.from(text), key, Buffer.from(signature[2]!, "base64")));
  });

  it("with the server's own key where nobody sends", async () => {
    await send([`${peer.origin}/inbox`], null);
    await runNext();
    assert.match(
      String(peer.received[0]!.headers["signature"]),
      new RegExp(`keyId="${test.url}/actor#main-key"`),
    );
  });

  it("to each server of followers once, and to the others given", async () => {
    const follower = (name: string, shared: string | null) =>
      upsertRemoteAccount(test.app.sql, {
        username: name,
        domain: "there.example",
        uri: `https://there.example/users/${name}`,
        url: `https://there.example/@${name}`,
        inbox_url: `https://there.example/users/${name}/inbox`,
        shared_inbox_url: shared,
        public_key: "",
        key_id: null,
        fetched_at: clock.now(),
      });
    const ids = [
      await follower("f1", "https://there.example/inbox"),
      await follower("f2", "https://there.example/inbox"),
      await follower("f3", null),
    ];
    for (const id of ids) {
      await test.write`
        INSERT INTO follows (account_id, target_account_id) VALUES (${id}, ${alice.accountId})`;
    }
    const extra = ["https://there.example/inbox", "https://author.example/inbox"];
    await deliver(test.app, test.app.sql, [
      { accountId: alice.accountId, activity, inboxes: extra, toFollowers: true },
    ]);
    const inboxes = (await waiting()).map((job) => job.payload.inbox).sort();
    assert.deepEqual(inboxes, [
      "https://author.example/inbox",
      "https://there.example/inbox",
      "https://there.example/users/f3/inbox",
    ]);
  });
});

describe("what follows from the answer", () => {
  for (const status of [200, 202, 204]) {
    it(`${status}: done`, async () => {
      peer.answer.status = status;
      await send([`${peer.origin}/inbox`]);
      assert.deepEqual(await runNext(), []);
    });
  }

  for (const status of [400, 403, 404, 405, 410, 422, 301]) {
    it(`${status}: given up`, async () => {
      peer.answer.status = status;
      await send([`${peer.origin}/inbox`]);
      assert.deepEqual(await runNext(), []);
      assert.equal(peer.received.length, 1);
    });
  }

  for (const status of [500, 502, 503, 408, 429]) {
    it(`${status}: tried again`, async () => {
      peer.answer.status = status;
      await send([`${peer.origin}/inbox`]);
      const [next] = await runNext();
      assert.equal(next!.payload.tries, 1);
      const wait = next!.run_at.getTime() - time;
      // A first failure is soon tried again, unless the host asked for time.
      const usual = status === 429 ? MINUTE : MINUTE / 12;
      assert.ok(wait >= 0.9 * usual && wait <= 1.1 * usual, String(wait));
    });
  }

  it("401: given up the fourth time", async () => {
    peer.answer.status = 401;
    await send([`${peer.origin}/inbox`]);
    let tries = 0;
    while ((await runNext()).length > 0) tries++;
    assert.equal(tries, 3);
  });

  it("Retry-After is respected, by the other deliveries to that host too", async () => {
    peer.answer.status = 429;
    peer.answer.headers = { "retry-after": "1800" };
    await send([`${peer.origin}/inbox`]);
    const [next] = await runNext();
    assert.ok(next!.run_at.getTime() - time >= 30 * MINUTE);
    await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
    await send([`${peer.origin}/users/s2/inbox`]);
    const [other] = await runNext();
    assert.equal(peer.received.length, 1);
    assert.ok(other!.run_at.getTime() - time >= 30 * MINUTE);
  });

  it("an address in a refused network is given up without a request", async () => {
    await send(["http://10.0.0.1/inbox"]);
    assert.deepEqual(await runNext(), []);
  });

  it("waits grow, and end after a week", async () => {
    const started = time;
    await send([DEAD]);
    const waits: number[] = [];
    for (;;) {
      const [next] = await runNext();
      if (!next) break;
      waits.push(next.run_at.getTime() - time);
      time = next.run_at.getTime();
    }
    assert.ok(waits.length > 10 && waits.length < 40, String(waits.length));
    assert.ok(waits[1]! > 3 * waits[0]!);
    assert.ok(Math.max(...waits) <= 14 * 60 * MINUTE);
    assert.ok(time - started > LIFETIME_MS - 14 * 60 * MINUTE);
  });

  it("the same attempt run twice plans one next attempt", async () => {
    await send([DEAD]);
    const [job] = await waiting();
    await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
    await deliverOnce(test.app, job!.payload);
    await deliverOnce(test.app, job!.payload);
    assert.equal((await waiting()).length, 1);
  });

  it("an activity that is gone ends its jobs", async () => {
    await send([`${peer.origin}/inbox`]);
    await test.app.sql`DELETE FROM outgoing_activities`;
    assert.deepEqual(await runNext(), []);
    assert.deepEqual(peer.received, []);
  });
});

describe("hosts", () => {
  const inboxes = (origin: string, count: number) =>
    Array.from({ length: count }, (_, n) => `${origin}/users/u${n}/inbox`);

  it("one that fails gets no deliveries for a while, then one at a time", async () => {
    peer.answer.status = 503;
    await send(inboxes(peer.origin, 8));
    const jobs = await waiting();
    for (const { payload } of jobs) await deliverOnce(test.app, payload);
    assert.equal(peer.received.length, OPEN_AFTER);
    const [row] = await test.app.sql<
      { failures: number; retry_at: Date }[]
    >`SELECT * FROM remote_hosts`;
    assert.equal(row!.failures, OPEN_AFTER);

    time = row!.retry_at.getTime() + 1;
    peer.answer.status = 202;
    peer.answer.hang = true;
    const probe = deliverOnce(test.app, jobs[0]!.payload);
    while (peer.received.length === OPEN_AFTER) await new Promise((r) => setTimeout(r, 5));
    await Promise.all(jobs.slice(1, 4).map(({ payload }) => deliverOnce(test.app, payload)));
    assert.equal(peer.received.length, OPEN_AFTER + 1);
    await peer.close();
    await probe;

    const again = await startPeer();
    await again.close();
    const [still] = await test.app.sql<
      { failures: number; retry_at: Date }[]
    >`SELECT * FROM remote_hosts`;
    assert.equal(still!.failures, OPEN_AFTER + 1);
    assert.ok(still!.retry_at.getTime() - time >= 2 * MINUTE - 1000);
    peer = await startPeer();
  });

  it("one that answers again has no failures any more", async () => {
    peer.answer.status = 500;
    await send(inboxes(peer.origin, OPEN_AFTER));
    const jobs = await waiting();
    for (const { payload } of jobs) await deliverOnce(test.app, payload);
    time += 2 * MINUTE;
    peer.answer.status = 202;
    await deliverOnce(test.app, jobs[0]!.payload);
    assert.equal((await test.app.sql`SELECT 1 FROM remote_hosts`).length, 0);
    await deliverOnce(test.app, jobs[1]!.payload);
    assert.equal(peer.received.length, OPEN_AFTER + 2);
  });

  it("failures that another process stored count here", async () => {
    await test.app.sql`
      INSERT INTO remote_hosts (host, failures, retry_at)
      VALUES (${peer.host}, ${OPEN_AFTER}, ${new Date(time + 60 * MINUTE)})`;
    await send([`${peer.origin}/inbox`]);
    const [next] = await runNext();
    assert.deepEqual(peer.received, []);
    assert.ok(next!.run_at.getTime() >= time + 60 * MINUTE);
  });

  it("one process gets the probe of a failing host", async () => {
    await test.app.sql`
      INSERT INTO remote_hosts (host, failures, retry_at) VALUES ('h', 9, ${new Date(time - 1)})`;
    const ask = () => claimProbe(test.app.sql, "h", new Date(time), new Date(time + MINUTE));
    const answers = await Promise.all([ask(), ask(), ask()]);
    assert.deepEqual(answers.sort(), [false, false, true]);
  });

  it("one that never answers does not slow another", async () => {
    const silent = await startPeer("127.0.0.2");
    silent.answer.hang = true;
    await send(inboxes(silent.origin, 40));
    const slow = (await waiting()).map(({ payload }) => deliverOnce(test.app, payload));
    while (silent.received.length === 0) await new Promise((r) => setTimeout(r, 5));
    await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
    await send(inboxes(peer.origin, 20));
    const started = performance.now();
    const quick = (await waiting()).filter((job) => job.payload.inbox.startsWith(peer.origin));
    await Promise.all(quick.map(({ payload }) => deliverOnce(test.app, payload)));
    assert.equal(peer.received.length, 20);
    assert.ok(performance.now() - started < 2000);
    assert.ok(silent.received.length <= 4);
    await silent.close();
    await Promise.all(slow);
  });

  it("many to a host that answers all arrive, four at a time at most", async () => {
    await send(inboxes(peer.origin, 60));
    const all = await waiting();
    await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
    await Promise.all(all.map(({ payload }) => deliverOnce(test.app, payload)));
    const left = (await waiting()).length;
    assert.equal(peer.received.length + left, 60);
    assert.ok(peer.received.length >= 20, String(peer.received.length));
  });
});
