// Announcements, reports, collections, annual reports and the instance's texts with the client library
// masto.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createRestAPIClient, MastoHttpError } from "masto";
import type { mastodon } from "masto";
import { createAnnouncement } from "../../src/domain/reading/announcements/announce.ts";
import { addRule } from "../../src/domain/base/rules/rules.ts";
import { startTestApp } from "../harness.ts";
import type { Person, TestApp } from "../harness.ts";
import { COMMAND_LINE } from "../../src/domain/base/roles/permissions.ts";

let server: TestApp;
let bob: Person;
let alice: mastodon.rest.Client;

before(async () => {
  server = await startTestApp();
  const { token } = await server.person("alice");
  bob = await server.person("bob");
  await server.write`UPDATE accounts SET discoverable = true WHERE id = ${bob.accountId}`;
  alice = createRestAPIClient({ url: server.url, accessToken: token });
});
after(() => server?.close());

const refused = (status: number) => (error: unknown) =>
  error instanceof MastoHttpError && error.statusCode === status;

test("announcements: read, react, dismiss", async () => {
  const id = await createAnnouncement(server.app, COMMAND_LINE, { text: "Hello #all" });
  const announcement = alice.v1.announcements.$select(id);
  await announcement.reactions.$select("🎉").update();
  const [shown] = await alice.v1.announcements.list();
  assert.deepEqual([shown!.reactions[0]!.name, shown!.reactions[0]!.me], ["🎉", true]);
  await announcement.reactions.$select("🎉").remove();
  await announcement.dismiss();
  const [read] = await alice.v1.announcements.list();
  assert.deepEqual([(read as { read?: boolean }).read, read!.reactions.length], [true, 0]);
});

test("reports", async () => {
  const rule = await addRule(server.app.sql, { text: "Be kind", hint: "" });
  const report = await alice.v1.reports.create({
    accountId: bob.accountId,
    comment: "rude",
    ruleIds: [rule],
  });
  assert.deepEqual([report.category, report.targetAccount.id], ["violation", bob.accountId]);
  await assert.rejects(() => alice.v1.reports.create({ accountId: "1" }), refused(404));
});

test("collections: make, fill, change, look, delete", async () => {
  const { collection } = await alice.v1.collections.create({ name: "Birds", tagName: "#birds" });
  const selected = alice.v1.collections.$select(collection.id);
  const { collectionItem } = await selected.items.create({ accountId: bob.accountId });
  assert.equal(collectionItem.state, "accepted");
  await selected.update({ description: "They fly" });
  const shown = await selected.fetch();
  assert.deepEqual(
    [shown.collection.itemCount, shown.collection.description, shown.accounts.length],
    [1, "They fly", 2],
  );
  await selected.items.$select(collectionItem.id).remove();
  await selected.remove();
  await assert.rejects(() => selected.fetch(), refused(404));
});

test("annual reports", async () => {
  const status = await alice.v1.statuses.create({ status: "back then #birds" });
  const year = new Date().getUTCFullYear() - 1;
  const when = new Date(Date.UTC(year, 3, 1));
  await server.write`UPDATE statuses SET created_at = ${when} WHERE id = ${status.id}`;
  const report = alice.v1.annualReports.$select(String(year));
  assert.equal((await report.state.fetch()).state, "eligible");
  await report.generate();
  await server.runJobs();
  assert.equal((await report.state.fetch()).state, "available");
  const { annualReports } = await report.fetch();
  assert.equal(annualReports[0]!.year, year);
  await report.read();
  assert.equal((await alice.v1.annualReports.list()).annualReports.length, 1);
});

test("what the instance says", async () => {
  assert.equal((await alice.v1.instance.extendedDescription.fetch()).content, "");
  const instance = await alice.v2.instance.fetch();
  assert.equal(instance.rules[0]!.text, "Be kind");
});
