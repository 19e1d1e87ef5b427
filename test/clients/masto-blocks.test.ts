// Blocks, mutes (also for a time), blocked servers, follow requests and removed followers, with the client
// library masto.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startPeer } from "../fake-peer.ts";
import type { FakePeer, PeerActor } from "../fake-peer.ts";
import { eventually, idsOf, pagesOf, refused, someone, startLiveServer } from "./live-server.ts";
import type { LiveServer, Someone } from "./live-server.ts";

let server: LiveServer;
let peer: FakePeer;
let eve: PeerActor;
let alice: Someone;
let bob: Someone;
let carol: Someone;

before(async () => {
  [server, peer] = await Promise.all([startLiveServer(), startPeer()]);
  eve = peer.actor("eve");
  alice = await someone(server, "alice");
  bob = await someone(server, "bob");
  carol = await someone(server, "carol");
});
after(async () => {
  await server?.close();
  await peer?.close();
});

const of = (who: Someone, other: { accountId: string }) =>
  who.rest.v1.accounts.$select(other.accountId);

const home = async (who: Someone) => idsOf(await who.rest.v1.timelines.home.list({ limit: 40 }));

const everywhere = async (who: Someone) => {
  const lists = await Promise.all([
    who.rest.v1.timelines.home.list({ limit: 40 }),
    who.rest.v1.timelines.public.list({ limit: 40 }),
    who.rest.v1.timelines.tag.$select("common").list({ limit: 40 }),
    who.rest.v1.notifications.list({ limit: 40 }).then((notes) => notes.map((n) => n.status!)),
  ]);
  return lists.map((list) => list.filter(Boolean).map(({ id }) => id));
};

describe("a block", () => {
  it("ends follows both ways, hides posts, and refuses new ones", async () => {
    await of(alice, bob).follow();
    await of(bob, alice).follow();
    const stream = await alice.listen((streaming) => streaming.public.subscribe());
    const { id } = await bob.rest.v1.statuses.create({ status: "@alice hello #common" });
    assert.equal((await stream.received("update")).id, id);
    await server.runJobs();
    assert.deepEqual(
      (await everywhere(alice)).map((ids) => ids.includes(id)),
      [true, true, true, true],
    );
    const relation = await of(alice, bob).block();
    assert.deepEqual([relation.blocking, relation.following], [true, false]);
    const [seen] = await bob.rest.v1.accounts.relationships.fetch({ id: [alice.accountId] });
    assert.deepEqual([seen!.following, seen!.followedBy, seen!.blockedBy], [false, false, true]);
    assert.deepEqual(
      (await everywhere(alice)).map((ids) => ids.includes(id)),
      [false, false, false, false],
    );
    await assert.rejects(of(bob, alice).follow(), refused(403));
    const own = await alice.rest.v1.statuses.create({ status: "without bob" });
    await assert.rejects(bob.rest.v1.statuses.$select(own.id).fetch(), refused(404));
    const later = await bob.rest.v1.statuses.create({ status: "@alice still here #common" });
    await server.runJobs();
    assert.ok(!(await everywhere(alice)).some((ids) => ids.includes(later.id)));
    const received = stream.events.map(({ payload }) => (payload as { id?: string }).id);
    assert.ok(!received.includes(later.id));
    assert.deepEqual(idsOf(await alice.rest.v1.blocks.list()), [bob.accountId]);
    assert.equal((await of(alice, bob).unblock()).blocking, false);
    assert.equal((await of(bob, alice).follow()).following, true);
    stream.close();
  });
});

describe("a mute", () => {
  it("for a time ends by the clock; with or without notifications", async () => {
    await of(alice, carol).follow();
    const relation = await of(alice, carol).mute({ notifications: false, duration: 600 });
    assert.deepEqual([relation.muting, relation.mutingNotifications], [true, false]);
    const [muted] = await alice.rest.v1.mutes.list();
    assert.equal(muted!.id, carol.accountId);
    assert.ok((muted as { muteExpiresAt?: string }).muteExpiresAt);
    const quiet = await carol.rest.v1.statuses.create({ status: "@alice quiet" });
    const note = await eventually("the mention", async () =>
      (await alice.rest.v1.notifications.list({ types: ["mention"] })).find(
        ({ status }) => status?.id === quiet.id,
      ),
    );
    assert.equal(note.account.id, carol.accountId);
    await server.runJobs();
    assert.ok(!(await home(alice)).includes(quiet.id));
    const updated = await of(alice, carol).mute({ notifications: true, duration: 600 });
    assert.equal(updated.mutingNotifications, true);
    assert.ok(
      !(await alice.rest.v1.notifications.list()).some(({ status }) => status?.id === quiet.id),
    );
    await server.advanceClock(601);
    assert.deepEqual(await alice.rest.v1.mutes.list(), []);
    const [after] = await alice.rest.v1.accounts.relationships.fetch({ id: [carol.accountId] });
    assert.deepEqual([after!.muting, after!.following], [false, true]);
    const loud = await carol.rest.v1.statuses.create({ status: "loud" });
    await eventually("the post at home", async () =>
      (await home(alice)).includes(loud.id) ? true : undefined,
    );
  });

  it("page by page", async () => {
    await of(alice, carol).unmute();
    for (const other of [bob, carol]) await of(alice, other).mute();
    const pages = await pagesOf(alice.rest.v1.mutes.list({ limit: 1 }));
    assert.deepEqual(pages.flatMap(idsOf), [carol.accountId, bob.accountId]);
    for (const other of [bob, carol]) await of(alice, other).unmute();
    assert.deepEqual(await alice.rest.v1.mutes.list(), []);
  });
});

