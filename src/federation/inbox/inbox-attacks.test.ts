// Attacks on the inbox over HTTP: nothing changes. Then forwarding, keys, order and retries.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  PUBLIC,
  TABLES,
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  otherPeer,
  eve,
  inbox,
  mallory,
  nextId,
  note,
  openWorld,
  peer,
  post,
  send,
  statusByUri,
  test,
  time,
  uriOf,
  world,
} from "../../../test/inbox-world.ts";
import type { Json } from "../../../test/inbox-world.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { PeerActor } from "../../../test/fake-peer.ts";

before(openWorld);
beforeEach(calmWorld);
after(closeWorld);

describe("attacks: refused, and nothing changed", () => {
  const attempts: [string, () => Promise<{ status: number; text: string }>][] = [
    [
      "no signature",
      async () => {
        const answer = await fetch(inbox(), {
          method: "POST",
          body: "{}",
          headers: { "content-type": "application/activity+json" },
        });
        return { status: answer.status, text: await answer.text() };
      },
    ],
    [
      "a body changed after signing",
      () => peer.post(inbox(), bob, {}, { signedBody: "{}", rawBody: '{"a":1}' }),
    ],
    [
      "an old signature",
      () => peer.post(inbox(), bob, like(bob), { date: new Date(time - 13 * 3600_000) }),
    ],
    [
      "a signature from the future",
      () => peer.post(inbox(), bob, like(bob), { date: new Date(time + 2 * 3600_000) }),
    ],
    [
      "another digest",
      () => peer.post(inbox(), bob, like(bob), { headers: { digest: "SHA-256=AAAA" } }),
    ],
    [
      "another one's key",
      () => peer.post(inbox(), { ...bob, privateKeyPem: mallory.privateKeyPem }, like(bob)),
    ],
    ["no JSON", () => peer.post(inbox(), bob, {}, { rawBody: "hello" })],
    ["an array", () => peer.post(inbox(), bob, {}, { rawBody: "[]" })],
    [
      "deep nesting",
      () =>
        peer.post(
          inbox(),
          bob,
          {},
          {
            rawBody: `{"actor":"${bob.uri}","type":"Like","x":${"[".repeat(100)}${"]".repeat(100)}}`,
          },
        ),
    ],
    ["no actor", () => peer.post(inbox(), bob, { id: nextId(bob), type: "Like" })],
    ["no type", () => peer.post(inbox(), bob, { id: nextId(bob), actor: bob.uri })],
    ["a local actor", () => peer.post(inbox(), bob, { ...like(bob), actor: uriOf(alice) })],
    [
      "a local key",
      () => peer.post(inbox(), bob, like(bob), { keyId: `${uriOf(alice)}#main-key` }),
    ],
    [
      "a body that is too large",
      () => peer.post(inbox(), bob, { ...like(bob), content: "x".repeat(1024 * 1024) }),
    ],
    ["no JSON type", () => peer.post(inbox(), bob, like(bob), { contentType: "text/plain" })],
    [
      "a signature for another host",
      () => {
        // Signed for the peer's own host, sent to us.
        return peer.post(inbox(), bob, like(bob), {
          headers: {
            signature: `keyId="${bob.keyId}",algorithm="rsa-sha256",headers="(request-target) date digest",signature="AAAA"`,
          },
        });
      },
    ],
  ];
  const like = (actor: PeerActor): Json => ({
    id: nextId(actor),
    type: "Like",
    actor: actor.uri,
    object: `${uriOf(alice)}/statuses/1`,
  });
  for (const [name, attempt] of attempts) {
    it(name, async () => {
      const before = await world();
      const { status } = await attempt();
      assert.ok(status >= 400 && status < 500, String(status));
      await test.runJobs();
      const { requests, ...rest } = await world();
      const { requests: requestsBefore, ...restBefore } = before;
      assert.deepEqual(rest, restBefore);
      // A key that does not fit is asked for once more.
      assert.ok(
        requests - requestsBefore <= (name === "another one's key" ? 3 : 0),
        `asked ${requests - requestsBefore}`,
      );
    });
  }
});

