// Polls, scheduled posts, muted threads, several ids, versions, favourites and bookmarks, with the client
// library masto.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { mastodon } from "masto";
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
  await bob.rest.v1.accounts.$select(alice.accountId).follow();
});
after(() => server?.close());

const inSeconds = (seconds: number) =>
  new Date(server.app.clock.now().getTime() + seconds * 1000).toISOString();

describe("a poll's life", () => {
  let status: mastodon.v1.Status;
  let pollOf: ReturnType<mastodon.rest.Client["v1"]["polls"]["$select"]>;

  it("is posted with its question, and is in the followers' timeline", async () => {
    status = await alice.rest.v1.statuses.create({
      status: "Which?",
      poll: {
        options: ["cats", "dogs", "birds"],
        expiresIn: 300,
        multiple: true,
        hideTotals: true,
      },
    });
    const poll = status.poll!;
    assert.deepEqual([poll.multiple, poll.expired, poll.votesCount], [true, false, 0]);
    pollOf = bob.rest.v1.polls.$select(poll.id);
    const seen = await eventually("the poll at home", async () =>
      (await bob.rest.v1.timelines.home.list()).find(({ id }) => id === status.id),
    );
    assert.deepEqual(
      seen.poll!.options.map(({ title, votesCount }) => [title, votesCount]),
      [
        ["cats", null],
        ["dogs", null],
        ["birds", null],
      ],
    );
    assert.equal(seen.poll!.voted, false);
  });

  it("accepts one vote per person, not from its author, only for its options", async () => {
    await assert.rejects(pollOf.votes.create({ choices: [7] }), refused(422));
    const voted = await pollOf.votes.create({ choices: [0, 2] });
    assert.deepEqual([voted.votesCount, voted.votersCount], [2, 1]);
    assert.deepEqual([voted.voted, voted.ownVotes], [true, [0, 2]]);
    await assert.rejects(pollOf.votes.create({ choices: [1] }), refused(422, /already voted/));
    const own = alice.rest.v1.polls.$select(status.poll!.id);
    await assert.rejects(own.votes.create({ choices: [1] }), refused(422));
    const anonymous = await clientOf(server).v1.polls.$select(status.poll!.id).fetch();
    assert.equal(anonymous.votesCount, 2);
    assert.equal(anonymous.options[0]!.votesCount, null);
    await carol.rest.v1.polls.$select(status.poll!.id).votes.create({ choices: [0] });
  });

  it("shows its voter their vote, wherever the status is read", async () => {
    const selected = await bob.rest.v1.statuses.$select(status.id).fetch();
    const home = await bob.rest.v1.timelines.home.list();
    const listed = await bob.rest.v1.accounts.$select(alice.accountId).statuses.list();
    for (const status of [selected, home[0]!, listed[0]!]) {
      assert.deepEqual([status.poll!.ownVotes, status.poll!.votersCount], [[0, 2], 2]);
    }
  });

  it("ends: voters and author are notified, and the figures are shown", async () => {
    const stream = await bob.listen((streaming) => streaming.user.subscribe());
    await server.advanceClock(301);
    const received = await stream.received("notification", ({ type }) => type === "poll");
    assert.equal(received.status.id, status.id);
    stream.close();
    for (const who of [alice, bob, carol]) {
      const [note] = await eventually("the notification", async () => {
        const notifications = await who.rest.v1.notifications.list({ types: ["poll"] });
        return notifications.length > 0 ? notifications : undefined;
      });
      assert.equal(note!.status!.poll!.expired, true);
      assert.deepEqual(
        note!.status!.poll!.options.map(({ votesCount }) => votesCount),
        [2, 0, 1],
      );
    }
    await assert.rejects(pollOf.votes.create({ choices: [1] }), refused(422, /ended/));
  });
});

describe("scheduled posts", () => {
  const schedule = (text: string) =>
    alice.rest.v1.statuses.create({
      status: text,
      visibility: "unlisted",
      spoilerText: "later",
      scheduledAt: inSeconds(310),
    }) as unknown as Promise<mastodon.v1.ScheduledStatus>;

  it("are listed in pages, moved and cancelled", async () => {
    const ids: string[] = [];
    for (const text of ["one", "two", "three"]) ids.push((await schedule(text)).id);
    const pages = await pagesOf(alice.rest.v1.scheduledStatuses.list({ limit: 2 }));
    assert.deepEqual(pages.slice(0, 2).map(idsOf), [ids.slice(1).toReversed(), [ids[0]]]);
    const scheduled = alice.rest.v1.scheduledStatuses.$select(ids[0]!);
    const at = inSeconds(3600);
    assert.equal((await scheduled.update({ scheduledAt: at })).scheduledAt, at);
    const { params } = await scheduled.fetch();
    assert.deepEqual(
      [params.text, params.visibility, params.spoilerText],
      ["one", "unlisted", "later"],
    );
    const soon = inSeconds(1);
    await assert.rejects(scheduled.update({ scheduledAt: soon }), refused(422));
    await assert.rejects(bob.rest.v1.scheduledStatuses.$select(ids[0]!).fetch(), refused(404));
    for (const id of ids) await alice.rest.v1.scheduledStatuses.$select(id).remove();
    assert.deepEqual(await alice.rest.v1.scheduledStatuses.list(), []);
    await assert.rejects(scheduled.fetch(), refused(404));
  });

  it("come on time, once, and to the followers", async () => {
    await schedule("now it is time");
    await server.runJobs();
    assert.equal((await bob.rest.v1.timelines.home.list())[0]?.content, "<p>Which?</p>");
    await server.advanceClock(311);
    const seen = await eventually("the post at home", async () =>
      (await bob.rest.v1.timelines.home.list()).find(({ content }) => /is time/.test(content)),
    );
    assert.deepEqual([seen.visibility, seen.spoilerText], ["unlisted", "later"]);
    assert.deepEqual(await alice.rest.v1.scheduledStatuses.list(), []);
  });
});

