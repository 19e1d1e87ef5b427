// Moderators block another server: its accounts are limited or gone, nothing is sent there, fetched from there or taken
// from there, and people are told whom they lost. Lifting the block brings the accounts back.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import {
  alice,
  bob,
  calmWorld,
  carol,
  closeWorld,
  create,
  eve,
  idOfActor,
  openWorld,
  peer,
  post,
  send,
  statusByUri,
  test,
  uriOf,
} from "../../../test/inbox-world.ts";
import { assertEntity } from "../../../test/schema.ts";
import type { Person } from "../../../test/harness.ts";
import { actOnReportedPosts } from "../../domain/staff/moderation/reports.ts";
import { COMMAND_LINE } from "../../domain/base/roles/permissions.ts";

let mod: Person;

before(async () => {
  await openWorld();
  const scopes = ["read", "write", "admin:read", "admin:write"];
  mod = await test.person("mod", { role: "Admin", scopes });
});
after(closeWorld);
beforeEach(calmWorld);

const BLOCKS = "/api/v1/admin/domain_blocks";

const block = async (severity: string, more = {}): Promise<string> => {
  const answer = await mod.post(BLOCKS, { domain: peer.host, severity, ...more }).ok();
  assertEntity("Admin_DomainBlock", answer);
  await test.runJobs();
  return answer.id;
};

const lift = async (id: string): Promise<void> => {
  await mod.delete(`${BLOCKS}/${id}`).done();
};

const account = async (id: string) => (await mod.get(`/api/v1/admin/accounts/${id}`)).json;

const suspend = async (id: string): Promise<void> => {
  const path = `/api/v1/admin/accounts/${id}/action`;
  await mod.post(path, { type: "suspend" }).ok();
};

const unsuspend = async (id: string): Promise<void> => {
  await mod.post(`/api/v1/admin/accounts/${id}/unsuspend`).done();
};

const relation = async (id: string) =>
  (await alice.get(`/api/v1/accounts/relationships?with_suspended=true&id[]=${id}`)).json[0];

const rejects = () => peer.inbox().filter(({ type }) => type === "Reject");

describe("suspending one person of another server", () => {
  it("ends the follows that the person has here, of which the own server learns, and following works again after it", async () => {
    const follow = { id: `${eve.uri}/follows/1`, type: "Follow", object: uriOf(alice) };
    await send(eve, follow);
    const eveId = await idOfActor(eve);
    const followers = async () =>
      (await alice.get(`/api/v1/accounts/${alice.accountId}`)).json.followers_count;
    const before = await followers();
    peer.received.length = 0;
    await suspend(eveId);
    await test.runJobs();
    // Of alice, and of carol, whom eve follows from the start.
    const objects = rejects().map(({ object }) => object as Record<string, unknown>);
    assert.deepEqual(objects.map((activity) => activity["object"]).sort(), [
      uriOf(alice),
      uriOf(carol),
    ]);
    assert.equal(objects.find((activity) => activity["object"] === uriOf(alice))!["id"], follow.id);
    assert.equal(await followers(), before - 1);
    await send(eve, { ...follow, id: `${eve.uri}/follows/2` });
    assert.equal((await relation(eveId)).followed_by, false);

    await unsuspend(eveId);
    assert.equal((await relation(eveId)).followed_by, false);
    await send(eve, { ...follow, id: `${eve.uri}/follows/3` });
    assert.equal((await relation(eveId)).followed_by, true);
    assert.equal(await followers(), before);
    assert.ok(peer.inbox().some(({ type }) => type === "Accept"));
    await send(eve, { type: "Follow", object: uriOf(carol) });
  });

  it("leaves the follows that people here have of the person, which go on when it is lifted", async () => {
    const bobId = await idOfActor(bob);
    peer.received.length = 0;
    await suspend(bobId);
    await test.runJobs();
    assert.equal((await relation(bobId)).following, true);
    assert.ok(!peer.inbox().some(({ type }) => type === "Undo"));
    await unsuspend(bobId);
    const note = await create(bob, { content: "<p>back again</p>" });
    const { id } = (await statusByUri(note["id"]))!;
    const { json } = await alice.get("/api/v1/timelines/home");
    assert.ok(json.some((status: { id: string }) => status.id === id));
  });

  it("cuts nothing when it is lifted before anything was sent", async () => {
    const eveId = await idOfActor(eve);
    await send(eve, { type: "Follow", object: uriOf(alice) });
    peer.received.length = 0;
    await suspend(eveId);
    await unsuspend(eveId);
    const isCut = rejects().length > 0;
    assert.equal((await relation(eveId)).followed_by, !isCut, "both sides know the same");
    await send(eve, { type: "Follow", object: uriOf(alice) });
    assert.equal((await relation(eveId)).followed_by, true);
  });

  it("lets the person delete and unfavourite what is here in the meantime", async () => {
    const bobId = await idOfActor(bob);
    const [gone, own] = [await create(bob), await post(alice, "liked")];
    const like = { id: `${bob.uri}/likes/1`, type: "Like", object: own.uri };
    await send(bob, like);
    await suspend(bobId);
    await test.runJobs();
    await send(bob, { type: "Delete", object: gone["id"] });
    await send(bob, { type: "Undo", object: like });
    await create(bob, { id: `${bob.uri}/unheard` });
    await unsuspend(bobId);
    assert.equal(await statusByUri(gone["id"]), undefined);
    assert.equal(await statusByUri(`${bob.uri}/unheard`), undefined);
    const { json } = await alice.get(`/api/v1/statuses/${own.id}`);
    assert.equal(json.favourites_count, 0);
  });
});

