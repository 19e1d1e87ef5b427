// Which events go to which stream, and to which listeners.

import assert from "node:assert/strict";
import { test } from "node:test";
import type { Person } from "../../test/harness.ts";
import { assertEntity } from "../../test/schema.ts";
import { until } from "../../test/stream-client.ts";
import type { StreamClient } from "../../test/stream-client.ts";
import { streamingWorld } from "../../test/streaming-world.ts";
import { recordConversations } from "../domain/reading/conversations/record.ts";
import { relationsChanged } from "../domain/people/relationships/changed.ts";
import { notify } from "../domain/reading/notifications/notify.ts";
import { userChannel } from "../domain/people/accounts/own-stream.ts";
import {
  publishDeletes,
  publishStatus,
  publishToUsers,
  statusEvent,
} from "../domain/reading/timelines/streams.ts";

const world = streamingWorld();

test("public streams have original public posts; hashtags have replies too", async () => {
  const client = await world.listen(
    world.bob,
    { stream: "public" },
    { stream: "hashtag", tag: "kinds" },
  );
  const root = await world.publish(world.bob, "root");
  await world.publish(world.alice, "reply #kinds", { in_reply_to_id: root.id });
  await world.publish(world.alice, "quiet #kinds", { visibility: "unlisted" });
  await world.publish(world.alice, "closed #kinds", { visibility: "private" });
  const reblog = await world.reblog(world.alice, root.id);
  await publishStatus(world.server.app, reblog, "update");
  await client.settle();
  assert.deepEqual(
    client.frames.map((frame) => [frame.stream, JSON.parse(frame.payload!).content]),
    [
      [["public"], "<p>root</p>"],
      [["hashtag", "kinds"], client.frames[1] && JSON.parse(client.frames[1].payload!).content],
    ],
  );
  assert.match(JSON.parse(client.frames[1]!.payload!).content, /reply/);
});

test("nothing of a limited or suspended account is on public streams", async () => {
  const { app } = world.server;
  const client = await world.listen(
    world.bob,
    { stream: "public" },
    { stream: "hashtag", tag: "shown" },
  );
  for (const column of ["silenced_at", "suspended_at"]) {
    const view = await world.post(world.alice, "not #shown");
    const account = { ...view.account, [column]: new Date() };
    await publishStatus(app, { ...view, account }, "update");
  }
  await client.settle();
  assert.deepEqual(client.frames, []);
});

test("remote posts and posts with media go to their streams", async () => {
  const view = await world.post(world.alice, "a picture");
  const media = {
    id: "1",
    type: "image" as const,
    url: "https://far.example/a.png",
    remote_url: null,
    description: null,
    blurhash: null,
    meta: {},
  };
  const far = { ...view, local: false, media: [media] } as unknown as typeof view;
  const client = await world.listen(
    world.bob,
    ...["public", "public:local", "public:remote"].flatMap((stream) => [
      { stream },
      { stream: `${stream}:media` },
    ]),
  );
  await publishStatus(world.server.app, far, "update");
  await client.settle();
  assert.deepEqual(client.frames.map((frame) => frame.stream![0]).sort(), [
    "public",
    "public:media",
    "public:remote",
    "public:remote:media",
  ]);
});

test("edits are status.update, deletions carry the id as plain text", async () => {
  const client = await world.listen(
    world.bob,
    { stream: "public:local" },
    { stream: "hashtag", tag: "fin" },
  );
  const view = await world.post(world.alice, "the end #fin");
  await publishStatus(world.server.app, view, "status.update");
  const removed = { ...view, reblogOfId: null, tags: ["fin"] };
  await publishDeletes(world.server.app, [
    { ...removed, channels: [userChannel(world.bob.accountId)] },
  ]);
  await client.settle();
  assert.deepEqual(
    client.frames.map(({ stream, event }) => [stream, event]),
    [
      [["public:local"], "status.update"],
      [["hashtag", "fin"], "status.update"],
      [["public:local"], "delete"],
      [["hashtag", "fin"], "delete"],
    ],
  );
  assert.equal(client.frames[2]!.payload, view.id);
});

test("a deletion that is not public goes only to home streams", async () => {
  const client = await world.listen(world.bob, { stream: "public" }, { stream: "user" });
  const view = await world.post(world.alice, "secret", { visibility: "private" });
  const removed = {
    ...view,
    reblogOfId: null,
    tags: [],
    channels: [userChannel(world.bob.accountId)],
  };
  await publishDeletes(world.server.app, [removed]);
  await client.settle();
  assert.deepEqual(client.frames, [{ stream: ["user"], event: "delete", payload: view.id }]);
});

