// Grouped notifications, the policy and requests with the client library masto, against a live server.

import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { someone, startLiveServer } from "./live-server.ts";
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
