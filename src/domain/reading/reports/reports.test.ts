// Reports: filed here, forwarded to other servers, received from them, and shown to moderators.

import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test as it } from "node:test";
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
} from "../../../../test/inbox-world.ts";
import type { Person } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { tally } from "../../../platform/http/rate-limit.ts";
import { addRule } from "../../base/rules/rules.ts";
import { FROM_SERVER } from "./file.ts";

let moderator: Person;
const mails: { to: string; subject: string; text: string }[] = [];

before(async () => {
  await openWorld();
  moderator = await test.person("mod", { role: "Moderator" });
  test.app.mail = { send: async (mail) => void mails.push(mail), close: () => {} };
});
beforeEach(() => {
  calmWorld();
  mails.length = 0;
  peer.received.length = 0;
});
after(() => closeWorld());

const report = (who: Person, json: Record<string, unknown>) => who.post("/api/v1/reports", json);

const stored = () => test.app.sql<
  { target_account_id: string; account_id: string; status_ids: string[]; comment: string }[]
>`
  SELECT target_account_id, account_id, status_ids, comment FROM reports ORDER BY id DESC
`;

describe("a report", () => {
  it("is stored, and moderators are notified, here and by mail", async () => {
    const bad = await post(carol, "something bad");
    const json = await report(alice, {
      account_id: carol.accountId,
      status_ids: [bad.id],
      comment: "look",
      category: "spam",
    }).ok();
    assertEntity("Report", json);
    assert.deepEqual(
      [json.status_ids, json.comment, json.category, json.forwarded, json.rule_ids],
      [[bad.id], "look", "spam", false, null],
    );
    assert.equal(json.target_account.id, carol.accountId);
    await test.runJobs();
    const notified = await moderator.get("/api/v1/notifications");
    assertEntity("Notification", notified.json[0]);
    assert.equal(notified.json[0].type, "admin.report");
    assert.equal(notified.json[0].account.id, alice.accountId);
    assert.equal(notified.json[0].report.id, json.id);
    assert.equal(mails.length, 1);
    assert.equal(mails[0]!.to, "mod@example.com");
    assert.match(mails[0]!.subject, /alice filed a report/);
    assert.match(mails[0]!.text, /Reported: @carol\nReason: Spam\nPosts: 1\n\nlook\n/);
    assert.ok(mails[0]!.text.includes(`/admin/reports/${json.id}`));
    const role = (id: number) =>
      test.write`UPDATE users SET role_id = ${id} WHERE id = ${moderator.userId}`;
    await role(-99);
    const later = await moderator.get("/api/v1/notifications");
    assert.deepEqual(later.json, []);
    await role(1);
    for (const person of [alice, carol]) {
      const { json: own } = await person.get("/api/v1/notifications");
      assert.ok(
        own.every((notification: { type: string }) => notification.type !== "admin.report"),
      );
    }
  });

  it("names rules, and is then about a violation", async () => {
    const rule = await addRule(test.app.sql, { text: "Be kind", hint: "" });
    const { json } = await report(alice, {
      account_id: carol.accountId,
      rule_ids: [rule],
      category: "spam",
    });
    assert.deepEqual([json.category, json.rule_ids], ["violation", [rule]]);
    const unknown = await report(alice, { account_id: carol.accountId, rule_ids: [rule, "1"] });
    assert.equal(unknown.status, 422);
    assert.match(unknown.json.error, /Rule ids does not reference valid rules/);
  });

  it("names collections of the account alone", async () => {
    const { json } = await carol.post("/api/v1/collections", { name: "Bad people" });
    const { id } = json.collection;
    const good = await report(alice, { account_id: carol.accountId, collection_ids: [id] });
    assert.deepEqual(good.json.collection_ids, [id]);
    const other = await report(carol, { account_id: alice.accountId, collection_ids: [id] });
    assert.equal(other.status, 404);
  });

  it("is refused for what is too long, unknown, another's or hidden", async () => {
    const before = (await stored()).length;
    const own = await post(alice, "mine");
    const hidden = await post(carol, "not for you", { visibility: "direct" });
    const long = await report(alice, { account_id: carol.accountId, comment: "x".repeat(1001) });
    assert.equal(long.status, 422);
    assert.match(long.json.error, /Comment is too long \(maximum is 1000 characters\)/);
    for (const json of [
      {},
      { account_id: "1" },
      { account_id: "x" },
      { account_id: carol.accountId, status_ids: ["1"] },
      { account_id: carol.accountId, status_ids: [own.id] },
      { account_id: carol.accountId, status_ids: [hidden.id] },
    ]) {
      assert.equal((await report(alice, json)).status, 404, JSON.stringify(json));
    }
    assert.equal((await report(alice, { account_id: carol.accountId, category: "x" })).status, 422);
    assert.equal((await stored()).length, before);
  });

  it("wants its scope", async () => {
    const token = await test.token(alice.userId, ["read", "write:statuses"]);
    const json = { account_id: carol.accountId };
    assert.equal((await test.as(token).post("/api/v1/reports", json)).status, 403);
    assert.equal((await test.visitor.post("/api/v1/reports", json)).status, 401);
  });
});

