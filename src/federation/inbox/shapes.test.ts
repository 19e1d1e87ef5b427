// What was read differently from others beside a running Mastodon: audiences, pages, order, readings.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import * as w from "../../../test/inbox-world.ts";

type Json = Record<string, any>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const shown = async (uri: unknown, token: string | null = null): Promise<Json> => {
  const { id } = (await w.statusByUri(uri))!;
  const { status, json } = await w.test.as(token).get(`/api/v1/statuses/${id}`);
  return status === 200 ? json : { status };
};

const isAtHome = async (token: string, uri: unknown): Promise<boolean> =>
  (await w.test.as(token).get("/api/v1/timelines/home")).json.some(
    (status: Json) => status["uri"] === uri,
  );

describe("a note without any audience", () => {
  const silent = { to: [], cc: [] };

  it("is shown to those who follow its author, and to nobody else", async () => {
    const object = w.note(w.bob, { ...silent, published: new Date(w.time).toISOString() });
    await w.send(w.bob, { type: "Create", object });
    assert.equal((await shown(object["id"], w.alice.token))["visibility"], "private");
    assert.ok(await isAtHome(w.alice.token, object["id"]));
    for (const token of [w.carol.token, null]) {
      assert.equal((await shown(object["id"], token))["status"], 404);
    }
  });

  it("in one person's inbox is shown to that person alone", async () => {
    await w.followed(w.carol, w.bob);
    const object = w.note(w.bob, silent);
    const activity = { id: w.nextId(w.bob), actor: w.bob.uri, type: "Create", object };
    const { status } = await w.peer.post(`${w.uriOf(w.alice)}/inbox`, w.bob, activity);
    assert.equal(status, 202);
    await w.test.runJobs();
    assert.equal((await shown(object["id"], w.alice.token))["uri"], object["id"]);
    assert.equal((await shown(object["id"], w.carol.token))["status"], 404);
  });

  it("has that of its activity, where that has one", async () => {
    const object = w.note(w.bob, silent);
    await w.send(w.bob, { type: "Create", object, to: [w.PUBLIC], cc: [] });
    assert.equal((await shown(object["id"]))["visibility"], "public");
  });

  it("of somebody whom nobody follows is not stored", async () => {
    const object = w.note(w.eve, silent);
    await w.send(w.eve, { type: "Create", object });
    assert.equal(await w.statusByUri(object["id"]), undefined);
  });
});

describe("texts", () => {
  it("in lists, and flags as texts, are read: a warning is not lost", async () => {
    const object = await w.create(w.bob, {
      content: ["<p>a wound</p>"],
      summary: ["blood"],
      published: ["2026-01-02T03:04:05.000Z"],
    });
    const status = await shown(object["id"]);
    assert.equal(status["content"], "<p>a wound</p>");
    assert.equal(status["spoiler_text"], "blood");
    assert.equal(status["created_at"], "2026-01-02T03:04:05.000Z");
    const marked = await w.create(w.bob, { sensitive: "true" });
    assert.equal((await shown(marked["id"]))["sensitive"], true);
  });

  it("tags keep their order, also when an edit changes it", async () => {
    const tags = (names: string[]) => names.map((name) => ({ type: "Hashtag", name: `#${name}` }));
    await w.create(w.bob, { tag: tags(["zebra"]) });
    const object = await w.create(w.bob, { tag: tags(["yak", "zebra", "ant"]) });
    const names = async () => (await shown(object["id"]))["tags"].map((tag: Json) => tag["name"]);
    assert.deepEqual(await names(), ["yak", "zebra", "ant"]);
    const updated = new Date(w.time - 1000).toISOString();
    const changed = { ...object, content: "<p>x</p>", updated, tag: tags(["ant", "bee", "yak"]) };
    await w.send(w.bob, { type: "Update", object: changed });
    assert.deepEqual(await names(), ["ant", "bee", "yak"]);
  });

  it("readings beside words are in parentheses", async () => {
    const content = [
      "<p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>",
      "<p><ruby>字<rt>ji</rt></ruby></p>",
    ];
    const texts = ["<p>漢(kan)</p>", "<p>字(ji)</p>"];
    for (const [n, text] of texts.entries()) {
      const object = await w.create(w.bob, { content: content[n] });
      assert.equal((await shown(object["id"]))["content"], text);
    }
  });
});