describe("a server", () => {
  const send = async (activity: Record<string, unknown>) => {
    const whole = { "@context": "https://www.w3.org/ns/activitystreams", ...activity };
    const { status, text } = await peer.post(`${server.url}/inbox`, eve, whole);
    assert.equal(status, 202, text);
  };
  const note = (path: string) =>
    peer.note(eve, path, {
      published: new Date().toISOString(),
      content: '<p>from afar <a href="http://x.example/tags/common" rel="tag">#common</a></p>',
      tag: [
        { type: "Hashtag", name: "#common", href: `${peer.origin}/tags/common` },
        { type: "Mention", href: `${server.url}/users/alice`, name: "@alice" },
      ],
      cc: [`${server.url}/users/alice`],
    });

  it("that is blocked disappears with its people and posts, and follows end", async () => {
    const id = `${eve.uri}#follow`;
    await send({ id, type: "Follow", actor: eve.uri, object: `${server.url}/users/alice` });
    const object = note("/notes/1");
    await send({ id: `${eve.uri}#1`, type: "Create", actor: eve.uri, object });
    const arrived = await eventually("the post", async () =>
      (await alice.rest.v1.timelines.public.list()).find(({ uri }) => uri === object["id"]),
    );
    const account = { accountId: arrived.account.id };
    await of(alice, account).follow();
    await eventually("the follower", async () =>
      (await of(alice, alice).followers.list()).find(({ id }) => id === account.accountId),
    );
    await server.runJobs();
    await alice.rest.v1.domainBlocks.create({ domain: peer.host });
    assert.deepEqual(await alice.rest.v1.domainBlocks.list(), [peer.host]);
    const [relation] = await alice.rest.v1.accounts.relationships.fetch({
      id: [account.accountId],
    });
    assert.equal(relation!.domainBlocking, true);
    assert.ok(!(await everywhere(alice)).some((ids) => ids.includes(arrived.id)));
    assert.ok(idsOf(await bob.rest.v1.timelines.public.list()).includes(arrived.id));
    await server.runJobs();
    await eventually("the follows to end", async () => {
      const people = idsOf(await of(alice, alice).followers.list());
      const followed = idsOf(await of(alice, alice).following.list());
      return [...people, ...followed].includes(account.accountId) ? undefined : true;
    });
    await eventually("the refusal", () => peer.inbox().find(({ type }) => type === "Reject"));
    const again = note("/notes/2");
    await send({ id: `${eve.uri}#2`, type: "Create", actor: eve.uri, object: again });
    await eventually("the second post", async () =>
      (await bob.rest.v1.timelines.public.list()).find(({ uri }) => uri === again["id"]),
    );
    await server.runJobs();
    const statuses = await alice.rest.v1.timelines.public.list();
    assert.ok(!statuses.some(({ uri }) => uri === again["id"]));
    const notes = await alice.rest.v1.notifications.list();
    assert.ok(!notes.some(({ account: from }) => from.id === account.accountId));
    await alice.rest.v1.domainBlocks.remove({ domain: peer.host });
    assert.deepEqual(await alice.rest.v1.domainBlocks.list(), []);
    assert.ok(idsOf(await alice.rest.v1.timelines.public.list()).includes(arrived.id));
  });
});

describe("a follow request", () => {
  it("is listed, accepted or rejected, and notified", async () => {
    await alice.rest.v1.accounts.updateCredentials({ locked: true });
    await of(bob, alice).unfollow();
    const stream = await alice.listen((streaming) => streaming.user.notification.subscribe());
    for (const who of [bob, carol]) {
      const relation = await of(who, alice).follow();
      assert.deepEqual([relation.following, relation.requested], [false, true]);
      const received = await stream.received(
        "notification",
        (status) => status.account.id === who.accountId,
      );
      assert.equal(received.type, "follow_request");
    }
    const pages = await pagesOf(alice.rest.v1.followRequests.list({ limit: 1 }));
    assert.deepEqual(pages.flatMap(idsOf), [carol.accountId, bob.accountId]);
    const requests = alice.rest.v1.followRequests;
    assert.equal((await requests.$select(bob.accountId).authorize()).followedBy, true);
    assert.equal((await requests.$select(carol.accountId).reject()).followedBy, false);
    assert.deepEqual(await requests.list(), []);
    const [yes] = await bob.rest.v1.accounts.relationships.fetch({ id: [alice.accountId] });
    const [no] = await carol.rest.v1.accounts.relationships.fetch({ id: [alice.accountId] });
    assert.deepEqual([yes!.following, no!.following, no!.requested], [true, false, false]);
    await assert.rejects(requests.$select(carol.accountId).authorize(), refused(404));
    await of(alice, bob).removeFromFollowers();
    assert.deepEqual(await of(alice, alice).followers.list(), []);
    stream.close();
  });
});
