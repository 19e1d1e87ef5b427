// The client library megalodon against a live server: it finds out what the server is, and walks through
// posting, reading, notifications, push, uploads and streams.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import generator, { detector } from "megalodon";
import type { Entity, MegalodonInterface, WebSocketInterface } from "megalodon";
import { makeReceiver, startPushService } from "../push-service.ts";
import type { PushService } from "../push-service.ts";
import { eventually, startLiveServer } from "./live-server.ts";
import type { LiveServer } from "./live-server.ts";

let server: LiveServer;
let service: PushService;
type Someone = { api: MegalodonInterface; id: string };
let alice: Someone;
let bob: Someone;

const someone = async (name: string): Promise<Someone> => {
  const { token, accountId } = await server.person(name);
  return { api: generator("mastodon", server.url, token, "test"), id: accountId };
};

before(async () => {
  server = await startLiveServer();
  service = await startPushService();
  [alice, bob] = [await someone("alice"), await someone("bob")];
});
after(async () => {
  await service?.close();
  await server?.close();
});

const post = async (who: Someone, text: string, options = {}): Promise<Entity.Status> =>
  (await who.api.postStatus(text, options)).data as Entity.Status;

const ids = ({ data }: { data: { id: string }[] }): string[] => data.map(({ id }) => id);

it("recognises the server, and registers an app", async () => {
  assert.equal(await detector(server.url), "mastodon");
  const visitor = generator("mastodon", server.url);
  const app = await visitor.registerApp("megalodon", { scopes: ["read"] });
  assert.ok(app.client_id && app.client_secret);
  assert.match(app.url!, /\/oauth\/authorize\?/);
  const { data: instance } = await visitor.getInstance();
  assert.ok(instance.configuration.statuses.max_characters >= 500);
  assert.equal((await alice.api.verifyAccountCredentials()).data.id, alice.id);
});

describe("posts", () => {
  it("are written, edited, marked, answered, read and deleted", async () => {
    const status = await post(alice, "first #megalodon", { spoiler_text: "w", language: "en" });
    const edited = await alice.api.editStatus(status.id, { status: "first, edited #megalodon" });
    assert.match(edited.data.content, /edited/);
    assert.equal((await bob.api.favouriteStatus(status.id)).data.favourited, true);
    assert.equal((await bob.api.reblogStatus(status.id)).data.reblog!.id, status.id);
    assert.equal((await bob.api.bookmarkStatus(status.id)).data.bookmarked, true);
    assert.deepEqual(ids(await bob.api.getBookmarks()), [status.id]);
    assert.deepEqual(ids(await alice.api.getStatusFavouritedBy(status.id)), [bob.id]);
    const answer = await post(bob, "@alice yes", { in_reply_to_id: status.id });
    const { data: context } = await alice.api.getStatusContext(status.id);
    assert.deepEqual(ids({ data: context.descendants }), [answer.id]);
    assert.ok(ids(await alice.api.getTagTimeline("megalodon")).includes(status.id));
    const poll = await post(alice, "which?", { poll: { options: ["a", "b"], expires_in: 600 } });
    const voted = await bob.api.votePoll(poll.poll!.id, [1], poll.id);
    assert.equal(voted.data.votes_count, 1);
    await alice.api.deleteStatus(poll.id);
    await assert.rejects(alice.api.getStatus(poll.id), /404/);
  });

  it("reach followers' home pages", async () => {
    assert.equal((await bob.api.followAccount(alice.id)).data.following, true);
    const status = await post(alice, "for the followers", { visibility: "private" });
    await eventually("the post", async () =>
      ids(await bob.api.getHomeTimeline({ limit: 5 })).includes(status.id) ? true : undefined,
    );
    const { data: list } = await bob.api.createList("friends");
    await bob.api.addAccountsToList(list.id, [alice.id]);
    assert.deepEqual(ids(await bob.api.getAccountsInList(list.id)), [alice.id]);
  });
});