describe("attacks: accepted, and nothing changed", () => {
  const unchanged = async (actor: PeerActor, activity: Json): Promise<void> => {
    const strip = ({ counts, ...rest }: Awaited<ReturnType<typeof world>>) => ({
      ...rest,
      counts: counts.filter(
        (_, index) => !["seen_activities", "early_deletes"].includes(TABLES[index]!),
      ),
    });
    const before = strip(await world());
    await send(actor, activity);
    assert.deepEqual(strip(await world()), before);
  };

  it("Create in the name of another, on the same host too", async () => {
    // It mentions somebody here, so nothing but its author keeps it out.
    const tag = { type: "Mention", href: uriOf(alice), name: "@alice" };
    const object = note(bob, { tag });
    await unchanged(eve, { type: "Create", object });
    const far = otherPeer.note(mallory, "/notes/x1");
    await unchanged(bob, { type: "Create", object: far });
    await unchanged(bob, { type: "Create", object: { ...far, attributedTo: bob.uri } });
  });

  it("Create with a local id", async () => {
    await unchanged(bob, {
      type: "Create",
      object: { ...note(bob), id: `${uriOf(alice)}/statuses/77` },
    });
  });

  it("Update, Delete, Undo, Remove by another on the same host", async () => {
    const object = await create(bob);
    const own = await post(alice, "mine");
    const likeId = nextId(bob);
    await send(bob, { id: likeId, type: "Like", object: own.uri });
    const boostId = nextId(bob);
    await send(bob, { id: boostId, type: "Announce", object: own.uri, to: [PUBLIC] });
    const target = `${bob.uri}/collections/featured`;
    await send(bob, { type: "Add", object: object["id"], target });
    await unchanged(eve, { type: "Update", object: { ...object, content: "<p>evil</p>" } });
    await unchanged(eve, {
      type: "Update",
      object: { ...object, attributedTo: eve.uri, content: "<p>evil</p>" },
    });
    await unchanged(eve, { type: "Delete", object: object["id"] });
    await unchanged(eve, { type: "Delete", object: bob.uri });
    await unchanged(eve, { type: "Undo", object: likeId });
    await unchanged(eve, {
      type: "Undo",
      object: { id: likeId, type: "Like", actor: bob.uri, object: own.uri },
    });
    await unchanged(eve, { type: "Undo", object: { id: likeId, type: "Like", object: own.uri } });
    await unchanged(eve, { type: "Undo", object: boostId });
    await unchanged(eve, {
      type: "Undo",
      object: { id: boostId, type: "Announce", object: own.uri },
    });
    await unchanged(eve, { type: "Remove", object: object["id"], target });
  });

  it("Delete and Update of a local post", async () => {
    const own = await post(alice, "stays");
    await unchanged(bob, { type: "Delete", object: own.uri });
    await unchanged(bob, {
      type: "Update",
      object: { id: own.uri, type: "Note", attributedTo: bob.uri, content: "x" },
    });
  });

  it("Announce under an id of another host", async () => {
    const own = await post(alice, "boost");
    await unchanged(eve, {
      id: `${otherPeer.origin}/x`,
      type: "Announce",
      object: own.uri,
      to: [PUBLIC],
    });
  });

  it("Delete of an unknown actor causes no request", async () => {
    const gone = { ...peer.actor("gone", 1) };
    peer.documents.set("/users/gone", 410);
    await unchanged(gone, { type: "Delete", object: gone.uri });
  });

  it("a suspended actor", async () => {
    const sam = peer.actor("sam", 2);
    await send(sam, { type: "Follow", object: uriOf(carol) });
    await test.write`UPDATE accounts SET suspended_at = now() WHERE uri = ${sam.uri}`;
    await test.runJobs();
    const before = await world();
    await send(sam, { type: "Follow", object: uriOf(alice) });
    assert.deepEqual(await world(), before);
  });

  it("garbage in every member of a note of somebody followed", async () => {
    const garbage: unknown[] = [
      null,
      7,
      true,
      "x",
      [],
      [null],
      {},
      { id: 5 },
      "\u0000",
      "javascript:x",
      [[[]]],
    ];
    const members = [
      "content",
      "contentMap",
      "summary",
      "to",
      "cc",
      "tag",
      "attachment",
      "inReplyTo",
      "published",
      "updated",
      "url",
      "conversation",
      "context",
      "sensitive",
      "name",
    ];
    for (const member of members) {
      for (const value of garbage) {
        const object = { ...note(bob), [member]: value };
        const { status } = await peer.post(inbox(), bob, {
          id: nextId(bob),
          type: "Create",
          actor: bob.uri,
          object,
        });
        assert.equal(status, 202);
      }
    }
    await test.runJobs();
    const rows = await test.app.sql`SELECT 1 FROM incoming_activities`;
    assert.equal(rows.length, 0);
    const faults = await test.app.sql`SELECT 1 FROM incoming_activities WHERE attempts > 1`;
    assert.equal(faults.length, 0);
  });
});

