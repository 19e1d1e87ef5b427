// Whom a text names: nobody is told who was not meant, however the host after a name is written.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let t: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  t = await startTestApp();
  // As if each of these servers did not answer.
  t.app.remote.account = async () => null;
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
});
after(() => t.close());

const NOT_HERE = [
  "@bob@🌈🌈🌈.st",
  "@bob@☃.example",
  "@bob@exa－mple.com",
  "@bob@exa\u2010mple.com",
  "@bob@\u200bremote.example",
  "@bob\u200b@remote.example",
  "@bob＠remote.example",
  "@bob@🌈",
  "@bob@",
  "@bob-@remote.example",
];

const seenByBob = async (id: string): Promise<number> =>
  (await bob.get(`/api/v1/statuses/${id}`)).status;

const namesOf = ({ mentions }: { mentions: { acct: string }[] }) =>
  mentions.map(({ acct }) => acct);

test("a direct post for a host elsewhere does not go to who has the name here", async () => {
  for (const handle of NOT_HERE) {
    const status = `${handle} a secret`;
    const post = await alice.post("/api/v1/statuses", { status, visibility: "direct" }).ok();
    assert.deepEqual(namesOf(post), [], handle);
    assert.equal(await seenByBob(post.id), 404, handle);
  }
  await t.runJobs();
  const { json } = await bob.get("/api/v1/notifications");
  assert.deepEqual(json, []);
});

test("nor does an edit of one, a scheduled one or a draft", async () => {
  const post = await alice
    .post("/api/v1/statuses", { status: "a secret", visibility: "direct" })
    .ok();
  const at = new Date(Date.now() + 3600_000).toISOString();
  for (const handle of NOT_HERE) {
    const status = `${handle} a secret`;
    const edited = await alice.put(`/api/v1/statuses/${post.id}`, { status }).ok();
    assert.deepEqual(namesOf(edited), [], handle);
    assert.equal(await seenByBob(post.id), 404, handle);
  }
  const draft = { status: `${NOT_HERE[0]} later`, visibility: "direct", scheduled_at: at };
  const { id } = await alice.post("/api/v1/statuses", draft).ok();
  await t.write`UPDATE scheduled_statuses SET scheduled_at = now() WHERE id = ${id}`;
  await t.write`
    SELECT graphile_worker.reschedule_jobs(array_agg(j.id), run_at := now())
    FROM graphile_worker.jobs j WHERE task_identifier = 'status.scheduled'
  `;
  await t.runJobs();
  const own = await alice.get(`/api/v1/accounts/${alice.accountId}/statuses?limit=1`).ok();
  assert.match(own[0].content, /later/);
  assert.deepEqual(namesOf(own[0]), []);
  const { json } = await bob.get("/api/v1/notifications");
  assert.deepEqual(json, []);
});

test("people of hosts in any script are found, and shown in their letters", async () => {
  await t.write`
    INSERT INTO accounts (username, domain, uri, url, inbox_url, public_key, display_name)
    VALUES ('zoe', 'xn--mnchen-3ya.example', 'https://xn--mnchen-3ya.example/users/zoe',
      'https://xn--mnchen-3ya.example/@zoe', 'https://xn--mnchen-3ya.example/users/zoe/inbox', '', 'Zoe')
  `;
  for (const handle of [
    "zoe@münchen.example",
    "zoe@MÜNCHEN.example",
    "zoe@xn--mnchen-3ya.example",
  ]) {
    const found = await alice
      .get(`/api/v1/accounts/lookup?acct=${encodeURIComponent(handle)}`)
      .ok();
    assert.equal(found.acct, "zoe@münchen.example");
    const post = await alice.post("/api/v1/statuses", { status: `@${handle} hi` }).ok();
    assert.deepEqual(namesOf(post), ["zoe@münchen.example"]);
    assert.match(post.content, /href="https:\/\/xn--mnchen-3ya\.example\/@zoe"/);
    const page = await t.visitor.get(`/@${encodeURIComponent(handle)}`, { accept: "text/html" });
    assert.ok([200, 302].includes(page.status), String(page.status));
  }
});