test("a notification is streamed by its job, as the list has it", async () => {
  const client = await world.listen(world.bob, { stream: "user:notification" });
  const { app } = world.server;
  await world.server.write`
    INSERT INTO follows (account_id, target_account_id) VALUES (${world.alice.accountId}, ${world.bob.accountId})
  `;
  const happening = {
    accountId: world.bob.accountId,
    fromId: world.alice.accountId,
    type: "follow" as const,
  };
  await notify(app, app.sql, [happening]);
  await world.server.runJobs();
  const frame = await client.next();
  assert.equal(frame.event, "notification");
  const entry = JSON.parse(frame.payload!);
  assertEntity("Notification", entry);
  const listed = await world.bob.get("/api/v1/notifications");
  assert.deepEqual(listed.json, [entry]);
});

test("actions of the API reach the streams through events and jobs", async () => {
  const { server, alice, bob } = world;
  await server.write`
    INSERT INTO follows (account_id, target_account_id) VALUES (${bob.accountId}, ${alice.accountId})
  `;
  const client = await world.listen(bob, { stream: "user" });
  const events = async () => {
    await server.runJobs();
    await client.settle();
    return client.frames.splice(0).map(({ event, payload }) => {
      const entity = payload!.startsWith("{") ? JSON.parse(payload!) : null;
      return [event, entity?.status?.id ?? entity?.id ?? payload, entity?.content ?? entity?.type];
    });
  };
  const { id } = await world.post(alice, "first");
  assert.deepEqual(await events(), [["update", id, "<p>first</p>"]]);
  await world.reblog(bob, id);
  await server.runJobs();
  client.frames.length = 0;
  const path = `/api/v1/statuses/${id}`;
  await alice.put(path, { status: "second" });
  const edited = await events();
  assert.deepEqual(edited.toSorted(), [
    ["notification", id, "update"],
    ["status.update", id, "<p>second</p>"],
  ]);
  const mine = await world.post(bob, "likeable");
  await events();
  await alice.post(`/api/v1/statuses/${mine.id}/favourite`);
  assert.deepEqual(await events(), [["notification", mine.id, "favourite"]]);
  await alice.delete(path);
  const deletions = await events();
  assert.ok(deletions.some(([event, gone]) => event === "delete" && gone === id));
});

test("a direct post is a conversation for its participants, and for nobody else", async () => {
  const carol = await world.server.person("carol");
  const streams = [{ stream: "direct" }];
  const [mine, theirs, others] = [
    await world.listen(world.alice, ...streams),
    await world.listen(world.bob, ...streams),
    await world.listen(carol, ...streams, { stream: "public" }),
  ];
  await world.bob.patch("/api/v2/notifications/policy", { for_private_mentions: "accept" });
  const view = await world.publish(world.alice, "psst @bob", { visibility: "direct" });
  await recordConversations(world.server.app, [view]);
  const conversation = async (client: StreamClient) => {
    const frame = await client.next();
    assert.deepEqual([frame.stream, frame.event], [["direct"], "conversation"]);
    const entity = JSON.parse(frame.payload!);
    assertEntity("Conversation", entity);
    assert.equal(entity.last_status.id, view.id);
    return [entity.unread, entity.accounts.map((account: { id: string }) => account.id)];
  };
  assert.deepEqual(await conversation(mine), [false, [world.bob.accountId]]);
  assert.deepEqual(await conversation(theirs), [true, [world.alice.accountId]]);
  await others.settle();
  assert.deepEqual(others.frames, []);
});

