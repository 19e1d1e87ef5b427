// Reflection: what strangers send must not make this server ask a third one again and again, nor take an
// identity that another actor of their host has.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { fetchActor } from "../../src/federation/actors.ts";
import { FETCH_BUDGETS } from "../../src/platform/fetch/budget.ts";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import * as world from "../inbox-world.ts";
import type { Json } from "../inbox-world.ts";
import { TEST_KEYS } from "../keys.ts";

before(() => world.openWorld());
after(() => world.closeWorld());

let serial = 0;
const victims: FakePeer[] = [];

/** A third server, which nobody here knows. */
const victim = async (): Promise<FakePeer> => {
  const peer = await startPeer(`127.0.0.${20 + victims.length}`);
  victims.push(peer);
  return peer;
};
after(() => Promise.all(victims.map((victim) => victim.close())));

const requestsTo = (peer: FakePeer): number =>
  peer.received.filter(({ method }) => method === "GET").length;

const fresh = (peer: FakePeer, members: Json = {}): PeerActor => {
  const actor = peer.actor(`stranger${++serial}`, serial % TEST_KEYS.length);
  Object.assign(actor.document, members);
  return actor;
};

const post = (actor: PeerActor, activity: Json, keyId = actor.keyId) =>
  world.peer.post(
    world.inbox(),
    actor,
    { id: world.nextId(actor), actor: actor.uri, ...activity },
    { keyId },
  );

const links = (target: FakePeer, count: number): Json => ({
  attachment: Array.from({ length: count }, (_, n) => {
    const href = `${target.origin}/page/${++serial}/${n}`;
    return { type: "PropertyValue", name: "w", value: `<a href="${href}" rel="me">${href}</a>` };
  }),
});

const open = async (actor: PeerActor): Promise<void> => {
  const id = await world.idOfActor(actor);
  await world.alice.get(`/api/v1/accounts/${id}`).done();
};

const reply = (actor: PeerActor, parent: string): Json => {
  const object = world.note(actor, {
    inReplyTo: parent,
    tag: [{ type: "Mention", href: world.uriOf(world.alice) }],
  });
  return { type: "Create", object, to: object["to"] };
};

describe("links of profiles", () => {
  it("of unknown actors are not followed, however many of them like a post", async () => {
    const third = await victim();
    const own = await world.post(world.alice, "like me");
    for (let n = 0; n < 12; n++) {
      const actor = fresh(world.peer, links(third, 8));
      assert.equal((await post(actor, { type: "Like", object: own.uri })).status, 202);
    }
    await world.test.runJobs();
    const [row] = await world.test.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM favourites WHERE status_id = ${own.id}`;
    assert.equal(row!.count, 12);
    assert.equal(requestsTo(third), 0);
  });

  it("are followed when somebody opens the profile, or wants to follow it", async () => {
    const third = await victim();
    const opened = fresh(world.peer, links(third, 1));
    const target = fresh(world.peer, links(third, 1));
    for (const actor of [opened, target]) {
      await post(actor, { type: "Like", object: `${world.test.url}/nothing` });
    }
    await world.test.runJobs();
    await world.test.visitor.get(`/api/v1/accounts/${await world.idOfActor(opened)}`).done();
    assert.equal(requestsTo(third), 0);
    await open(opened);
    await open(opened);
    assert.equal(requestsTo(third), 1);
    const path = `/api/v1/accounts/${await world.idOfActor(target)}/follow`;
    await world.alice.post(path);
    await world.test.runJobs();
    assert.equal(requestsTo(third), 2);
  });

  it("that all lead to one host are few requests there, whoever opens the profiles", async () => {
    const third = await victim();
    const { burst } = FETCH_BUDGETS.link;
    for (let n = 0; n < 3; n++) {
      const actor = fresh(world.peer, links(third, 8));
      await post(actor, { type: "Like", object: `${world.test.url}/nothing` });
      await open(actor);
    }
    assert.ok(
      requestsTo(third) >= 8 && requestsTo(third) <= burst + 2,
      `${requestsTo(third)} requests`,
    );
  });
});

describe("keys", () => {
  const { burst } = FETCH_BUDGETS.key;

  it("that are made up are a bounded number of requests, and the host's real actors get through", async () => {
    const third = await victim();
    const [first] = [fresh(third)];
    assert.equal((await post(first!, { type: "Like", object: first!.uri })).status, 202);
    const before = requestsTo(third);
    const statuses = new Set<number>();
    for (let n = 0; n < 2 * burst; n++) {
      const keyId = `${third.origin}/users/nobody${n}#main-key`;
      statuses.add((await post(world.eve, { type: "Like", object: "x:" }, keyId)).status);
    }
    const count = requestsTo(third) - before;
    assert.ok(count >= burst / 2 && count <= burst + 5, `${count} requests`);
    assert.deepEqual([...statuses].toSorted(), [401, 503]);
    assert.equal((await post(first!, { type: "Like", object: first!.uri })).status, 202);
  });

  it("that are missing are asked for once in a while", async () => {
    const third = await victim();
    for (let n = 0; n < 5; n++) {
      const keyId = `${third.origin}/users/nobody#main-key`;
      assert.equal((await post(world.eve, { type: "Like", object: "x:" }, keyId)).status, 401);
    }
    assert.equal(requestsTo(third), 1);
  });

  it("of real actors use up no budget, however many are new at once", async () => {
    const third = await victim();
    const actors = Array.from({ length: burst }, () => fresh(third));
    for (const actor of actors) {
      assert.equal((await post(actor, { type: "Like", object: actor.uri })).status, 202);
    }
    assert.ok(requestsTo(third) >= 2 * burst);
  });
});

