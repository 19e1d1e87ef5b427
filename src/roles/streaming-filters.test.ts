// How a listener's filters and blocked domains change the frames of their streams.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { assertEntity } from "../../test/schema.ts";
import { until } from "../../test/stream-client.ts";
import type { StreamClient } from "../../test/stream-client.ts";
import { streamingWorld } from "../../test/streaming-world.ts";
import { recordConversations } from "../domain/reading/conversations/record.ts";
import { publishStatus } from "../domain/reading/timelines/streams.ts";

const world = streamingWorld();

afterEach(async () => {
  await world.server.write`TRUNCATE filters, account_domain_blocks CASCADE`;
});

const filter = async (keyword: string, more: object = {}) => {
  const json = {
    title: "f",
    context: ["home"],
    keywords_attributes: [{ keyword }],
    ...more,
  };
  return world.bob.post("/api/v2/filters", json).ok();
};

const statusIn = async (client: StreamClient) => JSON.parse((await client.next()).payload!);

test("each listener's frame has the matches of that listener's filters", async () => {
  await filter("secret");
  const [bobs, alices] = [
    await world.listen(world.bob, { stream: "public" }),
    await world.listen(world.alice, { stream: "public" }),
  ];
  await world.publish(world.alice, "a SECRET thing");
  await world.publish(world.alice, "an open thing");
  const [first, second] = [await statusIn(bobs), await statusIn(bobs)];
  assertEntity("Status", first);
  assertEntity("FilterResult", first.filtered[0]);
  assert.deepEqual(first.filtered[0].keyword_matches, ["SECRET"]);
  assert.equal("filtered" in second, false);
  assert.equal("filtered" in (await statusIn(alices)), false);
});

test("one's own posts are not filtered, nor are reblogs of them", async () => {
  await filter("mine");
  const client = await world.listen(world.bob, { stream: "public" });
  const own = await world.publish(world.bob, "mine");
  assert.equal("filtered" in (await statusIn(client)), false);
  const boost = await world.reblog(world.alice, own.id);
  const home = await world.listen(world.bob, { stream: "user" });
  const { publishToUsers, statusEvent } = await import("../domain/reading/timelines/streams.ts");
  const event = statusEvent(world.server.app, boost, "update");
  await publishToUsers(world.server.app, [world.bob.accountId], event);
  assert.equal("filtered" in (await statusIn(home)), false);
});

test("a change of filters is an event on the user stream and counts from then on", async () => {
  const client = await world.listen(world.bob, { stream: "user" }, { stream: "public" });
  const created = await filter("later");
  const event = await client.next();
  assert.deepEqual([event.stream, event.event], [["user"], "filters_changed"]);
  await world.publish(world.alice, "see you later");
  assert.equal((await statusIn(client)).filtered.length, 1);
  await world.bob.delete(`/api/v2/filters/${created.id}`);
  assert.equal((await client.next()).event, "filters_changed");
  await world.publish(world.alice, "later again");
  assert.equal("filtered" in (await statusIn(client)), false);
});

test("the last status of a conversation is filtered as well", async () => {
  await world.bob.patch("/api/v2/notifications/policy", { for_private_mentions: "accept" });
  await filter("psst");
  const client = await world.listen(world.bob, { stream: "direct" });
  const view = await world.post(world.alice, "psst @bob", { visibility: "direct" });
  await recordConversations(world.server.app, [view]);
  const { event, payload } = await client.next();
  assert.equal(event, "conversation");
  const entity = JSON.parse(payload!);
  assertEntity("Conversation", entity);
  assert.deepEqual(entity.last_status.filtered[0].keyword_matches, ["psst"]);
  const { json } = await world.bob.get("/api/v1/conversations");
  assert.equal(json[0].id, entity.id);
});

test("nothing of a blocked domain is streamed, reblogged or not", async () => {
  const { app } = world.server;
  const client = await world.listen(world.bob, { stream: "public" });
  const block = (method: string) =>
    world.bob.send(method, "/api/v1/domain_blocks", { domain: "far.example" });
  const view = await world.post(world.alice, "hello");
  const far = { ...view, account: { ...view.account, domain: "far.example" } };
  await block("POST");
  await publishStatus(app, far, "update");
  await world.publish(world.alice, "mark");
  assert.match((await statusIn(client)).content, /mark/);
  await block("DELETE");
  await publishStatus(app, far, "update");
  assert.match((await statusIn(client)).content, /hello/);
  await until("nothing more", () => client.frames.length === 0);
});

test("a quote of a hidden account is not streamed; others get it with the quoted status", async () => {
  const { server, bob, alice } = world;
  const carol = await server.person("quoted_one");
  const quoted = await world.post(carol, "quote me", { quote_approval_policy: "public" });
  const client = await world.listen(bob, { stream: "public" });
  await world.publish(alice, "before", { quoted_status_id: quoted.id });
  const seen = await statusIn(client);
  assertEntity("Status", seen);
  assert.equal(seen.quote.quoted_status.id, quoted.id);
  const path = `/api/v1/accounts/${carol.accountId}`;
  await bob.post(`${path}/mute`);
  await world.publish(alice, "hidden", { quoted_status_id: quoted.id });
  await world.publish(alice, "mark");
  assert.match((await statusIn(client)).content, /mark/);
  await bob.post(`${path}/unmute`);
});