test("accounts that are blocked (either way) or muted are not streamed, from the change on", async () => {
  const { app } = world.server;
  const client = await world.listen(world.bob, { stream: "public" }, { stream: "user" });
  const received = async () => {
    await relationsChanged(app, world.bob.accountId);
    const view = await world.publish(world.alice, "hello");
    await publishToUsers(app, [world.bob.accountId], statusEvent(app, view, "update"));
    await world.notifyUser(world.bob, "mark");
    await until("the mark", () => client.frames.find((frame) => frame.payload === "mark"));
    return client.frames.splice(0).length - 1;
  };
  const clear = () => world.server.write`TRUNCATE blocks, mutes`;
  assert.equal(await received(), 2);
  await world.server
    .write`INSERT INTO blocks (account_id, target_account_id) VALUES (${world.bob.accountId}, ${world.alice.accountId})`;
  assert.equal(await received(), 0);
  await clear();
  await world.server
    .write`INSERT INTO blocks (account_id, target_account_id) VALUES (${world.alice.accountId}, ${world.bob.accountId})`;
  assert.equal(await received(), 0);
  await clear();
  await world.server
    .write`INSERT INTO mutes (account_id, target_account_id) VALUES (${world.bob.accountId}, ${world.alice.accountId})`;
  assert.equal(await received(), 0);
  await world.server.write`UPDATE mutes SET expires_at = now() - interval '1 second'`;
  assert.equal(await received(), 2);
});

test("a mute ends by the clock while the socket stays open", async () => {
  const { app } = world.server;
  await world.server.write`
    INSERT INTO mutes (account_id, target_account_id, expires_at)
    VALUES (${world.bob.accountId}, ${world.alice.accountId}, now() + interval '1 hour')
  `;
  const client = await world.listen(world.bob, { stream: "public" });
  await world.publish(world.alice, "too early");
  const { clock } = app;
  app.clock = { now: () => new Date(Date.now() + 3_601_000) };
  try {
    await world.publish(world.alice, "in time");
    assert.match(JSON.parse((await client.next()).payload!).content, /in time/);
  } finally {
    app.clock = clock;
  }
});

test("a reblog of somebody who is blocked is not streamed", async () => {
  const { app } = world.server;
  const carol = await world.server.person("carol2");
  const view = await world.post(carol, "original");
  const reblog = await world.reblog(world.alice, view.id);
  await world.server
    .write`INSERT INTO blocks (account_id, target_account_id) VALUES (${world.bob.accountId}, ${carol.accountId})`;
  const client = await world.listen(world.bob, { stream: "user" });
  await publishToUsers(app, [world.bob.accountId], statusEvent(app, reblog, "update"));
  await world.notifyUser(world.bob, "mark");
  assert.equal((await client.next()).payload, "mark");
});

test("without chosen languages public streams filter by the locale's language where the person wants that", async () => {
  const carol = await world.server.person("carol3");
  await world.server
    .write`UPDATE users SET locale = 'de', settings = '{"languages_by_locale": true}' WHERE id = ${carol.userId}`;
  const languages = async (): Promise<string[]> => {
    const client = await world.listen(carol, { stream: "public" });
    await world.publish(world.alice, "good day", { language: "en" });
    await world.publish(world.alice, "guten Tag", { language: "de" });
    await client.settle();
    return client.frames.map((frame) => JSON.parse(frame.payload!).language);
  };
  assert.deepEqual(await languages(), ["de"]);
  await world.server.write`UPDATE users SET settings = '{}' WHERE id = ${carol.userId}`;
  assert.deepEqual(await languages(), ["en", "de"]);
});

test("an open stream follows the languages that its listener chooses", async () => {
  const dora = await world.server.person("dora3");
  await dora.patch("/api/v1/preferences", { "reading:languages": ["en"] });
  const client = await world.listen(dora, { stream: "public" });
  await world.publish(world.alice, "hallo", { language: "de" });
  await client.settle();
  assert.equal(client.frames.length, 0);
  const json = { "reading:languages": ["de"] };
  await dora.patch("/api/v1/preferences", json);
  await world.publish(world.alice, "guten Tag", { language: "de" });
  await world.publish(world.alice, "good day", { language: "en" });
  await client.settle();
  assert.deepEqual(
    client.frames.map((frame) => JSON.parse(frame.payload!).language),
    ["de"],
  );
});

test("public streams are filtered by the chosen languages, hashtags and home are not", async () => {
  const { app } = world.server;
  await world.server
    .write`UPDATE users SET settings = '{"chosen_languages": ["de"]}' WHERE id = ${world.bob.userId}`;
  const tag = { stream: "hashtag", tag: "tongues" };
  const client = await world.listen(world.bob, { stream: "public" }, tag, { stream: "user" });
  const english = await world.publish(world.alice, "hello #tongues", { language: "en" });
  await world.publish(world.alice, "hallo #tongues", { language: "de" });
  await publishToUsers(app, [world.bob.accountId], statusEvent(app, english, "update"));
  await client.settle();
  assert.deepEqual(
    client.frames.map((frame) => [frame.stream![0], JSON.parse(frame.payload!).language]),
    [
      ["hashtag", "en"],
      ["public", "de"],
      ["hashtag", "de"],
      ["user", "en"],
    ],
  );
});

