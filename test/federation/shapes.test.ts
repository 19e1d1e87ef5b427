// What servers of other kinds send is read well: posts, reactions, groups. shapes.json says where each is documented.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, describe, it } from "node:test";
import type { PeerActor } from "../fake-peer.ts";
import * as w from "../inbox-world.ts";

type Json = Record<string, any>;

const text = readFileSync(new URL("shapes.json", import.meta.url), "utf8");
const given = JSON.parse(text) as Json;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

const here = (value: unknown): Json =>
  JSON.parse(
    JSON.stringify(value).replaceAll("ORIGIN", w.peer.origin).replaceAll("HERE", w.test.url),
  );

const api = async (path: string, token = w.alice.token): Promise<any> =>
  (await w.test.request("GET", path, { token })).json;

const shown = async (uri: unknown): Promise<Json> =>
  api(`/api/v1/statuses/${(await w.statusByUri(uri))!.id}`);

/** The members of a status that a shape names. */
const partOf = (status: Json, wanted: Json): Json => {
  const read: Record<string, () => unknown> = {
    emojis: () => status["emojis"].map((one: Json) => one["shortcode"]),
    media: () => status["media_attachments"].map((one: Json) => one["description"]),
    tags: () => status["tags"].map((one: Json) => one["name"]),
  };
  const names = Object.keys(wanted).filter((name) => name !== "matches");
  return Object.fromEntries(names.map((name) => [name, read[name]?.() ?? status[name]]));
};

describe("posts", () => {
  for (const { server, object, shown: wanted } of given["posts"] as Json[]) {
    it(server, async () => {
      const { id, attributedTo, ...members } = here(object);
      const note = w.note(w.bob, {
        ...members,
        ...(attributedTo && { attributedTo }),
        ...(id && { id }),
      });
      await w.send(w.bob, { type: "Create", object: note, to: note["to"], cc: note["cc"] });
      const status = await shown(note["id"]);
      const { matches, ...rest } = here(wanted);
      assert.deepEqual(partOf(status, rest), rest);
      if (matches) assert.match(status["content"], new RegExp(matches.replaceAll("/", "\\/"), "s"));
    });
  }
});

describe("reactions are favourites, with their emoji", () => {
  for (const { server, activity, reaction } of given["reactions"] as Json[]) {
    it(server, async () => {
      const post = await w.post(w.alice, "react!");
      const id = w.nextId(w.bob);
      await w.send(w.bob, { ...here(activity), id, object: post.uri });
      const [row, ...more] = await w.test.app.sql<{ reaction: string | null }[]>`
        SELECT reaction FROM favourites WHERE status_id = ${post.id}`;
      assert.deepEqual([row?.reaction, more.length], [reaction, 0]);
      assert.equal((await api(`/api/v1/statuses/${post.id}`)).favourites_count, 1);
      const [notification] = await api("/api/v1/notifications?types[]=favourite&limit=1");
      assert.equal(notification.status.id, post.id);
      assert.equal(notification.emoji ?? null, reaction);
      const page = await w.test.request("GET", `/@alice/${post.id}`, {
        headers: { accept: "text/html" },
      });
      const list = /<ul class="reactions"[^]*?<\/ul>/.exec(page.text)?.[0] ?? "";
      assert.equal(list.includes(`<li>${reaction} 1</li>`), reaction !== null);
      await w.send(w.bob, {
        type: "Undo",
        object: { ...here(activity), id, actor: w.bob.uri, object: post.uri },
      });
      assert.equal((await api(`/api/v1/statuses/${post.id}`)).favourites_count, 0);
    });
  }

  it("a long or hostile one is an ordinary favourite", async () => {
    const post = await w.post(w.alice, "react!");
    await w.send(w.bob, { type: "EmojiReact", object: post.uri, content: "<b>".repeat(1000) });
    const [row] = await w.test.app
      .sql`SELECT reaction FROM favourites WHERE status_id = ${post.id}`;
    assert.equal(row?.["reaction"], null);
  });
});

