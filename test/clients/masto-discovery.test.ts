// Finding people, posts and tags with the client library masto: search, trends, directory, recommendations,
// and what the server says about itself.

import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { mastodon } from "masto";
import {
  createAnnouncement,
  removeAnnouncement,
} from "../../src/domain/reading/announcements/announce.ts";
import { clientOf, idsOf, pagesOf, refused, someone, startLiveServer } from "./live-server.ts";
import type { LiveServer, Someone } from "./live-server.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";

let server: LiveServer;
let anonymous: mastodon.rest.Client;
let alice: Someone;
let bob: Someone;
let carol: Someone;

before(async () => {
  server = await startLiveServer();
  anonymous = clientOf(server);
  alice = await someone(server, "alice");
  bob = await someone(server, "bobby");
  carol = await someone(server, "bobolink");
});
after(() => server?.close());

describe("search", () => {
  it("finds people, those that one follows first", async () => {
    await alice.rest.v1.accounts.$select(carol.accountId).follow();
    const results = await alice.rest.v2.search.list({ q: "bob", type: "accounts" });
    assert.deepEqual(idsOf(results.accounts), [carol.accountId, bob.accountId]);
    const followed = await alice.rest.v1.accounts.search.list({ q: "bob", following: true });
    assert.deepEqual(idsOf(followed), [carol.accountId]);
    const exact = await alice.rest.v1.accounts.search.list({ q: "@bobby" });
    assert.equal(exact[0]!.id, bob.accountId);
    await assert.rejects(
      async () => await anonymous.v1.accounts.search.list({ q: "bob" }),
      refused(401),
    );
  });

  it("finds posts that one may find: one's own, those that mention one, and those of authors who allow it", async () => {
    const mine = await alice.rest.v1.statuses.create({ status: "a rare osprey over the lake" });
    const toMe = await bob.rest.v1.statuses.create({
      status: "@alice another osprey",
      visibility: "direct",
    });
    const hidden = await bob.rest.v1.statuses.create({ status: "osprey, not for search" });
    await carol.rest.v1.accounts.updateCredentials({
      discoverable: true,
      indexable: true,
    } as never);
    const open = await carol.rest.v1.statuses.create({ status: "Osprey! #birds" });
    await server.runJobs();
    const find = async (who: Someone, q: string) =>
      idsOf((await who.rest.v2.search.list({ q, type: "statuses" })).statuses).toSorted();
    assert.deepEqual(await find(alice, "osprey"), [mine.id, toMe.id, open.id]);
    assert.deepEqual(await find(bob, "osprey"), [toMe.id, hidden.id, open.id]);
    assert.deepEqual(await find(alice, 'osprey "over the lake"'), [mine.id]);
    assert.deepEqual(await find(alice, "osprey -lake from:me"), []);
    assert.deepEqual(await find(alice, "osprey from:bobolink"), [open.id]);
    await alice.rest.v1.statuses.$select(hidden.id).bookmark();
    await server.runJobs();
    assert.ok((await find(alice, "osprey")).includes(hidden.id));
    await carol.rest.v1.statuses.$select(open.id).remove();
    await server.runJobs();
    assert.ok(!(await find(alice, "osprey")).includes(open.id));
  });

  it("finds tags, and stored records by URL", async () => {
    const { hashtags } = await alice.rest.v2.search.list({ q: "bir", type: "hashtags" });
    assert.deepEqual(
      hashtags.map(({ name }) => name),
      ["birds"],
    );
    const post = await bob.rest.v1.statuses.create({ status: "by its address" });
    const byUrl = await alice.rest.v2.search.list({ q: post.url!, resolve: true });
    assert.deepEqual(idsOf(byUrl.statuses), [post.id]);
    const page = await alice.rest.v2.search.list({ q: `${server.url}/@bobby`, resolve: true });
    assert.deepEqual(idsOf(page.accounts), [bob.accountId]);
    await assert.rejects(
      async () => await anonymous.v2.search.list({ q: "x", resolve: true }),
      refused(401),
    );
  });
});

