import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { homeKey } from "../../people/relationships/changed.ts";
import { loadAsServer } from "../../posts/statuses/load.ts";
import { fanOut } from "./fanout.ts";
import { userChannel } from "../../people/accounts/own-stream.ts";
import { listChannel } from "./streams.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const post = async (by: Person, status: string, more: Record<string, unknown> = {}) =>
  (await by.post("/api/v1/statuses", { status, ...more })).json.id as string;

const ids = (answer: Answer): string[] => answer.json.map((status: any) => status.id);

const follow = async (who: Person, whom: Person, options: Record<string, unknown> = {}) => {
  const row = { account_id: who.accountId, target_account_id: whom.accountId, ...options };
  await t.write`INSERT INTO follows ${t.app.sql(row)}`;
  await t.app.feeds.drop([homeKey(who.accountId)]);
};

const home = async (by: Person, query = "") => {
  await t.runJobs();
  return by.get(`/api/v1/timelines/home${query}`);
};

test("home has what one follows, newest first, and pages both ways", async () => {
  await follow(bob, alice);
  const posts: string[] = [];
  for (let i = 0; i < 5; i++) posts.unshift(await post(alice, `post ${i}`));
  await post(carol, "not for bob");
  const all = await home(bob);
  assert.equal(all.status, 200);
  for (const status of all.json) await assertEntity("Status", status);
  assert.deepEqual(ids(all), posts);
  const first = await home(bob, "?limit=2");
  assert.deepEqual(ids(first), posts.slice(0, 2));
  const link = first.headers.get("link")!;
  assert.match(link, /max_id=\d+>; rel="next", <http.*min_id=\d+>; rel="prev"/);
  const next = await bob.get(/<([^>]+)>; rel="next"/.exec(link)![1]!);
  assert.deepEqual(ids(next), posts.slice(2, 4));
  assert.deepEqual(ids(await home(bob, `?limit=2&min_id=${posts[4]}`)), [posts[2], posts[3]]);
  assert.deepEqual(ids(await home(bob, `?limit=2&since_id=${posts[4]}`)), [posts[0], posts[1]]);
  assert.deepEqual(ids(await home(bob, `?max_id=${posts[3]}`)), [posts[4]]);
  assert.deepEqual(ids(await home(bob, "?limit=0")), []);
});

test("an edit that first names a follower brings a private mention into their home", async () => {
  const mention = await post(alice, "for nobody yet", { visibility: "direct" });
  assert.ok(!ids(await home(bob)).includes(mention));
  await alice.put(`/api/v1/statuses/${mention}`, { status: "@bob for you" }).ok();
  assert.ok(ids(await home(bob)).includes(mention));
  await alice.put(`/api/v1/statuses/${mention}`, { status: "for you, without the name" }).ok();
  assert.ok(ids(await home(bob)).includes(mention));
  await alice.delete(`/api/v1/statuses/${mention}`);
  assert.ok(!ids(await home(bob)).includes(mention));
});

test("fanned out and rebuilt feeds agree", async () => {
  const dora = await t.person("dora");
  await follow(dora, alice, { show_reblogs: false });
  await follow(dora, bob, { languages: ["en"] });
  await home(dora);
  const stranger = await post(carol, "from a stranger");
  await post(alice, "plain");
  await post(alice, "followers", { visibility: "private" });
  await post(alice, "@dora psst", { visibility: "direct" });
  await post(alice, "@carol psst", { visibility: "direct" });
  await post(alice, "@carol to a stranger", { in_reply_to_id: stranger });
  await post(bob, "english", { language: "en" });
  await post(bob, "deutsch", { language: "de" });
  const own = await post(dora, "mine");
  await post(alice, "@dora answering", { in_reply_to_id: own });
  await alice.post(`/api/v1/statuses/${stranger}/reblog`);
  await bob.post(`/api/v1/statuses/${stranger}/reblog`);
  const fanned = ids(await home(dora, "?limit=40"));
  await t.app.feeds.drop([homeKey(dora.accountId)]);
  const rebuilt = await home(dora, "?limit=40");
  assert.deepEqual(fanned, ids(rebuilt));
  const texts = rebuilt.json.map((s: any) => (s.reblog ?? s).content.replaceAll(/<[^>]+>/g, ""));
  for (const text of ["plain", "followers", "@dora psst", "english", "mine", "@dora answering"]) {
    assert.ok(texts.includes(text), text);
  }
  for (const text of ["deutsch", "@carol psst", "@carol to a stranger"]) {
    assert.ok(!texts.includes(text), text);
  }
  // bob's reblog only: alice's are not wanted
  assert.equal(texts.filter((text: string) => text === "from a stranger").length, 1);
});

