// What reaches which timeline, with the client library masto: lists, hashtags, links, direct posts,
// conversations, markers.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  clientOf,
  eventually,
  idsOf,
  pagesOf,
  refused,
  someone,
  startLiveServer,
} from "./live-server.ts";
import type { LiveServer, Someone } from "./live-server.ts";

let server: LiveServer;
let alice: Someone;
let bob: Someone;
let carol: Someone;

before(async () => {
  server = await startLiveServer();
  alice = await someone(server, "alice");
  bob = await someone(server, "bob");
  carol = await someone(server, "carol");
});
after(() => server?.close());

const home = async (who: Someone) => idsOf(await who.rest.v1.timelines.home.list({ limit: 40 }));

const post = async (who: Someone, status: string, more = {}) =>
  (await who.rest.v1.statuses.create({ status, ...more })).id;

describe("lists", () => {
  it("contain their members' posts, by their policy on replies, and may exclude them from home", async () => {
    await alice.rest.v1.accounts.$select(bob.accountId).follow();
    await alice.rest.v1.accounts.$select(carol.accountId).follow();
    const params = { title: "Bobs", repliesPolicy: "list", exclusive: true } as const;
    const { id } = await alice.rest.v1.lists.create(params);
    const list = alice.rest.v1.lists.$select(id);
    const old = await post(bob, "before the list");
    await list.accounts.create({ accountIds: [bob.accountId] });
    const stream = await alice.listen((streaming) => streaming.list.subscribe({ list: id }));
    const user = await alice.listen((streaming) => streaming.user.subscribe());
    const fresh = await post(bob, "for the list");
    assert.equal((await stream.received("update")).id, fresh);
    const toCarol = await post(carol, "a question");
    const reply = await post(bob, "@carol yes", { inReplyToId: toCarol });
    const own = await post(bob, "and to myself", { inReplyToId: fresh });
    await stream.received("update", (status) => status.id === own);
    await user.received("update", (status) => status.id === toCarol);
    await server.runJobs();
    const listed = idsOf(await alice.rest.v1.timelines.list.$select(id).list());
    assert.deepEqual(listed, [own, fresh, old]);
    assert.deepEqual(await home(alice), [toCarol]);
    assert.ok(!user.events.some(({ payload }) => (payload as { id?: string })?.id === fresh));
    await list.update({ title: "Bobs", exclusive: false });
    assert.deepEqual(await home(alice), [own, reply, toCarol, fresh, old]);
    await bob.rest.v1.statuses.$select(fresh).remove();
    assert.equal(await stream.received("delete"), fresh);
    await alice.rest.v1.accounts.$select(bob.accountId).unfollow();
    assert.deepEqual(await list.accounts.list(), []);
    assert.deepEqual(idsOf(await alice.rest.v1.timelines.list.$select(id).list()), []);
    const others = bob.rest.v1.timelines.list.$select(id);
    await assert.rejects(async () => await others.list(), refused(404));
    for (const listener of [stream, user]) listener.close();
  });

  it("have pages of members", async () => {
    const { id } = await carol.rest.v1.lists.create({ title: "All" });
    const list = carol.rest.v1.lists.$select(id);
    for (const { accountId } of [alice, bob]) {
      await carol.rest.v1.accounts.$select(accountId).follow();
    }
    await list.accounts.create({ accountIds: [alice.accountId, bob.accountId] });
    const pages = await pagesOf(list.accounts.list({ limit: 1 }));
    assert.deepEqual(pages.slice(0, 2).map(idsOf), [[bob.accountId], [alice.accountId]]);
    const other = await someone(server, "stranger");
    const accountIds = [other.accountId];
    await assert.rejects(list.accounts.create({ accountIds }), refused(404));
  });
});

describe("hashtags", () => {
  it("that are followed bring others' posts home, live too, until they are unfollowed", async () => {
    await alice.rest.v1.tags.$select("Rooks").follow();
    assert.deepEqual(
      (await alice.rest.v1.followedTags.list()).map(({ name }) => name),
      ["Rooks"],
    );
    const stream = await alice.listen((streaming) => streaming.user.subscribe());
    const open = await post(bob, "look, #ROOKS");
    const unlisted = await post(bob, "quiet #rooks", { visibility: "unlisted" });
    assert.equal((await stream.received("update")).id, open);
    await server.runJobs();
    const now = await home(alice);
    assert.deepEqual([now.includes(open), now.includes(unlisted)], [true, false]);
    await alice.rest.v1.tags.$select("rooks").unfollow();
    const later = await post(bob, "more #rooks");
    await server.runJobs();
    assert.ok(!(await home(alice)).includes(later));
    stream.close();
  });

  it("have a timeline, alone or with further tags, also on the stream", async () => {
    const id = await post(bob, "#red #round");
    const two = await post(bob, "#red #square");
    const three = await post(bob, "#green");
    const of = (tag: string, params = {}) =>
      clientOf(server).v1.timelines.tag.$select(tag).list(params);
    assert.deepEqual(idsOf(await of("RED")), [two, id]);
    assert.deepEqual(idsOf(await of("red", { none: ["square"] })), [id]);
    assert.deepEqual(idsOf(await of("red", { all: ["square"] })), [two]);
    assert.deepEqual(idsOf(await of("red", { any: ["green"] })), [three, two, id]);
    assert.deepEqual(idsOf(await of("red", { remote: true })), []);
    const pages = await pagesOf(of("red", { limit: 1 }));
    assert.deepEqual(pages.flatMap(idsOf), [two, id]);
    const stream = await alice.listen((streaming) => streaming.hashtag.subscribe({ tag: "Red" }));
    const live = await post(carol, "#red again");
    assert.equal((await stream.received("update")).id, live);
    stream.close();
  });

  it("are featured up to a limit, with used tags as suggestions", async () => {
    assert.deepEqual(
      (await bob.rest.v1.featuredTags.suggestions.list()).map(({ name }) => name).toSorted(),
      ["Rooks", "green", "red", "round", "square"],
    );
    const max = (await alice.rest.v2.instance.fetch()).configuration.accounts.maxFeaturedTags;
    for (let number = 0; number < max; number++) {
      await bob.rest.v1.featuredTags.create({ name: `tag${number}` });
    }
    await assert.rejects(bob.rest.v1.featuredTags.create({ name: "one" }), refused(422));
    const all = await clientOf(server).v1.accounts.$select(bob.accountId).featuredTags.list();
    assert.equal(all.length, max);
    const of = bob.rest.v1.tags.$select("tag0");
    assert.equal((await of.unfeature()).name, "tag0");
    assert.equal((await bob.rest.v1.featuredTags.list()).length, max - 1);
    await assert.rejects(alice.rest.v1.featuredTags.$select(all[1]!.id).remove(), refused(404));
  });
});

