// Activities of a remote server over HTTP, and what they change: every kind.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  PUBLIC,
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  count,
  create,
  otherPeer,
  eve,
  idOfActor,
  mallory,
  nextId,
  note,
  openWorld,
  peer,
  post,
  send,
  statusByUri,
  test,
  uriOf,
  world,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { follow } from "../../domain/people/relationships/follow.ts";
import { runReread } from "./fetch-dependencies.ts";

before(openWorld);
beforeEach(calmWorld);
after(closeWorld);

describe("follows", () => {
  it("Follow of an unlocked account is answered with Accept", async () => {
    const before = peer.inbox().length;
    const id = nextId(eve);
    await send(eve, { id, type: "Follow", object: uriOf(alice) });
    const eveId = await idOfActor(eve);
    const rows = await test.app.sql`
      SELECT 1 FROM follows WHERE account_id = ${eveId} AND target_account_id = ${alice.accountId}`;
    assert.equal(rows.length, 1);
    const accept = peer
      .inbox()
      .slice(before)
      .find((a) => a["type"] === "Accept") as Json;
    assert.equal(accept["actor"], uriOf(alice));
    assert.equal((accept["object"] as Json)["id"], id);
  });

  it("of a server that was away, the answer is sent at once, and what waited for it", async () => {
    await test.app.sql`
      INSERT INTO remote_hosts (host, due_at, resting, failures, failing_since, settled_at, slow)
      VALUES (${peer.host}, now() + interval '2 hours', true, 9, now() - interval '9 days', now() - interval '1 hour', true)
      ON CONFLICT (host) DO UPDATE SET due_at = excluded.due_at, resting = true, failures = 9,
        failing_since = excluded.failing_since, settled_at = excluded.settled_at`;
    const before = peer.inbox().length;
    await send(eve, { type: "Follow", object: uriOf(alice) });
    assert.ok(peer.inbox().length > before);
  });

  it("Undo of a Follow ends it, by its id alone too", async () => {
    const id = nextId(eve);
    const follows = async () =>
      (
        await test.app
          .sql`SELECT 1 FROM follows WHERE account_id = ${await idOfActor(eve)} AND target_account_id = ${alice.accountId}`
      ).length;
    await send(eve, { id, type: "Follow", object: uriOf(alice) });
    assert.equal(await follows(), 1);
    await send(eve, {
      type: "Undo",
      object: { id: "x:y", type: "Follow", actor: eve.uri, object: uriOf(alice) },
    });
    assert.equal(await follows(), 0);
    const again = nextId(eve);
    await send(eve, { id: again, type: "Follow", object: uriOf(alice) });
    assert.equal(await follows(), 1);
    await send(eve, { type: "Undo", object: again });
    assert.equal(await follows(), 0);
  });

  it("Accept makes a request a follow, Reject ends it", async () => {
    await send(eve, { type: "Follow", object: uriOf(carol) });
    const pair = { accountId: alice.accountId, targetId: await idOfActor(eve) };
    await follow(test.app, pair);
    const [request] = await test.app.sql<{ uri: string }[]>`
      SELECT uri FROM follow_requests WHERE account_id = ${pair.accountId} AND target_account_id = ${pair.targetId}`;
    const follows = async () =>
      (
        await test.app
          .sql`SELECT 1 FROM follows WHERE account_id = ${pair.accountId} AND target_account_id = ${pair.targetId}`
      ).length;
    await send(eve, { type: "Accept", object: request!.uri });
    assert.equal(await follows(), 1);
    await send(eve, {
      type: "Reject",
      object: { type: "Follow", actor: uriOf(alice), object: eve.uri },
    });
    assert.equal(await follows(), 0);
  });

  it("Accept of a follow that was never sent changes nothing", async () => {
    const before = await count("follows");
    await send(eve, {
      type: "Accept",
      object: { type: "Follow", actor: uriOf(carol), object: eve.uri },
    });
    await send(eve, {
      type: "Accept",
      object: { type: "Follow", actor: uriOf(carol), object: bob.uri },
    });
    assert.equal(await count("follows"), before);
  });

  it("Block ends follows, and Undo takes it back", async () => {
    await send(eve, { type: "Follow", object: uriOf(alice) });
    await send(eve, { type: "Block", object: uriOf(alice) });
    const eveId = await idOfActor(eve);
    const rows = (table: string) => test.app.sql`
      SELECT 1 FROM ${test.app.sql(table)} WHERE account_id = ${eveId} AND target_account_id = ${alice.accountId}`;
    assert.equal((await rows("blocks")).length, 1);
    assert.equal((await rows("follows")).length, 0);
    await send(eve, {
      type: "Undo",
      object: { type: "Block", actor: eve.uri, object: uriOf(alice) },
    });
    assert.equal((await rows("blocks")).length, 0);
  });
});

