// Replies, favourites and boosts between servers where an author is asked first: requests to people here and of people
// here, their Accepts and Rejects, and the authorizations that third servers check (GoToSocial).

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { PeerActor } from "../../../test/fake-peer.ts";
import { hashtagChannel } from "../../domain/reading/timelines/streams.ts";
import * as w from "../../../test/inbox-world.ts";
import type { Person } from "../../../test/harness.ts";

type Json = Record<string, any>;

before(w.openWorld);
after(w.closeWorld);
beforeEach(w.calmWorld);

/** The activities of this type that the peer received since the last call. */
const taken = (type: string, peer = w.peer): Json[] => {
  const activities = peer.inbox().filter((activity) => activity["type"] === type);
  peer.received.length = 0;
  return activities;
};

const show = async (id: string, person: Person | null = w.alice): Promise<Json | null> => {
  const { status, json } = await (person ?? w.test.visitor).get(`/api/v1/statuses/${id}`);
  return status === 200 ? (json as Json) : null;
};

const documentAt = async (uri: string) => {
  const answer = await w.test.visitor.get(new URL(uri).pathname, {
    accept: "application/activity+json",
  });
  return { status: answer.status, document: answer.status === 200 ? answer.json : null };
};

describe("people here are asked", () => {
  const ask = async (kind: string, object: string, instrument: unknown, actor = w.bob) => {
    taken("");
    const id = w.nextId(actor);
    await w.send(actor, { id, type: `${kind}Request`, object, instrument });
    return id;
  };

  const cases: [string, (uri: string) => Json, (shown: Json) => number][] = [
    [
      "Like",
      (object) => ({ id: w.nextId(w.bob), type: "Like", actor: w.bob.uri, object }),
      (shown) => shown["favourites_count"],
    ],
    ["Reply", (inReplyTo) => w.note(w.bob, { inReplyTo }), (shown) => shown["replies_count"]],
    [
      "Announce",
      (object) => {
        const id = `${w.bob.uri}/boosts/${w.nextId(w.bob).split("/").at(-1)}`;
        return { id, type: "Announce", actor: w.bob.uri, object, to: [w.PUBLIC] };
      },
      (shown) => shown["reblogs_count"],
    ],
  ];

  for (const [kind, make, countOf] of cases) {
    it(`${kind}Request: done and accepted, with an authorization that holds as long as what it allows`, async () => {
      const post = await w.post(w.alice, "do it");
      const instrument = make(post.uri);
      const id = await ask(kind, post.uri, instrument);
      const [accept] = taken("Accept");
      assert.deepEqual(accept?.["object"], {
        type: `${kind}Request`,
        id,
        actor: w.bob.uri,
        object: post.uri,
        instrument: instrument["id"],
      });
      const author = w.uriOf(w.alice);
      assert.deepEqual([accept?.["actor"], accept?.["to"]], [author, w.bob.uri]);
      assert.equal(countOf((await show(post.id))!), 1);
      const { document } = await documentAt(accept!["result"]);
      const { "@context": _, ...members } = document as Json;
      assert.deepEqual(members, {
        id: accept!["result"],
        type: `${kind}Authorization`,
        attributedTo: author,
        interactingObject: instrument["id"],
        interactionTarget: post.uri,
      });
      assert.equal((await documentAt(accept!["result"].replace("alice", "carol"))).status, 404);

      // What is sent afterwards, as for everybody else, changes nothing.
      const isNote = kind === "Reply";
      const sent = isNote ? { type: "Create", object: instrument } : instrument;
      await w.send(w.bob, sent);
      assert.equal(countOf((await show(post.id))!), 1);
      const end = isNote
        ? { type: "Delete", object: instrument["id"] }
        : { type: "Undo", object: instrument };
      await w.send(w.bob, end);
      assert.equal(countOf((await show(post.id))!), 0);
      assert.equal((await documentAt(accept!["result"])).status, 404);
    });

    it(`${kind}Request: refused where the same would be dropped without asking`, async () => {
      const hidden = await w.post(w.alice, "not for you", { visibility: "direct" });
      await ask(kind, hidden.uri, make(hidden.uri));
      assert.equal(taken("Accept").length, 0);
      const other = await w.post(w.alice, "another");
      const open = await w.post(w.alice, "for you");
      await ask(kind, open.uri, make(other.uri));
      const [reject, ...more] = taken("Reject");
      assert.deepEqual([reject?.["object"].type, more.length], [`${kind}Request`, 0]);
      assert.equal(countOf((await show(other.id))!) + countOf((await show(open.id))!), 0);
    });
  }

  it("a favourite and an answer may be named by their address; an answer of somebody else is not", async () => {
    const post = await w.post(w.alice, "named");
    await ask("Like", post.uri, `${w.bob.uri}#likes/named`);
    assert.equal(taken("Accept").length, 1);
    const { id } = w.peer.note(w.bob, "/notes/named-answer", { inReplyTo: post.uri });
    await ask("Reply", post.uri, id);
    assert.equal(taken("Accept").length, 1);
    const theirs = w.otherPeer.note(w.mallory, "/notes/named-answer", { inReplyTo: post.uri });
    await ask("Reply", post.uri, theirs["id"]);
    assert.equal(taken("Reject").length, 1);
    assert.equal((await show(post.id))!["replies_count"], 1);
  });

  it("posts say so: who sees them may answer and favourite, and boost what is for everybody", async () => {
    const open = await w.post(w.alice, "open");
    const policyOf = async (uri: string) => {
      const { interactionPolicy } = (await documentAt(uri)).document as Json;
      const { canQuote: _, ...rest } = interactionPolicy;
      return rest;
    };
    const everybody = { automaticApproval: [w.PUBLIC] };
    assert.deepEqual(await policyOf(open.uri), {
      canReply: everybody,
      canLike: everybody,
      canAnnounce: everybody,
    });
    await w.send(w.bob, { type: "Follow", object: w.uriOf(w.carol) });
    taken("");
    await w.post(w.carol, "closed", { visibility: "private" });
    const { canReply, canAnnounce } = taken("Create")[0]!["object"].interactionPolicy;
    assert.deepEqual(canReply, everybody);
    assert.deepEqual(canAnnounce, { automaticApproval: [w.uriOf(w.carol)] });
  });
});

