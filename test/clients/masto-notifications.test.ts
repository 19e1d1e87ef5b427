// Notifications of both versions, the policy and requests, push and streams with the client library masto, against a
// live server.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { picture } from "../files.ts";
import { makeReceiver, startPushService } from "../push-service.ts";
import { idsOf, pagesOf, refused, someone, startLiveServer } from "./live-server.ts";
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

it("shows two favourites as one group, whose people are listed, and dismisses it", async () => {
  const post = await alice.rest.v1.statuses.create({ status: "hello" });
  for (const fan of [bob, carol]) await fan.rest.v1.statuses.$select(post.id).favourite();
  await server.runJobs();
  const page = await alice.rest.v2.notifications.list({ expandAccounts: "partial_avatars" });
  const [group] = page.notificationGroups;
  assert.equal(group!.type, "favourite");
  assert.equal(group!.notificationsCount, 2);
  assert.deepEqual(
    [...group!.sampleAccountIds].toSorted(),
    [bob.accountId, carol.accountId].toSorted(),
  );
  assert.equal(page.accounts.length, 1);
  assert.equal(page.statuses[0]!.id, post.id);
  assert.equal((await alice.rest.v2.notifications.unreadCount.fetch()).count, 1);
  const selected = alice.rest.v2.notifications.$select(group!.groupKey);
  assert.equal((await selected.fetch()).notificationGroups[0]!.notificationsCount, 2);
  assert.equal((await selected.accounts.fetch()).length, 2);
  await selected.dismiss();
  assert.deepEqual((await alice.rest.v2.notifications.list()).notificationGroups, []);
});

it("filters strangers by the policy, until their request is accepted", async () => {
  const changed = await alice.rest.v2.notifications.policy.update({ forNotFollowing: "filter" });
  assert.equal(changed.forNotFollowing, "filter");
  await bob.rest.v1.statuses.create({ status: "@alice are you there?" });
  await server.runJobs();
  assert.deepEqual(await alice.rest.v1.notifications.list(), []);
  const { summary } = await alice.rest.v2.notifications.policy.fetch();
  assert.deepEqual(summary, { pendingRequestsCount: 1, pendingNotificationsCount: 1 });
  const [request] = await alice.rest.v1.notifications.requests.list();
  assert.equal(request!.account.id, bob.accountId);
  await alice.rest.v1.notifications.requests.$select(request!.id).accept();
  const [mention] = await alice.rest.v1.notifications.list();
  assert.equal(mention!.type, "mention");
  assert.deepEqual(await alice.rest.v1.notifications.requests.list(), []);
});

it("pages, filters and counts in the first version; one is read and dismissed, all are cleared", async () => {
  await alice.rest.v1.notifications.clear();
  await alice.rest.v2.notifications.policy.update({ forNotFollowing: "accept" });
  const post = await alice.rest.v1.statuses.create({ status: "again" });
  for (const fan of [bob, carol]) {
    await fan.rest.v1.statuses.$select(post.id).favourite();
    await fan.rest.v1.statuses.create({ status: "@alice hello" });
    await server.runJobs();
  }
  const { notifications } = alice.rest.v1;
  const pages = await pagesOf(notifications.list({ limit: 2 }));
  assert.deepEqual(
    pages.flat().map(({ type }) => type),
    ["mention", "favourite", "mention", "favourite"],
  );
  assert.ok(pages.length >= 2);
  const mentions = await notifications.list({ types: ["mention"] });
  assert.equal(mentions.length, 2);
  const others = await notifications.list({ excludeTypes: ["mention"], accountId: bob.accountId });
  assert.deepEqual(idsOf(others), [pages.flat()[3]!.id]);
  assert.equal((await notifications.unreadCount.fetch({ types: ["favourite"] })).count, 2);
  const [newest] = mentions;
  assert.equal((await notifications.$select(newest!.id).fetch()).account.id, carol.accountId);
  await notifications.$select(newest!.id).dismiss();
  await assert.rejects(async () => notifications.$select(newest!.id).fetch(), refused(404));
  await alice.rest.v1.markers.create({ notifications: { lastReadId: pages.flat()[0]!.id } });
  assert.equal((await notifications.unreadCount.fetch()).count, 0);
  await notifications.clear();
  assert.deepEqual(await notifications.list(), []);
});

it("dismisses and accepts requests, one and several, and hears when they are merged", async () => {
  const { policy } = alice.rest.v2.notifications;
  const all = {
    forNotFollowing: "filter",
    forNotFollowers: "filter",
    forNewAccounts: "drop",
    forPrivateMentions: "filter",
    forLimitedAccounts: "drop",
  } as const;
  const set = await policy.update(all);
  assert.deepEqual({ ...set, ...all }, set);
  const accepting = Object.fromEntries(Object.keys(all).map((name) => [name, "accept"]));
  await policy.update({ ...accepting, forNotFollowing: "filter" });
  const dave = await someone(server, "dave");
  const erin = await someone(server, "erin");
  for (const who of [dave, erin]) await who.rest.v1.statuses.create({ status: "@alice psst" });
  await server.runJobs();
  const { requests } = alice.rest.v1.notifications;
  const [ofErin, ofDave] = await requests.list();
  assert.deepEqual([ofErin!.account.id, ofDave!.account.id], [erin.accountId, dave.accountId]);
  assert.equal((await requests.$select(ofDave!.id).fetch()).lastStatus!.account.id, dave.accountId);
  const ear = await alice.listen((streaming) => streaming.user.notification.subscribe());
  await requests.$select(ofDave!.id).dismiss();
  await requests.$select(ofErin!.id).accept();
  await server.runJobs();
  await ear.received("notifications_merged");
  ear.close();
  assert.equal((await requests.merged.fetch()).merged, true);
  const left = await alice.rest.v1.notifications.list();
  assert.deepEqual(
    left.map(({ account }) => account.id),
    [erin.accountId],
  );
  const frank = await someone(server, "frank");
  for (const act of ["accept", "dismiss"] as const) {
    for (const who of [dave, frank]) await who.rest.v1.statuses.create({ status: "@alice again" });
    await server.runJobs();
    const waiting = idsOf(await requests.list());
    assert.equal(waiting.length, act === "accept" ? 2 : 0, "who was accepted stays accepted");
    // The library's types know no parameters of them.
    await requests[act]({ id: waiting } as never);
    await server.runJobs();
    assert.deepEqual(await requests.list(), []);
  }
});

