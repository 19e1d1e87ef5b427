// alice@a and bob@b (and carol@b, who does not follow alice) interact.

import assert from "node:assert/strict";
import { before, describe } from "node:test";
import { eventually } from "../eventually.ts";
import { journey } from "../journey.ts";
import type { RealServer, Someone } from "../server.ts";
import { a, b } from "./pair.ts";

let alice: Someone;
let bob: Someone;
let carol: Someone;
const step = journey(() => [a, b]);
/** alice's id on b, bob's on a. */
let aliceAtB = "";
let bobAtA = "";

/** Only the text: remote HTML is sanitised and gets other attributes. */
const words = (html: string): string => html.replaceAll(/<[^>]*>/g, "");

const home = (who: Someone): Promise<any[]> => who.get("/api/v1/timelines/home?limit=40");

/** The copy of a post (by its URI) in a person's home timeline, once it is there. */
const inHome = (who: Someone, uri: string): Promise<any> =>
  eventually(`${uri} in ${who.acct}'s home`, async () =>
    (await home(who)).find((status) => (status.reblog ?? status).uri === uri),
  );

const notified = (who: Someone, type: string, check: (notification: any) => boolean = () => true) =>
  eventually(`a ${type} notification of ${who.acct}`, async () => {
    const list: any[] = await who.get("/api/v1/notifications?limit=40");
    return list.find((notification) => notification.type === type && check(notification));
  });

const relation = async (who: Someone, id: string): Promise<any> =>
  (await who.get(`/api/v1/accounts/relationships?id[]=${id}`))[0];

const related = (who: Someone, id: string, what: string, check: (relation: any) => boolean) =>
  eventually(`${who.acct}: ${what}`, async () => check(await relation(who, id)));

const statusOf = async (server: RealServer, who: Someone, id: string): Promise<number> =>
  (await server.request("GET", `/api/v1/statuses/${id}`, { token: who.token })).status;

const post = (who: Someone, status: string, more: object = {}) =>
  who.post("/api/v1/statuses", { status, ...more });

const befriend = async (): Promise<void> => {
  await bob.post(`/api/v1/accounts/${aliceAtB}/follow`);
  await related(
    bob,
    aliceAtB,
    "following alice",
    (relation) => relation.following && !relation.requested,
  );
};

before(async () => {
  [alice, bob] = await Promise.all([a.person("alice"), b.person("bob")]);
  carol = await b.person("carol");
});

describe("finding and following", () => {
  step("a handle is resolved, and looked up afterwards", async () => {
    const search = await bob.get(`/api/v2/search?q=@${alice.acct}&resolve=true&type=accounts`);
    assert.equal(search.accounts.length, 1);
    assert.equal(search.accounts[0].acct, alice.acct);
    assert.equal(search.accounts[0].url, `${a.url}/@alice`);
    aliceAtB = search.accounts[0].id;
    const known = await bob.get(`/api/v1/accounts/lookup?acct=${alice.acct}`);
    assert.equal(known.id, aliceAtB);
  });

  step("an unknown handle finds nobody", async () => {
    const search = await bob.get(`/api/v2/search?q=@nobody@${a.host}&resolve=true&type=accounts`);
    assert.deepEqual(search.accounts, []);
  });

  step("a follow is accepted and notified", async () => {
    await befriend();
    const note = await notified(
      alice,
      "follow",
      (notification) => notification.account.acct === bob.acct,
    );
    bobAtA = note.account.id;
    const followers = await alice.get(`/api/v1/accounts/${alice.id}/followers`);
    assert.deepEqual(
      followers.map((follower: any) => follower.acct),
      [bob.acct],
    );
    assert.equal((await relation(alice, bobAtA)).followed_by, true);
  });

  step("alice follows back", async () => {
    await alice.post(`/api/v1/accounts/${bobAtA}/follow`);
    await related(
      alice,
      bobAtA,
      "following bob",
      (relation) => relation.following && relation.followed_by,
    );
    await notified(bob, "follow", (notification) => notification.account.acct === alice.acct);
  });

  step("the URL of a post finds it", async () => {
    const status = await post(alice, "looked up by its address", { visibility: "unlisted" });
    const query = `q=${encodeURIComponent(status.url)}&resolve=true&type=statuses`;
    const search = await carol.get(`/api/v2/search?${query}`);
    assert.equal(search.statuses.length, 1);
    assert.equal(search.statuses[0].uri, status.uri);
    assert.equal(words(search.statuses[0].content), words(status.content));
  });
});

