// Boosts that wait for their time: in the list of scheduled posts, moved, cancelled, and judged again when it comes.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { appFaults } from "../../../../test/app-models.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { mailsOf } from "../../../../test/mail.ts";
import { assertEntity } from "../../../../test/schema.ts";

import { findClient } from "../../people/oauth/apps.ts";
import { issueToken } from "../../people/oauth/tokens.ts";

type Json = Record<string, any>;

const HOUR = 3600_000;

let t: TestApp;
let now = new Date();
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp({ clock: { now: () => now } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t?.close());

const ahead = (ms = HOUR): string => new Date(now.getTime() + ms).toISOString();

const post = (json: Json = {}): Promise<any> =>
  alice.post("/api/v1/statuses", { status: "boost me", ...json }).ok();

const boostLater = ({ id }: Json, json: Json = {}) =>
  bob.post(`/api/v1/statuses/${id}/reblog`, { scheduled_at: ahead(), ...json });

const scheduled = (): Promise<Json[]> => bob.get("/api/v1/scheduled_statuses").ok();

const boosts = async (): Promise<Json[]> =>
  (await bob.get(`/api/v1/accounts/${bob.accountId}/statuses`).ok()).filter(
    ({ reblog }: Json) => reblog,
  );

/** So much later, after the jobs of all that is due by then. */
const later = async (ms: number): Promise<void> => {
  now = new Date(now.getTime() + ms);
  await t.app.sql`
    UPDATE graphile_worker._private_jobs SET run_at = now() WHERE key LIKE 'status.scheduled:%'`;
  await t.runJobs();
};

test("it is a scheduled post that every app can list, with the address of what it boosts", async () => {
  const target = await post();
  const answer = await boostLater(target, { visibility: "unlisted" });
  assertEntity("ScheduledStatus", answer.json);
  const { id, params, media_attachments, scheduled_at } = answer.json;
  assert.deepEqual(
    [params.reblog_of_id, params.text, params.visibility, media_attachments, scheduled_at],
    [target.id, target.url, "unlisted", [], ahead()],
  );
  assert.deepEqual((await scheduled())[0], answer.json);
  assert.deepEqual(await boosts(), []);
  const moved = await boostLater(target, { scheduled_at: ahead(2 * HOUR) });
  assert.deepEqual([moved.json.id, moved.json.scheduled_at], [id, ahead(2 * HOUR)]);
  await later(HOUR);
  assert.deepEqual(await boosts(), []);
  await later(HOUR);
  const [boost] = await boosts();
  assert.deepEqual([boost!["reblog"].id, boost!["visibility"]], [target.id, "unlisted"]);
  assert.deepEqual(await scheduled(), []);
  assert.equal((await boostLater(target)).status, 422, "it is boosted by now");
});

test("its visibility is a word, and its app a number, as apps read them", async () => {
  const { json } = await boostLater(await post());
  assert.deepEqual([json.params.visibility, json.params.application_id], ["public", null]);
  assert.deepEqual(appFaults(json, "boost"), []);
  const written = await bob
    .post("/api/v1/statuses", {
      status: "later",
      scheduled_at: ahead(),
    })
    .ok();
  assert.equal(written.params.visibility, "public");
  const { client_id: id } = await bob
    .post("/api/v1/apps", {
      client_name: "app",
      redirect_uris: "app://",
    })
    .ok();
  const app = await findClient(t.app, id);
  const { token } = await t.app.sql.begin((tx) =>
    issueToken(tx, { app_id: app!.id, user_id: bob.userId, scopes: ["write"] }),
  );
  const sent = { status: "by an app", scheduled_at: ahead() };
  const byApp = await { ...bob, token }.post("/api/v1/statuses", sent).ok();
  assert.equal(byApp.params.application_id, Number(app!.id));
  assert.deepEqual(appFaults(byApp, "post"), []);
  for (const { id } of await scheduled()) await bob.delete(`/api/v1/scheduled_statuses/${id}`).ok();
});

test("it is cancelled as a scheduled post is", async () => {
  const { id } = (await boostLater(await post())).json;
  assert.equal((await alice.delete(`/api/v1/scheduled_statuses/${id}`)).status, 404);
  await bob.delete(`/api/v1/scheduled_statuses/${id}`).ok();
  const before = (await boosts()).length;
  await later(HOUR);
  assert.equal((await boosts()).length, before);
});

test("what could not be boosted now, or at no such time, is refused, also what is past or empty", async () => {
  assert.equal((await boostLater(await post({ visibility: "private" }))).status, 404);
  assert.equal((await boostLater({ id: "1" })).status, 404);
  const target = await post();
  for (const scheduled_at of [ahead(60_000), ahead(-HOUR), "soon", ""])
    assert.equal((await boostLater(target, { scheduled_at })).status, 422, scheduled_at);
  const mention = await post({ status: "@bob psst", visibility: "direct" });
  assert.equal((await boostLater(mention)).status, 403);
});

test("it is judged again at its time, and its author is told", async () => {
  const [gone, blocking] = [await post(), await post()];
  await boostLater(gone);
  await alice.delete(`/api/v1/statuses/${gone.id}`).ok();
  await later(HOUR);
  await boostLater(blocking);
  await alice.post(`/api/v1/accounts/${bob.accountId}/block`).ok();
  await later(HOUR);
  const targets = (await boosts()).map(({ reblog }) => reblog.id);
  assert.ok(!targets.includes(gone.id) && !targets.includes(blocking.id));
  assert.deepEqual(
    (await scheduled()).map(({ params }) => params.reblog_of_id),
    [blocking.id, gone.id],
  );
  const mails = mailsOf(t).filter((mail) => mail.includes("To: bob@"));
  assert.equal(mails.length, 2);
  await alice.post(`/api/v1/accounts/${bob.accountId}/unblock`).ok();
});

test("one that was made by hand meanwhile is no second one", async () => {
  const target = await post();
  const { id } = (await boostLater(target)).json;
  await bob.post(`/api/v1/statuses/${target.id}/reblog`).ok();
  await later(HOUR);
  const same = (await boosts()).filter(({ reblog }) => reblog.id === target.id);
  assert.equal(same.length, 1);
  assert.equal((await bob.get(`/api/v1/scheduled_statuses/${id}`)).status, 404);
});
