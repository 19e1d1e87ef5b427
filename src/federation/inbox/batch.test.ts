// Batches of the inbox: stored and processed together, in order, with nothing lost when a process dies.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  closeWorld,
  count,
  eve,
  idOfActor,
  nextId,
  note,
  openIdleWorld,
  peer,
  post,
  statusByUri,
  test,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { Inbox, processInbox, startInbox } from "../inbox-worker.ts";
import { ALONE } from "../../platform/workers/lease.ts";
import { shardOf } from "../../platform/workers/queries.ts";
import { workBatch } from "./batch.ts";
import { newPass } from "./order.ts";
import { claimMany, selectWaiting } from "./queries.ts";
import { deleteOldSeen, storeIncoming } from "./store.ts";
import type { PeerActor } from "../../../test/fake-peer.ts";

before(openIdleWorld);
beforeEach(calmWorld);
after(closeWorld);

const waiting = async (): Promise<number> =>
  (await test.app.sql`SELECT 1 FROM incoming_activities`).length;

/** As if its request had been answered with 202 and nothing had been worked on yet. */
const accept = async (actor: PeerActor, members: Json): Promise<void> => {
  const body = { id: nextId(actor), actor: actor.uri, ...members };
  const row = { uri: String(body.id), actorUri: actor.uri, body: JSON.stringify(body) };
  await storeIncoming(test.app, row, JSON.parse(row.body) as Json);
};

const createOf = (actor: PeerActor, members: Json = {}) => {
  const object = note(actor, members);
  return { object, activity: { type: "Create", object, to: object["to"], cc: object["cc"] } };
};

const like = (object: string) => ({ type: "Like", object });

it("what arrived is known for the week after, and forgotten in the one after that", async () => {
  await accept(bob, like("https://nowhere.example/1"));
  await processInbox(test.app);
  const seen = async (): Promise<number> =>
    (await test.app.sql`SELECT FROM seen_activities`).length;
  const before = await seen();
  assert.ok(before > 0);
  const weeksLater = (weeks: number): Date =>
    new Date(test.app.clock.now().getTime() + weeks * 7 * 86_400_000);
  await deleteOldSeen(test.app, weeksLater(1));
  assert.equal(await seen(), before);
  await deleteOldSeen(test.app, weeksLater(2));
  assert.equal(await seen(), 0);
});

