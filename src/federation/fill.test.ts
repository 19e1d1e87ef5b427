// What is read from other servers when somebody here looks: pins, posts and totals of a person, replies to a post.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import * as w from "../../test/inbox-world.ts";
import { assertEntity } from "../../test/schema.ts";

type Json = Record<string, any>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const collection = (path: string, members: Json): void =>
  void w.peer.documents.set(path, {
    id: w.peer.origin + path,
    type: "OrderedCollection",
    ...members,
  });

const notified = async (token = w.alice.token): Promise<number> =>
  (await w.test.as(token).get("/api/v1/notifications")).json.length;

describe("a person", () => {
  const actor = () => w.peer.actor("dora", 1);

  const posts = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, n) => {
      const published = new Date(w.time - (n + 1) * 60_000).toISOString();
      const tag = [{ type: "Mention", href: w.uriOf(w.alice) }];
      return String(w.peer.note(actor(), `/notes/${name}/${n}`, { published, tag })["id"]);
    });

  it("has pins, recent posts and totals as its server says, and nobody is told", async () => {
    const dora = actor();
    const uris = posts("dora", 25);
    const closed = w.peer.note(dora, "/notes/dora/closed", {
      to: [`${dora.uri}/followers`],
      cc: [],
    });
    const items = uris.map((object) => ({ type: "Create", actor: dora.uri, object }));
    const first = {
      type: "OrderedCollectionPage",
      orderedItems: [{ type: "Announce", object: uris[0] }, ...items],
    };
    collection("/users/dora/outbox", { totalItems: 1234, first });
    collection("/users/dora/followers", { totalItems: 56 });
    collection("/users/dora/following", { totalItems: 7 });
    collection("/users/dora/collections/featured", {
      orderedItems: [uris[24], closed["id"], uris[3], `${w.otherPeer.origin}/x`],
    });
    const before = await notified();
    const answer = await w.alice.get(`/api/v1/accounts/lookup?acct=dora@${w.peer.host}`);
    assert.deepEqual(
      [answer.json.statuses_count, answer.json.followers_count, answer.json.following_count],
      [1234, 56, 7],
      "in the first answer",
    );
    await w.test.runJobs();
    const times = w.peer.received.filter(({ path }) => path === "/users/dora/outbox").length;
    assert.equal(times, 1, "the outbox is read once");
    const { json } = await w.alice.get(`/api/v1/accounts/${answer.json.id}`);
    assert.deepEqual(
      [json.statuses_count, json.followers_count, json.following_count],
      [1234, 56, 7],
    );
    const stored = (await w.alice.get(`/api/v1/accounts/${json.id}/statuses?limit=40`))
      .json as Json[];
    // The newest twenty items, of which one is a boost, and what is pinned.
    assert.deepEqual(
      stored.map(({ uri }) => uri),
      [...uris.slice(0, 19), uris[24]],
    );
    const pinned = (await w.alice.get(`/api/v1/accounts/${json.id}/statuses?pinned=true`))
      .json as Json[];
    assert.deepEqual(
      pinned.map(({ uri }) => uri),
      [uris[3], uris[24]],
    );
    assert.equal(await notified(), before);
    const requests = () =>
      w.peer.received.filter(({ path }) => path === "/users/dora/outbox").length;
    await w.alice.get(`/api/v1/accounts/${json.id}`);
    await w.test.runJobs();
    assert.equal(requests(), times);
  });

  const gus = (name: string) => {
    const actor = w.peer.actor(name, 1);
    collection(`/users/${name}/outbox`, { totalItems: 3 });
    collection(`/users/${name}/followers`, { totalItems: 2 });
    collection(`/users/${name}/following`, { totalItems: 1 });
    return actor;
  };
  const totals = (status: Json) => [
    status["statuses_count"],
    status["followers_count"],
    status["following_count"],
  ];

  it("has them in the first answer of a search, and when somebody opens who was met by a post", async () => {
    const q = `@${gus("gus").name}@${w.peer.host}`;
    for (const path of ["/api/v2/search?type=accounts&", "/api/v1/accounts/search?"]) {
      const { json } = await w.alice.get(`${path}resolve=true&q=${encodeURIComponent(q)}`);
      assert.deepEqual(totals((json.accounts ?? json)[0]), [3, 2, 1], path);
    }
    const hal = gus("hal");
    const address = encodeURIComponent(hal.uri);
    const byAddress = await w.alice.get(`/api/v2/search?type=accounts&resolve=true&q=${address}`);
    assert.deepEqual(totals(byAddress.json.accounts[0]), [3, 2, 1]);
    const ida = gus("ida");
    await w.send(ida, { type: "Follow", object: w.uriOf(w.carol) });
    const { json } = await w.alice.get(`/api/v1/accounts/${await w.idOfActor(ida)}`);
    assert.deepEqual(totals(json), [3, 2, 1]);
  });

  it("whose server is slow: the answer does not wait, and says that more comes", async () => {
    const jon = gus("jon");
    const { remote } = w.test.app;
    const { readTotals } = remote;
    remote.readTotals = () => new Promise(() => {});
    try {
      const { json, headers } = await w.alice.get(
        `/api/v1/accounts/lookup?acct=jon@${w.peer.host}`,
      );
      assert.deepEqual(totals(json), [0, 0, 0]);
      assert.match(String(headers.get("mastodon-async-refresh")), /^id="[^"]+", retry=\d+$/);
    } finally {
      remote.readTotals = readTotals;
    }
    await w.test.runJobs();
    assert.deepEqual(
      totals((await w.alice.get(`/api/v1/accounts/${await w.idOfActor(jon)}`)).json),
      [3, 2, 1],
    );
  });

  it("is read when somebody wants to follow it; who is asked for the posts sees that more may come", async () => {
    const emil = w.peer.actor("emil", 1);
    await w.send(emil, { type: "Follow", object: w.uriOf(w.carol) });
    const requests = () =>
      w.peer.received.filter(({ path }) => path === "/users/emil/outbox").length;
    assert.equal(requests(), 0);
    const id = await w.idOfActor(emil);
    const { headers } = await w.alice.get(`/api/v1/accounts/${id}/statuses`);
    assert.match(String(headers.get("mastodon-async-refresh")), /^id="[^"]+", retry=\d+$/);
    await w.test.runJobs();
    assert.equal(requests(), 1);
    assert.equal(
      (await w.test.visitor.get(`/api/v1/accounts/${id}/statuses`)).headers.get(
        "mastodon-async-refresh",
      ),
      null,
    );
    const fred = w.peer.actor("fred", 1);
    await w.send(fred, { type: "Follow", object: w.uriOf(w.carol) });
    await w.alice.post(`/api/v1/accounts/${await w.idOfActor(fred)}/follow`);
    await w.test.runJobs();
    assert.ok(w.peer.received.some(({ path }) => path === "/users/fred/outbox"));
  });
});

