// Who reads an author is cached in memory: every act that changes it shows in the next post.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { homeKey, listKey } from "../../people/relationships/changed.ts";
import { follow } from "../../people/relationships/follow.ts";
import { cachedAudiences } from "./cached-readers.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;

before(async () => {
  t = await startTestApp();
  [alice, bob, carol] = [await t.person("alice"), await t.person("bob"), await t.person("carol")];
});
after(() => t.close());

const of = (who: Person, what: string): string => `/api/v1/accounts/${who.accountId}/${what}`;

const post = async (by: Person, more: object = {}): Promise<string> =>
  (await by.post("/api/v1/statuses", { status: "news #garden", ...more }).ok()).id;

const idsAt = async (who: Person, path: string): Promise<string[]> =>
  (await who.get(path).ok()).map((entity: { id: string }) => entity.id);

/**
 * Whether a new post comes home: by fan-out, not because the feed is rebuilt. Once before that the
 * readers are asked for, so that they are in memory.
 */
const comesHome = async (reader: Person, author: Person, more: object = {}): Promise<boolean> => {
  await t.runJobs();
  const path = "/api/v1/timelines/home?limit=40";
  await idsAt(reader, path);
  const id = await post(author, more);
  await t.runJobs();
  const isShown = (await idsAt(reader, path)).includes(id);
  await cachedAudiences(t.app, [author.accountId]);
  return isShown;
};

test("following, its options and its end", async () => {
  assert.equal(await comesHome(bob, alice), false);
  await bob.post(of(alice, "follow")).ok();
  assert.equal(await comesHome(bob, alice), true);
  await bob.post(of(alice, "follow"), { languages: ["de"] }).ok();
  assert.equal(await comesHome(bob, alice, { language: "en" }), false);
  assert.equal(await comesHome(bob, alice, { language: "de" }), true);
  await bob.post(of(alice, "unfollow")).ok();
  assert.equal(await comesHome(bob, alice), false);
  await bob.post(of(alice, "follow")).ok();
  await alice.post(of(bob, "remove_from_followers")).ok();
  assert.equal(await comesHome(bob, alice), false);
  await bob.post(of(alice, "follow")).ok();
  assert.equal(await comesHome(bob, alice), true);
  await alice.post(of(bob, "block")).ok();
  await alice.post(of(bob, "unblock")).ok();
  assert.equal(await comesHome(bob, alice), false);
});

test("a request that is accepted", async () => {
  const dora = await t.person("dora");
  await dora.patch("/api/v1/accounts/update_credentials", { locked: true }).ok();
  await bob.post(of(dora, "follow")).ok();
  assert.equal(await comesHome(bob, dora), false);
  await dora.post(`/api/v1/follow_requests/${bob.accountId}/authorize`).ok();
  assert.equal(await comesHome(bob, dora), true);
});

test("who asked to be notified of every post", async () => {
  await bob.post(of(alice, "follow")).ok();
  const isNotified = async (): Promise<boolean> => {
    const id = await post(alice);
    await t.runJobs();
    const notifications = await bob.get("/api/v1/notifications?types[]=status").ok();
    return notifications.some(
      (notification: { status: { id: string } }) => notification.status.id === id,
    );
  };
  assert.equal(await isNotified(), false);
  await bob.post(of(alice, "follow"), { notify: true }).ok();
  assert.equal(await isNotified(), true);
  await bob.post(of(alice, "follow"), { notify: false }).ok();
  assert.equal(await isNotified(), false);
});

test("lists, and exclusive ones", async () => {
  const list = (await bob.post("/api/v1/lists", { title: "List" }).ok()).id;
  const members = `/api/v1/lists/${list}/accounts`;
  const account_ids = [alice.accountId];
  const isListed = async (): Promise<boolean> => {
    await idsAt(bob, `/api/v1/timelines/list/${list}`);
    const id = await post(alice);
    await t.runJobs();
    return (await idsAt(bob, `/api/v1/timelines/list/${list}`)).includes(id);
  };
  assert.equal(await isListed(), false);
  await bob.post(members, { account_ids }).ok();
  assert.equal(await isListed(), true);
  assert.equal(await comesHome(bob, alice), true);
  await bob.put(`/api/v1/lists/${list}`, { title: "List", exclusive: true }).ok();
  assert.equal(await comesHome(bob, alice), false);
  await bob.delete(members, { account_ids }).ok();
  assert.equal(await comesHome(bob, alice), true);
  await bob.post(members, { account_ids }).ok();
  assert.equal(await comesHome(bob, alice), false);
  await bob.delete(`/api/v1/lists/${list}`).ok();
  assert.equal(await comesHome(bob, alice), true);
});