describe("what is left out, or said in part", () => {
  it("a post whose object names no author is its sender's; of another host it is nobody's", async () => {
    const object = w.note(w.bob, { attributedTo: undefined });
    await w.send(w.bob, { type: "Create", object });
    assert.equal((await shown(object["id"]))["account"].username, "bob");
    const changed = {
      ...object,
      content: "<p>changed</p>",
      updated: new Date(w.time).toISOString(),
    };
    await w.send(w.bob, { type: "Update", object: changed });
    assert.equal((await shown(object["id"]))["content"], "<p>changed</p>");
    const id = `${w.otherPeer.origin}/notes/1`;
    await w.send(w.bob, { type: "Create", object: { ...object, id } });
    assert.equal(await w.statusByUri(id), undefined);
    await w.send(w.eve, { type: "Update", object: { ...changed, content: "<p>stolen</p>" } });
    assert.equal((await shown(object["id"]))["content"], "<p>changed</p>");
  });

  const EMPTY: [string, Json, boolean][] = [
    ["nothing", { content: "" }, false],
    ["an empty paragraph", { content: "<p> </p>" }, false],
    ["no content at all", { content: undefined }, false],
    ["a warning", { content: "", summary: "look out" }, true],
    ["a title", { content: "", name: "A title" }, true],
    [
      "a picture",
      { content: "", attachment: [{ type: "Image", url: "https://a.example/1.png" }] },
      true,
    ],
    ["a quote", { content: "", quoteUrl: "https://a.example/1" }, true],
  ];
  for (const [what, members, isStored] of EMPTY) {
    it(`a post with ${what} is ${isStored ? "stored" : "none"}`, async () => {
      const object = await w.create(w.bob, members);
      assert.equal((await w.statusByUri(object["id"])) !== undefined, isStored);
    });
  }

  it("an Update that takes everything out of a post changes nothing", async () => {
    const object = await w.create(w.bob);
    await w.send(w.bob, { type: "Update", object: { ...object, content: "", summary: null } });
    assert.equal((await shown(object["id"]))["content"], "<p>hello</p>");
  });

  it("options of a poll without a name are left out, with their votes", async () => {
    const option = (name: string, totalItems: number) => ({
      type: "Note",
      name,
      replies: { type: "Collection", totalItems },
    });
    const oneOf = [option("yes", 3), option(" ", 5), option("no", 2), option("", 1)];
    const end = { endTime: new Date(w.time + 3_600_000).toISOString() };
    const object = await w.create(w.bob, { type: "Question", oneOf, ...end });
    const { poll } = await shown(object["id"]);
    const options = poll.options.map(({ title, votes_count }: Json) => [title, votes_count]);
    assert.deepEqual(options, [
      ["yes", 3],
      ["no", 2],
    ]);
    const one = await w.create(w.bob, { type: "Question", oneOf: oneOf.slice(0, 2), ...end });
    assert.equal((await shown(one["id"]))["poll"], null);
  });

  const SENSITIVE: [string, Json, [before: boolean, after: boolean]][] = [
    ["a warning alone", { summary: "blood" }, [true, false]],
    ["a warning, and says so", { summary: "blood", sensitive: true }, [true, true]],
    ["a warning, and denies it", { summary: "blood", sensitive: false }, [false, false]],
    ["nothing", {}, [false, false]],
  ];
  for (const [what, members, expected] of SENSITIVE) {
    it(`a post with ${what} is sensitive as Mastodon reads it, new and changed`, async () => {
      const object = await w.create(w.bob, members);
      const before = (await shown(object["id"]))["sensitive"];
      const updated = new Date(w.time).toISOString();
      await w.send(w.bob, { type: "Update", object: { ...object, content: "<p>x</p>", updated } });
      assert.deepEqual([before, (await shown(object["id"]))["sensitive"]], expected);
    });
  }
});

describe("order", () => {
  it("an answer of the same second is the last post of the conversation", async () => {
    const { token } = w.alice;
    const parent = await w.post(w.alice, `@bob@${w.peer.host} well?`, { visibility: "direct" });
    const [before] = (await w.test.as(token).get("/api/v1/conversations")).json;
    assert.equal(before.last_status.id, parent.id);
    const second = new Date(before.last_status.created_at).toISOString().replace(/\.\d+Z/, "Z");
    const tag = [{ type: "Mention", href: w.uriOf(w.alice) }];
    const direct = { to: [w.uriOf(w.alice)], cc: [], tag, published: second };
    const answer = await w.create(w.bob, { ...direct, inReplyTo: parent.uri });
    const [after] = (await w.test.as(token).get("/api/v1/conversations")).json;
    assert.equal(after.last_status.uri, answer["id"]);
    const more = await w.create(w.bob, { ...direct, inReplyTo: answer["id"] });
    const [last] = (await w.test.as(token).get("/api/v1/conversations")).json;
    assert.equal(last.last_status.uri, more["id"]);
  });
});

