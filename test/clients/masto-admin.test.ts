// The library's whole resource for moderators: accounts, reports, lists, figures, trends.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { mastodon } from "masto";
import { refreshTrends } from "../../src/domain/reading/trends/refresh.ts";
import { clientOf, idsOf, pagesOf, refused, startLiveServer } from "./live-server.ts";
import type { LiveServer } from "./live-server.ts";
import type { Person } from "../harness.ts";

let server: LiveServer;
let admin: mastodon.rest.v1.AdminResource;
let mod: Person;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startLiveServer();
  const scopes = ["read", "write", "admin:read", "admin:write"];
  mod = await server.person("mod", { role: "Owner", scopes });
  admin = clientOf(server, mod.token).v1.admin;
  alice = await server.person("alice");
  bob = await server.person("bob");
});
after(() => server.close());

const period = { startAt: "2026-01-01", endAt: "2026-01-03" };

describe("accounts", () => {
  test("are listed in pages and fetched", async () => {
    const pages = await pagesOf(admin.accounts.list({ local: true, limit: 2 }));
    assert.deepEqual(
      pages.flat().map(({ username }) => username),
      ["bob", "alice", "mod"],
    );
    const account = await admin.accounts.$select(alice.accountId).fetch();
    assert.equal(account.email, "alice@example.com");
    await assert.rejects(
      Promise.resolve(clientOf(server, alice.token).v1.admin.accounts.list()),
      refused(403),
    );
  });

  test("each action has its way back", async () => {
    const account = admin.accounts.$select(bob.accountId);
    await account.action.create({ type: "none", text: "Mind the rules" });
    await account.action.create({ type: "sensitive" });
    assert.equal((await account.fetch()).sensitized, true);
    assert.equal((await account.unsensitive()).sensitized, false);
    await account.action.create({ type: "silence" });
    assert.equal((await account.unsilence()).silenced, false);
    await account.action.create({ type: "disable" });
    assert.equal((await account.enable()).disabled, false);
    await account.action.create({ type: "suspend" });
    assert.equal((await account.fetch()).suspended, true);
    assert.equal((await account.unsuspend()).suspended, false);
    const [welcome, rejected] = [
      await server.person("welcome", { approved: false }),
      await server.person("unwanted", { approved: false }),
    ];
    assert.equal((await admin.accounts.$select(welcome.accountId).approve()).approved, true);
    await admin.accounts.$select(rejected.accountId).reject();
  });
});

test("reports are worked on", async () => {
  const rest = clientOf(server, alice.token);
  const { id } = await rest.v1.reports.create({ accountId: bob.accountId, comment: "rude" });
  assert.ok(idsOf(await admin.reports.list()).includes(id));
  const report = admin.reports.$select(id);
  assert.equal((await report.fetch()).comment, "rude");
  assert.equal((await report.assignToSelf()).assignedAccount?.id, mod.accountId);
  assert.equal((await report.unassign()).assignedAccount, null);
  assert.equal((await report.resolve()).actionTaken, true);
  assert.equal((await report.reopen()).actionTaken, false);
});

