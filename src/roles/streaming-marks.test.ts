// Streams of one viewer carry that viewer's marks: each entity is the one that REST returns to the same
// viewer at that moment.

import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { assertEntity } from "../../test/schema.ts";
import { openStream } from "../../test/stream-client.ts";
import type { StreamClient } from "../../test/stream-client.ts";

type Json = Record<string, any>;

for (const caches of ["true", "false"]) {
  describe(`with STATUS_CACHE=${caches}`, () => {
    let t: TestApp;
    let alice: Person;
    let bob: Person;
    let carol: Person;
    let list: string;
    const clients: StreamClient[] = [];

    const post = (by: Person, json: object) => by.post("/api/v1/statuses", json).ok();
    const onStatus = (by: Person, id: string, verb: string) =>
      by.post(`/api/v1/statuses/${id}/${verb}`).ok();
    const follow = (by: Person, whom: Person) =>
      by.post(`/api/v1/accounts/${whom.accountId}/follow`).ok();
    const rest = (by: Person, id: string) => by.get(`/api/v1/statuses/${id}`).ok();

    const listen = async (who: Person, ...streams: object[]) => {
      const client = await openStream(t.url, { query: { access_token: who.token } });
      clients.push(client);
      for (const stream of streams) client.send({ type: "subscribe", ...stream });
      await client.settle();
      return client;
    };
    /** What has come since: the stream's name, the event, and the entity. */
    const received = async (client: StreamClient): Promise<[string, string, Json][]> => {
      await t.runJobs();
      await client.settle();
      return client.frames
        .splice(0)
        .map(({ stream, event, payload }) => [stream![0]!, event!, JSON.parse(payload!)]);
    };
    /** Each status that came is what REST answers. */
    const assertSame = async (who: Person, frames: [string, string, Json][]) => {
      for (const [stream, event, entity] of frames) {
        if (event === "notification") continue;
        const status = event === "conversation" ? entity["last_status"] : entity;
        assertEntity("Status", status);
        assert.deepEqual(status, await rest(who, status.id), `${stream} ${event}`);
      }
    };

    before(async () => {
      // Nothing is streamed before it is compared with what REST answers.
      t = await startTestApp({ env: { STATUS_CACHE: caches }, worker: false });
      [alice, bob, carol] = [
        await t.person("alice"),
        await t.person("bob"),
        await t.person("carol"),
      ];
      await follow(bob, alice);
      await follow(bob, carol);
      await follow(carol, alice);
      list = (await bob.post("/api/v1/lists", { title: "l" }).ok())["id"];
      const account_ids = [alice.accountId, carol.accountId];
      await bob.post(`/api/v1/lists/${list}/accounts`, { account_ids }).ok();
    });
    after(() => t.close());
    afterEach(() => {
      for (const client of clients.splice(0)) client.socket.terminate();
    });

    test("a new post: nobody has marked it", async () => {
      const client = await listen(bob, { stream: "user" }, { stream: "list", list });
      await post(alice, { status: "hello @bob #tag" });
      const frames = (await received(client)).filter(([, event]) => event === "update");
      assert.deepEqual(frames.map(([stream]) => stream).toSorted(), ["list", "user"]);
      const entity = frames[0]![2];
      const { favourited, reblogged, bookmarked, muted, filtered } = entity;
      assert.deepEqual(
        { favourited, reblogged, bookmarked, muted, filtered },
        { favourited: false, reblogged: false, bookmarked: false, muted: false, filtered: [] },
      );
      assert.equal("pinned" in entity, false);
      await assertSame(bob, frames);
    });

    test("one's own post: it can be pinned, and its poll is voted in", async () => {
      const client = await listen(alice, { stream: "user" });
      await post(alice, { status: "mine" });
      const poll = { options: ["a", "b"], expires_in: 3600 };
      await post(alice, { status: "choose", poll });
      const frames = await received(client);
      assert.equal(frames.length, 2);
      assert.equal(frames[0]![2]["pinned"], false);
      assert.equal(frames[1]![2]["poll"].voted, true);
      await assertSame(alice, frames);
    });

    test("polls of others: what the listener voted", async () => {
      const client = await listen(bob, { stream: "user" });
      const poll = { options: ["a", "b", "c"], expires_in: 3600, multiple: true };
      const { id, poll: before } = await post(alice, { status: "choose", poll });
      const [first] = await received(client);
      assert.deepEqual([first![2]["poll"].voted, first![2]["poll"].own_votes], [false, []]);
      await assertSame(bob, [first!]);
      await bob.post(`/api/v1/polls/${before.id}/votes`, { choices: [2, 0] }).ok();
      // The vote shows in bob's other windows, too.
      await assertSame(bob, await received(client));
      await alice.put(`/api/v1/statuses/${id}`, { status: "choose now", poll }).ok();
      const frames = await received(client);
      assert.ok(frames.some(([, event]) => event === "status.update"));
      await assertSame(bob, frames);
      await onStatus(carol, id, "reblog");
      await received(client);
    });

    test("an edit has the listener's own marks, and everybody has theirs", async () => {
      const { id } = await post(alice, { status: "first" });
      for (const verb of ["favourite", "bookmark"]) await onStatus(bob, id, verb);
      await onStatus(carol, id, "mute");
      await received(await listen(bob));
      const clients = [
        await listen(bob, { stream: "user" }, { stream: "list", list }),
        await listen(carol, { stream: "user" }),
        await listen(alice, { stream: "user" }),
      ];
      await alice.put(`/api/v1/statuses/${id}`, { status: "second" }).ok();
      const [bobs, carols, alices] = [
        await received(clients[0]!),
        await received(clients[1]!),
        await received(clients[2]!),
      ];
      assert.deepEqual(bobs.map(([stream, event]) => [stream, event]).toSorted(), [
        ["list", "status.update"],
        ["user", "status.update"],
      ]);
      assert.deepEqual([bobs[0]![2]["favourited"], bobs[0]![2]["bookmarked"]], [true, true]);
      assert.deepEqual([carols[0]![2]["favourited"], carols[0]![2]["muted"]], [false, true]);
      await assertSame(bob, bobs);
      await assertSame(carol, carols);
      await assertSame(alice, alices);
      await onStatus(alice, id, "pin");
      await assertSame(alice, await received(clients[2]!));
      await alice.put(`/api/v1/statuses/${id}`, { status: "third" }).ok();
      const pinned = await received(clients[2]!);
      assert.equal(pinned[0]![2]["pinned"], true);
      await assertSame(alice, pinned);
    });

    test("the post inside a boost is old: the listener's own marks count there", async () => {
      const { id } = await post(alice, {
        status: "to be boosted",
        quote_approval_policy: "followers",
      });
      for (const verb of ["favourite", "bookmark"]) await onStatus(bob, id, verb);
      await t.runJobs();
      // Enough that the boost is no repetition.
      for (let n = 0; n < 41; n++) await post(bob, { status: `${n}` });
      await t.runJobs();
      const client = await listen(bob, { stream: "user" }, { stream: "list", list });
      await onStatus(carol, id, "reblog");
      const frames = await received(client);
      assert.deepEqual(
        frames.map(([stream]) => stream),
        ["user"],
        "a list of two has it near",
      );
      const { reblog } = frames[0]![2];
      assert.deepEqual(
        [reblog.favourited, reblog.bookmarked, reblog.reblogged],
        [true, true, false],
      );
      assert.equal(reblog.quote_approval.current_user, "automatic");
      await assertSame(bob, frames);
    });

    test("filters, muted threads and quotes are the listener's", async () => {
      const filter = await bob
        .post("/api/v2/filters", {
          title: "f",
          context: ["home"],
          keywords_attributes: [{ keyword: "secret" }],
        })
        .ok();
      const root = await post(carol, { status: "a thread" });
      await onStatus(bob, root["id"], "mute");
      await bob.post(`/api/v1/accounts/${carol.accountId}/mute`, { notifications: false }).ok();
      await t.runJobs();
      const clients = [
        await listen(bob, { stream: "user" }),
        await listen(alice, { stream: "user" }),
      ];
      await post(alice, { status: "answer", in_reply_to_id: root["id"] });
      await post(alice, { status: "a secret thing" });
      await post(alice, { status: "look at this", quoted_status_id: root["id"] });
      const [bobs, alices] = [await received(clients[0]!), await received(clients[1]!)];
      assert.deepEqual(
        bobs.map(([, , entity]) => [entity["muted"], entity["filtered"].length]),
        [
          [true, 0],
          [false, 1],
          [false, 0],
        ],
      );
      assert.equal(bobs[2]![2]["quote"].state, "muted_account");
      assert.equal(alices[2]![2]["quote"].state, "accepted");
      await assertSame(bob, bobs);
      await assertSame(alice, alices);
      await bob.delete(`/api/v2/filters/${filter["id"]}`).ok();
      await bob.post(`/api/v1/accounts/${carol.accountId}/unmute`).ok();
    });

    test("direct: the last status of a conversation as each of the two sees it", async () => {
      const clients = [
        await listen(alice, { stream: "direct" }),
        await listen(bob, { stream: "direct" }),
      ];
      await post(alice, { status: "psst @bob", visibility: "direct" });
      for (const [index, who] of [alice, bob].entries()) {
        const frames = await received(clients[index]!);
        assert.deepEqual(
          frames.map(([stream, event]) => [stream, event]),
          [["direct", "conversation"]],
        );
        await assertSame(who, frames);
        const [conversation] = (await who.get("/api/v1/conversations").ok()) as unknown as Json[];
        assert.deepEqual(frames[0]![2], conversation);
      }
    });

    test("notifications come with the marks of their recipient", async () => {
      const { id } = await post(alice, { status: "likeable" });
      await onStatus(alice, id, "bookmark");
      await t.runJobs();
      const client = await listen(alice, { stream: "user:notification" });
      await onStatus(bob, id, "favourite");
      const frames = await received(client);
      assert.deepEqual(
        frames.map(([stream, event]) => [stream, event]),
        [["user:notification", "notification"]],
      );
      const [newest] = (await alice.get("/api/v1/notifications").ok()) as unknown as Json[];
      assert.deepEqual(frames[0]![2], newest);
      assert.equal(frames[0]![2]["status"].bookmarked, true);
    });

    test("public streams stay without", async () => {
      const client = await listen(
        bob,
        { stream: "public:local" },
        { stream: "hashtag", tag: "open" },
      );
      await post(alice, { status: "for all #open" });
      const frames = await received(client);
      assert.equal(frames.length, 2);
      for (const [, , entity] of frames) assert.equal("favourited" in entity, false);
    });
  });
}