describe("posts", () => {
  let first: any;
  let copy: any;

  step("arrives in the home of a follower", async (context) => {
    const began = performance.now();
    first = await post(alice, "Hello #world, see https://example.org", { language: "en" });
    copy = await inHome(bob, first.uri);
    context.diagnostic(`after ${Math.round(performance.now() - began)} ms`);
    assert.equal(words(copy.content), words(first.content));
    assert.equal(copy.visibility, "public");
    assert.equal(copy.language, "en");
    assert.equal(copy.url, first.url);
    assert.equal(copy.account.id, aliceAtB);
    assert.deepEqual(
      copy.tags.map((tag: any) => tag.name),
      ["world"],
    );
  });

  step("a reply comes back into the thread", async () => {
    const status = `@${alice.acct} hello yourself`;
    const reply = await post(bob, status, { in_reply_to_id: copy.id });
    assert.equal(reply.in_reply_to_id, copy.id);
    const note = await notified(
      alice,
      "mention",
      (notification) => notification.status.uri === reply.uri,
    );
    assert.equal(note.status.in_reply_to_id, first.id);
    assert.equal(note.status.in_reply_to_account_id, alice.id);
    assert.deepEqual(
      note.status.mentions.map((mention: any) => mention.acct),
      ["alice"],
    );
    const { descendants } = await alice.get(`/api/v1/statuses/${first.id}/context`);
    assert.deepEqual(
      descendants.map((descendant: any) => descendant.uri),
      [reply.uri],
    );
    assert.equal((await alice.get(`/api/v1/statuses/${first.id}`)).replies_count, 1);
  });

  step("a favourite is notified and counted, and undone", async () => {
    await bob.post(`/api/v1/statuses/${copy.id}/favourite`);
    await notified(alice, "favourite", (notification) => notification.status.id === first.id);
    const liked = await alice.get(`/api/v1/statuses/${first.id}`);
    assert.equal(liked.favourites_count, 1);
    const by = await alice.get(`/api/v1/statuses/${first.id}/favourited_by`);
    assert.deepEqual(
      by.map((account: any) => account.acct),
      [bob.acct],
    );
    await bob.post(`/api/v1/statuses/${copy.id}/unfavourite`);
    await eventually("no favourite", async () => {
      const now = await alice.get(`/api/v1/statuses/${first.id}`);
      return now.favourites_count === 0;
    });
  });

  step(
    "a reblog is notified, counted, in the home of the booster's followers, and undone",
    async () => {
      const boost = await bob.post(`/api/v1/statuses/${copy.id}/reblog`);
      assert.equal(boost.reblog.uri, first.uri);
      await notified(alice, "reblog", (notification) => notification.status.id === first.id);
      assert.equal((await alice.get(`/api/v1/statuses/${first.id}`)).reblogs_count, 1);
      await bob.post(`/api/v1/statuses/${copy.id}/unreblog`);
      await eventually("no reblog", async () => {
        const now = await alice.get(`/api/v1/statuses/${first.id}`);
        return now.reblogs_count === 0;
      });
    },
  );

  step("an edit arrives, and a person who boosted the post is notified", async () => {
    await bob.post(`/api/v1/statuses/${copy.id}/reblog`);
    await notified(alice, "reblog");
    const edited = await alice.put(`/api/v1/statuses/${first.id}`, { status: "Hello again" });
    assert.ok(edited.edited_at);
    const now = await eventually("the edit", async () => {
      const status = await bob.get(`/api/v1/statuses/${copy.id}`);
      return status.edited_at && status;
    });
    assert.equal(words(now.content), words(edited.content));
    assert.equal((await bob.get(`/api/v1/statuses/${copy.id}/history`)).length, 2);
    await notified(bob, "update", (notification) => notification.status.id === copy.id);
  });

  step("a deletion arrives, and takes the boost with it", async () => {
    await alice.delete(`/api/v1/statuses/${first.id}`);
    await eventually("the deletion", async () => (await statusOf(b, bob, copy.id)) === 404);
    const left = (await home(bob)).filter((status) => (status.reblog ?? status).uri === first.uri);
    assert.deepEqual(left, []);
  });

  step("a mention of a non-follower is notified, with a link", async () => {
    const status = await post(alice, `look, @${carol.acct}`);
    const note = await notified(
      carol,
      "mention",
      (notification) => notification.status.uri === status.uri,
    );
    assert.deepEqual(
      note.status.mentions.map((mention: any) => mention.acct),
      ["carol"],
    );
    assert.deepEqual(
      status.mentions.map((mention: any) => mention.acct),
      [carol.acct],
    );
    assert.ok(status.content.includes(`href="${b.url}/@carol"`), status.content);
  });

  step("a direct message reaches the mentioned person and nobody else", async () => {
    const status = await post(alice, `psst @${bob.acct}`, { visibility: "direct" });
    const note = await notified(
      bob,
      "mention",
      (notification) => notification.status.uri === status.uri,
    );
    assert.equal(note.status.visibility, "direct");
    const direct = await bob.get("/api/v1/timelines/direct");
    assert.equal(direct[0].uri, status.uri);
    assert.equal(await statusOf(b, carol, note.status.id), 404);
    assert.ok(!(await home(carol)).some((shown) => shown.uri === status.uri));
  });

  step("a followers-only post reaches followers and nobody else", async () => {
    const status = await post(alice, "for my followers", { visibility: "private" });
    const seen = await inHome(bob, status.uri);
    assert.equal(seen.visibility, "private");
    assert.equal(await statusOf(b, carol, seen.id), 404);
    const query = `q=${encodeURIComponent(status.url)}&resolve=true&type=statuses`;
    assert.deepEqual((await carol.get(`/api/v2/search?${query}`)).statuses, []);
  });

  step("a changed profile is sent to followers", async () => {
    await alice.patch("/api/v1/accounts/update_credentials", { display_name: "Alice the First" });
    await eventually("the new name", async () => {
      const now = await bob.get(`/api/v1/accounts/${aliceAtB}`);
      return now.display_name === "Alice the First";
    });
  });
});

