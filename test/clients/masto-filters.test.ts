// Filters with the client library masto: what they match is marked everywhere a person can see the post.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { mastodon } from "masto";
import { eventually, refused, someone, startLiveServer } from "./live-server.ts";
import type { LiveServer, Listener, Someone } from "./live-server.ts";

let server: LiveServer;
let alice: Someone;
let bob: Someone;
let stream: Listener;
let filter: mastodon.v2.Filter;

before(async () => {
  server = await startLiveServer();
  alice = await someone(server, "alice");
  bob = await someone(server, "bob");
  await alice.rest.v1.accounts.$select(bob.accountId).follow();
  stream = await alice.listen((streaming) => streaming.user.subscribe());
});
after(async () => {
  stream?.close();
  await server?.close();
});

/** The titles of the filters that a status matched, with the words. */
const marks = (status: mastodon.v1.Status | null | undefined) =>
  (status?.filtered ?? []).map(({ filter: { title }, keywordMatches }) => [
    title,
    ...(keywordMatches ?? []),
  ]);

const changes = () => stream.events.filter(({ event }) => event === "filters_changed").length;

describe("a filter of the second version", () => {
  let post: mastodon.v1.Status;

  it("is created, and other devices are notified", async () => {
    filter = await alice.rest.v2.filters.create({
      title: "Films",
      context: ["home", "notifications", "public", "thread", "account"],
      filterAction: "warn",
      keywordsAttributes: [{ keyword: "spoiler", wholeWord: true }],
    });
    await stream.received("filters_changed");
    assert.equal((await alice.rest.v2.filters.list())[0]!.keywords[0]!.keyword, "spoiler");
  });

  it("marks the post on the stream, at home, in thread, profile, search and notification", async () => {
    post = await bob.rest.v1.statuses.create({ status: "@alice a SPOILER ahead #films" });
    const streamed = await stream.received("update", ({ id }) => id === post.id);
    const notified = await stream.received("notification", ({ status }) => status?.id === post.id);
    const mine = await alice.rest.v1.statuses.create({ status: "oh", inReplyToId: post.id });
    const thread = await alice.rest.v1.statuses.$select(mine.id).context.fetch();
    const listed = await alice.rest.v1.notifications.list({ types: ["mention"] });
    await server.runJobs();
    const grouped = await alice.rest.v2.search.list({ q: "spoiler", type: "statuses" });
    const matches = {
      streamed,
      notified: notified.status,
      listed: listed[0]!.status,
      home: (await alice.rest.v1.timelines.home.list()).find(({ id }) => id === post.id),
      public: (await alice.rest.v1.timelines.public.list()).find(({ id }) => id === post.id),
      tag: (await alice.rest.v1.timelines.tag.$select("films").list())[0],
      ancestor: thread.ancestors[0],
      profile: (await alice.rest.v1.accounts.$select(bob.accountId).statuses.list())[0],
      single: await alice.rest.v1.statuses.$select(post.id).fetch(),
      several: (await alice.rest.v1.statuses.fetch({ id: [post.id] }))[0],
      search: grouped.statuses[0],
      favourite: await alice.rest.v1.statuses.$select(post.id).favourite(),
      favourites: (await alice.rest.v1.favourites.list())[0],
    };
    for (const [where, status] of Object.entries(matches)) {
      assert.equal(status?.id, post.id, where);
      assert.deepEqual(marks(status), [["Films", "SPOILER"]], where);
    }
    const boost = await alice.rest.v1.statuses.$select(post.id).reblog();
    assert.deepEqual(marks(boost.reblog), [["Films", "SPOILER"]], "the post inside a boost");
    const unseen = await bob.rest.v1.statuses.$select(post.id).fetch();
    assert.deepEqual(marks(unseen), []);
  });

  it("follows its keywords and posts as they change", async () => {
    const of = alice.rest.v2.filters.$select(filter.id);
    const before = changes();
    const [keyword] = filter.keywords;
    const keywordOf = alice.rest.v2.filters.keywords.$select(keyword!.id);
    await keywordOf.update({ keyword: "nothing", wholeWord: false });
    assert.deepEqual(marks(await alice.rest.v1.statuses.$select(post.id).fetch()), []);
    const filterStatus = await of.statuses.create({ statusId: post.id });
    const [result] = (await alice.rest.v1.statuses.$select(post.id).fetch()).filtered ?? [];
    assert.deepEqual(result!.statusMatches, [post.id]);
    await alice.rest.v2.filters.statuses.$select(filterStatus.id).remove();
    assert.deepEqual(marks(await alice.rest.v1.statuses.$select(post.id).fetch()), []);
    const added = await of.keywords.create({ keyword: "ahead" });
    assert.equal((await of.keywords.list()).length, 2);
    assert.deepEqual(marks((await alice.rest.v1.timelines.home.list()).find(isPost)), [
      ["Films", "ahead"],
    ]);
    await of.update({
      keywordsAttributes: [{ id: added.id, _destroy: true }],
      context: ["notifications"],
    });
    await keywordOf.update({ keyword: "spoiler" });
    // The result names the contexts; the client decides what to do.
    const at = (await alice.rest.v1.timelines.home.list()).find(isPost)!;
    assert.deepEqual(at.filtered![0]!.filter.context, ["notifications"]);
    await eventually("the devices to be notified", () =>
      changes() >= before + 5 ? true : undefined,
    );
  });
  const isPost = ({ id }: { id: string }) => id === post.id;

  it("ends by the clock", async () => {
    const of = alice.rest.v2.filters.$select(filter.id);
    const { expiresAt } = await of.update({ context: ["home"], expiresIn: 3600 });
    assert.ok(expiresAt);
    assert.deepEqual(marks((await alice.rest.v1.timelines.home.list()).find(isPost)), [
      ["Films", "SPOILER"],
    ]);
    await server.advanceClock(3601);
    assert.deepEqual(marks((await alice.rest.v1.timelines.home.list()).find(isPost)), []);
    await of.remove();
    await assert.rejects(of.fetch(), refused(404));
  });

  it("that hides removes the post from a notification, or says so", async () => {
    await alice.rest.v2.filters.create({
      title: "Never",
      context: ["home", "notifications"],
      filterAction: "hide",
      keywordsAttributes: [{ keyword: "unbearable" }],
    });
    const { id } = await bob.rest.v1.statuses.create({ status: "@alice unbearable" });
    await server.runJobs();
    const home = (await alice.rest.v1.timelines.home.list()).find((status) => status.id === id);
    assert.equal(home?.filtered?.[0]!.filter.filterAction ?? "hide", "hide");
  });

  it("belongs to its owner alone, and invalid ones are refused with a reason", async () => {
    const bad = { title: "", context: ["home"] as const };
    await assert.rejects(alice.rest.v2.filters.create(bad), refused(422, /Title/));
    const { id } = (await alice.rest.v2.filters.list())[0]!;
    await assert.rejects(bob.rest.v2.filters.$select(id).fetch(), refused(404));
    await assert.rejects(bob.rest.v2.filters.$select(id).remove(), refused(404));
  });
});

describe("a filter of the first version", () => {
  it("is a keyword of a filter of the second version, and hides or warns as set", async () => {
    const filter = await alice.rest.v1.filters.create({
      phrase: "knitting",
      context: ["home"],
      irreversible: false,
      wholeWord: true,
      expiresIn: 86_400,
    });
    assert.equal((await alice.rest.v1.filters.$select(filter.id).fetch()).phrase, "knitting");
    const { id } = await bob.rest.v1.statuses.create({ status: "more knitting" });
    const received = await stream.received("update", (status) => status.id === id);
    assert.deepEqual(marks(received), [["knitting", "knitting"]]);
    const of = alice.rest.v1.filters.$select(filter.id);
    await of.update({ phrase: "crochet", context: ["home"] });
    assert.deepEqual(marks(await alice.rest.v1.statuses.$select(id).fetch()), []);
    await of.remove();
    await assert.rejects(of.fetch(), refused(404));
    assert.ok(!(await alice.rest.v2.filters.list()).some(({ title }) => title === "crochet"));
  });
});