test("replies go to those who follow both", async () => {
  await bob.post(of(alice, "follow")).ok();
  const root = await post(carol);
  const more = { in_reply_to_id: root };
  assert.equal(await comesHome(bob, alice, more), false);
  await bob.post(of(carol, "follow")).ok();
  assert.equal(await comesHome(bob, alice, more), true);
  await bob.post(of(carol, "unfollow")).ok();
  assert.equal(await comesHome(bob, alice, more), false);
});

test("a tag that is followed, and followed no more", async () => {
  assert.equal(await comesHome(bob, carol), false);
  await bob.post("/api/v1/tags/garden/follow").ok();
  assert.equal(await comesHome(bob, carol), true);
  await bob.post("/api/v1/tags/garden/unfollow").ok();
  assert.equal(await comesHome(bob, carol), false);
});

test("people who leave are no readers", async () => {
  const eve = await t.person("eve");
  await eve.post(of(alice, "follow")).ok();
  assert.equal(await comesHome(eve, alice), true);
  const readers = async () =>
    (await cachedAudiences(t.app, [alice.accountId])).get(alice.accountId)!.readers;
  assert.ok((await readers()).some(({ id }) => id === eve.accountId));
  await removeAccount(t.app, eve.accountId);
  await t.runJobs();
  assert.ok(!(await readers()).some(({ id }) => id === eve.accountId));
});

test("remote followers, until their domain is blocked", async () => {
  const hasRemoteFollowers = async () =>
    (await cachedAudiences(t.app, [alice.accountId])).get(alice.accountId)!.hasRemoteFollowers;
  const uri = "https://far.example/users/zoe";
  const [zoe] = await t.write<{ id: string }[]>`
    INSERT INTO accounts (username, domain, uri, url)
    VALUES ('zoe', 'far.example', ${uri}, ${uri}) RETURNING id
  `;
  assert.equal(await hasRemoteFollowers(), false);
  await follow(t.app, { accountId: zoe!.id, targetId: alice.accountId, uri: `${uri}#follow` });
  assert.equal(await hasRemoteFollowers(), true);
  await alice.post("/api/v1/domain_blocks", { domain: "far.example" }).ok();
  await t.runJobs();
  assert.equal(await hasRemoteFollowers(), false);
});

test("who mutes a booster gets the boosts of others, fanned out and rebuilt", async () => {
  const [hanna, ines, jonas] = [
    await t.person("hanna"),
    await t.person("ines"),
    await t.person("jonas"),
  ];
  const writer = await t.person("kim");
  const home = "/api/v1/timelines/home?limit=40";
  for (const person of [ines, jonas]) await hanna.post(of(person, "follow")).ok();
  const { id } = await hanna.post("/api/v1/lists", { title: "both" }).ok();
  const members = { account_ids: [ines.accountId, jonas.accountId] };
  await hanna.post(`/api/v1/lists/${id}/accounts`, members).ok();
  const list = `/api/v1/timelines/list/${id}`;
  const seen = async () => {
    const original = await post(writer);
    await t.runJobs();
    await Promise.all([idsAt(hanna, home), idsAt(hanna, list)]);
    const boosts: string[] = [];
    for (const who of [ines, jonas]) {
      boosts.push((await who.post(`/api/v1/statuses/${original}/reblog`).ok()).id);
      await t.runJobs();
    }
    const among = async (path: string) => {
      const ids = await idsAt(hanna, path);
      return ["ines", "jonas"].filter((_, at) => ids.includes(boosts[at]!));
    };
    const fanned = [await among(home), await among(list)];
    await t.app.feeds.drop([homeKey(hanna.accountId), listKey(id)]);
    assert.deepEqual([await among(home), await among(list)], fanned);
    return fanned;
  };
  assert.deepEqual(await seen(), [["ines"], ["ines"]]);
  await hanna.post(of(ines, "mute")).ok();
  assert.deepEqual(await seen(), [["jonas"], ["jonas"]]);
  await hanna.post(of(ines, "unmute")).ok();
  assert.deepEqual(await seen(), [["ines"], ["ines"]]);
});