describe("notes", () => {
  it("of somebody followed is stored, sanitised, and in the follower's home", async () => {
    const { id } = await create(bob, { content: `<p>news<script>x</script></p>` });
    const row = await statusByUri(id);
    assert.equal(row!.content, "<p>news</p>");
    const home = await alice.get("/api/v1/timelines/home");
    if (home.status === 200) assert.ok(home.json.some((s: Json) => s["id"] === row!.id));
  });

  it("of an account without local followers that concerns nobody here is not stored", async () => {
    const { id } = await create(eve);
    assert.equal(await statusByUri(id), undefined);
  });

  it("of an unfollowed account that mentions a local one is stored", async () => {
    const tag = [{ type: "Mention", href: uriOf(carol), name: "@carol" }];
    const { id } = await create(eve, { tag, to: [uriOf(carol)], cc: [] });
    const row = await statusByUri(id);
    assert.equal(row!.visibility, "direct");
    const mentions = await test.app.sql`
      SELECT 1 FROM mentions WHERE status_id = ${row!.id} AND account_id = ${carol.accountId} AND NOT silent`;
    assert.equal(mentions.length, 1);
  });

  it("of an unfollowed account that replies to a local post is stored as its reply", async () => {
    const own = await post(alice, "question");
    const { id } = await create(eve, { inReplyTo: own.uri });
    assert.equal((await statusByUri(id))!.in_reply_to_id, own.id);
  });

  it("Update changes it and stores the old version; the same again changes nothing", async () => {
    const object = await create(bob, { content: "<p>one</p>" });
    const updated = new Date().toISOString();
    const changed = { ...object, content: "<p>two</p>", updated };
    await send(bob, { type: "Update", object: changed });
    const row = await statusByUri(object["id"]);
    assert.equal(row!.content, "<p>two</p>");
    assert.ok(row!.edited_at);
    await send(bob, { type: "Update", object: changed });
    const edits = await test.app.sql`SELECT 1 FROM status_edits WHERE status_id = ${row!.id}`;
    assert.equal(edits.length, 1);
  });

  it("Delete removes it, and a late Create does not bring it back", async () => {
    const object = await create(bob);
    await send(bob, { type: "Delete", object: { id: object["id"], type: "Tombstone" } });
    assert.equal(await statusByUri(object["id"]), undefined);
    await send(bob, { type: "Create", object });
    assert.equal(await statusByUri(object["id"]), undefined);
  });

  it("Delete before Create: nothing comes of it", async () => {
    const object = note(bob);
    await send(bob, { type: "Delete", object: object["id"] });
    await send(bob, { type: "Create", object });
    assert.equal(await statusByUri(object["id"]), undefined);
  });

  it("the same activity twice has one effect", async () => {
    const object = note(bob);
    const activity = { id: nextId(bob), type: "Create", object };
    await send(bob, activity);
    const before = await world();
    await send(bob, activity);
    assert.deepEqual(await world(), before);
  });

  it("a vote is no status", async () => {
    const own = await post(alice, "no poll");
    const before = await count("statuses");
    await create(bob, {
      name: "yes",
      content: undefined,
      inReplyTo: own.uri,
      to: [uriOf(alice)],
      cc: [],
    });
    assert.equal(await count("statuses"), before);
  });

  it("texts that PostgreSQL does not take are cleaned", async () => {
    const { id } = await create(bob, {
      content: "<p>a\u0000b\ud800</p>",
      summary: "x\u0000\udc00",
    });
    assert.equal((await statusByUri(id))!.content, "<p>ab\ufffd</p>");
  });

  it("an object of another type is shown with its title and link", async () => {
    const { id } = await create(bob, { type: "Page", name: "Title", url: `${peer.origin}/post/1` });
    assert.match((await statusByUri(id))!.content, /Title.*post\/1/);
  });
});