test("a boost that ended before another process had pushed it is taken back, and its next one is shown", async () => {
  const strange = await post(carol, "boosted, ended, boosted");
  const boost = async (act: string): Promise<string> =>
    (await bob.post(`/api/v1/statuses/${strange}/${act}`)).json.id;
  await home(bob);
  const views = await loadAsServer(t.app, [await boost("reblog")]);
  await boost("unreblog");
  await t.runJobs();
  await fanOut(t.app, views);
  const next = await boost("reblog");
  assert.equal(ids(await home(bob))[0], next);
});

test("a boost is left out while its post or another boost of it is near", async () => {
  const [hal, iris] = [await t.person("hal"), await t.person("iris")];
  await follow(hal, alice);
  await follow(hal, bob);
  await home(hal);
  const streamed: string[] = [];
  const stop = t.app.pubsub.subscribe(userChannel(hal.accountId), (event: any) => {
    if (event.event === "update") streamed.unshift(JSON.parse(event.payload).id);
  });
  const boost = async (who: Person, id: string) =>
    (await who.post(`/api/v1/statuses/${id}/reblog`).ok()).id;
  const followed = await post(alice, "of one who is followed");
  await boost(bob, followed);
  const strange = await post(iris, "of a stranger");
  const first = await boost(bob, strange);
  await boost(alice, strange);
  const bothWays = async () => {
    const fanned = ids(await home(hal, "?limit=40"));
    await t.app.feeds.drop([homeKey(hal.accountId)]);
    assert.deepEqual(ids(await home(hal, "?limit=40")), fanned);
    return fanned;
  };
  assert.deepEqual((await bothWays()).slice(0, 2), [first, followed]);
  assert.deepEqual(streamed, [first, followed], "the stream says the same");
  stop();
  // 39 others, and the first boost is among the newest 40 for the last time.
  let newest = first;
  for (let n = 0; n < 39; n++) newest = await post(alice, `other ${n}`);
  await boost(hal, strange);
  assert.equal((await bothWays())[0], newest);
  newest = await post(alice, "the fortieth");
  const again = await boost(hal, strange);
  assert.equal((await bothWays())[0], newest, "boosted already: the same boost");
  await hal.post(`/api/v1/statuses/${strange}/unreblog`);
  const third = await boost(hal, strange);
  assert.notEqual(third, again);
  assert.deepEqual((await bothWays()).slice(0, 2), [third, newest]);
});