describe("our addresses of what is elsewhere", () => {
  const find = async (q: string, resolve = false): Promise<Json> => {
    const path = `/api/v2/search?resolve=${resolve}&q=${encodeURIComponent(q)}`;
    return (await w.alice.get(path)).json;
  };

  it("are found, and lead to the pages there", async () => {
    const object = await w.create(w.bob);
    const { id } = (await w.statusByUri(object["id"]))!;
    const page = `/@bob@${w.peer.host}`;
    const { accounts } = await find(w.test.url + page);
    assert.equal(accounts[0]?.acct, `bob@${w.peer.host}`);
    const { statuses } = await find(`${w.test.url}${page}/${id}`);
    assert.equal(statuses[0]?.uri, object["id"]);
    assert.deepEqual((await find(`${w.test.url}/@eve@${w.peer.host}/${id}`))["statuses"], []);
    for (const [path, url] of [
      [page, `${w.peer.origin}/@bob`],
      [`${page}/${id}`, object["id"]],
    ]) {
      const { status, headers } = await w.test.visitor.get(String(path));
      assert.deepEqual([status, headers.get("location")], [302, url]);
    }
  });

  it("of somebody unknown are looked up only where that is asked for", async () => {
    const name = w.peer.actor("newcomer", 1).name;
    const address = `${w.test.url}/@${name}@${w.peer.host}`;
    const before = w.peer.received.length;
    assert.deepEqual((await find(address))["accounts"], []);
    assert.equal(w.peer.received.length, before);
    assert.equal((await find(address, true))["accounts"][0]?.username, name);
  });
});

describe("pages on another host", () => {
  it("are kept where that is the host of the confirmed handle, and no others", async () => {
    // The handle is of the other host, which names the actor.
    const dora = w.peer.actor("dora", 1);
    const { host, origin } = w.otherPeer;
    Object.assign(dora.document, { url: `${origin}/@dora`, webfinger: `dora@${host}` });
    const links = [{ rel: "self", type: "application/activity+json", href: dora.uri }];
    const jrd = { subject: `acct:dora@${host}`, links };
    w.otherPeer.documents.set(`/.well-known/webfinger?resource=acct:dora@${host}`, jrd);
    await w.send(dora, { type: "Follow", object: w.uriOf(w.alice) });
    const { json } = await w.test.visitor.get(`/api/v1/accounts/lookup?acct=dora@${host}`);
    assert.equal(json.url, `${origin}/@dora`);
    const tag = [{ type: "Mention", href: w.uriOf(w.alice) }];
    const object = await w.create(dora, { url: `${origin}/@dora/1`, tag });
    assert.equal((await shown(object["id"]))["url"], `${origin}/@dora/1`);
    const other = await w.create(dora, { url: "https://evil.example/1", tag });
    assert.equal((await shown(other["id"]))["url"], other["id"]);
  });
});

describe("attachments", () => {
  it("whose focus alone changed have it, and nobody is told of an edit", async () => {
    const image = (focalPoint?: number[]) => ({
      type: "Image",
      mediaType: "image/png",
      url: `${w.peer.origin}/focus.png`,
      focalPoint,
    });
    const object = await w.create(w.bob, { attachment: [image([0.5, 0.25])] });
    const focus = async () =>
      (await shown(object["id"]))["media_attachments"][0].meta.focus as unknown;
    assert.deepEqual(await focus(), { x: 0.5, y: 0.25 });
    for (const [point, expected] of [
      [[-1, 1], { x: -1, y: 1 }],
      [undefined, { x: 0, y: 0 }],
    ] as const) {
      const changed = { ...object, attachment: [image(point && [...point])] };
      await w.send(w.bob, { type: "Update", object: changed });
      assert.deepEqual(await focus(), expected);
    }
    assert.equal((await shown(object["id"]))["edited_at"], null);
  });
});