describe("likes and boosts", () => {
  const favourites = async (id: string) =>
    (await test.app.sql`SELECT 1 FROM favourites WHERE status_id = ${id}`).length;
  const reblogs = async (id: string) =>
    (await test.app.sql`SELECT 1 FROM statuses WHERE reblog_of_id = ${id}`).length;

  it("Like counts once, Undo takes it back", async () => {
    const own = await post(alice, "like me");
    const like = { id: nextId(bob), type: "Like", object: own.uri };
    await send(bob, like);
    await send(bob, { ...like, id: nextId(bob) });
    assert.equal(await favourites(own.id), 1);
    await send(bob, { type: "Undo", object: { ...like, actor: bob.uri } });
    assert.equal(await favourites(own.id), 0);
  });

  it("Like of what the liker cannot see changes nothing", async () => {
    const own = await post(alice, "for me", { visibility: "direct" });
    await send(bob, { type: "Like", object: own.uri });
    assert.equal(await favourites(own.id), 0);
  });

  it("Announce of a local post counts, Undo by its id takes it back", async () => {
    const own = await post(alice, "boost me");
    const id = nextId(eve);
    await send(eve, { id, type: "Announce", object: own.uri, to: [PUBLIC], cc: [] });
    assert.equal(await reblogs(own.id), 1);
    await send(eve, { type: "Undo", object: id });
    assert.equal(await reblogs(own.id), 0);
  });

  it("Announce of something unknown by a followed account fetches it", async () => {
    const object = otherPeer.note(mallory, "/notes/far");
    await send(bob, {
      type: "Announce",
      object: object["id"],
      to: [PUBLIC],
      cc: [`${bob.uri}/followers`],
    });
    const row = await statusByUri(object["id"]);
    assert.ok(row);
    assert.equal(await reblogs(row.id), 1);
  });

  it("Announce of something unknown by an unfollowed account causes no request", async () => {
    const object = otherPeer.note(mallory, "/notes/farther");
    const before = otherPeer.received.length;
    await send(eve, { type: "Announce", object: object["id"], to: [PUBLIC] });
    assert.equal(await statusByUri(object["id"]), undefined);
    assert.equal(otherPeer.received.length, before);
  });

  it("Announce of a followers-only post of somebody else changes nothing", async () => {
    const own = await post(alice, "for followers", { visibility: "private" });
    await send(bob, { type: "Announce", object: own.uri, to: [PUBLIC] });
    assert.equal(await reblogs(own.id), 0);
  });
});

