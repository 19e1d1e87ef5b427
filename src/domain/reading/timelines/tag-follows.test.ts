// Followed hashtags feed the home timeline: fanned out, rebuilt, streamed, one by one and in batches.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../../test/harness.ts";
import { openStream } from "../../../../test/stream-client.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { fanOut, withdraw } from "./fanout.ts";
import { visibilityFacts } from "../../posts/statuses/visibility.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
  for (const tag of ["cats", "dogs"]) await alice.post(`/api/v1/tags/${tag}/follow`);
});
after(() => t.close());

const post = async (by: Person, status: string, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

const ids = (answer: Answer): string[] => answer.json.map((status: any) => status.id);

const home = async (): Promise<string[]> => {
  await t.runJobs();
  return ids(await alice.get("/api/v1/timelines/home?limit=40"));
};

const bothWays = async (): Promise<string[]> => {
  const fanned = await home();
  await t.app.feeds.drop([homeKey(alice.accountId)]);
  assert.deepEqual(fanned, await home(), "fanned out and rebuilt");
  return fanned;
};

test("public posts with a followed tag come home, replies too, and each once", async () => {
  await home();
  const stranger = await post(carol, "a stranger's #Cats");
  const both = await post(carol, "#cats and #dogs");
  const followed = await post(bob, "bob's #cats");
  const reply = await post(bob, "@carol #dogs", { in_reply_to_id: stranger });
  const own = await post(alice, "mine #cats");
  const others = [
    await post(carol, "no tag"),
    await post(carol, "#birds"),
    await post(carol, "#cats", { visibility: "unlisted" }),
    await post(carol, "#cats", { visibility: "private" }),
    await post(carol, "@alice #cats", { visibility: "direct" }),
    await post(bob, "@carol no tag", { in_reply_to_id: stranger }),
  ];
  const boosted = await post(carol, "#cats boosted by a stranger");
  const dora = await t.person("dora");
  const boost = (await dora.post(`/api/v1/statuses/${boosted}/reblog`, {})).json.id;
  const ids = await bothWays();
  assert.deepEqual(ids, [boosted, own, reply, followed, both, stranger]);
  for (const id of [...others, boost]) assert.ok(!ids.includes(id));
  // It is there already: bob's boost of it is left out.
  await bob.post(`/api/v1/statuses/${boosted}/reblog`, {});
  assert.deepEqual(await bothWays(), ids);
  const strangers = await post(dora, "no tag");
  const bobs = (await bob.post(`/api/v1/statuses/${strangers}/reblog`, {})).json.id;
  assert.equal((await bothWays())[0], bobs);
});

test("limited, blocked and muted people do not come by a tag, nor members of exclusive lists", async () => {
  const quiet = await t.person("quiet");
  const before = await bothWays();
  await t.write`UPDATE accounts SET silenced_at = now() WHERE id = ${quiet.accountId}`;
  await post(quiet, "#cats");
  assert.deepEqual(await bothWays(), before);
  const loud = await t.person("loud");
  const theirs = await post(loud, "#cats");
  assert.equal((await bothWays())[0], theirs);
  await alice.post(`/api/v1/accounts/${loud.accountId}/mute`);
  assert.ok(!(await bothWays()).includes(theirs));
  const bobs = await post(bob, "#dogs");
  assert.equal((await home())[0], bobs);
  const list = (await alice.post("/api/v1/lists", { title: "Bob", exclusive: true })).json.id;
  await alice.post(`/api/v1/lists/${list}/accounts`, { account_ids: [bob.accountId] });
  const later = await post(bob, "#dogs again");
  const ids = await bothWays();
  assert.ok(!ids.includes(bobs) && !ids.includes(later));
  await alice.delete(`/api/v1/lists/${list}`);
});

test("a followed tag's posts are there at once, and gone when it is followed no more", async () => {
  const id = await post(carol, "#fishes");
  assert.ok(!(await home()).includes(id));
  await alice.post("/api/v1/tags/fishes/follow");
  assert.ok((await home()).includes(id));
  await alice.post("/api/v1/tags/fishes/unfollow");
  assert.ok(!(await home()).includes(id));
});

test("an edit that adds a followed tag brings the post into home", async () => {
  const id = await post(carol, "no tag yet");
  assert.ok(!(await home()).includes(id));
  await carol.put(`/api/v1/statuses/${id}`, { status: "#cats now" }).ok();
  assert.ok((await home()).includes(id));
  await carol.delete(`/api/v1/statuses/${id}`);
  assert.ok(!(await home()).includes(id));
});

test("the user stream has once the new, edited and deleted posts with a tag", async () => {
  const client = await openStream(t.url, {
    query: { access_token: alice.token, stream: "user" },
  });
  await client.settle();
  const stranger = await post(carol, "#cats #dogs live");
  await t.runJobs();
  await carol.put(`/api/v1/statuses/${stranger}`, { status: "#cats edited" });
  await t.runJobs();
  await carol.delete(`/api/v1/statuses/${stranger}`);
  await t.runJobs();
  const followed = await post(bob, "#cats by bob");
  await t.runJobs();
  await client.settle();
  const events = client.frames.map(({ event, payload }) => [
    event,
    event === "delete" ? payload : JSON.parse(payload!).id,
  ]);
  assert.deepEqual(events, [
    ["update", stranger],
    ["status.update", stranger],
    ["delete", stranger],
    ["update", followed],
  ]);
  assert.ok(!(await home()).includes(stranger));
  client.socket.close();
});

test("statuses of a batch go the same ways, and leave by the same", async () => {
  await home();
  const ids = [
    await post(carol, "#cats #dogs batch"),
    await post(bob, "#cats batch"),
    await post(bob, "@carol #cats", { in_reply_to_id: await post(carol, "root") }),
    await post(carol, "#cats quiet", { visibility: "unlisted" }),
  ];
  await t.app.sql`DELETE FROM graphile_worker._private_jobs`;
  const views = await loadAsServer(t.app, ids);
  await fanOut(t.app, views);
  const expected = ids.slice(0, 3).toReversed();
  assert.deepEqual((await bothWays()).slice(0, 3), expected);
  await withdraw(
    t.app,
    views.map((view) => ({
      id: view.id,
      uri: view.uri,
      accountId: view.account_id,
      ...visibilityFacts(view),
      local: true,
      reblogOfId: null,
      reblogOfUri: null,
      reblogOfAuthorUri: null,
      awaitsApproval: false,
      createdAt: view.created_at.toISOString(),
      inReplyToAccountId: null,
      tags: view.tags.map((tag) => tag.name),
      mentionIds: [],
    })),
  );
  const page = { maxId: null, sinceId: null, minId: null, limit: 40 };
  const left = (await t.app.feeds.page(homeKey(alice.accountId), page))!;
  assert.ok(ids.every((id) => !left.includes(id)));
});