describe("direct posts", () => {
  it("make a conversation, which is streamed to other devices, read and removed", async () => {
    // A stranger's message would wait until she accepts it.
    await alice.rest.v1.accounts.$select(bob.accountId).follow();
    const stream = await alice.listen((streaming) => streaming.direct.subscribe());
    const first = await post(bob, "@alice psst", { visibility: "direct" });
    const conversation = await stream.received("conversation");
    assert.deepEqual([conversation.unread, conversation.lastStatus.id], [true, first]);
    assert.deepEqual(
      conversation.accounts.map(({ acct }: { acct: string }) => acct),
      ["bob"],
    );
    const of = alice.rest.v1.conversations.$select(conversation.id);
    assert.equal((await of.read()).unread, false);
    assert.equal((await of.unread()).unread, true);
    const more = { visibility: "direct", inReplyToId: first };
    const second = await post(alice, "@bob what?", more);
    await server.runJobs();
    const [mine] = await alice.rest.v1.conversations.list();
    assert.deepEqual(
      [mine!.id, mine!.lastStatus!.id, mine!.unread],
      [conversation.id, second, false],
    );
    const [his] = await bob.rest.v1.conversations.list();
    assert.deepEqual([his!.lastStatus!.id, his!.unread], [second, true]);
    assert.deepEqual(await carol.rest.v1.conversations.list(), []);
    assert.deepEqual(idsOf(await alice.rest.v1.timelines.direct.list()), [second, first]);
    assert.deepEqual(idsOf(await bob.rest.v1.timelines.direct.list()), [second, first]);
    assert.deepEqual(idsOf(await carol.rest.v1.timelines.direct.list()), []);
    await assert.rejects(carol.rest.v1.conversations.$select(conversation.id).read(), refused(404));
    await alice.rest.v1.statuses.$select(second).remove();
    await server.runJobs();
    assert.equal((await bob.rest.v1.conversations.list())[0]?.lastStatus?.id, first);
    await of.remove();
    assert.deepEqual(await alice.rest.v1.conversations.list(), []);
    await post(bob, "@alice hello?", more);
    await eventually("the conversation to come back", async () =>
      (await alice.rest.v1.conversations.list()).at(0),
    );
    stream.close();
  });

  it("page by page", async () => {
    for (const text of ["@carol one", "@carol two", "@carol three"]) {
      await post(bob, text, { visibility: "direct" });
    }
    await server.runJobs();
    const pages = await pagesOf(carol.rest.v1.conversations.list({ limit: 2 }));
    const texts = pages.map((page) =>
      page.map(({ lastStatus }) => /(one|two|three)</.exec(lastStatus!.content)![1]),
    );
    assert.deepEqual(texts.slice(0, 2), [["three", "two"], ["one"]]);
  });
});

describe("markers", () => {
  it("store how far one has read, each with its version; two at once are a conflict", async () => {
    const { markers } = alice.rest.v1;
    assert.deepEqual(await markers.fetch({ timeline: ["home", "notifications"] }), {});
    const id = await post(alice, "read up to here");
    const marker = await markers.create({ home: { lastReadId: id } });
    assert.deepEqual([marker.home.lastReadId, marker.home.version], [id, 1]);
    const again = await markers.create({
      home: { lastReadId: id },
      notifications: { lastReadId: "7" },
    });
    assert.deepEqual([again.home.version, again.notifications.version], [2, 1]);
    const read = await markers.fetch({ timeline: ["home", "notifications"] });
    assert.equal(read.notifications.lastReadId, "7");
    assert.deepEqual(await bob.rest.v1.markers.fetch({ timeline: ["home"] }), {});
    const race = Array.from({ length: 12 }, (_, number) =>
      markers.create({ home: { lastReadId: String(number + 1) } }).then(
        () => "kept",
        (error: unknown) => (refused(409)(error), "conflict"),
      ),
    );
    const ends = await Promise.all(race);
    const kept = ends.filter((end) => end === "kept").length;
    const { home: last } = await markers.fetch({ timeline: ["home"] });
    assert.equal(last.version, 2 + kept, "each that was kept counts once");
  });
});