test("what home or a list leaves out is not streamed, also when nobody has ever opened it", async () => {
  const [kim, lou] = [await t.person("kim"), await t.person("lou")];
  for (const who of [alice, bob]) await follow(kim, who);
  const { id: list } = (await kim.post("/api/v1/lists", { title: "both" })).json;
  const account_ids = [alice.accountId, bob.accountId];
  await kim.post(`/api/v1/lists/${list}/accounts`, { account_ids });
  const streamed: [string, string][] = [];
  const deleted: string[] = [];
  const channels = [userChannel(kim.accountId), listChannel({ id: list, ownerId: kim.accountId })];
  const stops = channels.map((channel, n) =>
    t.app.pubsub.subscribe(channel, (event: any) => {
      if (event.event === "update") {
        streamed.push([["home", "list"][n]!, JSON.parse(event.payload).id]);
      } else if (event.event === "delete") deleted.push(event.payload);
    }),
  );
  const boost = async (who: Person, id: string): Promise<string> => {
    const path = `/api/v1/statuses/${id}/reblog`;
    const { json } = await who.post(path);
    await t.runJobs();
    return json.id;
  };
  const known = await post(alice, "of one who is followed");
  await t.runJobs();
  await boost(bob, known);
  const strange = await post(lou, "of a stranger");
  await t.runJobs();
  const first = await boost(alice, strange);
  await t.app.feeds.drop([homeKey(kim.accountId)]);
  await boost(bob, strange);
  const expected = [known, first];
  for (const [index, path] of ["home", `list/${list}`].entries()) {
    const name = ["home", "list"][index]!;
    const received = streamed.filter(([stream]) => stream === name).map(([, id]) => id);
    assert.deepEqual(received, expected, name);
    const shown = ids(await kim.get(`/api/v1/timelines/${path}`));
    assert.deepEqual(shown.slice(0, 2), expected.toReversed(), `${name} says the same`);
  }
  for (const who of [bob, alice]) {
    await who.post(`/api/v1/statuses/${strange}/unreblog`);
    await t.runJobs();
  }
  assert.deepEqual(deleted, [first, first], "the end of a boost that nobody was shown is not told");
  for (const stop of stops) stop();
});

test("blocked and muted people vanish at once, deleted posts too", async () => {
  const eve = await t.person("eve");
  const frank = await t.person("frank");
  await follow(eve, alice);
  await follow(eve, frank);
  const byFrank = await post(frank, "by frank");
  const boosted = await post(frank, "boosted");
  await alice.post(`/api/v1/statuses/${boosted}/reblog`);
  const gone = await post(alice, "going");
  assert.ok(ids(await home(eve)).includes(byFrank));
  await alice.delete(`/api/v1/statuses/${gone}`);
  assert.ok(!ids(await eve.get("/api/v1/timelines/home")).includes(gone));
  const mute = { account_id: eve.accountId, target_account_id: frank.accountId };
  await t.write`INSERT INTO mutes ${t.app.sql(mute)}`;
  const after = await eve.get("/api/v1/timelines/home");
  assert.ok(after.json.every((s: any) => (s.reblog ?? s).account.acct !== "frank"));
  const open = await eve.get("/api/v1/timelines/public");
  assert.ok(open.json.every((s: any) => s.account.acct !== "frank"));
});

test("a feed that takes long answers 206, and is there afterwards", async () => {
  const gina = await t.person("gina");
  await follow(gina, alice);
  const key = homeKey(gina.accountId);
  // Somebody else is filling it and has not finished.
  const filling = Promise.withResolvers<{ ids: string[] }>();
  void t.app.feeds.fill(key, () => filling.promise);
  const waiting = await gina.get("/api/v1/timelines/home");
  assert.deepEqual([waiting.status, waiting.json], [206, []]);
  const header = waiting.headers.get("mastodon-async-refresh") ?? "";
  const id = /^id="([\w-]+)", retry=\d+$/.exec(header)?.[1];
  await gina.get(`/api/v1_alpha/async_refreshes/${id}`).ok();
  await t.app.feeds.drop([key]);
  filling.resolve({ ids: [] });
  const ready = await gina.get("/api/v1/timelines/home").ok();
  assert.ok(ready.length > 0);
});

test("home wants a person with read:statuses", async () => {
  assert.equal((await t.visitor.get("/api/v1/timelines/home")).status, 401);
  const token = await t.token(null, ["read"]);
  assert.equal((await t.as(token).get("/api/v1/timelines/home")).status, 422);
  const narrow = await t.token(bob.userId, ["read:accounts"]);
  assert.equal((await t.as(narrow).get("/api/v1/timelines/home")).status, 403);
});

