// Handles that several actors have: a person and a group of one name, names that are given to somebody else, and
// servers that were set up anew. An account is its actor's id.

import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, describe, it } from "node:test";
import { startPeer } from "../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../test/fake-peer.ts";
import * as w from "../../test/inbox-world.ts";
import { fingerPath } from "../../test/reading-world.ts";
import { TEST_KEYS } from "../../test/keys.ts";

type Json = Record<string, any>;

const HOUR = 3_600_000;
const AS_TYPE = "https://www.w3.org/ns/activitystreams#type";

let there: FakePeer;
let serial = 0;

before(w.openWorld);
after(w.closeWorld);
beforeEach(async () => {
  w.calmWorld();
  there = await startPeer(`127.0.1.${++serial}`);
});
afterEach(() => there.close());

/** An actor at this path, with a name that others may have. */
const actorAt = (path: string, name: string, type: string, key: number): PeerActor => {
  const uri = `${there.origin}${path}`;
  return there.adopt(
    {
      "@context": ["https://www.w3.org/ns/activitystreams", "https://w3id.org/security/v1"],
      id: uri,
      type,
      preferredUsername: name,
      inbox: `${uri}/inbox`,
      followers: `${uri}/followers`,
      publicKey: {
        id: `${uri}#main-key`,
        owner: uri,
        publicKeyPem: TEST_KEYS[key]!.publicKeyPem,
      },
    },
    key,
  );
};

/** What the server answers for the name; a type is said where there is one. */
const names = (name: string, ...selves: (readonly [PeerActor, string?])[]): void => {
  const links = selves.map(([{ uri }, type]) => ({
    rel: "self",
    type: "application/activity+json",
    href: uri,
    ...(type && { properties: { [AS_TYPE]: type } }),
  }));
  const subject = `acct:${name}@${there.host}`;
  there.documents.set(fingerPath(there.host, name), { subject, links });
};

const send = async (actor: PeerActor, activity: Json): Promise<number> => {
  const id = w.nextId(actor);
  const whole = { id, actor: actor.uri, ...activity };
  const { status } = await there.post(w.inbox(), actor, whole, { date: new Date(w.time) });
  await w.test.runJobs();
  return status;
};

const mention = (actor: PeerActor): Promise<number> => {
  const to = [w.PUBLIC, w.uriOf(w.alice)];
  const tag = [{ type: "Mention", href: w.uriOf(w.alice) }];
  const object = there.note(actor, `/notes/${w.nextId(actor).split("/").at(-1)}`, { to, tag });
  return send(actor, { type: "Create", object, to });
};

const follow = async (actor: PeerActor): Promise<string> => {
  const id = await find(`${actor.name}@${there.host}`);
  await w.alice.post(`/api/v1/accounts/${id}/follow`, {});
  await w.test.runJobs();
  await accept(actor);
  return id;
};

const accept = (actor: PeerActor): Promise<number> =>
  send(actor, {
    type: "Accept",
    object: { type: "Follow", actor: w.uriOf(w.alice), object: actor.uri },
  });

const find = async (q: string): Promise<string> => {
  const path = `/api/v2/search?resolve=true&type=accounts&q=${encodeURIComponent(q)}`;
  const { json } = await w.alice.get(path);
  return json.accounts[0]?.id ?? null;
};

const shown = async (id: string): Promise<Json> =>
  (await w.alice.get(`/api/v1/accounts/${id}`)).json;

const relation = async (id: string): Promise<"follows" | "requested" | "none"> => {
  const path = `/api/v1/accounts/relationships?id[]=${id}`;
  const [found] = (await w.alice.get(path)).json;
  return found.following ? "follows" : found.requested ? "requested" : "none";
};

const idOf = async (uri: string): Promise<string> => {
  const rows = await w.test.app.sql<{ id: string }[]>`SELECT id FROM accounts WHERE uri = ${uri}`;
  return rows[0]?.id ?? "";
};

const follows = (): string[] =>
  there.inbox().flatMap(({ type, object }) => (type === "Follow" ? [String(object)] : []));

