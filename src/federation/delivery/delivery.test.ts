// What is sent, what follows from each response, and what becomes of hosts that fail.

import assert from "node:assert/strict";
import { createHash, createPublicKey, randomUUID, verify } from "node:crypto";
import { after, before, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { TEST_KEYS } from "../../../test/keys.ts";
import { unwatched } from "../../../test/outside.ts";
import { suspend, unsuspend } from "../../domain/people/accounts/queries-standing.ts";
import { upsertRemoteAccount } from "../../domain/people/accounts/upsert-remote.ts";
import { sendable } from "../../domain/people/accounts/activitypub.ts";
import { deliver } from "../deliver.ts";
import { claimHosts, settleHosts } from "./queries-queue.ts";
import { hostsAnswered } from "./wake.ts";
import { drainDeliveries } from "./worker.ts";

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
let time = Date.now();
const clock = { now: () => new Date(time) };
/** A port without a listener. */
const DEAD = "http://127.0.0.1:1/inbox";

let test: TestApp;
let peer: FakePeer;
let alice: Person;

type Waiting = { inbox: string; tries: number; retry_at: Date | null };
type Host = { host: string; failures: number; due_at: Date | null; slow: boolean };

/** What waits, in order; those that were not put behind the others have no time of their own. */
const waiting = async (): Promise<Waiting[]> => [
  ...(await test.app.sql<Waiting[]>`
    SELECT inbox, tries, nullif(retry_at, '-infinity') AS retry_at FROM deliveries
    ORDER BY deliveries.retry_at, id`),
];

const inboxesOf = (rows: Waiting[]) => rows.map(({ inbox }) => inbox);

const hosts = async (): Promise<Host[]> => [
  ...(await test.app.sql<Host[]>`
    SELECT host, failures, due_at, slow FROM remote_hosts ORDER BY host`),
];

const activity = sendable({ id: "http://us.example/1", type: "Like", actor: "x" });

const send = (inboxes: string[], accountId: string | null = alice.accountId) =>
  deliver(test.app, test.app.sql, [{ accountId, activity, inboxes }]);

/** Does what the worker would do at this time. */
const work = async (): Promise<Waiting[]> => {
  await drainDeliveries(test.app);
  return waiting();
};

/** When the only host is due, in milliseconds from now. */
const dueIn = async (): Promise<number> => (await hosts())[0]!.due_at!.getTime() - time;

const isAbout = (ms: number, expected: number): void =>
  assert.ok(ms >= 0.9 * expected - 1 && ms <= 1.1 * expected + 1, `${ms}, not about ${expected}`);

before(async () => {
  // Each attempt is run by hand.
  test = await startTestApp({ clock, worker: false });
  alice = await test.person("alice");
});

beforeEach(async () => {
  await peer?.close();
  peer = await startPeer();
  await test.app.sql`DELETE FROM deliveries`;
  await test.app.sql`DELETE FROM remote_hosts`;
  await test.app.sql`DELETE FROM outgoing_activities`;
});

after(async () => {
  await peer.close();
  await test.close();
});

describe("what is sent", () => {
  it("one body, one delivery for each distinct inbox, none for local or invalid addresses", async () => {
    await send([DEAD, DEAD, `${peer.origin}/inbox`, `${test.url}/inbox`, "javascript:x", ""]);
    assert.deepEqual(inboxesOf(await waiting()), [DEAD, `${peer.origin}/inbox`]);
    const [{ count }] = await test.app.sql<[{ count: number }]>`
      SELECT count(*)::int AS count FROM outgoing_activities`;
    assert.equal(count, 1);
  });

  it("several activities, with their hosts, in one statement", async () => {
    const two = [`${peer.origin}/inbox`, DEAD].map((inbox) => ({
      accountId: alice.accountId,
      activity,
      inboxes: [inbox, "http://127.0.0.1:2/inbox"],
    }));
    const { queries } = await test.countQueries(() => deliver(test.app, test.app.sql, two));
    assert.equal(queries, 1);
    assert.deepEqual(
      inboxesOf(await waiting()),
      two.flatMap(({ inboxes }) => inboxes),
    );
    assert.equal((await hosts()).length, 3);
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
    assert.deepEqual(await work(), []);
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
    await work();
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
    assert.deepEqual(inboxesOf(await waiting()).sort(), [
      "https://author.example/inbox",
      "https://there.example/inbox",
      "https://there.example/users/f3/inbox",
    ]);
    // A host that is gone is left out, whoever is addressed there.
    await test.app.sql`DELETE FROM deliveries`;
    await test.app.sql`
      UPDATE remote_hosts SET failing_since = ${new Date(time - 8 * DAY)}
      WHERE host = 'there.example'`;
    await deliver(test.app, test.app.sql, [
      { accountId: alice.accountId, activity, inboxes: extra, toFollowers: true },
    ]);
    assert.deepEqual(inboxesOf(await waiting()), ["https://author.example/inbox"]);
  });

  it("to followers whose inboxes are read once, and again when one of them may be another", async () => {
    const { host } = new URL(peer.origin);
    const reader = {
      username: "reader",
      domain: host,
      uri: `${peer.origin}/users/reader`,
      url: `${peer.origin}/@reader`,
      inbox_url: `${peer.origin}/users/reader/inbox`,
      shared_inbox_url: null,
      public_key: "",
      key_id: null,
      fetched_at: clock.now(),
    };
    const id = await upsertRemoteAccount(test.app.sql, reader);
    const author = await test.person("author");
    const { accountId } = author;
    await test.write`INSERT INTO follows (account_id, target_account_id) VALUES (${id}, ${accountId})`;
    /** Returns where a post goes, and how many statements that takes. */
    const reach = async (): Promise<[string[], number]> => {
      await test.app.sql`DELETE FROM deliveries`;
      const { queries } = await test.countQueries(
        () =>
          deliver(test.app, test.app.sql, [
            { accountId, activity, inboxes: [], toFollowers: true },
          ]),
        { warm: true },
      );
      return [inboxesOf(await waiting()), queries];
    };
    const [, first] = await reach();
    assert.deepEqual(await reach(), [[reader.inbox_url], first - 2], "audience and inboxes");
    const moved = { ...reader, inbox_url: `${peer.origin}/moved` };
    await upsertRemoteAccount(test.app.sql, moved);
    assert.deepEqual(await reach(), [[moved.inbox_url], first - 1]);
    await upsertRemoteAccount(test.app.sql, { ...moved, display_name: "Reader" });
    assert.deepEqual(await reach(), [[moved.inbox_url], first - 2]);
    await suspend(test.app.sql, id, clock.now());
    assert.deepEqual((await reach())[0], []);
    await unsuspend(test.app.sql, id);
    assert.deepEqual((await reach())[0], [moved.inbox_url]);
    // A host that was gone when the inboxes were read gets posts as soon as it is back.
    peer.answer.status = 503;
    await work();
    await test.app.sql`UPDATE remote_hosts SET failing_since = ${new Date(time - 8 * DAY)}`;
    await suspend(test.app.sql, id, clock.now());
    await unsuspend(test.app.sql, id);
    await deliver(test.app, test.app.sql, [
      { accountId, activity, inboxes: [], toFollowers: true },
    ]);
    assert.equal((await waiting()).length, 1);
    peer.answer.status = 202;
    time += MINUTE;
    assert.deepEqual(await work(), []);
    assert.deepEqual((await reach())[0], [moved.inbox_url]);
  });

  it("to very many followers in pieces, to each inbox once", async () => {
    // 3,000 followers, of whom two at a time share an inbox.
    await test.write`
      INSERT INTO accounts (id, username, domain, uri, url, inbox_url, shared_inbox_url)
      SELECT n, 'fan' || n, host, uri, uri, uri || '/inbox', 'http://' || host || '/inbox'
      FROM generate_series(1, 3000) AS n,
        LATERAL (SELECT 'h' || n % 1500 || '.example' AS host) AS h,
        LATERAL (SELECT 'http://' || host || '/' || n AS uri) AS u
    `;
    const star = await test.person("star");
    await test.write`
      INSERT INTO follows (id, account_id, target_account_id)
      SELECT n, n, ${star.accountId} FROM generate_series(1, 3000) AS n
    `;
    const { accountId } = star;
    const inboxes = ["http://named.example/inbox", "http://h7.example/inbox"];
    await deliver(test.app, test.app.sql, [{ accountId, activity, inboxes, toFollowers: true }]);
    const queued = inboxesOf(await waiting());
    assert.deepEqual([queued.length, new Set(queued).size], [1501, 1501]);
    const pieces = await test.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM deliveries GROUP BY activity_id
    `;
    assert.ok(pieces.every(({ count }) => count <= 500));
    await test.app.sql`DELETE FROM deliveries`;
    await test.app.sql.begin((tx) =>
      deliver(test.app, tx, [{ accountId, activity, toFollowers: true }]),
    );
    assert.equal((await waiting()).length, 1500);
  });
});

describe("what follows from the answer", () => {
  for (const status of [200, 202, 204]) {
    it(`${status}: done`, async () => {
      peer.answer.status = status;
      await send([`${peer.origin}/inbox`]);
      assert.deepEqual(await work(), []);
      assert.equal((await hosts())[0]!.due_at, null);
    });
  }

  for (const status of [400, 403, 404, 405, 410, 422, 301]) {
    it(`${status}: given up, the next ones not`, async () => {
      peer.answer.status = status;
      await send([`${peer.origin}/inbox`]);
      await send([`${peer.origin}/inbox`]);
      assert.deepEqual(await work(), []);
      // With 400 the other form of signature is tried once.
      assert.equal(peer.received.length, status === 400 ? 3 : 2);
    });
  }

  for (const status of [500, 502, 503]) {
    it(`${status}: the host is to blame, which is soon tried again`, async () => {
      peer.answer.status = status;
      await send([`${peer.origin}/inbox`]);
      const [next] = await work();
      assert.deepEqual([next!.tries, next!.retry_at], [1, null]);
      assert.equal((await hosts())[0]!.failures, 1);
      isAbout(await dueIn(), MINUTE / 12);
    });
  }

  it("408: this delivery is tried again", async () => {
    peer.answer.status = 408;
    await send([`${peer.origin}/inbox`]);
    const [next] = await work();
    assert.equal(next!.tries, 1);
    isAbout(next!.retry_at!.getTime() - time, MINUTE / 12);
    assert.deepEqual((await hosts())[0]!.due_at, next!.retry_at);
    assert.equal((await hosts())[0]!.failures, 0);
  });

  it("401: given up the fourth time, and meanwhile nothing waits for it", async () => {
    peer.answer.status = 401;
    await send([`${peer.origin}/inbox`]);
    let tries = 0;
    while ((await work()).length > 0) {
      tries++;
      if (tries === 1) {
        peer.answer.status = 202;
        await send([`${peer.origin}/other`]);
        assert.deepEqual(inboxesOf(await work()), [`${peer.origin}/inbox`]);
        peer.answer.status = 401;
      }
      time = (await hosts())[0]!.due_at!.getTime();
    }
    assert.equal(tries, 3);
  });

  for (const status of [429, 503]) {
    it(`${status}: Retry-After is respected, by the other deliveries to that host too`, async () => {
      peer.answer.status = status;
      peer.answer.headers = { "retry-after": "1800" };
      await send([`${peer.origin}/inbox`]);
      await work();
      isAbout(await dueIn(), 30 * MINUTE);
      await send([`${peer.origin}/users/s2/inbox`]);
      assert.equal((await work()).length, 2);
      assert.equal(peer.received.length, 1);
      Object.assign(peer.answer, { status: 202, headers: {} });
      time += 31 * MINUTE;
      assert.deepEqual(await work(), []);
    });
  }

  it("an address in a refused network is given up without a request", async () => {
    await send(["http://10.0.0.1/inbox"]);
    assert.deepEqual(await work(), []);
  });

  it("the waits of a host grow, and what waits ends after a week", async () => {
    const started = time;
    await send([DEAD]);
    const waits: number[] = [];
    for (;;) {
      await work();
      const [host] = await hosts();
      if (host!.due_at === null) break;
      waits.push(host!.due_at.getTime() - time);
      time = host!.due_at.getTime();
    }
    assert.ok(waits.length > 20 && waits.length < 100, String(waits.length));
    assert.ok(waits[1]! > 3 * waits[0]!);
    assert.ok(Math.max(...waits) <= 4 * 60 * MINUTE);
    assert.ok(time - started > 7 * DAY - 4 * 60 * MINUTE);
    time = started;
  });

  it("an activity that is gone ends its deliveries", async () => {
    await send([`${peer.origin}/inbox`]);
    await test.app.sql`DELETE FROM outgoing_activities`;
    assert.deepEqual(await work(), []);
    assert.deepEqual(peer.received, []);
  });
});

describe("hosts", () => {
  const numbered = (n: number) => ({ ...activity, id: `http://us.example/${n}` });
  const sendMany = (origin: string, count: number) =>
    deliver(
      test.app,
      test.app.sql,
      Array.from({ length: count }, (_, n) => ({
        accountId: alice.accountId,
        activity: numbered(n),
        inboxes: [`${origin}/inbox`],
      })),
    );
  const received = () => peer.inbox().map(({ id }) => Number(String(id).split("/").at(-1)));

  it("count for the figures of the day what arrives, and each attempt that fails", async () => {
    const { sql } = test.app;
    await sql`DELETE FROM daily_figures`;
    await sendMany(peer.origin, 3);
    await send([DEAD]);
    await work();
    peer.answer.status = 404;
    await sendMany(peer.origin, 1);
    await work();
    const rows = await sql`SELECT key, value::int, day::text FROM daily_figures ORDER BY key`;
    const day = clock.now().toISOString().slice(0, 10);
    assert.deepEqual(
      rows.map((row) => ({ ...row })),
      [
        { key: "deliveries", value: 3, day },
        { key: "failed_deliveries", value: 2, day },
      ],
    );
  });
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

  it("one that fails gets nothing for a while, then one at a time, then all in order", async () => {
    peer.answer.status = 503;
    await sendMany(peer.origin, 8);
    assert.equal((await work()).length, 8);
    assert.deepEqual(received(), [0]);
    time += 10_000;
    await work();
    assert.deepEqual(received(), [0, 0]);
    assert.equal((await hosts())[0]!.failures, 2);
    isAbout(await dueIn(), MINUTE / 2);
    assert.equal((await hosts())[0]!.slow, true);
    peer.answer.status = 202;
    time += MINUTE;
    assert.deepEqual(await work(), []);
    assert.deepEqual(received(), [0, 0, ...upTo(8)]);
    const [host] = await hosts();
    assert.deepEqual([host!.failures, host!.due_at, host!.slow], [0, null, false]);
  });

  it("many activities arrive in the order in which they were sent", async () => {
    await sendMany(peer.origin, 120);
    assert.deepEqual(await work(), []);
    // In a backlog each sender's are in order; here there is one.
    assert.deepEqual(received(), upTo(120));
  });

  it("one delivery that always fails is put behind, and holds up none", async () => {
    peer.failing.add("/users/bad/inbox");
    await send([`${peer.origin}/users/bad/inbox`]);
    await sendMany(peer.origin, 3);
    for (let tries = 0; tries < 2; tries++) {
      assert.equal((await work()).length, 4);
      time += MINUTE;
    }
    // The third time another one is tried, which shows that the host is up.
    const left = await work();
    assert.deepEqual(inboxesOf(left), [`${peer.origin}/users/bad/inbox`]);
    assert.ok(left[0]!.retry_at);
    assert.equal((await hosts())[0]!.failures, 0);
    assert.deepEqual(received().slice(-3), upTo(3));
    time = left[0]!.retry_at!.getTime();
    peer.failing.clear();
    assert.deepEqual(await work(), []);
  });

  it("one inbox of several that fails does not count against the host", async () => {
    peer.failing.add("/users/u0/inbox");
    await send(upTo(8).map((n) => `${peer.origin}/users/u${n}/inbox`));
    const left = await work();
    assert.deepEqual(inboxesOf(left), [`${peer.origin}/users/u0/inbox`]);
    assert.equal((await hosts())[0]!.failures, 0);
  });

  it("for one that is gone for a week one delivery waits, which tells when it is back", async () => {
    peer.answer.status = 503;
    const failedFor = (days: number) => test.app.sql`
      UPDATE remote_hosts SET failing_since = ${new Date(time - days * DAY)}`;
    await sendMany(peer.origin, 1);
    await work();
    await failedFor(6);
    await sendMany(peer.origin, 1);
    assert.equal((await waiting()).length, 2);
    await failedFor(8);
    await sendMany(peer.origin, 2);
    assert.equal((await waiting()).length, 2);
    // When what waited is too old, it is tried with what comes next.
    await test.app.sql`DELETE FROM deliveries`;
    time += MINUTE;
    await work();
    await sendMany(peer.origin, 1);
    await sendMany(peer.origin, 2);
    assert.equal((await waiting()).length, 1);
    peer.answer.status = 202;
    time += MINUTE;
    assert.deepEqual(await work(), []);
    await sendMany(peer.origin, 3);
    assert.equal((await waiting()).length, 3);
    await work();
    assert.deepEqual(received().slice(-3), upTo(3));
  });

  it("one that failed is tried when something came from it, half a minute after the last time at most", async () => {
    peer.answer.status = 500;
    const { host } = new URL(peer.origin);
    await sendMany(peer.origin, 1);
    for (const minutes of [0, 1, 1, 3, 6]) {
      time += minutes * MINUTE;
      await work();
    }
    isAbout(await dueIn(), 15 * MINUTE);
    peer.answer.status = 202;
    time += 10_000;
    await hostsAnswered(test.app, [host]);
    assert.equal(await dueIn(), 20_000);
    assert.equal((await work()).length, 1);
    time += 20_000;
    assert.deepEqual(await work(), []);
  });

  it("one that asked for a pause is tried when something came from it, every ten minutes at most", async () => {
    peer.answer.status = 503;
    peer.answer.headers = { "retry-after": "3600" };
    const { host } = new URL(peer.origin);
    await sendMany(peer.origin, 1);
    await work();
    await hostsAnswered(test.app, [host]);
    isAbout(await dueIn(), 60 * MINUTE);
    time += 11 * MINUTE;
    await hostsAnswered(test.app, [host, "never.example"]);
    assert.equal(await dueIn(), 0);
    Object.assign(peer.answer, { status: 202, headers: {} });
    assert.deepEqual(await work(), []);
    assert.equal((await hosts()).length, 1);
  });

  it("what is queued while a host is worked on is sent afterwards", async () => {
    peer.answer.hang = true;
    await sendMany(peer.origin, 1);
    const working = drainDeliveries(test.app);
    while (peer.received.length === 0) await sleep(5);
    peer.answer.hang = false;
    await sendMany(peer.origin, 2);
    assert.equal((await hosts())[0]!.due_at!.getTime() > time, true);
    peer.release();
    await working;
    assert.deepEqual(received(), [0, 0, 1]);
    assert.deepEqual(await waiting(), []);
  });

  it("a host is worked on by one process at a time, until its claim ends", async () => {
    await sendMany(peer.origin, 1);
    const until = new Date(time + MINUTE);
    await test.app.sql`UPDATE remote_hosts SET owner = gen_random_uuid(), due_at = ${until}`;
    assert.equal((await work()).length, 1);
    assert.deepEqual(received(), []);
    time = until.getTime();
    assert.deepEqual(await work(), []);
    assert.deepEqual(received(), [0]);
  });

  it("what an act adds after a claim is not overlooked", async () => {
    await sendMany(peer.origin, 1);
    const { sql } = test.app;
    const [owner, now] = [randomUUID(), clock.now()];
    const claim = { owner, now, until: new Date(time + MINUTE), quick: 9, slow: 0 };
    const [host] = await claimHosts(sql, claim);
    assert.deepEqual([...(await claimHosts(sql, claim))], []);
    await sql`DELETE FROM deliveries`;
    const settled = { host: host!.host, added: host!.added, failures: 0, latencyMs: 5 };
    const adding = sql.begin(async (tx) => {
      await deliver(test.app, tx, [
        { accountId: alice.accountId, activity, inboxes: [`${peer.origin}/inbox`] },
      ]);
      const hosts = [{ ...settled, slow: false, retryAt: null, pausedUntil: null }];
      const settling = unwatched(() =>
        settleHosts(sql, owner, hosts, { now, after: "0", goneSince: now, done: [] }).then(
          (rows) => rows,
        ),
      );
      await sleep(50);
      return { settling };
    });
    const [row] = await (await adding).settling;
    assert.deepEqual(row!.due_at, now);
  });
});