describe("people here ask", () => {
  const BY_HAND = { automaticApproval: [], manualApproval: [w.PUBLIC] };
  const requested = async () => {
    const interactionPolicy = { canReply: BY_HAND, canLike: BY_HAND, canAnnounce: BY_HAND };
    const note = await w.create(w.bob, { interactionPolicy });
    taken("");
    return { note, id: (await w.statusByUri(note["id"]))!.id };
  };
  const answer = (type: "Accept" | "Reject", to: Json, more: Json = {}, actor = w.bob) =>
    w.send(actor, { type, object: to["id"], to: to["actor"], ...more });
  const stamp = (name: string) => ({ result: `${w.peer.origin}/authorizations/${name}` });

  it("a favourite is sent when it is allowed, and gone when it is not", async () => {
    const { id, note } = await requested();
    const favourite = async () => {
      await w.carol.post(`/api/v1/statuses/${id}/favourite`);
      await w.test.runJobs();
      const [first] = taken("LikeRequest");
      return first!;
    };
    const first = await favourite();
    assert.deepEqual(
      [first["object"], first["instrument"].type, first["instrument"].object],
      [note["id"], "Like", note["id"]],
    );
    await answer("Accept", first, stamp("like"), w.eve);
    assert.equal(taken("Like").length, 0);
    await answer("Accept", first, { result: `${w.otherPeer.origin}/authorizations/like` });
    assert.equal(taken("Like").length, 0);
    await answer("Accept", first, stamp("like"));
    const [like] = taken("Like");
    assert.equal(like?.["id"], first["instrument"].id);
    assert.equal(like?.["likeAuthorization"], stamp("like").result);

    await w.carol.post(`/api/v1/statuses/${id}/unfavourite`);
    await w.test.runJobs();
    const second = await favourite();
    await answer("Reject", second, {}, w.eve);
    assert.equal((await show(id, w.carol))!["favourited"], true);
    await answer("Reject", second);
    assert.equal((await show(id, w.carol))!["favourited"], false);
  });

  const reply = async (id: string, more: Json = {}) => {
    const json = { status: "may I?", in_reply_to_id: id, ...more };
    const { json: status } = await w.carol.post("/api/v1/statuses", json);
    await w.test.runJobs();
    return status as Json;
  };

  it("an answer is its author's alone until it is allowed, and then everybody's, with the authorization", async () => {
    await w.followed(w.alice, w.bob);
    const { id, note } = await requested();
    const answerNote = await reply(id);
    assert.deepEqual(
      w.peer.inbox().map(({ type }) => type),
      ["ReplyRequest"],
    );
    const [ask] = taken("ReplyRequest");
    assert.deepEqual(
      [ask!["instrument"].id, ask!["instrument"].inReplyTo, ask!["object"]],
      [answerNote["uri"], note["id"], note["id"]],
    );
    const seen = async () => [
      (await show(answerNote["id"], w.carol)) !== null,
      (await show(answerNote["id"], w.alice)) !== null,
      (await show(answerNote["id"], null)) !== null,
      (await documentAt(answerNote["uri"])).status === 200,
    ];
    assert.deepEqual(await seen(), [true, false, false, false]);
    const thread = async () =>
      ((await w.alice.get(`/api/v1/statuses/${id}/context`)).json as Json)["descendants"].length;
    assert.equal(await thread(), 0);
    for (const path of ["reblog", "favourite"]) {
      const { status } = await w.carol.post(`/api/v1/statuses/${answerNote["id"]}/${path}`);
      assert.equal(status, path === "reblog" ? 403 : 200);
    }
    const told: unknown[] = [];
    const stop = w.test.app.pubsub.subscribe(hashtagChannel("waiting", false), (event) => {
      told.push(event);
    });
    await w.carol.put(`/api/v1/statuses/${answerNote["id"]}`, {
      status: "May I? #waiting",
    });
    await w.test.runJobs();
    await answer("Accept", ask!, stamp("reply"), w.eve);
    assert.deepEqual(await seen(), [true, false, false, false]);
    assert.deepEqual([told.length, taken("Update").length], [0, 0]);
    await answer("Accept", ask!, stamp("reply"));
    await w.test.runJobs();
    assert.deepEqual(await seen(), [true, true, true, true]);
    assert.equal(await thread(), 1);
    const { document } = await documentAt(answerNote["uri"]);
    assert.equal((document as Json)["replyAuthorization"], stamp("reply").result);
    const [sent] = taken("Create");
    assert.equal(sent!["object"].replyAuthorization, stamp("reply").result);
    assert.match(sent!["object"].content, /waiting/);
    assert.equal(told.length, 1);
    stop();
  });

  it("one that is refused stays with who wrote it", async () => {
    const { id } = await requested();
    const note = await reply(id);
    const [ask] = taken("ReplyRequest");
    await answer("Reject", ask!);
    assert.ok(await show(note["id"], w.carol));
    assert.equal(await show(note["id"], w.alice), null);
    assert.equal(taken("Create").length, 0);
  });

  it("a boost waits too, and is gone when it is refused", async () => {
    const { id } = await requested();
    const boost = async () => {
      await w.carol.post(`/api/v1/statuses/${id}/reblog`);
      await w.test.runJobs();
      return taken("AnnounceRequest")[0]!;
    };
    const boosted = async () => {
      const { json } = await w.alice.get(`/api/v1/accounts/${w.carol.accountId}/statuses`);
      return (json as unknown as Json[]).some((status) => status["reblog"]?.id === id);
    };
    const first = await boost();
    assert.equal(first["instrument"].type, "Announce");
    assert.equal(await boosted(), false);
    await answer("Reject", first);
    assert.equal((await show(id, w.carol))!["reblogged"], false);
    const second = await boost();
    await answer("Accept", second, stamp("boost"));
    await w.test.runJobs();
    assert.equal(await boosted(), true);
    const [announce] = taken("Announce");
    assert.equal(announce!["announceAuthorization"], stamp("boost").result);
  });

  it("nobody is asked who is named, where everybody may, and where nobody can be asked", async () => {
    const policies = [
      { canReply: { automaticApproval: [w.PUBLIC], manualApproval: [] } },
      { canReply: { always: [], approvalRequired: [w.PUBLIC] } },
    ];
    for (const interactionPolicy of policies) {
      const note = await w.create(w.bob, { interactionPolicy });
      taken("");
      await reply((await w.statusByUri(note["id"]))!.id);
      assert.equal(taken("Create").length, 1);
    }
    const href = w.uriOf(w.carol);
    const tag = [{ type: "Mention", href, name: "@carol" }];
    const naming = await w.create(w.bob, {
      interactionPolicy: { canReply: BY_HAND },
      tag,
      cc: [href],
    });
    taken("");
    const note = await reply((await w.statusByUri(naming["id"]))!.id);
    assert.equal(taken("Create").length, 1);
    // A server that was not asked may allow it all the same, for third ones.
    await answer("Accept", { id: note["uri"], actor: href }, stamp("later"));
    await w.test.runJobs();
    assert.equal(taken("Update")[0]?.["object"].replyAuthorization, stamp("later").result);
  });
});