test("public: originals that are public, no replies to others, no reblogs", async () => {
  const visible = await post(alice, "for all");
  const quiet = await post(alice, "quiet", { visibility: "unlisted" });
  const reply = await post(bob, "@alice hm", { in_reply_to_id: visible });
  const own = await post(alice, "and more", { in_reply_to_id: visible });
  const boost = (await bob.post(`/api/v1/statuses/${visible}/reblog`)).json.id;
  const shown = ids(await t.visitor.get("/api/v1/timelines/public?limit=40"));
  assert.ok(shown.includes(visible) && shown.includes(own));
  for (const id of [quiet, reply, boost]) assert.ok(!shown.includes(id));
  assert.deepEqual(ids(await t.visitor.get("/api/v1/timelines/public?local=true&limit=1")), [own]);
  assert.deepEqual(ids(await t.visitor.get("/api/v1/timelines/public?remote=true")), []);
  assert.deepEqual(ids(await t.visitor.get("/api/v1/timelines/public?only_media=true")), []);
  assert.equal(
    (await t.visitor.get("/api/v1/timelines/public?limit=9999")).json.length <= 40,
    true,
  );
  assert.deepEqual((await t.visitor.get("/api/v1/timelines/public?limit=abc")).json, []);
  assert.equal(
    (await t.visitor.get("/api/v1/timelines/public?max_id=junk&limit=-3")).json.length,
    3,
  );
});

test("public shows the languages that one chose, and posts without one", async () => {
  const hana = await t.person("hana");
  const german = await post(alice, "guten Tag", { language: "de" });
  const english = await post(alice, "good day", { language: "en" });
  const settings = t.app.sql.json({ chosen_languages: ["de"] });
  await t.write`UPDATE users SET settings = ${settings} WHERE id = ${hana.userId}`;
  const shown = ids(await hana.get("/api/v1/timelines/public?limit=40"));
  assert.ok(shown.includes(german) && !shown.includes(english));
});

test("a suspended account is left out of every list", async () => {
  const ivan = await t.person("ivan");
  const id = await post(ivan, "soon gone #ivans");
  await t.write`UPDATE accounts SET suspended_at = now() WHERE id = ${ivan.accountId}`;
  assert.ok(!ids(await t.visitor.get("/api/v1/timelines/public?limit=40")).includes(id));
  assert.deepEqual(ids(await t.visitor.get("/api/v1/timelines/tag/ivans")), []);
  assert.equal((await t.visitor.get(`/api/v1/statuses/${id}`)).status, 404);
});

test("hashtags: any, all, none, without regard to case and accents", async () => {
  const a = await post(alice, "#Fruit #apple");
  const b = await post(alice, "#fruit #pear");
  const c = await post(alice, "#FRÜIT #plum");
  const d = await post(alice, "#vegetable");
  const tag = async (path: string) => ids(await t.visitor.get(`/api/v1/timelines/tag/${path}`));
  assert.deepEqual(await tag("fruit"), [c, b, a]);
  assert.deepEqual(await tag("Fr%C3%BCit"), [c, b, a]);
  assert.deepEqual(await tag("fruit?any[]=vegetable"), [d, c, b, a]);
  assert.deepEqual(await tag("fruit?all[]=pear"), [b]);
  assert.deepEqual(await tag("fruit?all[]=pear&all[]=plum"), []);
  assert.deepEqual(await tag("fruit?none[]=pear"), [c, a]);
  assert.deepEqual(await tag("fruit?none[]=fruit"), []);
  assert.deepEqual(await tag("fruit?any[]=pear&none[]=fruit"), []);
  assert.deepEqual(await tag("nothinghere"), []);
  assert.deepEqual(await tag("fruit?all[]=unknowntag"), []);
  assert.deepEqual(await tag("fruit?limit=1"), [c]);
});

test("direct has what one sent and got", async () => {
  const sent = await post(bob, "@carol one", { visibility: "direct" });
  const got = await post(carol, "@bob two", { visibility: "direct", in_reply_to_id: sent });
  await post(alice, "@carol three", { visibility: "direct" });
  assert.deepEqual(ids(await bob.get("/api/v1/timelines/direct")), [got, sent]);
  assert.equal((await t.visitor.get("/api/v1/timelines/direct")).status, 401);
});

test("a page takes the same number of queries however long it is", async () => {
  await home(bob);
  const small = await t.countQueries(() => bob.get("/api/v1/timelines/home?limit=1"));
  const large = await t.countQueries(() => bob.get("/api/v1/timelines/home?limit=20"));
  assert.ok(large.result.json.length > 5);
  assert.equal(large.queries, small.queries);
});