describe("a batch", () => {
  it("has few large activities, and goes on behind them", async () => {
    const content = `<p>${"large ".repeat(150_000)}</p>`;
    const large = Array.from({ length: 9 }, () => createOf(bob, { content }));
    for (const { activity } of large) await accept(bob, activity);
    const input = {
      pass: newPass(),
      places: { run: 10, fetch: 10 },
      fetched: new Map(),
      shards: null,
    };
    const first = await workBatch(test.app, input, { rows: [] });
    assert.equal(first.settled.length, 4);
    assert.notEqual(first.last, null);
    await processInbox(test.app);
    assert.equal(await waiting(), 0);
    for (const { object } of large) assert.ok(await statusByUri(object["id"]));
  });

  it("does many kinds at once, with counts, tags, mentions, notifications and home", async () => {
    const own = await post(alice, "to be liked");
    const tagged = createOf(bob, {
      content: "<p>a #Flower for @alice</p>",
      tag: [
        { type: "Hashtag", name: "#Flower" },
        { type: "Mention", href: `${test.url}/users/alice` },
      ],
      attachment: [{ type: "Document", mediaType: "image/png", url: `${peer.origin}/a.png` }],
    });
    const reply = createOf(eve, { inReplyTo: own.uri });
    await accept(bob, tagged.activity);
    await accept(eve, reply.activity);
    await test.runJobs();
    await accept(bob, like(own.uri));
    await accept(eve, { type: "Announce", object: own.uri, to: [PUBLIC] });
    await test.runJobs();
    assert.equal(await waiting(), 0);
    const { json } = await test.visitor.get(`/api/v1/statuses/${own.id}`);
    assert.deepEqual([json.favourites_count, json.reblogs_count, json.replies_count], [1, 1, 1]);
    const row = await statusByUri(tagged.object["id"]);
    const shown = await test.visitor.get(`/api/v1/statuses/${row!.id}`);
    assert.deepEqual(
      shown.json.tags.map((tag: Json) => tag["name"]),
      ["flower"],
    );
    assert.equal(shown.json.mentions[0].username, "alice");
    assert.equal(shown.json.media_attachments.length, 1);
    const notifications = await alice.get("/api/v1/notifications");
    assert.deepEqual(
      notifications.json.map((notification: Json) => notification["type"]).toSorted(),
      ["favourite", "mention", "reblog"],
    );
    const home = await alice.get("/api/v1/timelines/home");
    assert.ok(home.json.some((status: Json) => status["id"] === row!.id));
  });

  it("respects each actor's order: what is created and then deleted is gone", async () => {
    const own = await post(alice, "liked, and not any more");
    const create = createOf(bob);
    await accept(bob, create.activity);
    await accept(bob, { type: "Delete", object: create.object["id"] });
    const id = nextId(eve);
    await accept(eve, { id, ...like(own.uri) });
    await accept(eve, {
      type: "Undo",
      object: { id, type: "Like", actor: eve.uri, object: own.uri },
    });
    await accept(eve, like(own.uri));
    await test.runJobs();
    assert.equal(await waiting(), 0);
    assert.equal(await statusByUri(create.object["id"]), undefined);
    const { json } = await test.visitor.get(`/api/v1/statuses/${own.id}`);
    assert.equal(json.favourites_count, 1);
  });

  it("has a thread by one author in the right order", async () => {
    const first = createOf(bob);
    const second = createOf(bob, { inReplyTo: first.object["id"] });
    const third = createOf(bob, { inReplyTo: second.object["id"] });
    for (const { activity } of [first, second, third]) await accept(bob, activity);
    await test.runJobs();
    const rows = await Promise.all(
      [first, second, third].map((create) => statusByUri(create.object["id"])),
    );
    assert.equal(rows[1]!.in_reply_to_id, rows[0]!.id);
    assert.equal(rows[2]!.in_reply_to_id, rows[1]!.id);
  });

  it("that fails is done one by one: the others are not held up", async () => {
    const own = await post(alice, "liked by one of two");
    const eveId = await idOfActor(eve);
    await test.app.sql.unsafe(`
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF NEW.account_id = ${eveId} THEN RAISE EXCEPTION 'spoilt'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON favourites FOR EACH ROW EXECUTE FUNCTION spoil()
    `);
    try {
      const create = createOf(bob);
      await accept(eve, like(own.uri));
      await accept(bob, create.activity);
      await test.runJobs();
      assert.ok(await statusByUri(create.object["id"]));
      const rows = await test.app.sql<{ attempts: number }[]>`
        SELECT attempts FROM incoming_activities WHERE actor_uri = ${eve.uri}`;
      assert.deepEqual([...rows], [{ attempts: 1 }]);
    } finally {
      await test.app.sql.unsafe("DROP TRIGGER spoil ON favourites; DROP FUNCTION spoil()");
    }
    await test.app.sql`UPDATE incoming_activities SET retry_at = NULL`;
    await processInbox(test.app);
    assert.equal(await waiting(), 0);
    const { json } = await test.visitor.get(`/api/v1/statuses/${own.id}`);
    assert.equal(json.favourites_count, 1);
  });

  it("is taken once, by however many drains at once", async () => {
    const before = await count("statuses");
    const creates = Array.from({ length: 40 }, () => createOf(bob));
    await Promise.all(creates.map(({ activity }) => accept(bob, activity)));
    await Promise.all([1, 2, 3].map(() => processInbox(test.app)));
    assert.equal(await waiting(), 0);
    assert.equal(await count("statuses"), before + 40);
    const events = await test.app.sql<{ created: number }[]>`
      SELECT count(*)::int AS created FROM outbox WHERE type = 'status.created'`;
    assert.equal(events[0]!.created, 40);
    await test.runJobs();
  });

  it("repeated under the same id changes nothing", async () => {
    const create = createOf(bob);
    const id = nextId(bob);
    await Promise.all([1, 2, 3].map(() => accept(bob, { id, ...create.activity })));
    const rows = await test.app.sql`SELECT 1 FROM incoming_activities WHERE uri = ${id}`;
    assert.equal(rows.length, 1);
    await test.runJobs();
    await accept(bob, { id, ...create.activity });
    assert.equal(await waiting(), 0);
  });

  it("skips what another process has claimed, and what the actor sent about the same", async () => {
    const first = createOf(bob);
    const updated = new Date(Date.now() - 1000).toISOString();
    const object: Json = { ...first.object, content: "<p>changed</p>", updated };
    await accept(bob, first.activity);
    await accept(bob, { type: "Update", object });
    const another = createOf(bob);
    await accept(bob, another.activity);
    const now = test.app.clock.now();
    const query = { now, floor: "0", after: "0", ready: [], shards: null, limit: 1 };
    const [row] = await selectWaiting(test.app.sql, query);
    const claim = { id: row!.id, subjects: [String(object["id"])] };
    await claimMany(test.app.sql, test.app.process.id, [claim], new Date(now.getTime() + 60_000));
    await processInbox(test.app);
    assert.ok(await statusByUri(another.object["id"]));
    assert.equal(await waiting(), 2);
    await test.app.sql`UPDATE incoming_activities SET claimed_until = NULL`;
    await test.runJobs();
    assert.equal((await statusByUri(object["id"]))!.content, "<p>changed</p>");
    assert.equal(await waiting(), 0);
  });
});