test("lists are kept", async () => {
  const domain = await admin.domainBlocks.create({ domain: "bad.example", severity: "silence" });
  const changed = await admin.domainBlocks.$select(domain.id).update({ severity: "suspend" });
  assert.equal(changed.severity, "suspend");
  await assert.rejects(
    Promise.resolve(admin.domainBlocks.create({ domain: "bad.example" })),
    refused(422),
  );
  assert.deepEqual(idsOf(await admin.domainBlocks.list()), [domain.id]);
  await admin.domainBlocks.$select(domain.id).remove();
  await assert.rejects(
    Promise.resolve(admin.domainBlocks.$select(domain.id).fetch()),
    refused(404),
  );

  const allow = await admin.domainAllows.create({ domain: "good.example" });
  assert.equal((await admin.domainAllows.$select(allow.id).fetch()).domain, "good.example");
  await admin.domainAllows.$select(allow.id).remove();
  assert.deepEqual(await admin.domainAllows.list(), []);

  const email = await admin.emailDomainBlocks.create({ domain: "trash.example" });
  assert.equal((await admin.emailDomainBlocks.$select(email.id).fetch()).history.length, 7);
  await admin.emailDomainBlocks.$select(email.id).remove();

  const canonical = await admin.canonicalEmailBlocks.create({ email: "a.b+c@mail.example" });
  const blocks = await admin.canonicalEmailBlocks.test({ email: "AB@mail.example" });
  assert.deepEqual(idsOf(blocks), [canonical.id]);
  await admin.canonicalEmailBlocks.$select(canonical.id).remove();
  assert.deepEqual(await admin.canonicalEmailBlocks.test({ email: "ab@mail.example" }), []);

  const ip = await admin.ipBlocks.create({
    ip: "203.0.113.0/24",
    severity: "sign_up_requires_approval",
    comment: "school",
    expiresIn: 60,
  });
  const longer = await admin.ipBlocks.$select(ip.id).update({ comment: "a school" });
  assert.equal(longer.comment, "a school");
  assert.equal(longer.expiresAt, ip.expiresAt);
  await admin.ipBlocks.$select(ip.id).remove();
});

test("figures are true", async () => {
  const day = new Date().toISOString().slice(0, 10);
  const now = { startAt: day, endAt: day };
  const keys = ["active_users", "new_users", "opened_reports", "interactions"] as const;
  const post = await clientOf(server, alice.token).v1.statuses.create({ status: "figures" });
  await clientOf(server, bob.token).v1.statuses.$select(post.id).favourite();
  await server.untilNoted();
  const measures = await admin.measures.create({ keys, ...now });
  const of = Object.fromEntries(measures.map(({ key, total }) => [key, Number(total)]));
  const [users] = await server.app.sql`SELECT count(*)::int AS n FROM users`;
  assert.deepEqual(of, {
    active_users: 3,
    new_users: users!["n"],
    opened_reports: 1,
    interactions: 1,
  });
  const dimensions = await admin.dimensions.create({
    keys: ["languages", "servers", "space_usage", "software_versions"],
    ...now,
  });
  assert.equal(dimensions.length, 4);
  assert.equal(dimensions[0]!.data[0]!.value, "3");
  assert.equal(dimensions[1]!.data[0]!.value, "1");
  const [cohort] = await admin.retention.create({ ...now, frequency: "day" });
  assert.deepEqual([cohort!.data[0]!.value, cohort!.data[0]!.rate], [String(users!["n"]), 1]);
  assert.deepEqual(await admin.measures.create({ keys: ["tag_uses"], ...period }), []);
});

test("trends are reviewed", async () => {
  for (const who of [alice, bob, mod]) {
    const rest = clientOf(server, who.token);
    await rest.v1.statuses.create({ status: "#birds https://birds.example/nest" });
  }
  await refreshTrends(server.app);
  const [tag] = await admin.trends.tags.list();
  assert.equal(tag!.name, "birds");
  assert.equal(tag!.requiresReview, true);
  const pub = clientOf(server);
  assert.deepEqual(await pub.v1.trends.tags.list(), []);
  assert.equal((await admin.trends.tags.$select(tag!.id).approve()).requiresReview, false);
  assert.equal((await pub.v1.trends.tags.list()).length, 1);
  await admin.trends.tags.$select(tag!.id).reject();
  assert.deepEqual(await pub.v1.trends.tags.list(), []);

  const [link] = (await admin.trends.links.list()) as (mastodon.v1.TrendLink & { id: string })[];
  await admin.trends.links.$select(link!.id).approve();
  assert.equal((await pub.v1.trends.links.list()).length, 1);
  await admin.trends.links.$select(link!.id).reject();
  const [publisher] = (await admin.trends.links.publishers.list()) as unknown as { id: string }[];
  await admin.trends.links.publishers.$select(publisher!.id).approve();
  await admin.trends.links.publishers.$select(publisher!.id).reject();
  const statuses = await admin.trends.statuses.list();
  assert.deepEqual(statuses, []);
});