describe("deleting a post of another server", () => {
  it("undoes the boosts of people here, as far as they went", async () => {
    const note = await create(bob);
    const { id } = (await statusByUri(note["id"]))!;
    await send(eve, { type: "Follow", object: uriOf(alice) });
    await alice.post(`/api/v1/statuses/${id}/reblog`).done();
    const boost = peer.inbox().findLast(({ type }) => type === "Announce")!;
    const { json: report } = await carol.post("/api/v1/reports", {
      account_id: await idOfActor(bob),
      status_ids: [id],
    });
    peer.received.length = 0;
    await actOnReportedPosts(test.app, COMMAND_LINE, report.id, {
      action: "delete_statuses",
      text: "",
      mail: false,
    });
    await test.runJobs();
    assert.equal(await statusByUri(note["id"]), undefined);
    const undone = peer.inbox().find(({ type }) => type === "Undo")!;
    assert.equal((undone["object"] as Record<string, unknown>)["id"], boost["id"]);
    assert.ok(!peer.inbox().some(({ type }) => type === "Delete"));
    const { json: own } = await alice.get(
      `/api/v1/accounts/${alice.accountId}/statuses?exclude_replies=true`,
    );
    assert.ok(own.every((status: { reblog: unknown }) => status.reblog === null));
  });
});

