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
  send,
  statusByUri,
  test,
  uriOf,
} from "../../../test/inbox-world.ts";
import { assertEntity } from "../../../test/schema.ts";
import type { Person } from "../../../test/harness.ts";

let mod: Person;

before(async () => {
  await openWorld();
  const scopes = ["read", "write", "admin:read", "admin:write"];
  mod = await test.person("mod", { role: "Admin", scopes });
});
after(closeWorld);
beforeEach(calmWorld);

const call = (who: Person, method: string, path: string, json?: Record<string, unknown>) =>
  test.request(method, path, { token: who.token, ...(json && { json }) });

const BLOCKS = "/api/v1/admin/domain_blocks";

const block = async (severity: string, more = {}): Promise<string> => {
  const answer = await call(mod, "POST", BLOCKS, { domain: peer.host, severity, ...more });
  assert.equal(answer.status, 200, answer.text);
  assertEntity("Admin_DomainBlock", answer.json);
  await test.runJobs();
  return answer.json.id;
};

const lift = async (id: string): Promise<void> => {
  assert.equal((await call(mod, "DELETE", `${BLOCKS}/${id}`)).status, 200);
  await test.runJobs();
};

const account = async (id: string) => (await call(mod, "GET", `/api/v1/admin/accounts/${id}`)).json;

describe("blocking a server", () => {
  it("that is limited leaves public lists, and comes back", async () => {
    const note = await create(bob, { content: "<p>from there</p>" });
    const status = (await statusByUri(note["id"]))!;
    const bobId = await idOfActor(bob);
    const shown = async () =>
      (await call(alice, "GET", "/api/v1/timelines/public?remote=true")).json.map(
        (one: { id: string }) => one.id,
      );
    assert.ok((await shown()).includes(status.id));
    const id = await block("silence", { public_comment: "too loud" });
    assert.equal((await account(bobId)).silenced, true);
    assert.ok(!(await shown()).includes(status.id));
    const again = await call(mod, "POST", BLOCKS, { domain: peer.host, severity: "silence" });
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
      const { json } = await call(alice, "GET", `/api/v1/accounts/${alice.accountId}`);
      return [json.following_count, json.followers_count];
    };
    const before = await counts();
    // A moderator's own decision outlives the block.
    await call(mod, "POST", `/api/v1/admin/accounts/${eveId}/action`, { type: "silence" });

    const id = await block("suspend", { public_comment: "spam" });
    assert.equal((await account(bobId)).suspended, true);
    assert.equal((await call(alice, "GET", `/api/v1/statuses/${status.id}`)).status, 404);
    const after = await counts();
    assert.ok(after[0]! < before[0]! && after[1]! < before[1]!, `${before} ${after}`);

    const { json: notices } = await call(alice, "GET", "/api/v1/notifications");
    const notice = notices.find((one: { type: string }) => one.type === "severed_relationships");
    assertEntity("Notification", notice);
    assert.equal(notice.event.target_name, peer.host);
    assert.equal(notice.event.type, "domain_block");
    assert.ok(notice.event.followers_count >= 1 && notice.event.following_count >= 1);
    const { json: others } = await call(
      carol,
      "GET",
      "/api/v1/notifications?types[]=severed_relationships",
    );
    assert.ok(
      others.every((one: any) => one.event.followers_count + one.event.following_count > 0),
    );

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
    await call(alice, "POST", "/api/v1/statuses", { status: `@bob@${peer.host} hello` });
    const search = `/api/v2/search?resolve=true&q=${encodeURIComponent(`${peer.origin}/users/new`)}`;
    await call(alice, "GET", search);
    await test.runJobs();
    assert.equal(await rows(), stored + 1);
    assert.deepEqual(peer.received, []);

    await lift(id);
    assert.equal((await account(bobId)).suspended, false);
    assert.equal((await account(eveId)).suspended, false);
    assert.equal((await account(eveId)).silenced, true);
    assert.equal((await call(alice, "GET", `/api/v1/statuses/${status.id}`)).status, 200);
  });

  it("changes with its severity, also for accounts that are met later", async () => {
    const id = await block("noop");
    const bobId = await idOfActor(bob);
    assert.equal((await account(bobId)).silenced, false);
    const { json } = await call(mod, "PUT", `${BLOCKS}/${id}`, { severity: "silence" });
    assert.equal(json.severity, "silence");
    await test.runJobs();
    assert.equal((await account(bobId)).silenced, true);
    const late = peer.actor("latecomer", 1);
    const { json: found } = await call(
      alice,
      "GET",
      `/api/v2/search?resolve=true&q=${encodeURIComponent(late.uri)}`,
    );
    assert.equal((await account(found.accounts[0].id)).silenced, true);
    await lift(id);
    assert.equal((await account(found.accounts[0].id)).silenced, false);
  });

  it("of this server is refused, and so is what is no domain", async () => {
    for (const domain of [test.app.config.site.localDomain, "not a domain", ""]) {
      const { status } = await call(mod, "POST", BLOCKS, { domain, severity: "suspend" });
      assert.equal(status, 422, domain);
    }
  });
});