describe("a post", () => {
  const resolve = async (uri: unknown): Promise<Json> =>
    (
      await w.alice.get(
        `/api/v2/search?resolve=true&type=statuses&q=${encodeURIComponent(String(uri))}`,
      )
    ).json.statuses[0];

  it("has the counts that its server gives, and not less than what happened here", async () => {
    const counted = {
      likes: { type: "Collection", totalItems: 12 },
      shares: { type: "Collection", totalItems: 3 },
      replies: { type: "Collection", totalItems: 4 },
    };
    const note = w.peer.note(w.eve, "/notes/counted", counted);
    const account = await resolve(note["id"]);
    const { json } = await w.alice.get(`/api/v1/statuses/${account["id"]}`);
    assert.deepEqual([json.favourites_count, json.reblogs_count, json.replies_count], [12, 3, 4]);
    const more = (await w.alice.post(`/api/v1/statuses/${json.id}/favourite`)).json;
    assert.equal(more.favourites_count, 13);
    for (const total of [-1, 1.5, "many", 1e12]) {
      const odd = w.peer.note(w.eve, `/notes/odd/${total}`, { likes: { totalItems: total } });
      assert.equal((await resolve(odd["id"]))["favourites_count"], 0);
    }
  });

  it("has its replies once its thread is opened: the author's own first, within bounds, quietly", async () => {
    const root = w.peer.note(w.eve, "/notes/root", {
      replies: `${w.peer.origin}/notes/root/replies`,
    });
    const reply = (actor: typeof w.eve, path: string, inReplyTo: unknown, more: Json = {}) =>
      w.peer.note(actor, path, {
        inReplyTo,
        tag: [{ type: "Mention", href: w.uriOf(w.alice) }],
        ...more,
      })["id"];
    const others = Array.from({ length: 70 }, (_, n) =>
      reply(w.bob, `/notes/other/${n}`, root["id"]),
    );
    const next = reply(w.eve, "/users/eve/notes/2", root["id"], {
      replies: { type: "Collection", items: [`${w.peer.origin}/users/eve/notes/3`] },
    });
    const last = reply(w.eve, "/users/eve/notes/3", next);
    const pages = [others.slice(0, 30), [...others.slice(30), next]];
    collection("/notes/root/replies", {
      type: "Collection",
      first: `${w.peer.origin}/notes/root/replies?page=1`,
    });
    for (const [n, items] of pages.entries()) {
      const path = `/notes/root/replies?page=${n + 1}`;
      const more = n === 0 ? { next: `${w.peer.origin}/notes/root/replies?page=2` } : {};
      w.peer.documents.set(path, {
        id: w.peer.origin + path,
        type: "CollectionPage",
        items,
        ...more,
      });
    }
    const { id } = await resolve(root["id"]);
    const before = await notified();
    const opened = await w.alice.get(`/api/v1/statuses/${id}/context`);
    const header = String(opened.headers.get("mastodon-async-refresh"));
    assert.match(header, /^id="[^"]+", retry=\d+, result_count=0$/);
    await w.test.runJobs();
    const refresh = await w.alice.get(
      `/api/v1_alpha/async_refreshes/${/id="([^"]+)"/.exec(header)![1]}`,
    );
    assertEntity("AsyncRefreshResponse", refresh.json);
    assert.equal(refresh.json.async_refresh.status, "finished");
    const { descendants } = (await w.alice.get(`/api/v1/statuses/${id}/context`)).json;
    const uris = descendants.map(({ uri }: Json) => uri);
    assert.deepEqual(uris.slice(0, 1), [next]);
    assert.ok(uris.length <= 60 && uris.length >= 45, String(uris.length));
    assert.ok(uris.includes(last) || uris.length === 60);
    assert.equal(await notified(), before);
  });

  const open = async (uri: unknown): Promise<string[]> => {
    const { id } = await resolve(uri);
    await w.alice.get(`/api/v1/statuses/${id}/context`);
    await w.test.runJobs();
    const { descendants } = (await w.alice.get(`/api/v1/statuses/${id}/context`)).json;
    return descendants.map(({ uri }: Json) => uri);
  };

  it("has its replies also where what else is listed is nothing", async () => {
    const uri = `${w.peer.origin}/notes/odd-list`;
    const reply = w.peer.note(w.bob, "/notes/odd-list/1", { inReplyTo: uri })["id"];
    w.peer.note(w.eve, "/notes/odd-list", {
      replies: { type: "Collection", items: [null, 1, [], [null], {}, { id: 1 }, reply] },
    });
    assert.deepEqual(await open(uri), [reply]);
  });

  it("has what its conversation has (FEP-7888), on whichever server: posts that say so themselves", async () => {
    const { origin } = w.otherPeer;
    const context = `${origin}/contexts/1`;
    const root = w.peer.note(w.eve, "/notes/conversation", { context })["id"];
    const answer = (path: string, more: Json = {}) =>
      String(w.otherPeer.note(w.mallory, path, { inReplyTo: root, context, ...more })["id"]);
    const first = answer("/answers/1");
    const expected = [first, answer("/answers/2", { inReplyTo: first })];
    const others = [
      answer("/answers/other", { context: `${origin}/contexts/2` }),
      answer("/answers/none", { context: undefined }),
      `${origin}/answers/missing`,
      `${w.test.url}/users/alice/statuses/1`,
      "javascript:alert(1)",
    ];
    const page = (n: number, members: Json) => {
      const id = n === 0 ? context : `${context}?page=${n}`;
      w.otherPeer.documents.set(id.slice(origin.length), { id, ...members });
      return id;
    };
    const next = page(2, {
      type: "OrderedCollectionPage",
      orderedItems: [expected[1], { id: others[1] }],
    });
    const orderedItems = [root, others[0], expected[0], ...others.slice(2)];
    const start = page(1, { type: "OrderedCollectionPage", orderedItems, next });
    page(0, { type: "OrderedCollection", first: start });
    const before = await notified();
    assert.deepEqual(await open(root), expected);
    for (const uri of others) assert.equal(await w.statusByUri(uri), undefined, uri);
    assert.equal(await notified(), before);
  });

  it("is no conversation where a document is none, or claims another address; ours is not asked", async () => {
    const { origin } = w.otherPeer;
    const make = (name: string, document: Json | null, more: Json = {}) => {
      const context = `${origin}/contexts/${name}`;
      const root = w.peer.note(w.eve, `/notes/${name}`, { context, ...more })["id"];
      const item = w.otherPeer.note(w.mallory, `/answers/${name}`, { inReplyTo: root, context });
      const whole = {
        id: context,
        type: "OrderedCollection",
        orderedItems: [item["id"]],
        ...document,
      };
      w.otherPeer.documents.set(`/contexts/${name}`, whole);
      return root;
    };
    assert.deepEqual(await open(make("note", { type: "Note" })), []);
    assert.deepEqual(await open(make("id", { id: `${w.peer.origin}/contexts/id` })), []);
    const far = { id: `${w.peer.origin}/far`, type: "OrderedCollectionPage" };
    assert.deepEqual(await open(make("far", { orderedItems: [], first: far["id"] })), []);
    assert.equal(
      w.peer.received.some(({ path }) => path === "/far"),
      false,
    );
    const before = w.otherPeer.received.length;
    const ours = `${w.test.url}/contexts/1`;
    assert.deepEqual(await open(make("ours", null, { context: ours })), []);
    assert.equal(w.otherPeer.received.length, before);
  });

  it("that loops is read once", async () => {
    const uri = `${w.peer.origin}/notes/loop`;
    w.peer.note(w.eve, "/notes/loop", {
      inReplyTo: uri,
      replies: { type: "Collection", items: [uri], next: `${uri}/replies` },
    });
    w.peer.documents.set("/notes/loop/replies", {
      id: `${uri}/replies`,
      type: "CollectionPage",
      items: [uri],
      next: `${uri}/replies`,
    });
    const { id } = await resolve(uri);
    await w.alice.get(`/api/v1/statuses/${id}/context`);
    await w.test.runJobs();
    const requests = w.peer.received.filter(({ path }) => path === "/notes/loop/replies").length;
    assert.ok(requests <= 5, String(requests));
  });
});