describe("several workers", () => {
  const inboxOf = (at: number) => {
    const lease = { ...ALONE, share: () => ({ at, of: 64 }) };
    return new Inbox(test.app, lease);
  };

  it("leave the inbox to the first, until something has waited: then each has its share", async () => {
    const [row] = await test.app.sql<{ shard: string }[]>`
      SELECT ${shardOf(test.app.sql, test.app.sql`${bob.uri}`)} AS shard`;
    const shard = Number(row!.shard);
    const create = createOf(bob);
    await accept(bob, create.activity);
    await inboxOf(shard === 0 ? 64 : shard).claim();
    assert.equal(await waiting(), 1);
    await inboxOf(0).claim();
    assert.equal(await waiting(), 0);
    assert.ok(await statusByUri(create.object["id"]));

    await accept(bob, createOf(bob).activity);
    await test.app
      .sql`UPDATE incoming_activities SET received_at = received_at - interval '1 minute'`;
    await inboxOf((shard + 1) % 64).claim();
    assert.equal(await waiting(), 1);
    await inboxOf(shard).claim();
    assert.equal(await waiting(), 0);
    await test.runJobs();
  });
});

describe("the worker's inbox", () => {
  const untilEmpty = async (): Promise<void> => {
    for (let tries = 0; (await waiting()) > 0; tries++) {
      assert.ok(tries < 200, "the inbox was not worked on");
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  it("finds at its start what a dead process left, claimed or not", async () => {
    const create = createOf(bob);
    await accept(bob, create.activity);
    const until = new Date(test.app.clock.now().getTime() + 120_000);
    await test.app.sql`
      UPDATE incoming_activities SET claimed_until = ${until}, attempts = 1`;
    await test.app.sql`DELETE FROM graphile_worker._private_jobs`;
    const inbox = await startInbox(test.app);
    await untilEmpty();
    await inbox.stop();
    assert.ok(await statusByUri(create.object["id"]));
  });

  it("is woken by what comes in, without a job", async () => {
    const inbox = await startInbox(test.app);
    try {
      await test.runJobs();
      const create = createOf(bob);
      await accept(bob, create.activity);
      const jobs = await test.app.sql`
        SELECT 1 FROM graphile_worker.jobs WHERE task_identifier = 'activity.received'`;
      assert.equal(jobs.length, 0);
      await untilEmpty();
      assert.ok(await statusByUri(create.object["id"]));
    } finally {
      await inbox.stop();
    }
    await test.runJobs();
  });

  it("writes the result again where that failed, and does not hold up others", async () => {
    const { sql } = test.app;
    // Sequences count on when their transaction is rolled back.
    await sql`CREATE SEQUENCE finishes`;
    await sql`
      CREATE FUNCTION fail_once() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF nextval('finishes') = 1 THEN RAISE EXCEPTION 'unavailable for a moment'; END IF;
        RETURN OLD;
      END $$`;
    await sql`
      CREATE TRIGGER failing BEFORE DELETE ON incoming_activities FOR EACH ROW
      WHEN (old.claimed_until IS NOT NULL) EXECUTE FUNCTION fail_once()`;
    const inbox = await startInbox(test.app);
    try {
      const parent = `${peer.origin}/notes/none-${Date.now()}`;
      const slow = createOf(bob, { inReplyTo: parent });
      await accept(bob, slow.activity);
      const next = createOf(bob);
      await accept(bob, next.activity);
      await untilEmpty();
      assert.ok(await statusByUri(slow.object["id"]));
      assert.ok(await statusByUri(next.object["id"]));
      const [row] = await sql<{ tries: string }[]>`SELECT last_value AS tries FROM finishes`;
      assert.ok(Number(row!.tries) >= 2);
    } finally {
      await inbox.stop();
      await sql`DROP TRIGGER failing ON incoming_activities`;
      await sql`DROP FUNCTION fail_once`;
      await sql`DROP SEQUENCE finishes`;
    }
    await test.runJobs();
  });

  it("works on other actors' activities while one's server does not answer", async () => {
    const inbox = await startInbox(test.app);
    try {
      const missing = createOf(bob, { inReplyTo: `${peer.origin}/notes/slow-${Date.now()}` });
      await accept(bob, missing.activity);
      const quick = createOf(eve, { inReplyTo: (await post(alice, "quick")).uri });
      await accept(eve, quick.activity);
      await untilEmpty();
      assert.ok(await statusByUri(quick.object["id"]));
      assert.ok(await statusByUri(missing.object["id"]));
    } finally {
      await inbox.stop();
    }
    await test.runJobs();
  });
});