describe("forwarded by others", () => {
  it("a forged Create is not believed: the origin's text counts", async () => {
    const object = note(bob, { content: "<p>true</p>" });
    const forged = { ...object, content: "<p>false</p>" };
    const { status } = await otherPeer.post(inbox(), mallory, {
      id: nextId(bob),
      type: "Create",
      actor: bob.uri,
      object: forged,
    });
    assert.equal(status, 202);
    await test.runJobs();
    assert.equal((await statusByUri(object["id"]))?.content, "<p>true</p>");
  });

  it("a forged Delete, Like, Follow changes nothing", async () => {
    const object = await create(bob);
    for (const activity of [
      { type: "Delete", object: object["id"] },
      { type: "Follow", object: uriOf(alice) },
    ]) {
      await otherPeer.post(inbox(), mallory, { id: nextId(bob), actor: bob.uri, ...activity });
    }
    await test.runJobs();
    assert.ok(await statusByUri(object["id"]));
  });

  it("it does not take the place of the author's own activity", async () => {
    const object = note(bob, { content: "<p>own</p>" });
    const id = nextId(bob);
    peer.documents.set(new URL(String(object["id"])).pathname, 404);
    await otherPeer.post(inbox(), mallory, { id, type: "Create", actor: bob.uri, object });
    await test.runJobs();
    assert.equal(await statusByUri(object["id"]), undefined);
    await send(bob, { id, type: "Create", object });
    assert.ok(await statusByUri(object["id"]));
  });
});

describe("keys", () => {
  it("an unreachable key server: 503", async () => {
    const far = await startPeer("127.0.0.3");
    const ann = far.actor("ann", 1);
    await far.close();
    const { status } = await peer.post(inbox(), ann, {
      id: nextId(ann),
      type: "Follow",
      actor: ann.uri,
      object: uriOf(alice),
    });
    assert.equal(status, 503);
  });

  it("a changed key is asked for again, once", async () => {
    const kim = peer.actor("kim", 0);
    await send(kim, { type: "Follow", object: uriOf(carol) });
    const changed = peer.actor("kim", 1);
    await send(changed, { type: "Follow", object: uriOf(alice) });
    const before = peer.received.length;
    const wrong = { ...changed, privateKeyPem: mallory.privateKeyPem };
    await send(wrong, { type: "Like", object: "x" }, 401);
    assert.equal(peer.received.length, before);
  });

  it("a key whose owner does not name it back is refused", async () => {
    const lee = peer.actor("lee", 1);
    const keyId = `${otherPeer.origin}/keys/1`;
    otherPeer.documents.set("/keys/1", {
      id: keyId,
      owner: lee.uri,
      publicKeyPem: (mallory.document["publicKey"] as Json)["publicKeyPem"],
    });
    const activity = { id: nextId(lee), type: "Follow", actor: lee.uri, object: uriOf(alice) };
    const { status } = await peer.post(
      inbox(),
      { ...lee, privateKeyPem: mallory.privateKeyPem },
      activity,
      { keyId },
    );
    assert.equal(status, 401);
  });
});

describe("order and retries", () => {
  it("what fails for now waits, and later ones do not wait for it", async () => {
    const far = await startPeer("127.0.0.4");
    const object = far.note(far.actor("far", 1), "/notes/1");
    await far.close();
    await send(bob, { type: "Announce", object: object["id"], to: [PUBLIC] });
    const later = await create(bob);
    assert.ok(await statusByUri(later["id"]));
    const [row] = await test.app.sql<{ attempts: number; retry_at: Date }[]>`
      SELECT attempts, retry_at FROM incoming_activities`;
    assert.equal(row!.attempts, 1);
    assert.ok(row!.retry_at.getTime() >= time + 9_000);
    const jobs = await test.app.sql`
      SELECT 1 FROM graphile_worker._private_jobs WHERE run_at > now() AND key LIKE 'inbox:%'`;
    assert.ok(jobs.length >= 1);
  });

  it("many at once of one actor are worked through in order", async () => {
    const object = note(bob, { content: "<p>0</p>" });
    await send(bob, { type: "Create", object });
    for (let n = 1; n <= 10; n++) {
      const updated = new Date(Date.now() - 60_000 + n * 1000).toISOString();
      const changed = { ...object, content: `<p>${n}</p>`, updated };
      await peer.post(inbox(), bob, {
        id: nextId(bob),
        type: "Update",
        actor: bob.uri,
        object: changed,
      });
    }
    await test.runJobs();
    const row = await statusByUri(object["id"]);
    assert.equal(row!.content, "<p>10</p>");
    const edits = await test.app.sql`SELECT 1 FROM status_edits WHERE status_id = ${row!.id}`;
    assert.equal(edits.length, 10);
  });
});