describe("posts that are answered", () => {
  it("are a bounded number of requests at one host, and what a person searches there is found", async () => {
    const third = await victim();
    const { burst, perMinute } = FETCH_BUDGETS.note;
    const count = burst + 40;
    const started = performance.now();
    for (let n = 0; n < count; n++) {
      await post(world.eve, reply(world.eve, `${third.origin}/missing/${n}`));
    }
    await world.test.runJobs();
    // What comes back while a slow machine works on it.
    const refilled = ((performance.now() - started) / 60_000) * perMinute;
    const requests = requestsTo(third);
    assert.ok(requests >= burst && requests <= burst + refilled + 5, `${requests} requests`);
    // All of them are stored, without their parents.
    const [row] = await world.test.app.sql<{ count: number }[]>`
      SELECT count(*)::int AS count FROM statuses s JOIN mentions m ON m.status_id = s.id
      WHERE m.account_id = ${world.alice.accountId}`;
    assert.ok(row!.count >= count);
    const author = fresh(third);
    const note = third.note(author, "/real");
    const { json } = await world.alice.get(
      `/api/v2/search?resolve=true&q=${encodeURIComponent(String(note["id"]))}`,
    );
    assert.equal(json.statuses.length, 1);
  });

  const bad: [string, (third: FakePeer) => void][] = [
    ["missing", () => undefined],
    ["gone", (third) => third.documents.set("/p", 410)],
    ["refused", (third) => third.documents.set("/p", 403)],
    ["no document", (third) => third.pages.set("/p", { body: "<p>hello" })],
    [
      "another's",
      (third) => third.documents.set("/p", { id: `${third.origin}/elsewhere`, type: "Note" }),
    ],
  ];
  for (const [name, prepare] of bad) {
    it(`are asked for once where the answer is bad: ${name}`, async () => {
      const third = await victim();
      prepare(third);
      for (let n = 0; n < 6; n++) {
        await post(world.eve, reply(world.eve, `${third.origin}/p`));
        await world.test.runJobs();
      }
      assert.equal(third.received.filter(({ path }) => path === "/p").length, 1);
    });
  }
});

describe("a key id that another actor of the same host claimed first", () => {
  const followed = async (actor: PeerActor): Promise<boolean> => {
    const { status, text } = await post(actor, {
      type: "Follow",
      object: world.uriOf(world.alice),
    });
    assert.equal(status, 202, text);
    await world.test.runJobs();
    const rows = await world.test.app.sql`
      SELECT 1 FROM follows f JOIN accounts a ON a.id = f.account_id
      WHERE a.uri = ${actor.uri} AND f.target_account_id = ${world.alice.accountId}`;
    return rows.length === 1;
  };

  for (const path of ["#main-key", "/main-key"]) {
    for (const whose of ["its own", "the other's"]) {
      it(`does not lock out its owner: ${path}, with ${whose} key`, async () => {
        const owner = world.peer.actor(`owner${++serial}`, 0);
        const thief = world.peer.actor(`thief${++serial}`, 1);
        const keyId = `${owner.uri}${path}`;
        const { publicKeyPem } = TEST_KEYS[0]!;
        const key = { id: keyId, owner: owner.uri, publicKeyPem };
        owner.document["publicKey"] = key;
        if (path === "/main-key")
          world.peer.documents.set(`/users/${owner.name}/main-key`, {
            type: "CryptographicKey",
            ...key,
          });
        thief.document["publicKey"] = {
          ...key,
          owner: thief.uri,
          ...(whose === "its own" && { publicKeyPem: TEST_KEYS[1]!.publicKeyPem }),
        };
        await fetchActor(world.test.app, thief.uri, "person");
        owner.keyId = keyId;
        assert.ok(await followed(owner), "the Follow of the owner had no effect");
        // Nor is the owner's name of use to the thief.
        const forged = { ...owner, privateKeyPem: thief.privateKeyPem };
        assert.equal((await post(forged, { type: "Like", object: owner.uri })).status, 401);
      });
    }
  }
});

describe("an Update with the id of one's own Announce", () => {
  it("changes nothing", async () => {
    const own = await world.post(world.alice, "boost me");
    const uri = `${world.eve.uri}/boosts/1`;
    await world.send(world.eve, {
      type: "Announce",
      id: uri,
      object: own.uri,
      to: [world.PUBLIC],
    });
    const rows = () => world.test.app.sql`SELECT * FROM statuses ORDER BY id`;
    const before = await rows();
    assert.ok(before.some((row) => row["uri"] === uri));
    const object = { ...world.note(world.eve), id: uri, content: "<p>changed</p>" };
    await world.send(world.eve, { type: "Update", object });
    await world.send(world.eve, { type: "Create", object });
    await world.send(world.eve, {
      type: "Add",
      object: uri,
      target: world.eve.document["featured"],
    });
    assert.deepEqual(await rows(), before);
    assert.equal((await world.test.app.sql`SELECT 1 FROM status_pins`).length, 0);
    assert.equal((await world.test.app.sql`SELECT 1 FROM status_edits`).length, 0);
  });
});