describe("unfollowing, refusing, blocking", () => {
  step("after an unfollow nothing more arrives", async () => {
    await bob.post(`/api/v1/accounts/${aliceAtB}/unfollow`);
    await eventually("no follower", async () => {
      const followers = await alice.get(`/api/v1/accounts/${alice.id}/followers`);
      return followers.length === 0;
    });
    const unseen = await post(alice, "nobody listens");
    const mark = await post(alice, `a mark for @${carol.acct}`);
    await notified(carol, "mention", (notification) => notification.status.uri === mark.uri);
    assert.ok(!(await home(bob)).some((status) => status.uri === unseen.uri));
  });

  step("a locked account gets a request, and may refuse it", async () => {
    await alice.patch("/api/v1/accounts/update_credentials", { locked: true });
    // Nobody at b follows alice any more, so b did not get the Update with the lock; it sends a request anyway.
    const relation = await bob.post(`/api/v1/accounts/${aliceAtB}/follow`);
    assert.deepEqual([relation.following, relation.requested], [false, true]);
    await notified(
      alice,
      "follow_request",
      (notification) => notification.account.acct === bob.acct,
    );
    const requests = await alice.get("/api/v1/follow_requests");
    assert.deepEqual(
      requests.map((account: any) => account.acct),
      [bob.acct],
    );
    await alice.post(`/api/v1/follow_requests/${bobAtA}/reject`);
    await related(
      bob,
      aliceAtB,
      "refused",
      (relation) => !relation.following && !relation.requested,
    );
  });

  step("or accept it", async () => {
    await bob.post(`/api/v1/accounts/${aliceAtB}/follow`);
    await eventually(
      "the request",
      async () => (await alice.get("/api/v1/follow_requests")).length,
    );
    await alice.post(`/api/v1/follow_requests/${bobAtA}/authorize`);
    await related(bob, aliceAtB, "agreed", (relation) => relation.following && !relation.requested);
    const status = await post(alice, "among friends", { visibility: "private" });
    await inHome(bob, status.uri);
  });

  step("or remove the follower later", async () => {
    await alice.post(`/api/v1/accounts/${bobAtA}/remove_from_followers`);
    await related(bob, aliceAtB, "removed", (relation) => !relation.following);
    await bob.post(`/api/v1/accounts/${aliceAtB}/follow`);
    await eventually(
      "the request",
      async () => (await alice.get("/api/v1/follow_requests")).length,
    );
    await alice.post(`/api/v1/follow_requests/${bobAtA}/authorize`);
    await related(bob, aliceAtB, "agreed", (relation) => relation.following);
  });

  step(
    "a block ends follows both ways, and posts of the blocked person do not arrive",
    async () => {
      await alice.post(`/api/v1/accounts/${bobAtA}/block`);
      await related(
        bob,
        aliceAtB,
        "blocked",
        (relation) => relation.blocked_by && !relation.following,
      );
      assert.equal((await relation(alice, bobAtA)).followed_by, false);
      const reply = await post(bob, `@${alice.acct} why?`);
      const mark = await post(carol, `@${alice.acct} a mark`);
      await notified(alice, "mention", (notification) => notification.status.uri === mark.uri);
      const list: any[] = await alice.get("/api/v1/notifications?types[]=mention");
      assert.ok(!list.some((notification) => notification.status.uri === reply.uri));
    },
  );

  step("an unblock is sent", async () => {
    await alice.post(`/api/v1/accounts/${bobAtA}/unblock`);
    await related(bob, aliceAtB, "unblocked", (relation) => !relation.blocked_by);
  });
});
