// The home timeline with the client library masto: what brings a post there, what keeps it out, and that it
// comes once, however many reasons there are.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { eventually, idsOf, someone, startLiveServer } from "./live-server.ts";
import type { LiveServer, Listener, Someone } from "./live-server.ts";

let server: LiveServer;
let stream: Listener;
let alice: Someone;
let bob: Someone;
let carol: Someone;
let dora: Someone;

before(async () => {
  server = await startLiveServer();
  alice = await someone(server, "alice");
  bob = await someone(server, "bob");
  carol = await someone(server, "carol");
  dora = await someone(server, "dora");
  stream = await alice.listen((streaming) => streaming.user.subscribe());
});
after(async () => {
  stream?.close();
  await server?.close();
});

const of = (other: Someone) => alice.rest.v1.accounts.$select(other.accountId);

const post = async (who: Someone, status: string, more = {}) =>
  (await who.rest.v1.statuses.create({ status, ...more })).id;

/** Those of the posts that are in the home timeline, oldest first; the stream must have had the same. */
const arrived = async (...ids: string[]): Promise<string[]> => {
  await server.runJobs();
  const home = idsOf(await alice.rest.v1.timelines.home.list({ limit: 40 }));
  const there = home.filter((id) => ids.includes(id)).toReversed();
  const streamed = () =>
    stream.events
      .filter(({ event }) => event === "update")
      .map(({ payload }) => (payload as { id: string }).id)
      .filter((id) => ids.includes(id));
  await eventually("the stream", () => there.every((id) => streamed().includes(id)) || undefined);
  assert.deepEqual(
    streamed().toSorted(),
    there.toSorted(),
    "the stream has the same posts as the timeline",
  );
  return there;
};

beforeEach(async () => {
  for (const other of [bob, carol, dora]) await of(other).unfollow();
});

describe("a post", () => {
  it("comes once: by a followed author, with a followed tag, and mentioning the reader", async () => {
    await of(bob).follow();
    await alice.rest.v1.tags.$select("once").follow();
    const all = await post(bob, "@alice #once");
    const tag = await post(carol, "#once");
    const own = await post(alice, "mine #once");
    const none = await post(carol, "not for her");
    assert.deepEqual(await arrived(all, tag, own, none), [all, tag, own]);
    await alice.rest.v1.tags.$select("once").unfollow();
  });

  it("stays out when it replies to somebody who is not followed", async () => {
    await of(bob).follow();
    const carols = await post(carol, "a question");
    const there = await post(bob, "@carol an answer", { inReplyToId: carols });
    const mine = await post(alice, "my question");
    const here = await post(bob, "@alice an answer", { inReplyToId: mine });
    const self = await post(bob, "more", { inReplyToId: here });
    assert.deepEqual(await arrived(there, here, self), [here, self]);
    await of(carol).follow();
    const both = await post(bob, "@carol once more", { inReplyToId: carols });
    assert.deepEqual(await arrived(both), [both]);
  });

  it("in a language that is not wanted from its author stays out", async () => {
    await of(bob).follow({ languages: ["de"] });
    const de = await post(bob, "Guten Tag", { language: "de" });
    const fr = await post(bob, "Bonjour", { language: "fr" });
    assert.deepEqual(await arrived(de, fr), [de]);
    assert.deepEqual((await of(bob).follow({ languages: [] })).languages ?? [], []);
  });

  it("leaves with an unfollow, and comes back with a follow", async () => {
    const old = await post(bob, "from before");
    await of(bob).follow();
    const home = idsOf(await alice.rest.v1.timelines.home.list());
    assert.ok(home.includes(old));
    await of(bob).unfollow();
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(old));
  });

  it("that is edited is streamed as an edit, one that is deleted disappears everywhere", async () => {
    await of(bob).follow();
    const id = await post(bob, "before");
    assert.deepEqual(await arrived(id), [id]);
    await bob.rest.v1.statuses.$select(id).update({ status: "after" });
    const received = await stream.received("status.update", (status) => status.id === id);
    assert.equal(received.content, "<p>after</p>");
    const there = (await alice.rest.v1.timelines.home.list()).find((status) => status.id === id);
    assert.equal(there!.content, "<p>after</p>");
    await bob.rest.v1.statuses.$select(id).remove();
    await stream.received("delete", (payload) => String(payload) === id);
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(id));
  });

  it("notifies followers who want notifications of its author", async () => {
    assert.equal((await of(bob).follow({ notify: true })).notifying, true);
    const id = await post(bob, "news");
    const received = await stream.received("notification", (note) => note.status?.id === id);
    assert.equal(received.type, "status");
    await of(bob).follow({ notify: false });
    const quiet = await post(bob, "more news");
    await server.runJobs();
    const notes = await alice.rest.v1.notifications.list({ types: ["status"] });
    assert.ok(!notes.some(({ status }) => status?.id === quiet));
  });
});

describe("a boost", () => {
  it("comes, unless one wants no boosts from that person", async () => {
    await of(bob).follow();
    const theirs = await post(dora, "worth boosting");
    const boost = await bob.rest.v1.statuses.$select(theirs).reblog();
    assert.deepEqual(await arrived(boost.id), [boost.id]);
    await bob.rest.v1.statuses.$select(theirs).unreblog();
    assert.equal((await of(bob).follow({ reblogs: false })).showingReblogs, false);
    assert.ok(!idsOf(await alice.rest.v1.timelines.home.list()).includes(boost.id));
    const again = await bob.rest.v1.statuses.$select(theirs).reblog();
    assert.deepEqual(await arrived(again.id), []);
    await of(bob).follow({ reblogs: true });
  });

  it("of a muted or blocked author stays out, by whomever it is boosted", async () => {
    await of(bob).follow();
    const theirs = await post(dora, "unwanted");
    await of(dora).mute();
    const first = await bob.rest.v1.statuses.$select(theirs).reblog();
    assert.deepEqual(await arrived(first.id), []);
    await bob.rest.v1.statuses.$select(theirs).unreblog();
    await of(dora).unmute();
    await of(dora).block();
    const second = await bob.rest.v1.statuses.$select(theirs).reblog();
    assert.deepEqual(await arrived(second.id), []);
    await of(dora).unblock();
  });

  it("shows what its reader did with the boosted post: vote, favourite, bookmark", async () => {
    await of(bob).follow();
    const poll = { options: ["a", "b"], expiresIn: 600 };
    const question = await dora.rest.v1.statuses.create({ status: "choose", poll });
    const boost = await bob.rest.v1.statuses.$select(question.id).reblog();
    assert.deepEqual(await arrived(boost.id), [boost.id]);
    await alice.rest.v1.polls.$select(question.poll!.id).votes.create({ choices: [1] });
    await alice.rest.v1.statuses.$select(question.id).favourite();
    await alice.rest.v1.statuses.$select(question.id).bookmark();
    const seen = (await alice.rest.v1.timelines.home.list()).find(({ id }) => id === boost.id);
    assert.deepEqual(seen!.reblog!.poll!.ownVotes, [1]);
    assert.equal(seen!.reblog!.poll!.options[1]!.votesCount, 1);
    assert.deepEqual([seen!.reblog!.favourited, seen!.reblog!.bookmarked], [true, true]);
  });
});
