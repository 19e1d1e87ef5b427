// Own old posts are deleted by the rule that a person made: what stays, how much at a time, the page.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../../test/browser.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { createStatuses } from "../statuses/create.ts";
import { ROW_ONLY } from "../statuses/new-status.ts";
import { cleanUp, DEFAULT_POLICY, getPolicy, setPolicy } from "./clean-up.ts";
import type { Policy } from "./tables.ts";

let t: TestApp;
let alice: Person;
let bob: Person;
/** Jobs are due by the database's clock, so this one moves with it, and is ahead of it. */
let ahead = 0;
const DAY = 86_400_000;

before(async () => {
  t = await startTestApp({ clock: { now: () => new Date(Date.now() + ahead) } });
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const post = async (who: Person, status: string, more: object = {}): Promise<string> =>
  (await who.post("/api/v1/statuses", { status, ...more }).ok()).id;

const left = async (who: Person): Promise<string[]> => {
  const rows = await t.app.sql<{ id: string }[]>`
    SELECT id FROM statuses WHERE account_id = ${who.accountId} ORDER BY id`;
  return rows.map(({ id }) => id);
};

const run = async () => {
  await cleanUp(t.app);
  await t.runJobs();
};

test("old posts and boosts go, each kind that the rule keeps stays, until the rule is another", async () => {
  const plain = await post(alice, "old");
  const [pinned, liked, kept] = [
    await post(alice, "a"),
    await post(alice, "b"),
    await post(alice, "c"),
  ];
  const direct = await post(alice, "@bob hello", { visibility: "direct" });
  const poll = await post(alice, "choose", { poll: { options: ["a", "b"], expires_in: 3600 } });
  const media = await post(alice, "picture");
  await t.write`UPDATE statuses SET has_media = true WHERE id = ${media}`;
  const popular = await post(alice, "good");
  const boost = await alice.post(`/api/v1/statuses/${await post(bob, "his")}/reblog`).ok();
  await alice.post(`/api/v1/statuses/${pinned}/pin`).ok();
  await alice.post(`/api/v1/statuses/${liked}/favourite`).ok();
  await alice.post(`/api/v1/statuses/${kept}/bookmark`).ok();
  await bob.post(`/api/v1/statuses/${popular}/favourite`).ok();
  await bob.post(`/api/v1/statuses/${popular}/reblog`).ok();
  const bobs = await left(bob);
  const all: Policy = {
    ...DEFAULT_POLICY,
    enabled: true,
    keep_polls: true,
    keep_media: true,
    min_favourites: null,
    min_reblogs: 1,
  };
  await setPolicy(t.app, alice.accountId, all);
  await run();
  assert.equal((await left(alice)).length, 9, "nothing is old");
  ahead += 15 * DAY;
  await run();
  const stays = [pinned, liked, kept, direct, poll, media, popular];
  assert.deepEqual(await left(alice), stays);
  assert.equal((await t.visitor.get(`/api/v1/statuses/${plain}`)).status, 404);
  assert.equal((await alice.get(`/api/v1/statuses/${boost.reblog.id}`).ok()).reblogged, false);
  // One condition after the other.
  const drop = async (change: Partial<Policy>, gone: string) => {
    Object.assign(all, change);
    await setPolicy(t.app, alice.accountId, all);
    await run();
    stays.splice(stays.indexOf(gone), 1);
    assert.deepEqual(await left(alice), stays, JSON.stringify(change));
  };
  await drop({ keep_pinned: false }, pinned);
  await drop({ keep_favourited: false }, liked);
  await drop({ keep_bookmarked: false }, kept);
  await drop({ keep_direct: false }, direct);
  await drop({ keep_polls: false }, poll);
  await drop({ keep_media: false }, media);
  await setPolicy(t.app, alice.accountId, { ...all, min_favourites: 1, min_reblogs: 2 });
  await run();
  assert.deepEqual(await left(alice), [popular]);
  await drop({ min_favourites: 2, min_reblogs: 2 }, popular);
  assert.deepEqual(
    await left(bob),
    bobs.filter((id) => bobs.indexOf(id) === 0),
    "his boost went with it",
  );
  await setPolicy(t.app, alice.accountId, { ...all, enabled: false });
});

test("a run deletes 50 of one person's, the next one goes on; what was kept is looked at a day later", async () => {
  const at = new Date(t.app.clock.now().getTime() - 100 * DAY);
  const row = {
    account_id: bob.accountId,
    local: true,
    text: "x",
    content: "<p>x</p>",
    visibility: "public" as const,
    awaits_approval: false,
    created_at: at,
  };
  const created = await t.fixture((sql) =>
    createStatuses(
      t.app,
      sql,
      Array.from({ length: 60 }, () => ({ ...ROW_ONLY, row, quiet: true })),
    ),
  );
  await t.runJobs();
  await setPolicy(t.app, bob.accountId, { ...DEFAULT_POLICY, enabled: true, min_days: 91 });
  await bob.post(`/api/v1/statuses/${created[55]!.id}/bookmark`).ok();
  const older = async () =>
    (await left(bob)).filter((id) => created.some((status) => status!.id === id));
  await run();
  assert.equal((await older()).length, 10);
  await run();
  assert.deepEqual(await older(), [created[55]!.id]);
  await bob.post(`/api/v1/statuses/${created[55]!.id}/unbookmark`).ok();
  await run();
  assert.equal((await older()).length, 1);
  ahead += DAY;
  await run();
  assert.equal((await older()).length, 0);
});

test("the page sets the rule, says what is wrong, and ends it", async () => {
  const path = "/settings/cleanup";
  const browser = openBrowser(t);
  await browser.signIn("alice");
  const page = await browser.get(path);
  const wrong = await browser.submit(page, path, {
    enabled: "1",
    min_days: "3",
    min_favourites: "many",
  });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Enter a number from 1 to 1,000,000/);
  assert.equal((await getPolicy(t.app, alice.accountId)).enabled, false);
  const form = {
    enabled: "1",
    min_days: "30",
    keep_media: "1",
    min_favourites: "5",
    min_reblogs: "",
  };
  const saved = await browser.submit(page, path, form);
  assert.equal(saved.headers.get("location"), `${path}?done=on`);
  const policy = await getPolicy(t.app, alice.accountId);
  assert.deepEqual(
    [
      policy.min_days,
      policy.keep_media,
      policy.keep_pinned,
      policy.min_favourites,
      policy.min_reblogs,
    ],
    [30, true, false, 5, null],
  );
  const { enabled: _on, ...rest } = form;
  const off = await browser.submit(page, path, { ...rest, min_reblogs: "7" });
  assert.equal(off.headers.get("location"), `${path}?done=off`);
  // What was entered stays for the next time.
  const again = (await browser.get(path)).text;
  assert.doesNotMatch(again, /name="enabled"[^>]* checked/);
  assert.match(again, /name="min_favourites"[^>]*value="5"|value="5"[^>]*name="min_favourites"/);
  assert.match(again, /name="min_reblogs"[^>]*value="7"|value="7"[^>]*name="min_reblogs"/);
  assert.match(again, /name="keep_media"[^>]* checked/);
  assert.equal((await browser.submit(page, path, { ...rest, min_reblogs: "x" })).status, 422);
});