describe("what is live", () => {
  it("notifications: listed, one, dismissed; markers", async () => {
    const status = await post(bob, "@alice look");
    await server.runJobs();
    const { data: listed } = await alice.api.getNotifications({ exclude_types: ["follow"] });
    const mention = listed.find((n) => n.type === "mention" && n.status!.id === status.id)!;
    assert.equal((await alice.api.getNotification(mention.id)).data.account!.id, bob.id);
    await alice.api.dismissNotification(mention.id);
    assert.deepEqual(ids(await alice.api.getNotifications({ account_id: alice.id })), []);
    const { data: rest } = await alice.api.getNotifications();
    assert.ok(!rest.some(({ id }) => id === mention.id));
    const last = rest[0]!.id;
    await alice.api.saveMarkers({ notifications: { last_read_id: last } });
    const { data: markers } = await alice.api.getMarkers(["notifications"]);
    assert.equal((markers as Entity.Marker).notifications!.last_read_id, last);
    await alice.api.dismissNotifications();
    assert.deepEqual(ids(await alice.api.getNotifications()), []);
  });

  it("push: subscribed, sent, ended", async () => {
    const receiver = makeReceiver();
    const subscription = { endpoint: `${service.origin}/push/7`, keys: receiver.keys };
    const data = { alerts: { mention: true } };
    const subscribed = await alice.api.subscribePushNotification(subscription, data);
    assert.equal(subscribed.data.endpoint, subscription.endpoint);
    await post(bob, "@alice by push");
    await server.runJobs();
    await eventually("the message", () => service.received[0]);
    assert.equal((await alice.api.getPushSubscription()).data.alerts.mention, true);
    const changed = await alice.api.updatePushSubscription({ alerts: { poll: true } });
    assert.equal(changed.data.alerts.poll, true);
    await alice.api.deletePushSubscription();
    await assert.rejects(alice.api.getPushSubscription(), /404/);
  });

  it("streams: posts, notifications and deletes arrive over the WebSocket", async () => {
    const stream = await alice.api.userStreaming();
    const seen: string[] = [];
    const connected = Promise.withResolvers<void>();
    stream.on("connect", () => connected.resolve());
    stream.on("update", (status: Entity.Status) => seen.push(`update ${status.id}`));
    stream.on("notification", (n: Entity.Notification) => seen.push(`notification ${n.type}`));
    stream.on("delete", (id: string) => seen.push(`delete ${id}`));
    stream.on("error", (error: Error) => seen.push(`error ${error.message}`));
    await connected.promise;
    await alice.api.followAccount(bob.id);
    const status = await post(bob, "@alice live");
    const has = (text: string) => eventually(text, () => seen.includes(text) || undefined);
    await has(`update ${status.id}`);
    await has("notification mention");
    await bob.api.deleteStatus(status.id);
    await has(`delete ${status.id}`);
    stream.stop();
  });

  it("streams: public, local, of a tag, of a list, direct; an edit", async () => {
    const { data: list } = await alice.api.createList("streamed");
    await alice.api.addAccountsToList(list.id, [bob.id]);
    const seen: string[] = [];
    const streams: WebSocketInterface[] = [];
    const listen = async (name: string, opening: Promise<WebSocketInterface>): Promise<void> => {
      const stream = await opening;
      streams.push(stream);
      stream.on("update", ({ id }: Entity.Status) => seen.push(`${name} ${id}`));
      stream.on("status_update", ({ id }: Entity.Status) => seen.push(`${name} edit ${id}`));
      stream.on("conversation", ({ last_status: last }: Entity.Conversation) =>
        seen.push(`${name} conversation ${last!.id}`),
      );
      await new Promise<void>((resolve) => stream.on("connect", () => resolve()));
    };
    await listen("public", alice.api.publicStreaming());
    await listen("local", alice.api.localStreaming());
    await listen("tag", alice.api.tagStreaming("megalodons"));
    await listen("list", alice.api.listStreaming(list.id));
    await listen("direct", alice.api.directStreaming());
    const status = await post(bob, "#megalodons", { visibility: "public" });
    const has = (text: string) => eventually(text, () => seen.includes(text) || undefined);
    const names = ["public", "local", "tag", "list"];
    await Promise.all(names.map((name) => has(`${name} ${status.id}`)));
    await bob.api.editStatus(status.id, { status: "#megalodons, edited" });
    await Promise.all(names.map((name) => has(`${name} edit ${status.id}`)));
    const secret = await post(bob, "@alice psst", { visibility: "direct" });
    await has(`direct conversation ${secret.id}`);
    for (const stream of streams) stream.stop();
    const { data: conversations } = await alice.api.getConversationTimeline();
    assert.equal(conversations[0]!.last_status!.id, secret.id);
    const { id } = conversations[0]!;
    assert.equal((await alice.api.readConversation(id)).data.unread, false);
    await alice.api.deleteConversation(id);
    assert.ok(!ids(await alice.api.getConversationTimeline()).includes(id));
  });
});
