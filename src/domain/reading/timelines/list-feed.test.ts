// The feeds of lists: fanned out, rebuilt, streamed; and the homes that exclusive lists thin out.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { openStream, until } from "../../../../test/stream-client.ts";
import { listKey } from "../../people/relationships/changed.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { fanOut, withdraw } from "./fanout.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import { visibilityFacts } from "../../posts/statuses/visibility.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let dora: Person;

const follow = (who: Person, whom: Person, options: object = {}) =>
  who.post(`/api/v1/accounts/${whom.accountId}/follow`, options);

before(async () => {
  t = await startTestApp();
  alice = await t.person("alice");
  [bob, carol, dora] = [await t.person("bob"), await t.person("carol"), await t.person("dora")];
  for (const whom of [bob, carol]) await follow(alice, whom);
});
after(() => t.close());

const post = async (by: Person, status: string, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id;

const makeList = async (fields: object, ...people: Person[]): Promise<string> => {
  const { id } = (await alice.post("/api/v1/lists", { title: "List", ...fields })).json;
  const account_ids = people.map((person) => person.accountId);
  if (people.length > 0) await alice.post(`/api/v1/lists/${id}/accounts`, { account_ids });
  return id;
};

const ids = (answer: Answer): string[] => answer.json.map((status: any) => status.id);

const read = async (path: string): Promise<string[]> => {
  await t.runJobs();
  return ids(await alice.get(path));
};
const listed = (id: string) => read(`/api/v1/timelines/list/${id}?limit=40`);
const home = () => read("/api/v1/timelines/home?limit=40");

/** As fanned out, and as rebuilt. */
const bothWays = async (id: string): Promise<string[]> => {
  const fanned = await listed(id);
  await t.app.feeds.drop([listKey(id)]);
  assert.deepEqual(fanned, await listed(id), "fanned out and rebuilt");
  return fanned;
};

test("a list shows what its members write, newest first, in pages", async () => {
  const id = await makeList({}, bob);
  await listed(id);
  const posts: string[] = [];
  for (let i = 0; i < 4; i++) posts.unshift(await post(bob, `for the list ${i}`));
  await post(carol, "not a member");
  await post(alice, "by the owner");
  await t.runJobs();
  const answer = await alice.get(`/api/v1/timelines/list/${id}?limit=2`);
  assert.deepEqual(ids(answer), posts.slice(0, 2));
  for (const status of answer.json) assertEntity("Status", status);
  const link = answer.headers.get("link")!;
  assert.match(link, /max_id=\d+>; rel="next", <http.*min_id=\d+>; rel="prev"/);
  const next = await alice.get(/<([^>]+)>; rel="next"/.exec(link)![1]!);
  assert.deepEqual(ids(next), posts.slice(2, 4));
  assert.deepEqual((await bothWays(id)).slice(0, 4), posts);
});

test("private posts, reblogs and languages are as at home; direct posts are in no list", async () => {
  const eve = await t.person("eve");
  await follow(alice, eve, { reblogs: false, languages: ["en"] });
  const id = await makeList({}, eve, bob);
  const before = await listed(id);
  const strangers = await post(dora, "a stranger's");
  const closed = await post(bob, "closed", { visibility: "private" });
  await post(bob, "@alice psst", { visibility: "direct" });
  await post(eve, "auf deutsch", { language: "de" });
  const english = await post(eve, "in english", { language: "en" });
  await eve.post(`/api/v1/statuses/${strangers}/reblog`, {});
  const boost = (await bob.post(`/api/v1/statuses/${strangers}/reblog`, {})).json.id;
  const fresh = (await bothWays(id)).filter((id) => !before.includes(id));
  assert.deepEqual(fresh, [boost, english, closed]);
});

test("replies are shown as the list's policy says", async () => {
  const lists: Record<string, string> = {};
  for (const policy of ["followed", "list", "none"]) {
    lists[policy] = await makeList({ replies_policy: policy }, bob);
  }
  const wide = await makeList({ replies_policy: "list" }, bob, carol);
  for (const id of [...Object.values(lists), wide]) await listed(id);
  const toDora = await post(dora, "dora's");
  const toCarol = await post(carol, "carol's");
  const toAlice = await post(alice, "alice's");
  const root = await post(bob, "bob's");
  const reply = (to: string, text: string) => post(bob, text, { in_reply_to_id: to });
  const own = await reply(root, "to himself");
  const owner = await reply(toAlice, "to the owner");
  const followed = await reply(toCarol, "to one who is followed");
  const stranger = await reply(toDora, "to a stranger");
  const replies = [own, owner, followed, stranger];
  const shown = async (id: string) =>
    (await bothWays(id)).filter((id) => replies.includes(id)).toReversed();
  assert.deepEqual(await shown(lists["followed"]!), [own, owner, followed]);
  assert.deepEqual(await shown(lists["list"]!), [own, owner]);
  assert.deepEqual(await shown(lists["none"]!), [own, owner]);
  assert.deepEqual(await shown(wide), [own, owner, followed]);
  // The policy counts at once for what was there before.
  await alice.put(`/api/v1/lists/${lists["none"]}`, { replies_policy: "followed" });
  assert.deepEqual(await shown(lists["none"]!), [own, owner, followed]);
});

test("members of an exclusive list are left out of home, until the list is gone", async () => {
  const before = await post(bob, "before");
  assert.ok((await home()).includes(before));
  const id = await makeList({ exclusive: true }, bob);
  assert.ok(!(await home()).includes(before));
  const during = await post(bob, "during");
  const theirs = await post(carol, "carol stays");
  const fanned = await home();
  assert.ok(!fanned.includes(during) && fanned.includes(theirs));
  assert.deepEqual((await bothWays(id)).slice(0, 2), [during, before]);
  await alice.patch(`/api/v1/lists/${id}`, { exclusive: false });
  assert.ok((await home()).includes(during));
  await alice.patch(`/api/v1/lists/${id}`, { exclusive: true });
  assert.ok(!(await home()).includes(during));
  await alice.delete(`/api/v1/lists/${id}`);
  assert.ok((await home()).includes(during));
  await t.app.feeds.drop([homeKey(alice.accountId)]);
  assert.ok((await home()).includes(during));
});

test("an end of the follow, a mute, and a deletion are seen at once", async () => {
  const frank = await t.person("frank");
  await follow(alice, frank);
  const id = await makeList({}, frank, bob);
  const byFrank = await post(frank, "by frank");
  const byBob = await post(bob, "by bob");
  assert.deepEqual((await listed(id)).slice(0, 2), [byBob, byFrank]);
  await bob.delete(`/api/v1/statuses/${byBob}`);
  assert.equal((await listed(id))[0], byFrank);
  await alice.post(`/api/v1/accounts/${frank.accountId}/mute`);
  assert.ok(!(await listed(id)).includes(byFrank));
  await alice.post(`/api/v1/accounts/${frank.accountId}/unmute`);
  assert.ok((await listed(id)).includes(byFrank));
  await alice.post(`/api/v1/accounts/${frank.accountId}/unfollow`);
  assert.ok(!(await listed(id)).includes(byFrank));
  assert.ok(!(await bothWays(id)).includes(byFrank));
});

test("the stream of a list has new, edited and deleted posts, to its owner alone", async () => {
  const id = await makeList({}, bob);
  const stream = { type: "subscribe", stream: "list", list: id };
  const [mine, theirs] = await Promise.all(
    [alice, carol].map((who) => openStream(t.url, { query: { access_token: who.token } })),
  );
  mine!.send(stream);
  theirs!.send(stream);
  const refused = await theirs!.next();
  assert.equal(refused.status, 401);
  await mine!.settle();
  const status = await post(bob, "live");
  await t.runJobs();
  const event = await mine!.next();
  assert.deepEqual([event.stream, event.event], [["list", id], "update"]);
  assert.equal(JSON.parse(event.payload!).id, status);
  await bob.put(`/api/v1/statuses/${status}`, { status: "live, edited" });
  await t.runJobs();
  assert.equal((await mine!.next()).event, "status.update");
  await bob.delete(`/api/v1/statuses/${status}`);
  await t.runJobs();
  const gone = await mine!.next();
  assert.deepEqual([gone.event, gone.payload], ["delete", status]);
  await theirs!.settle();
  assert.deepEqual(theirs!.frames, []);
  for (const client of [mine!, theirs!]) client.socket.close();
  await until("the sockets to close", () => mine!.closeCode ?? undefined);
});

test("statuses of a batch go the same ways, and leave by the same", async () => {
  const id = await makeList({ exclusive: true }, bob);
  const plain = await makeList({ replies_policy: "none" }, bob, carol);
  const root = await post(dora, "root");
  for (const path of [id, plain]) await listed(path);
  await home();
  const posts = [
    await post(bob, "one"),
    await post(carol, "two"),
    await post(bob, "three", { in_reply_to_id: root }),
  ];
  // As if they had come in a remote batch: the feeds do not have them yet.
  await t.app.sql`DELETE FROM graphile_worker._private_jobs`;
  const views = await loadAsServer(t.app, posts);
  await fanOut(t.app, views);
  const newest = async (path: string) =>
    ids(await alice.get(path)).filter((id) => posts.includes(id));
  const paths = ["/api/v1/timelines/home", `/api/v1/timelines/list/${plain}`];
  for (const path of paths) {
    const fanned = await newest(path);
    assert.deepEqual(fanned, path.endsWith("home") ? [posts[1]] : [posts[1], posts[0]], path);
    await t.app.feeds.drop([listKey(plain), `home:${alice.accountId}`]);
    assert.deepEqual(await newest(path), fanned, path);
  }
  const removed = views.map((view) => ({
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
    tags: [],
    mentionIds: [],
  }));
  await withdraw(t.app, removed);
  const { feeds } = t.app;
  const page = { maxId: null, sinceId: null, minId: null, limit: 40 };
  const left = [
    ...(await feeds.page(listKey(plain), page))!,
    ...((await feeds.page(`home:${alice.accountId}`, page)) ?? []),
  ];
  assert.deepEqual(
    left.filter((id) => posts.includes(id)),
    [],
  );
});