describe("blocking a server", () => {
  it("that is limited leaves public lists, and comes back", async () => {
    const note = await create(bob, { content: "<p>from there</p>" });
    const status = (await statusByUri(note["id"]))!;
    const bobId = await idOfActor(bob);
    const shown = async () =>
      (await alice.get("/api/v1/timelines/public?remote=true")).json.map(
        (status: { id: string }) => status.id,
      );
    assert.ok((await shown()).includes(status.id));
    const id = await block("silence", { public_comment: "too loud" });
    assert.equal((await account(bobId)).silenced, true);
    assert.ok(!(await shown()).includes(status.id));
    const again = await mod.post(BLOCKS, { domain: peer.host, severity: "silence" });
    assert.equal(again.status, 422);
    assert.equal(again.json.existing_domain_block.id, id);
    await lift(id);
    assert.equal((await account(bobId)).silenced, false);
    assert.ok((await shown()).includes(status.id));
  });

  it("that is suspended is shut out, ends its follows, and says so to people here", async () => {
    await send(eve, { type: "Follow", object: uriOf(alice) });
    const [bobId, eveId] = [await idOfActor(bob), await idOfActor(eve)];
    const note = await create(bob, { content: "<p>still there</p>" });
    const status = (await statusByUri(note["id"]))!;
    const counts = async () => {
      const { json } = await alice.get(`/api/v1/accounts/${alice.accountId}`);
      return [json.following_count, json.followers_count];
    };
    const before = await counts();
    // A moderator's own decision outlives the block.
    await mod.post(`/api/v1/admin/accounts/${eveId}/action`, { type: "silence" });

    const id = await block("suspend", { public_comment: "spam" });
    assert.equal((await account(bobId)).suspended, true);
    assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404);
    const after = await counts();
    assert.ok(after[0]! < before[0]! && after[1]! < before[1]!, `${before} ${after}`);

    const { json: notices } = await alice.get("/api/v1/notifications");
    const notice = notices.find(
      (notice: { type: string }) => notice.type === "severed_relationships",
    );
    assertEntity("Notification", notice);
    assert.equal(notice.event.target_name, peer.host);
    assert.equal(notice.event.type, "domain_block");
    assert.ok(notice.event.followers_count >= 1 && notice.event.following_count >= 1);
    const { json: others } = await carol.get("/api/v1/notifications?types[]=severed_relationships");
    assert.ok(
      others.every(
        (notification: any) =>
          notification.event.followers_count + notification.event.following_count > 0,
      ),
    );

    // Both sides know.
    const ends = peer.inbox().map(({ type, object }) => [type, (object as any)?.type]);
    assert.ok(ends.some(([type, of]) => type === "Undo" && of === "Follow"));
    assert.ok(ends.some(([type, of]) => type === "Reject" && of === "Follow"));

    // Neither taken nor sent nor fetched.
    peer.received.length = 0;
    const rows = async () => (await test.app.sql`SELECT count(*)::int AS n FROM statuses`)[0]!["n"];
    const stored = await rows();
    const refused = {
      id: `${bob.uri}/late`,
      type: "Note",
      attributedTo: bob.uri,
      content: "x",
      to: [],
    };
    await send(bob, { id: `${bob.uri}/late/a`, type: "Create", object: refused });
    await alice.post("/api/v1/statuses", { status: `@bob@${peer.host} hello` });
    const search = `/api/v2/search?resolve=true&q=${encodeURIComponent(`${peer.origin}/users/new`)}`;
    await alice.get(search);
    await test.runJobs();
    assert.equal(await rows(), stored + 1);
    assert.deepEqual(peer.received, []);

    await lift(id);
    assert.equal((await account(bobId)).suspended, false);
    assert.equal((await account(eveId)).suspended, false);
    assert.equal((await account(eveId)).silenced, true);
    await alice.get(`/api/v1/statuses/${status.id}`).ok();
    await alice.post(`/api/v1/accounts/${bobId}/follow`);
    await test.runJobs();
    const follow = peer.inbox().findLast(({ type }) => type === "Follow");
    await send(bob, { type: "Accept", object: follow });
    await send(bob, { type: "Follow", object: uriOf(alice) });
    assert.deepEqual(await counts(), before);
  });

  it("changes with its severity, also for accounts that are met later", async () => {
    const id = await block("noop");
    const bobId = await idOfActor(bob);
    assert.equal((await account(bobId)).silenced, false);
    const { json } = await mod.put(`${BLOCKS}/${id}`, { severity: "silence" });
    assert.equal(json.severity, "silence");
    await test.runJobs();
    assert.equal((await account(bobId)).silenced, true);
    const late = peer.actor("latecomer", 1);
    const { json: answer } = await alice.get(
      `/api/v2/search?resolve=true&q=${encodeURIComponent(late.uri)}`,
    );
    assert.equal((await account(answer.accounts[0].id)).silenced, true);
    await lift(id);
    assert.equal((await account(answer.accounts[0].id)).silenced, false);
  });

  it("of this server is refused, and so is what is no domain", async () => {
    for (const domain of [test.app.config.site.localDomain, "not a domain", ""]) {
      const { status } = await mod.post(BLOCKS, { domain, severity: "suspend" });
      assert.equal(status, 422, domain);
    }
  });
});