describe("groups (FEP-1b12, https://join-lemmy.org/docs/contributors/05-federation.html, 2026-11-22)", () => {
  let group: PeerActor;
  before(async () => {
    group = w.peer.actor("reading", 0);
    group.document["type"] = "Group";
    await w.followed(w.alice, group);
  });

  const announce = (object: unknown) =>
    w.send(group, { type: "Announce", object, to: [w.PUBLIC], cc: [`${group.uri}/followers`] });

  const home = async (): Promise<Json[]> => api("/api/v1/timelines/home?limit=40");

  it("are shown as groups; a new post that they announce is a boost, read from its own server", async () => {
    assert.equal((await api(`/api/v1/accounts/${await w.idOfActor(group)}`)).group, true);
    const author = w.otherPeer.actor("writer", 1);
    const page = w.otherPeer.note(author, "/post/1", {
      type: "Page",
      name: "Read this",
      content: "<p>real</p>",
      audience: group.uri,
    });
    const create = {
      id: `${author.uri}/create/1`,
      type: "Create",
      actor: author.uri,
      to: [w.PUBLIC],
      object: { ...page, content: "<p>forged</p>" },
    };
    await announce(create);
    const [boost] = (await home()).filter((one) => one["reblog"]?.uri === page["id"]);
    assert.equal(boost?.["account"].username, "reading");
    assert.match(boost?.["reblog"].content, /real/);
    await w.send(group, { type: "Announce", object: page["id"], to: [w.PUBLIC] });
    assert.equal((await home()).filter((one) => one["reblog"]?.uri === page["id"]).length, 1);
  });

  it("answers are put into their thread and not boosted; changes and ends are asked of the origin", async () => {
    const author = w.otherPeer.actor("writer", 1);
    const parent = `${w.otherPeer.origin}/post/1`;
    const answer = w.otherPeer.note(author, "/comment/1", {
      inReplyTo: parent,
      content: "<p>first</p>",
    });
    await announce({
      id: `${author.uri}/create/2`,
      type: "Create",
      actor: author.uri,
      object: answer,
    });
    assert.equal((await shown(answer["id"]))["in_reply_to_id"], (await w.statusByUri(parent))!.id);
    assert.ok(!(await home()).some((one) => one["reblog"]?.uri === answer["id"]));
    const updated = new Date(w.time - 1000).toISOString();
    w.otherPeer.documents.set("/comment/1", { ...answer, content: "<p>second</p>", updated });
    await announce({
      id: `${author.uri}/update/1`,
      type: "Update",
      actor: author.uri,
      object: { ...answer, content: "<p>forged</p>" },
    });
    assert.equal((await shown(answer["id"]))["content"], "<p>second</p>");
    const removal = { type: "Delete", actor: author.uri, object: answer["id"] };
    await announce({ ...removal, id: `${author.uri}/delete/1` });
    assert.ok(await w.statusByUri(answer["id"]));
    w.otherPeer.documents.set("/comment/1", 410);
    await announce({ ...removal, id: `${author.uri}/delete/2` });
    assert.equal(await w.statusByUri(answer["id"]), undefined);
  });

  it("votes, and answers to what nobody here has, have no effect", async () => {
    const before = await w.world();
    const author = w.otherPeer.actor("writer", 1);
    const lost = w.otherPeer.note(author, "/comment/9", {
      inReplyTo: `${w.otherPeer.origin}/post/9`,
    });
    await announce({
      id: `${author.uri}/like/1`,
      type: "Like",
      actor: author.uri,
      object: `${w.otherPeer.origin}/post/1`,
    });
    await announce({
      id: `${author.uri}/dislike/1`,
      type: "Dislike",
      actor: author.uri,
      object: `${w.otherPeer.origin}/post/1`,
    });
    await announce({
      id: `${author.uri}/create/9`,
      type: "Create",
      actor: author.uri,
      object: lost,
    });
    const after = await w.world();
    assert.deepEqual([after.asked, after.texts], [before.asked, before.texts]);
  });
});

describe("interaction policies (https://docs.gotosocial.org/en/latest/federation/interaction_policy/, 2026-11-22)", () => {
  const me = () => w.bob.uri;
  const rule = (...automaticApproval: string[]) => ({ automaticApproval, manualApproval: [] });
  const NOBODY = () => rule(me());
  const withPolicy = async (interactionPolicy: Json, more: Json = {}) => {
    const note = await w.create(w.bob, { interactionPolicy, ...more });
    return { note, id: (await w.statusByUri(note["id"]))!.id };
  };
  const act = async (id: string, path: string, person = w.carol): Promise<number> =>
    (await w.test.request("POST", `/api/v1/statuses/${id}/${path}`, { token: person.token }))
      .status;
  const reply = async (id: string, person = w.carol): Promise<number> => {
    const json = { status: "but", in_reply_to_id: id };
    const options = { token: person.token, json };
    return (await w.test.request("POST", "/api/v1/statuses", options)).status;
  };
  const all = async (id: string, person = w.carol) => [
    await reply(id, person),
    await act(id, "favourite", person),
    await act(id, "reblog", person),
  ];

  it("nobody may: nothing is sent, and people are told", async () => {
    const policy = { canReply: NOBODY(), canLike: NOBODY(), canAnnounce: NOBODY() };
    const { id } = await withPolicy(policy);
    const before = w.peer.received.length;
    assert.deepEqual(await all(id), [403, 403, 403]);
    await w.test.runJobs();
    assert.equal(w.peer.received.length, before);
    const { json } = await w.test.request("POST", `/api/v1/statuses/${id}/favourite`, {
      token: w.carol.token,
    });
    assert.match(json.error, /does not let you favourite/);
  });

  it("everybody, those who ask, and where nothing is said: they may", async () => {
    const older = { always: [w.PUBLIC], approvalRequired: [] };
    const asked = { automaticApproval: [me()], manualApproval: [w.PUBLIC] };
    const policy = { canReply: asked, canLike: older, canAnnounce: {} };
    assert.deepEqual(await all((await withPolicy(policy)).id), [200, 200, 200]);
    assert.deepEqual(await all((await withPolicy({ canQuote: NOBODY() })).id), [200, 200, 200]);
  });

  it("followers: they may; who is mentioned may answer; another group is judged by its server", async () => {
    const followers = rule(`${me()}/followers`);
    const policy = { canReply: followers, canLike: followers, canAnnounce: followers };
    const { id } = await withPolicy(policy);
    assert.deepEqual(await all(id), [403, 403, 403]);
    assert.deepEqual(await all(id, w.alice), [200, 200, 200]);
    const tag = [{ type: "Mention", href: w.uriOf(w.carol), name: "@carol" }];
    const named = await withPolicy({ canReply: NOBODY(), canLike: NOBODY() }, { tag });
    assert.deepEqual(await all(named.id), [200, 403, 200]);
    const others = { canLike: rule(`${me()}/following`) };
    assert.equal(await act((await withPolicy(others)).id, "favourite"), 200);
  });

  it("changes with the post", async () => {
    const { note, id } = await withPolicy({ canLike: NOBODY() });
    assert.equal(await act(id, "favourite"), 403);
    const object = { ...note, interactionPolicy: { canLike: rule(w.PUBLIC) } };
    await w.send(w.bob, { type: "Update", object });
    assert.equal(await act(id, "favourite"), 200);
  });
});