/** The events of a client, after everything that was sent before. */
const eventsOf = async (client: StreamClient): Promise<string[]> => {
  await client.settle();
  return client.frames.splice(0).map(({ event, stream }) => `${stream![0]} ${event}`);
};

test("a boost that home left out is not deleted there when it is undone", async () => {
  const [dora, finn] = [await world.server.person("dora"), await world.server.person("finn")];
  const act = async (who: Person, path: string, json = {}) =>
    (await who.post(path, json).done()).id;
  await act(finn, `/api/v1/accounts/${dora.accountId}/follow`);
  const old = await act(world.alice, "/api/v1/statuses", { status: "from elsewhere" });
  const own = await act(dora, "/api/v1/statuses", { status: "my own" });
  const client = await world.listen(finn, { stream: "user" });
  await act(dora, `/api/v1/statuses/${own}/reblog`);
  assert.deepEqual(await eventsOf(client), [], "what home has just shown");
  await act(dora, `/api/v1/statuses/${own}/unreblog`);
  assert.deepEqual(await eventsOf(client), []);
  await act(dora, `/api/v1/statuses/${old}/reblog`);
  await act(dora, `/api/v1/statuses/${old}/unreblog`);
  assert.deepEqual(await eventsOf(client), ["user update", "user delete"]);
});

test("streams of media are told of deleted posts that have or had media alone", async () => {
  const { server, alice, bob } = world;
  const streams = ["public:media", "public:local:media", "public:local"];
  const client = await world.listen(bob, ...streams.map((stream) => ({ stream })));
  const remove = async (id: string) => {
    await alice.delete(`/api/v1/statuses/${id}`);
    await server.runJobs();
    return (await eventsOf(client)).filter((event) => event.endsWith("delete")).toSorted();
  };
  const plain = await world.publish(alice, "words alone");
  assert.deepEqual(await remove(plain.id), ["public:local delete"]);
  const pictured = await world.publish(alice, "a picture");
  await server.write`
    INSERT INTO status_edits (status_id, text, content, spoiler_text, sensitive, emojis, media, created_at)
    SELECT id, text, content, spoiler_text, sensitive, emojis, '[{"id": "1"}]', created_at
    FROM statuses WHERE id = ${pictured.id}
  `;
  const all = ["public:local delete", "public:local:media delete", "public:media delete"];
  assert.deepEqual(await remove(pictured.id), all);
  const attached = await world.publish(alice, "another picture");
  await server.write`UPDATE statuses SET has_media = true WHERE id = ${attached.id}`;
  assert.deepEqual(await remove(attached.id), all);
});

test("a person's own streams get each act with its marks; nobody else's, and no other stream, has it", async () => {
  const own = await world.listen(world.bob, { stream: "user" });
  const others = [
    await world.listen(world.alice, { stream: "user" }),
    await world.listen(world.bob, { stream: "user:notification" }, { stream: "public" }),
  ];
  const { id } = await world.post(world.alice, "to be marked");
  const marked = async (act: string, mark: string): Promise<unknown> => {
    // Somebody was shown the post before, so that its JSON is cached.
    await world.bob.get(`/api/v1/statuses/${id}`).ok();
    const answer = await world.bob.post(`/api/v1/statuses/${id}/${act}`).ok();
    const frame = await until(`an event of ${act}`, () =>
      own.frames.splice(0).find(({ event }) => event === "status.acted"),
    );
    const status = JSON.parse(frame.payload!);
    assertEntity("Status", status);
    for (const count of ["favourites_count", "reblogs_count"])
      assert.equal(status[count], answer[count], `${act}: ${count}`);
    return (status.reblog ?? status)[mark];
  };
  for (const [act, mark] of [
    ["favourite", "favourited"],
    ["bookmark", "bookmarked"],
    ["reblog", "reblogged"],
    ["mute", "muted"],
  ] as const) {
    assert.equal(await marked(act, mark), true, act);
    assert.equal(await marked(`un${act}`, mark), false, `un${act}`);
  }
  for (const other of others) {
    await other.settle();
    assert.deepEqual(
      other.frames.filter(({ event }) => event === "status.acted"),
      [],
    );
  }
});
