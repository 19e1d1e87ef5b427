// Who reads an author is cached in memory: every act that changes it shows in the next post.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { actIn } from "../../../../test/act.ts";
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

const act = actIn(() => t);

const of = (who: Person, what: string): string => `/api/v1/accounts/${who.accountId}/${what}`;

const post = async (by: Person, more: object = {}): Promise<string> =>
  (await act(by, "POST", "/api/v1/statuses", { status: "news #garden", ...more })).id;

const idsAt = async (who: Person, path: string): Promise<string[]> =>
  (await act(who, "GET", path)).map((entity: { id: string }) => entity.id);

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
  await act(bob, "POST", of(alice, "follow"));
  assert.equal(await comesHome(bob, alice), true);
  await act(bob, "POST", of(alice, "follow"), { languages: ["de"] });
  assert.equal(await comesHome(bob, alice, { language: "en" }), false);
  assert.equal(await comesHome(bob, alice, { language: "de" }), true);
  await act(bob, "POST", of(alice, "unfollow"));
  assert.equal(await comesHome(bob, alice), false);
  await act(bob, "POST", of(alice, "follow"));
  await act(alice, "POST", of(bob, "remove_from_followers"));
  assert.equal(await comesHome(bob, alice), false);
  await act(bob, "POST", of(alice, "follow"));
  assert.equal(await comesHome(bob, alice), true);
  await act(alice, "POST", of(bob, "block"));
  await act(alice, "POST", of(bob, "unblock"));
  assert.equal(await comesHome(bob, alice), false);
});

test("a request that is accepted", async () => {
  const dora = await t.person("dora");
  await act(dora, "PATCH", "/api/v1/accounts/update_credentials", { locked: true });
  await act(bob, "POST", of(dora, "follow"));
  assert.equal(await comesHome(bob, dora), false);
  await act(dora, "POST", `/api/v1/follow_requests/${bob.accountId}/authorize`);
  assert.equal(await comesHome(bob, dora), true);
});

test("who asked to be notified of every post", async () => {
  await act(bob, "POST", of(alice, "follow"));
  const isNotified = async (): Promise<boolean> => {
    const id = await post(alice);
    await t.runJobs();
    const notifications = await act(bob, "GET", "/api/v1/notifications?types[]=status");
    return notifications.some(
      (notification: { status: { id: string } }) => notification.status.id === id,
    );
  };
  assert.equal(await isNotified(), false);
  await act(bob, "POST", of(alice, "follow"), { notify: true });
  assert.equal(await isNotified(), true);
  await act(bob, "POST", of(alice, "follow"), { notify: false });
  assert.equal(await isNotified(), false);
});

test("lists, and exclusive ones", async () => {
  const list = (await act(bob, "POST", "/api/v1/lists", { title: "List" })).id;
  const members = `/api/v1/lists/${list}/accounts`;
  const account_ids = [alice.accountId];
  const isListed = async (): Promise<boolean> => {
    await idsAt(bob, `/api/v1/timelines/list/${list}`);
    const id = await post(alice);
    await t.runJobs();
    return (await idsAt(bob, `/api/v1/timelines/list/${list}`)).includes(id);
  };
  assert.equal(await isListed(), false);
  await act(bob, "POST", members, { account_ids });
  assert.equal(await isListed(), true);
  assert.equal(await comesHome(bob, alice), true);
  await act(bob, "PUT", `/api/v1/lists/${list}`, { title: "List", exclusive: true });
  assert.equal(await comesHome(bob, alice), false);
  await act(bob, "DELETE", members, { account_ids });
  assert.equal(await comesHome(bob, alice), true);
  await act(bob, "POST", members, { account_ids });
  assert.equal(await comesHome(bob, alice), false);
  await act(bob, "DELETE", `/api/v1/lists/${list}`);
  assert.equal(await comesHome(bob, alice), true);
});

test("replies go to those who follow both", async () => {
  await act(bob, "POST", of(alice, "follow"));
  const root = await post(carol);
  const more = { in_reply_to_id: root };
  assert.equal(await comesHome(bob, alice, more), false);
  await act(bob, "POST", of(carol, "follow"));
  assert.equal(await comesHome(bob, alice, more), true);
  await act(bob, "POST", of(carol, "unfollow"));
  assert.equal(await comesHome(bob, alice, more), false);
});

test("a tag that is followed, and followed no more", async () => {
  assert.equal(await comesHome(bob, carol), false);
  await act(bob, "POST", "/api/v1/tags/garden/follow");
  assert.equal(await comesHome(bob, carol), true);
  await act(bob, "POST", "/api/v1/tags/garden/unfollow");
  assert.equal(await comesHome(bob, carol), false);
});

test("people who leave are no readers", async () => {
  const eve = await t.person("eve");
  await act(eve, "POST", of(alice, "follow"));
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
  await act(alice, "POST", "/api/v1/domain_blocks", { domain: "far.example" });
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
  for (const person of [ines, jonas]) await act(hanna, "POST", of(person, "follow"));
  const { id } = await act(hanna, "POST", "/api/v1/lists", { title: "both" });
  const members = { account_ids: [ines.accountId, jonas.accountId] };
  await act(hanna, "POST", `/api/v1/lists/${id}/accounts`, members);
  const list = `/api/v1/timelines/list/${id}`;
  const seen = async () => {
    const original = await post(writer);
    await t.runJobs();
    await Promise.all([idsAt(hanna, home), idsAt(hanna, list)]);
    const boosts: string[] = [];
    for (const who of [ines, jonas]) {
      boosts.push((await act(who, "POST", `/api/v1/statuses/${original}/reblog`)).id);
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
  await act(hanna, "POST", of(ines, "mute"));
  assert.deepEqual(await seen(), [["jonas"], ["jonas"]]);
  await act(hanna, "POST", of(ines, "unmute"));
  assert.deepEqual(await seen(), [["ines"], ["ines"]]);
});