describe("a person with the name of a group", () => {
  const pair = () => {
    const group = actorAt("/c/news", "news", "Group", 0);
    const person = actorAt("/u/news", "news", "Person", 1);
    return { group, person };
  };
  const ORDERS: [string, (of: ReturnType<typeof pair>) => Parameters<typeof names>[1][]][] = [
    [
      "as Lemmy lists them",
      ({ group, person }) => [
        [person, "Person"],
        [group, "Group"],
      ],
    ],
    [
      "with the group first",
      ({ group, person }) => [
        [group, "Group"],
        [person, "Person"],
      ],
    ],
    ["without types, the group last", ({ group, person }) => [[person], [group]]],
  ];

  for (const [what, order] of ORDERS) {
    it(`leaves the group its account, key and follows, ${what}`, async () => {
      const both = pair();
      const { group, person } = both;
      names("news", [group, "Group"]);
      const id = await follow(group);
      assert.equal(await relation(id), "follows");
      names("news", ...order(both));
      assert.equal(await mention(person), 202);
      assert.equal(await find(person.uri), await idOf(person.uri));
      assert.equal(await idOf(group.uri), id);
      assert.equal(await relation(id), "follows");
      assert.equal(await relation(await idOf(person.uri)), "none");
      const accounts = [await shown(id), await shown(await idOf(person.uri))];
      assert.deepEqual(
        accounts.map(({ acct, group: isGroup }) => [acct, isGroup]),
        [
          [`news@${there.host}`, true],
          [`news.person@${there.host}`, false],
        ],
      );
      assert.equal(await mention(group), 202);
      assert.equal(await find(`news@${there.host}`), id);
      // It is read again without a word to the other.
      w.advance(25 * HOUR);
      assert.equal(await mention(person), 202);
      assert.equal((await shown(await idOf(person.uri)))["acct"], `news.person@${there.host}`);
      assert.equal(await relation(id), "follows");
    });
  }

  it("who was here first gives it the name and keeps all else", async () => {
    const { group, person } = pair();
    names("news", [person, "Person"]);
    const id = await follow(person);
    names("news", [person, "Person"], [group, "Group"]);
    assert.equal(await mention(group), 202);
    assert.equal((await shown(id))["acct"], `news.person@${there.host}`);
    assert.equal(await relation(id), "follows");
    assert.equal((await shown(await idOf(group.uri)))["acct"], `news@${there.host}`);
    assert.deepEqual(follows(), [person.uri]);
    // What it says of itself needs no other handle.
    const object = { ...person.document, name: "Nora" };
    assert.equal(await send(person, { type: "Update", object }), 202);
    const after = await shown(id);
    assert.deepEqual([after["display_name"], after["acct"]], ["Nora", `news.person@${there.host}`]);
  });
});