describe("own and others' posts", () => {
  it("a muted thread sends no more notifications", async () => {
    const root = await alice.rest.v1.statuses.create({ status: "a long thread" });
    const rootOf = alice.rest.v1.statuses.$select(root.id);
    assert.equal((await rootOf.mute()).muted, true);
    const reply = { status: "@alice loud", inReplyToId: root.id };
    const answer = await bob.rest.v1.statuses.create(reply);
    const context = await rootOf.context.fetch();
    assert.equal(context.descendants[0]!.muted, true);
    await server.runJobs();
    assert.equal((await rootOf.unmute()).muted, false);
    const received = await bob.rest.v1.statuses.create({ ...reply, status: "@alice again" });
    const notes = await eventually("the mention", async () => {
      const notifications = await alice.rest.v1.notifications.list({ types: ["mention"] });
      return notifications.some(({ status }) => status?.id === received.id)
        ? notifications
        : undefined;
    });
    assert.ok(!notes.some(({ status }) => status?.id === answer.id));
  });

  it("several at once, without those that the viewer may not see", async () => {
    const open = await alice.rest.v1.statuses.create({ status: "open" });
    const shut = await alice.rest.v1.statuses.create({ status: "shut", visibility: "direct" });
    const id = [open.id, shut.id, "1"];
    const seen = await bob.rest.v1.statuses.fetch({ id });
    assert.deepEqual(idsOf(seen), [open.id]);
    assert.deepEqual(idsOf(await alice.rest.v1.statuses.fetch({ id })).toSorted(), [
      open.id,
      shut.id,
    ]);
  });

  it("an edit stores the versions, with their polls, and notifies people who boosted", async () => {
    const poll = { options: ["a", "b"], expiresIn: 600 };
    const { id } = await alice.rest.v1.statuses.create({ status: "first", poll });
    const of = alice.rest.v1.statuses.$select(id);
    await bob.rest.v1.statuses.$select(id).reblog();
    await of.update({ status: "second", poll: { options: ["a", "c"], expiresIn: 600 } });
    const history = await bob.rest.v1.statuses.$select(id).history.list();
    type Version = mastodon.v1.StatusEdit & { poll?: { options: { title: string }[] } };
    assert.deepEqual(
      history.map(({ content, poll: version }: Version) => [
        content,
        ...(version?.options ?? []).map(({ title }) => title),
      ]),
      [
        ["<p>first</p>", "a", "b"],
        ["<p>second</p>", "a", "c"],
      ],
    );
    const note = await eventually("the update", async () =>
      (await bob.rest.v1.notifications.list({ types: ["update"] })).at(0),
    );
    assert.equal(note.status!.content, "<p>second</p>");
    await assert.rejects(
      bob.rest.v1.statuses.$select(id).update({ status: "mine now" }),
      refused(404),
    );
    await of.update({ status: "third", spoilerText: "mild" });
    await assert.rejects(of.update({ status: "" }), refused(422));
    const bare = await of.update({ status: "", spoilerText: "stronger" });
    assert.deepEqual([bare.content, bare.spoilerText], ["<p>stronger</p>", ""]);
  });

  it("favourites and bookmarks come page by page, down and up", async () => {
    const ids: string[] = [];
    for (const text of ["p1", "p2", "p3", "p4", "p5"]) {
      const { id } = await alice.rest.v1.statuses.create({ status: text });
      await carol.rest.v1.statuses.$select(id).favourite();
      await carol.rest.v1.statuses.$select(id).bookmark();
      ids.push(id);
    }
    for (const marks of [carol.rest.v1.favourites, carol.rest.v1.bookmarks]) {
      const pages = await pagesOf(marks.list({ limit: 2 }));
      assert.deepEqual(pages.flatMap(idsOf), ids.toReversed());
      const up = await pagesOf(marks.list({ limit: 2, minId: "0" }).setDirection("prev"));
      assert.deepEqual(up.toReversed().flatMap(idsOf), ids.toReversed());
    }
    const who = carol.rest.v1.statuses.$select(ids[0]!);
    await bob.rest.v1.statuses.$select(ids[0]!).favourite();
    const fans = await pagesOf(who.favouritedBy.list({ limit: 1 } as never));
    assert.deepEqual(fans.flatMap(idsOf), [bob.accountId, carol.accountId]);
  });

  it("a deletion removes favourites, boosts and notifications too", async () => {
    const { id } = await alice.rest.v1.statuses.create({ status: "soon gone" });
    const of = bob.rest.v1.statuses.$select(id);
    await of.favourite();
    const boost = await of.reblog();
    await eventually("both notifications", async () => {
      const notes = await alice.rest.v1.notifications.list({ types: ["favourite", "reblog"] });
      return notes.filter(({ status }) => status?.id === id).length === 2 ? true : undefined;
    });
    assert.equal((await alice.rest.v1.statuses.$select(id).remove()).text, "soon gone");
    await assert.rejects(of.fetch(), refused(404));
    await assert.rejects(bob.rest.v1.statuses.$select(boost.id).fetch(), refused(404));
    assert.ok(!idsOf(await bob.rest.v1.favourites.list()).includes(id));
    const notes = await alice.rest.v1.notifications.list();
    assert.ok(!notes.some(({ status }) => status?.id === id));
  });
});