describe("what others do among themselves", () => {
  const policy = (name: string, ...automaticApproval: string[]) => ({
    interactionPolicy: { [name]: { automaticApproval, manualApproval: [w.PUBLIC] } },
  });
  const authorization = (name: string, members: Json): string => {
    const id = `${w.otherPeer.origin}/authorizations/${name}`;
    const type = "ReplyAuthorization";
    w.otherPeer.documents.set(new URL(id).pathname, {
      id,
      type,
      attributedTo: w.mallory.uri,
      ...members,
    });
    return id;
  };
  let target: Json;
  let author: PeerActor;
  before(async () => {
    author = w.mallory;
    await w.followed(w.alice, w.bob);
    await w.followed(w.alice, author);
    target = w.otherPeer.note(author, "/notes/guarded", policy("canReply", author.uri));
    await w.send(author, { type: "Create", object: target });
  });

  const arrives = async (members: Json) => {
    const note = w.note(w.bob, { inReplyTo: target["id"], ...members });
    return { id: note["id"], send: () => w.send(w.bob, { type: "Create", object: note }) };
  };

  it("an answer that has to be allowed is dropped without an authorization, and with a wrong one", async () => {
    const interactionTarget = target["id"];
    const wrong: ((interactingObject: unknown) => string | undefined)[] = [
      () => undefined,
      () => `${w.otherPeer.origin}/authorizations/none`,
      () => `${w.peer.origin}/authorizations/own`,
      () => authorization("other", { interactingObject: w.bob.uri, interactionTarget }),
      (interactingObject) => authorization("elsewhere", { interactingObject }),
      (interactingObject) =>
        authorization("kind", { interactingObject, interactionTarget, type: "LikeAuthorization" }),
      (interactingObject) =>
        authorization("whose", { interactingObject, interactionTarget, attributedTo: w.bob.uri }),
    ];
    for (const [n, make] of wrong.entries()) {
      const id = `${w.peer.origin}/notes/unallowed-${n}`;
      const { send } = await arrives({ id, replyAuthorization: make(id) });
      await send();
      assert.equal(await w.statusByUri(id), undefined, String(n));
    }
  });

  it("one that is allowed is shown, and one by the author or somebody who is named", async () => {
    const id = `${w.peer.origin}/notes/allowed`;
    const members = { interactingObject: id, interactionTarget: target["id"] };
    const { send } = await arrives({ id, replyAuthorization: authorization("right", members) });
    await send();
    assert.ok(await w.statusByUri(id));
    const own = w.otherPeer.note(author, "/notes/own-answer", { inReplyTo: target["id"] });
    await w.send(author, { type: "Create", object: own });
    assert.ok(await w.statusByUri(own["id"]));
    const naming = w.otherPeer.note(author, "/notes/naming", {
      ...policy("canReply", author.uri),
      tag: [{ type: "Mention", href: w.bob.uri, name: "@bob" }],
    });
    await w.send(author, { type: "Create", object: naming });
    const free = await w.create(w.bob, { inReplyTo: naming["id"] });
    assert.ok(await w.statusByUri(free["id"]));
  });

  it("one that its author did not ask for is read when the author of the post says so", async () => {
    const uri = `${w.peer.origin}/notes/impolite`;
    w.peer.note(w.bob, "/notes/impolite", { inReplyTo: target["id"] });
    const { send } = await arrives({ id: uri });
    await send();
    const says = (by: PeerActor, result: string) =>
      w.send(by, { type: "Accept", object: uri, target: target["id"], result, cc: [w.PUBLIC] });
    await says(w.bob, `${w.peer.origin}/authorizations/own`);
    await says(author, authorization("no", { interactingObject: uri }));
    assert.equal(await w.statusByUri(uri), undefined);
    const members = { interactingObject: uri, interactionTarget: target["id"] };
    await says(author, authorization("yes", members));
    assert.ok(await w.statusByUri(uri));
  });

  it("the same holds for answers that are fetched", async () => {
    const answerOf = async (path: string, members: Json = {}) => {
      const note = w.peer.note(w.bob, path, { inReplyTo: target["id"], ...members });
      const uri = encodeURIComponent(String(note["id"]));
      const { json } = await w.alice.get(`/api/v2/search?resolve=true&q=${uri}`);
      return (json as Json)["statuses"].length;
    };
    assert.equal(await answerOf("/notes/fetched"), 0);
    const interactingObject = `${w.peer.origin}/notes/fetched-allowed`;
    const members = { interactingObject, interactionTarget: target["id"] };
    const replyAuthorization = authorization("fetched", members);
    assert.equal(await answerOf("/notes/fetched-allowed", { replyAuthorization }), 1);
  });

  it("boosts need the same, of what is not for followers alone", async () => {
    const note = w.otherPeer.note(author, "/notes/unboosted", policy("canAnnounce", author.uri));
    await w.send(author, { type: "Create", object: note });
    const boost = async (name: string, more: Json = {}) => {
      const id = `${w.bob.uri}/boosts/${name}`;
      await w.send(w.bob, { id, type: "Announce", object: note["id"], to: [w.PUBLIC], ...more });
      return (await w.statusByUri(id)) !== undefined;
    };
    assert.equal(await boost("without"), false);
    const announceAuthorization = authorization("boost", {
      type: "AnnounceAuthorization",
      interactingObject: `${w.bob.uri}/boosts/with`,
      interactionTarget: note["id"],
    });
    assert.equal(await boost("with", { announceAuthorization }), true);
  });
});