describe("a server that was set up anew", () => {
  const GONE: [string, (old: PeerActor, next: PeerActor) => void][] = [
    ["404", (old) => there.documents.set(new URL(old.uri).pathname, 404)],
    ["410", (old) => there.documents.set(new URL(old.uri).pathname, 410)],
    [
      "the new actor",
      (old, next) => there.documents.set(new URL(old.uri).pathname, next.document as Json),
    ],
    [
      "a page",
      (old) =>
        void there.pages.set(new URL(old.uri).pathname, {
          headers: { "content-type": "text/html" },
          body: "<p>hello</p>",
        }),
    ],
  ];
  for (const [what, end] of GONE) {
    it(`is followed anew when it writes, where the old address answers with ${what}`, async () => {
      const old = actorAt("/users/ann", "ann", "Person", 0);
      const id = await follow(old);
      const next = actorAt("/ap/users/1", "ann", "Person", 1);
      end(old, next);
      assert.equal(await mention(next), 202);
      const nextId = await idOf(next.uri);
      assert.notEqual(nextId, id);
      assert.deepEqual([await relation(id), await relation(nextId)], ["none", "requested"]);
      assert.deepEqual(follows(), [old.uri, next.uri]);
      assert.equal((await shown(id))["moved"]?.acct, `ann@${there.host}`);
      await accept(next);
      assert.equal(await relation(nextId), "follows");
    });
  }

  it("is found out when somebody opens a profile, and then of all who are followed there", async () => {
    const [ann, ben] = [
      actorAt("/users/ann", "ann", "Person", 0),
      actorAt("/users/ben", "ben", "Person", 0),
    ];
    const id = await follow(ann);
    await follow(ben);
    const next = [
      actorAt("/ap/users/1", "ann", "Person", 1),
      actorAt("/ap/users/2", "ben", "Person", 1),
    ];
    for (const { uri } of [ann, ben]) there.documents.set(new URL(uri).pathname, 404);
    w.advance(25 * HOUR);
    // Not a part of the clock: that it was looked at a moment ago.
    await w.test.app.kv.delete(`fill-wanted:${id}`);
    await shown(id);
    await w.test.runJobs();
    assert.deepEqual(follows().toSorted(), [ann, ben, ...next].map(({ uri }) => uri).toSorted());
    for (const { uri } of next) assert.equal(await relation(await idOf(uri)), "requested");
  });

  it("is found out within days, though nobody here or there does anything", async () => {
    const old = actorAt("/users/ann", "ann", "Person", 0);
    await follow(old);
    const next = actorAt("/ap/users/1", "ann", "Person", 1);
    there.documents.set(new URL(old.uri).pathname, 404);
    const hour = async () => {
      await w.test.app.jobs.add(w.test.app.sql, "actors.quiet", {});
      await w.test.runJobs();
    };
    w.advance(6 * 24 * HOUR);
    await hour();
    assert.deepEqual(follows(), [old.uri], "it may just be quiet");
    w.advance(2 * 24 * HOUR);
    await hour();
    // What is sent is as old as the real clock says, and is not delivered after a week.
    assert.equal(await relation(await idOf(next.uri)), "requested");
    assert.equal(await relation(await idOf(old.uri)), "none");
  });

  it("with the same addresses is sent the follows again, once", async () => {
    const [ann, ben] = [
      actorAt("/users/ann", "ann", "Person", 0),
      actorAt("/users/ben", "ben", "Person", 0),
    ];
    for (const { document } of [ann, ben]) document["published"] = "2024-01-01T00:00:00Z";
    const id = await follow(ann);
    await follow(ben);
    const next = actorAt("/users/ann", "ann", "Person", 1);
    next.document["published"] = "2026-01-01T00:00:00Z";
    actorAt("/users/ben", "ben", "Person", 1).document["published"] = "2026-01-01T00:00:00Z";
    assert.equal(await mention(next), 202);
    await w.test.runJobs();
    assert.equal(await idOf(next.uri), id);
    assert.deepEqual(follows(), [ann.uri, ben.uri, ann.uri, ben.uri]);
    assert.equal(await relation(id), "follows");
    assert.equal((await shown(id))["created_at"], "2026-01-01T00:00:00.000Z");
    // A key that is changed alone is no sign of it.
    const rotated = actorAt("/users/ann", "ann", "Person", 2);
    rotated.document["published"] = "2026-01-01T00:00:00Z";
    w.advance(HOUR);
    await w.test.app.kv.delete(`key-refresh:${rotated.keyId}`);
    assert.equal(await mention(rotated), 202);
    assert.equal(follows().length, 4);
  });

  it("blocks, notes and what moderators decided hold for the new account", async () => {
    const old = actorAt("/users/ann", "ann", "Person", 0);
    const id = await find(`ann@${there.host}`);
    await w.alice.post(`/api/v1/accounts/${id}/block`, {});
    const json = { comment: "no" };
    await w.alice.post(`/api/v1/accounts/${id}/note`, json);
    await w.test.write`UPDATE accounts SET silenced_at = now() WHERE id = ${id}`;
    const next = actorAt("/ap/users/1", "ann", "Person", 1);
    there.documents.set(new URL(old.uri).pathname, 404);
    await mention(next);
    const nextId = await idOf(next.uri);
    const path = `/api/v1/accounts/relationships?id[]=${nextId}`;
    const [found] = (await w.alice.get(path)).json;
    assert.equal(found.blocking, true);
    assert.match(found.note, new RegExp(`^Moved from @ann@${there.host}\\.`));
    assert.equal((await shown(nextId))["limited"], true);
  });

  it("is not followed anew while the old address does not answer", async () => {
    const old = actorAt("/users/ann", "ann", "Person", 0);
    const id = await follow(old);
    const next = actorAt("/ap/users/1", "ann", "Person", 1);
    there.documents.set(new URL(old.uri).pathname, 503);
    assert.equal(await mention(next), 202);
    assert.deepEqual(
      [await relation(id), await relation(await idOf(next.uri))],
      ["follows", "none"],
    );
  });
});

describe("a name that somebody else got", () => {
  it("is not followed where the server goes on: who deleted their account is not who took the name", async () => {
    const other = actorAt("/users/ben", "ben", "Person", 0);
    await follow(other);
    // Rows have their ids by the real clock.
    w.advance(HOUR);
    const old = actorAt("/users/ann", "ann", "Person", 0);
    await follow(old);
    const next = actorAt("/users/ann2", "ann", "Person", 1);
    there.documents.set(new URL(old.uri).pathname, 404);
    assert.equal(await mention(next), 202);
    assert.equal(await relation(await idOf(next.uri)), "none");
    assert.deepEqual(follows(), [other.uri, old.uri]);
    assert.equal((await shown(await idOf(next.uri)))["acct"], `ann@${there.host}`);
  });

  it("is not followed where the former actor is still there, under another name", async () => {
    const old = actorAt("/users/1", "ann", "Person", 0);
    const id = await follow(old);
    old.document["preferredUsername"] = "anne";
    there.adopt(old.document, 0);
    const next = actorAt("/users/2", "ann", "Person", 1);
    assert.equal(await mention(next), 202);
    assert.equal(await relation(id), "follows");
    assert.equal((await shown(id))["acct"], `anne@${there.host}`);
    assert.equal(await relation(await idOf(next.uri)), "none");
    assert.equal((await shown(await idOf(next.uri)))["acct"], `ann@${there.host}`);
  });
});