describe("forwarding", () => {
  it("sends a Flag by the server's actor to the account's server, when asked to", async () => {
    const object = await create(bob, { content: "<p>rude</p>" });
    const row = await statusByUri(object["id"]);
    const account_id = await idOfActor(bob);
    const quiet = await report(alice, { account_id, status_ids: [row!.id] });
    assert.equal(quiet.json.forwarded, false);
    await test.runJobs();
    assert.equal(peer.inbox().filter((activity) => activity["type"] === "Flag").length, 0);
    const { json } = await report(alice, {
      account_id,
      status_ids: [row!.id],
      comment: "rude",
      forward: true,
    });
    assert.equal(json.forwarded, true);
    await test.runJobs();
    const [flag] = peer.inbox().filter((activity) => activity["type"] === "Flag");
    assert.equal(flag!["actor"], `${test.url}/actor`);
    assert.equal(flag!["content"], "rude");
    assert.deepEqual(flag!["object"], [bob.uri, object["id"]]);
    assert.match(String(flag!["id"]), new RegExp(`^${test.url}/[0-9a-f-]{36}$`));
    assert.doesNotMatch(JSON.stringify(flag), /alice/);
    const sent = peer.received.find((request) => request.body.includes('"Flag"'));
    assert.match(
      String(sent!.headers["signature"]),
      new RegExp(`keyId="${test.url}/actor#main-key"`),
    );
  });

  it("goes to those of the named servers that have part in it, and to no other", async () => {
    const account_id = await idOfActor(bob);
    const { json } = await report(alice, {
      account_id,
      forward: true,
      forward_to_domains: ["other.example"],
    });
    assert.equal(json.forwarded, false);
    const named = await report(alice, {
      account_id,
      forward: true,
      forward_to_domains: ["other.example", peer.host],
    });
    assert.equal(named.json.forwarded, true);
    await test.runJobs();
    assert.equal(peer.inbox().filter((activity) => activity["type"] === "Flag").length, 1);
  });

  it("of a report about somebody here sends nothing", async () => {
    const { json } = await report(alice, { account_id: carol.accountId, forward: true });
    assert.equal(json.forwarded, false);
    await test.runJobs();
    assert.equal(peer.inbox().length, 0);
  });
});

describe("another server's report", () => {
  it("is stored for each local account, once, with its posts, and moderators are notified", async () => {
    const [mine, theirs] = [await post(alice, "a"), await post(carol, "c")];
    const id = `${peer.origin}/flags/1`;
    const flag = {
      id,
      type: "Flag",
      content: "from elsewhere",
      object: [uriOf(alice), mine.uri, theirs.uri, bob.uri, "https://x.example/1"],
    };
    await send(eve, flag);
    await send(eve, flag);
    const rows = (await stored()).filter((row) => row.comment === "from elsewhere");
    assert.deepEqual(
      rows.map((row) => [row.target_account_id, row.status_ids]).toSorted(),
      [
        [alice.accountId, [mine.id]],
        [carol.accountId, [theirs.id]],
      ].toSorted(),
    );
    assert.ok(rows.every((row) => row.account_id));
    assert.equal(mails.length, 2);
    assert.ok(mails.every((mail) => mail.text.includes(`@${peer.host}`)));
  });

  it("leaves out posts that the server never got", async () => {
    const hidden = await post(alice, "hidden", { visibility: "private" });
    const direct = await post(alice, "direct", { visibility: "direct" });
    await send(eve, {
      type: "Flag",
      content: "hidden things",
      object: [uriOf(alice), hidden.uri, direct.uri],
    });
    const [row] = (await stored()).filter((report) => report.comment === "hidden things");
    assert.deepEqual(row!.status_ids, []);
  });

  it("changes nothing when it is about no local account, or from a server whose reports are rejected", async () => {
    const before = (await stored()).length;
    await send(eve, { type: "Flag", content: "x", object: [bob.uri] });
    await test.write`
      INSERT INTO domain_blocks (domain, severity, reject_reports)
      VALUES (${peer.host}, 'noop', true)
    `;
    await send(eve, { type: "Flag", content: "x", object: [uriOf(alice)] });
    assert.equal((await stored()).length, before);
    await test.write`DELETE FROM domain_blocks`;
  });

  it("is dropped when its server has sent as many as are taken in a day", async () => {
    const before = (await stored()).length;
    while ((await tally(test.app, FROM_SERVER, peer.host)).remaining > 1);
    const flag = { type: "Flag", content: "one of many", object: [uriOf(alice), uriOf(carol)] };
    await send(eve, flag);
    await send(eve, flag);
    assert.equal((await stored()).length, before + 1);
  });
});