it("streams notifications, and posts to the streams that are listened to", async () => {
  await alice.rest.v2.notifications.policy.update({ forNotFollowing: "accept" });
  const list = await alice.rest.v1.lists.create({ title: "friends" });
  await alice.rest.v1.accounts.$select(bob.accountId).follow();
  await alice.rest.v1.lists.$select(list.id).accounts.create({ accountIds: [bob.accountId] });
  await server.runJobs();
  const [notification, user, open, hashtag, ofList, direct] = await Promise.all([
    alice.listen((streaming) => streaming.user.notification.subscribe()),
    alice.listen((streaming) => streaming.user.subscribe()),
    alice.listen((streaming) => streaming.public.local.subscribe()),
    alice.listen((streaming) => streaming.hashtag.subscribe({ tag: "Nests" })),
    alice.listen((streaming) => streaming.list.subscribe({ list: list.id })),
    alice.listen((streaming) => streaming.direct.subscribe()),
  ]);
  const ears = { notification, user, public: open, hashtag, list: ofList, direct };
  const status = "@alice look #nests";
  const post = await bob.rest.v1.statuses.create({ status, visibility: "public" });
  await server.runJobs();
  for (const name of ["user", "public", "hashtag", "list"] as const) {
    assert.equal((await ears[name].received("update")).id, post.id, name);
  }
  for (const name of ["user", "notification"] as const) {
    const { type, account } = await ears[name].received("notification");
    assert.deepEqual([type, account.id], ["mention", bob.accountId], name);
  }
  const secret = await bob.rest.v1.statuses.create({ status: "@alice psst", visibility: "direct" });
  await server.runJobs();
  assert.equal((await ears.direct.received("conversation")).lastStatus.id, secret.id);
  assert.deepEqual(
    ears.notification.events.map(({ event }) => event),
    ["notification", "notification"],
  );
  for (const ear of Object.values(ears)) ear.close();
});

it("streams posts with pictures to the streams of media, and local ones with a tag", async () => {
  const [media, localMedia, localTag] = await Promise.all([
    alice.listen((streaming) => streaming.public.media.subscribe()),
    alice.listen((streaming) => streaming.public.local.media.subscribe()),
    alice.listen((streaming) => streaming.hashtag.local.subscribe({ tag: "Eggs" })),
  ]);
  await bob.rest.v1.statuses.create({ status: "no picture" });
  const file = new Blob([new Uint8Array(await picture("png"))], { type: "image/png" });
  const { id } = await bob.rest.v2.media.create({ file });
  const post = await bob.rest.v1.statuses.create({ status: "#eggs", mediaIds: [id] });
  await server.runJobs();
  for (const ear of [media, localMedia, localTag]) {
    await ear.received("update");
    assert.deepEqual(
      ear.events.map(({ payload }) => (payload as { id: string }).id),
      [post.id],
    );
    ear.close();
  }
});

it("subscribes to push, gets what it chose, changes its choice and ends it", async () => {
  const service = await startPushService();
  try {
    const receiver = makeReceiver();
    const { subscription } = alice.rest.v1.push;
    await assert.rejects(async () => subscription.fetch(), refused(404));
    const subscribed = await subscription.create({
      subscription: { endpoint: `${service.origin}/push/9`, keys: receiver.keys, standard: true },
      data: { alerts: { mention: true, favourite: false }, policy: "all" },
    } as never);
    assert.equal(subscribed.alerts.mention, true);
    const post = await alice.rest.v1.statuses.create({ status: "pushed" });
    await bob.rest.v1.statuses.$select(post.id).favourite();
    await bob.rest.v1.statuses.create({ status: "@alice by push" });
    await server.runJobs();
    assert.equal(service.received.length, 1);
    const message = receiver.read(service.received[0]!);
    assert.equal(message.notification_type, "mention");
    const { id } = (await alice.rest.v1.notifications.list({ limit: 1 }))[0]!;
    assert.equal(String(message.notification_id), id);
    const changed = await subscription.update({ data: { alerts: { favourite: true } } } as never);
    assert.equal(changed.alerts.favourite, true);
    assert.equal((await subscription.fetch()).endpoint, `${service.origin}/push/9`);
    await carol.rest.v1.statuses.$select(post.id).favourite();
    await server.runJobs();
    assert.equal(receiver.read(service.received[1]!).notification_type, "favourite");
    await subscription.remove();
    await assert.rejects(async () => subscription.fetch(), refused(404));
  } finally {
    await service.close();
  }
});