describe("trends and recommendations", () => {
  it("are lists for everybody, also when nothing trends", async () => {
    for (const client of [anonymous, alice.rest]) {
      assert.ok(Array.isArray(await client.v1.trends.tags.list({ limit: 5 })));
      assert.ok(Array.isArray(await client.v1.trends.statuses.list({ limit: 5 })));
      assert.ok(Array.isArray(await client.v1.trends.links.list({ limit: 5 })));
    }
  });

  it("the directory lists people who allow it, page by page", async () => {
    await bob.rest.v1.accounts.updateCredentials({ discoverable: true });
    const first = await anonymous.v1.directory.list({ order: "new", local: true, limit: 1 });
    assert.deepEqual(idsOf(first), [carol.accountId]);
    const second = await anonymous.v1.directory.list({ order: "new", limit: 1, offset: 1 });
    assert.deepEqual(idsOf(second), [bob.accountId]);
  });

  it("endorsed accounts are listed in pages, for everybody", async () => {
    for (const { accountId } of [bob, carol]) {
      await alice.rest.v1.accounts.$select(accountId).follow();
      await alice.rest.v1.accounts.$select(accountId).endorse();
    }
    const expected = [bob.accountId, carol.accountId].toSorted();
    const own = await pagesOf(alice.rest.v1.endorsements.list({ limit: 1 } as never));
    assert.deepEqual(own.flatMap(idsOf).toSorted(), expected);
    const open = await anonymous.v1.accounts.$select(alice.accountId).endorsements.list();
    assert.deepEqual(idsOf(open).toSorted(), expected);
    const [relation] = await alice.rest.v1.accounts.relationships.fetch({ id: [bob.accountId] });
    assert.equal(relation!.endorsed, true);
    await alice.rest.v1.accounts.$select(bob.accountId).unfollow();
    assert.deepEqual(idsOf(await alice.rest.v1.endorsements.list()), [carol.accountId]);
  });

  it("followers and following come page by page, or are hidden with their number", async () => {
    await bob.rest.v1.accounts.$select(alice.accountId).follow();
    await carol.rest.v1.accounts.$select(alice.accountId).follow();
    const of = anonymous.v1.accounts.$select(alice.accountId);
    const pages = await pagesOf(of.followers.list({ limit: 1 }));
    assert.deepEqual(pages.flatMap(idsOf), [carol.accountId, bob.accountId]);
    await alice.rest.v1.accounts.updateCredentials({ hideCollections: true });
    assert.deepEqual(await of.followers.list(), []);
    assert.equal((await of.fetch()).followersCount, 2);
    const own = await alice.rest.v1.accounts.$select(alice.accountId).followers.list();
    assert.equal(own.length, 2);
  });
});

describe("the server", () => {
  it("describes itself, its peers and its activity", async () => {
    const instance = await anonymous.v2.instance.fetch();
    assert.ok(instance.configuration.polls.maxOptions >= 4);
    assert.deepEqual(await anonymous.v1.instance.peers.list(), []);
    const weeks = await anonymous.v1.instance.activity.list();
    assert.deepEqual([weeks.length, typeof weeks[0]!.statuses], [12, "string"]);
    assert.deepEqual(await anonymous.v1.instance.translationLanguages.list(), {});
    assert.ok((await anonymous.v1.instance.languages.list()).length > 0);
  });

  it("announcements are streamed, get reactions, and are withdrawn", async () => {
    const stream = await alice.listen((streaming) => streaming.user.subscribe());
    const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "Cake at four" });
    const received = await stream.received("announcement");
    assert.deepEqual([received.id, received.content], [id, "<p>Cake at four</p>"]);
    await bob.rest.v1.announcements.$select(id).reactions.$select("🎂").update();
    const reaction = await stream.received("announcement.reaction");
    assert.deepEqual([reaction.name, reaction.count, reaction.announcementId], ["🎂", 1, id]);
    await removeAnnouncement(server.app, COMMAND_LINE, id);
    // The payload is the bare id, which the library parses as a number.
    assert.equal(await stream.received("announcement.delete"), Number(id));
    assert.deepEqual(await alice.rest.v1.announcements.list(), []);
    stream.close();
  });

  it("an unknown id is an error that the library understands", async () => {
    await assert.rejects(anonymous.v1.statuses.$select("1").fetch(), refused(404, /not found/i));
    const wrong = clientOf(server, "no-such-token");
    await assert.rejects(wrong.v1.accounts.verifyCredentials(), refused(401));
    const narrow = await server.token(alice.userId, ["read:statuses"]);
    await assert.rejects(async () => await clientOf(server, narrow).v1.lists.list(), refused(403));
  });
});