describe("profiles", () => {
  it("Add and Remove of a pinned post", async () => {
    const object = await create(bob);
    const target = `${bob.uri}/collections/featured`;
    const pins = async () =>
      (await test.app.sql`SELECT 1 FROM status_pins WHERE account_id = ${await idOfActor(bob)}`)
        .length;
    const add = { type: "Add", object: object["id"], target, id: undefined };
    await send(bob, add);
    assert.equal(await pins(), 1);
    await send(bob, { ...add, type: "Remove" });
    assert.equal(await pins(), 0);
    await send(bob, { ...add, target: `${eve.uri}/collections/featured` });
    assert.equal(await pins(), 0);
  });

  const nameOf = async (uri: string): Promise<string> => {
    const [row] = await test.app.sql<{ display_name: string }[]>`
      SELECT display_name FROM accounts WHERE uri = ${uri}`;
    return row!.display_name;
  };

  it("Update of the actor counts as it was sent: its server may still answer with a cached copy", async () => {
    const before = peer.received.length;
    for (const name of ["Bob the Second", "Bob the Third"]) {
      await send(bob, { type: "Update", object: { ...bob.document, name } });
      assert.equal(await nameOf(bob.uri), name);
    }
    assert.equal(peer.received.length, before);
  });

  it("Update without the document, or with a part of it, is read from its origin", async () => {
    (bob.document as Json)["name"] = "Bob the Fourth";
    await send(bob, { type: "Update", object: bob.uri });
    assert.equal(await nameOf(bob.uri), "Bob the Fourth");
    (bob.document as Json)["name"] = "Bob the Fifth";
    await send(bob, { type: "Update", object: { id: bob.uri, type: "Person", name: "a part" } });
    assert.equal(await nameOf(bob.uri), "Bob the Fifth");
  });

  it("Update with a part that could be a whole one wipes nothing: what is missing is asked of the origin", async () => {
    const document = bob.document as Json;
    const icon = { type: "Image", mediaType: "image/png", url: `${peer.origin}/bob.png` };
    Object.assign(document, { summary: "<p>about</p>", icon });
    await send(bob, { type: "Update", object: document });
    const stateOf = async () => {
      const [row] = await test.app.sql`
        SELECT note_html, avatar_url, followers_url, featured_url, shared_inbox_url
        FROM accounts WHERE uri = ${bob.uri}`;
      return row;
    };
    const before = await stateOf();
    assert.deepEqual([before!["note_html"], before!["avatar_url"]], ["<p>about</p>", icon.url]);
    const { id, type, preferredUsername, inbox, publicKey } = document;
    const part = { id, type, preferredUsername, inbox, publicKey, name: "a part" };
    await send(bob, { type: "Update", object: part });
    assert.deepEqual(await stateOf(), before);
    assert.equal(await nameOf(bob.uri), document["name"]);
    // What is gone at the origin is gone here.
    delete document["icon"];
    await send(bob, { type: "Update", object: document });
    assert.deepEqual(await stateOf(), { ...before, avatar_url: null });
  });

  it("a read that a cache may have answered is repeated when that has ended, once", async () => {
    const { pathname } = new URL(bob.uri);
    const serve = (name: string) =>
      peer.pages.set(pathname, {
        headers: {
          "content-type": "application/activity+json",
          "cache-control": "max-age=180, public",
        },
        body: JSON.stringify({ ...bob.document, name }),
      });
    serve("A cached Bob");
    await send(bob, { type: "Update", object: bob.uri });
    assert.equal(await nameOf(bob.uri), "A cached Bob");
    serve("The present Bob");
    const waiting = () => test.app.sql<{ payload: never; seconds: number }[]>`
      SELECT j.payload, extract(epoch FROM j.run_at)::float - ${test.app.clock.now().getTime() / 1000} AS seconds
      FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'document.reread'`;
    const [job, ...more] = await waiting();
    assert.ok(job && more.length === 0 && Math.abs(job.seconds - 181) < 5);
    await runReread(test.app, job.payload);
    assert.equal(await nameOf(bob.uri), "The present Bob");
    assert.equal((await waiting()).length, 1);
    peer.pages.delete(pathname);
  });

  it("a suspension by the actor's own server ends as it says; one of ours does not", async () => {
    const of = async () => {
      const [row] = await test.app.sql<{ suspended: boolean }[]>`
        SELECT suspended_at IS NOT NULL AS suspended FROM accounts WHERE uri = ${eve.uri}`;
      return row!.suspended;
    };
    const update = (members: Json) =>
      send(eve, { type: "Update", object: { ...eve.document, ...members } });
    await update({ suspended: true });
    assert.equal(await of(), true);
    await send(eve, { type: "Like", object: "https://a.example/1" });
    const object = note(eve);
    await send(eve, { type: "Create", object, to: object["to"], cc: object["cc"] });
    assert.equal(await statusByUri(object["id"]), undefined);
    await update({ suspended: false });
    assert.equal(await of(), false);
    await test.write`UPDATE accounts SET suspended_at = now() WHERE uri = ${eve.uri}`;
    await update({ suspended: false });
    assert.equal(await of(), true);
    await test.write`UPDATE accounts SET suspended_at = NULL WHERE uri = ${eve.uri}`;
  });

  it("a post that is met after it was edited says so", async () => {
    const times = { published: "2026-01-02T10:00:00Z", updated: "2026-01-02T11:00:00Z" };
    const object = await create(bob, times);
    const row = await statusByUri(object["id"]);
    assert.equal(row!.edited_at?.toISOString(), "2026-01-02T11:00:00.000Z");
    const same = await create(bob, { ...times, updated: times.published });
    assert.equal((await statusByUri(same["id"]))!.edited_at, null);
  });

  it("Delete of the actor removes the account", async () => {
    const dan = peer.actor("dan", 2);
    await send(dan, { type: "Follow", object: uriOf(alice) });
    assert.ok(await idOfActor(dan));
    await send(dan, { type: "Delete", object: dan.uri });
    const rows = await test.app
      .sql`SELECT 1 FROM accounts WHERE uri = ${dan.uri} AND suspended_at IS NULL`;
    assert.equal(rows.length, 0);
  });
});
