// Quotes among people here: who may quote what, what each viewer is shown of it, and how it ends.

import { asPerson, NOBODY } from "../../../platform/viewer.ts";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { assertEntity } from "../../../../test/schema.ts";
import { removeAccount } from "../../people/accounts/remove.ts";
import { setSetting } from "../../base/settings/settings.ts";
import { loadStatuses } from "./load.ts";
import { statusEntity } from "./present.ts";
import { statusJson } from "./present-bytes.ts";
import { assumeSeen } from "./rules.ts";

let t: TestApp;
let author: Person;
let friend: Person;
let stranger: Person;

before(async () => {
  t = await startTestApp();
  [author, friend, stranger] = [
    await t.person("author"),
    await t.person("friend"),
    await t.person("stranger"),
  ];
  await friend.post(`/api/v1/accounts/${author.accountId}/follow`, {});
});
after(() => t?.close());

type Json = Record<string, unknown>;

const tryPost = (by: Person, more: Json = {}) =>
  by.post("/api/v1/statuses", { status: "words", ...more });
const post = async (by: Person, more: Json = {}) => {
  const answer = await tryPost(by, more).ok();
  assertEntity("Status", answer);
  return answer;
};
const quotable = (more: Json = {}) => post(author, { quote_approval_policy: "public", ...more });
const quote = (by: Person, quotedId: string, more: Json = {}) =>
  post(by, { quoted_status_id: quotedId, ...more });
const show = async (id: string, by: Person | null = null) =>
  (await (by ?? t.visitor).get(`/api/v1/statuses/${id}`)).json;

test("a quote shows what it quotes, is counted, and notified", async () => {
  const quoted = await quotable();
  const quoting = await quote(friend, quoted.id, { status: "look" });
  assert.equal(quoting.quote.state, "accepted");
  assert.equal(quoting.quote.quoted_status.id, quoted.id);
  assert.match(quoting.content, /^<p class="quote-inline">RE: <a href=/);
  assert.equal((await show(quoted.id)).quotes_count, 1);
  await t.runJobs();
  const { json } = await author.get("/api/v1/notifications?types[]=quote");
  assert.deepEqual(
    json.map((notification: any) => [
      notification.type,
      notification.account.id,
      notification.status.id,
    ]),
    [["quote", friend.accountId, quoting.id]],
  );
  await friend.delete(`/api/v1/statuses/${quoting.id}`);
  assert.equal((await show(quoted.id)).quotes_count, 0);
});

test("policies say who may quote, and every viewer what they may", async () => {
  const right = async (id: string, by: Person | null) =>
    (await show(id, by)).quote_approval.current_user;
  for (const [policy, lists, rights] of [
    ["public", ["public"], ["automatic", "automatic", "automatic", "denied"]],
    ["followers", ["followers"], ["automatic", "automatic", "denied", "denied"]],
    ["nobody", [], ["automatic", "denied", "denied", "denied"]],
  ] as const) {
    const { id, quote_approval } = await post(author, { quote_approval_policy: policy });
    assert.deepEqual(quote_approval, { automatic: lists, manual: [], current_user: "automatic" });
    const people = [author, friend, stranger, null];
    const allowed = await Promise.all(people.map((by) => right(id, by)));
    assert.deepEqual(allowed, rights, policy);
    for (const [index, by] of [author, friend, stranger].entries()) {
      const { status } = await tryPost(by, { quoted_status_id: id });
      assert.equal(status, rights[index] === "automatic" ? 200 : 403, `${policy} ${by.username}`);
    }
  }
});

test("the default policy is the person's own; private and direct posts are nobody's", async () => {
  await author.patch("/api/v1/accounts/update_credentials", {
    source: { quote_policy: "followers" },
  });
  assert.deepEqual((await post(author)).quote_approval.automatic, ["followers"]);
  for (const visibility of ["private", "direct"]) {
    const status = await post(author, { visibility, quote_approval_policy: "public" });
    assert.deepEqual(status.quote_approval.automatic, []);
    assert.equal(
      status.quote_approval.current_user,
      visibility === "private" ? "automatic" : "denied",
    );
  }
  await author.patch("/api/v1/accounts/update_credentials", { source: { quote_policy: "nobody" } });
});

test("without a word of the author the server's setting counts, and everybody without that", async () => {
  const shown = async () => {
    const own = await stranger.get("/api/v1/accounts/verify_credentials");
    const preferences = await stranger.get("/api/v1/preferences");
    const policy = preferences.json["posting:default:quote_policy"];
    assert.equal(own.json.source.quote_policy, policy);
    const { id, quote_approval: approval } = await post(stranger);
    const path = `/api/v1/statuses/${id}/interaction_policy`;
    const again = (await stranger.put(path, {})).json.quote_approval;
    assert.deepEqual(again, approval);
    return [policy, approval.automatic];
  };
  assert.deepEqual(await shown(), ["public", ["public"]]);
  await setSetting(t.app, "default_quote_policy", "followers");
  assert.deepEqual(await shown(), ["followers", ["followers"]]);
  await setSetting(t.app, "default_quote_policy", "nobody");
  assert.deepEqual(await shown(), ["nobody", []]);
  const own = { source: { quote_policy: "public" } };
  await stranger.patch("/api/v1/accounts/update_credentials", own);
  assert.deepEqual(await shown(), ["public", ["public"]]);
  await setSetting(t.app, "default_quote_policy", null);
});

test("unseen posts are missing, own private ones are quoted privately, direct ones never", async () => {
  const secret = await post(author, { visibility: "private" });
  assert.equal((await tryPost(stranger, { quoted_status_id: secret.id })).status, 404);
  assert.equal((await tryPost(stranger, { quoted_status_id: "109999999999999999" })).status, 404);
  assert.equal((await tryPost(stranger, { quoted_status_id: "no" })).status, 404);
  assert.equal((await tryPost(friend, { quoted_status_id: secret.id })).status, 403);
  const own = await quote(author, secret.id, { visibility: "public" });
  assert.equal(own.visibility, "private");
  const direct = await post(author, { visibility: "direct", status: "@friend psst" });
  assert.equal((await tryPost(author, { quoted_status_id: direct.id })).status, 403);
  assert.equal((await tryPost(friend, { quoted_status_id: direct.id })).status, 403);
});

test("a direct post quotes those who are named in it", async () => {
  const { id } = await quotable();
  const direct = { visibility: "direct", quoted_status_id: id };
  assert.equal((await tryPost(friend, { ...direct, status: "@stranger look" })).status, 422);
  await tryPost(friend, { ...direct, status: "@author look" }).ok();
});

test("nobody is shown through a quote what they may not see", async () => {
  const quoted = await quotable({ status: "the secret of the day" });
  const { id } = await quote(friend, quoted.id);
  const outer = await post(friend, {
    quote_approval_policy: "public",
    quoted_status_id: quoted.id,
  });
  const nested = await quote(stranger, outer.id);
  assert.deepEqual(nested.quote.quoted_status.quote, {
    state: "accepted",
    quoted_status_id: quoted.id,
  });
  await author.post(`/api/v1/accounts/${stranger.accountId}/block`, {});
  const seen = await stranger.get(`/api/v1/statuses/${id}`);
  assert.deepEqual(seen.json.quote, { state: "unauthorized", quoted_status: null });
  assert.doesNotMatch(seen.text, /secret of the day/);
  assertEntity("Status", seen.json);
  assert.deepEqual((await show(nested.id, stranger)).quote.quoted_status.quote, {
    state: "unauthorized",
    quoted_status_id: null,
  });
  assert.equal((await show(id, friend)).quote.state, "accepted");
  assert.equal((await show(id)).quote.state, "accepted");
  assert.equal((await tryPost(stranger, { quoted_status_id: quoted.id })).status, 404);
  await author.post(`/api/v1/accounts/${stranger.accountId}/unblock`, {});
});

test("whom the viewer blocks or mutes is marked", async () => {
  const quoted = await quotable();
  const { id } = await quote(friend, quoted.id);
  for (const [verb, undo, state] of [
    ["block", "unblock", "blocked_account"],
    ["mute", "unmute", "muted_account"],
  ]) {
    await stranger.post(`/api/v1/accounts/${author.accountId}/${verb}`, {});
    const seen = await show(id, stranger);
    assert.equal(seen.quote.state, state);
    assertEntity("Status", seen);
    await stranger.post(`/api/v1/accounts/${author.accountId}/${undo}`, {});
    assert.equal((await show(id, stranger)).quote.state, "accepted");
  }
});

test("followers alone see the quoted private post", async () => {
  const secret = await post(author, { visibility: "private", status: "for followers" });
  const own = await quote(author, secret.id);
  assert.equal((await show(own.id, friend)).quote.quoted_status.id, secret.id);
  assert.equal((await stranger.get(`/api/v1/statuses/${own.id}`)).status, 404);
});

test("the author revokes it, at once and for good", async () => {
  const quoted = await quotable();
  const quoting = await quote(friend, quoted.id);
  const path = `/api/v1/statuses/${quoted.id}/quotes/${quoting.id}/revoke`;
  assert.equal((await t.visitor.post(path, {})).status, 401);
  assert.equal(
    (await { ...author, token: await t.token(author.userId, ["read"]) }.post(path, {})).status,
    403,
  );
  assert.equal((await friend.post(path, {})).status, 403);
  assert.equal((await author.post(path.replace(quoting.id, quoted.id), {})).status, 404);
  const answer = await author.post(path, {}).ok();
  assertEntity("Status", answer);
  assert.deepEqual(answer.quote, { state: "revoked", quoted_status: null });
  assert.equal((await show(quoting.id, friend)).quote.state, "revoked");
  assert.equal((await show(quoted.id)).quotes_count, 0);
  assert.equal((await author.post(path, {})).json.quote.state, "revoked");
  assert.deepEqual((await author.get(`/api/v1/statuses/${quoted.id}/quotes`)).json, []);
});

test("a quote outlives an edit of it, and what it quotes when that is deleted", async () => {
  const quoted = await quotable();
  const quoting = await quote(friend, quoted.id);
  const edited = await friend.put(`/api/v1/statuses/${quoting.id}`, { status: "other words" });
  assert.equal(edited.json.quote.quoted_status.id, quoted.id);
  assert.match(edited.json.content, /quote-inline.*other words/);
  const history = (await t.visitor.get(`/api/v1/statuses/${quoting.id}/history`)).json;
  for (const edit of history) assertEntity("StatusEdit", edit);
  assert.deepEqual(
    history.map((edit: any) => edit.quote.quoted_status_id),
    [quoted.id, quoted.id],
  );
  await author.delete(`/api/v1/statuses/${quoted.id}`);
  assert.deepEqual((await show(quoting.id)).quote, { state: "deleted", quoted_status: null });
});

test("an edit of what they quoted notifies those who did, with their own post", async () => {
  const quoted = await quotable();
  const quoting = await quote(stranger, quoted.id);
  await t.runJobs();
  for (const status of ["once", "twice"]) {
    await author.put(`/api/v1/statuses/${quoted.id}`, { status });
    await t.runJobs();
    const { json } = await stranger.get("/api/v1/notifications?types[]=quoted_update");
    assert.deepEqual(
      json.map((notification: any) => [
        notification.type,
        notification.account.id,
        notification.status.id,
      ]),
      [["quoted_update", author.accountId, quoting.id]],
    );
    assert.match(json[0].status.quote.quoted_status.content, new RegExp(status));
  }
});

test("who may quote is changed afterwards; quotes that there are stay", async () => {
  const quoted = await quotable();
  const quoting = await quote(friend, quoted.id);
  const path = `/api/v1/statuses/${quoted.id}/interaction_policy`;
  assert.equal((await t.visitor.put(path, {})).status, 401);
  assert.equal((await friend.put(path, {})).status, 403);
  assert.equal((await author.put(path, { quote_approval_policy: "x" })).status, 422);
  const answer = await author.put(path, { quote_approval_policy: "nobody" });
  assertEntity("Status", answer.json);
  assert.deepEqual(answer.json.quote_approval.automatic, []);
  assert.equal((await tryPost(friend, { quoted_status_id: quoted.id })).status, 403);
  assert.equal((await show(quoting.id)).quote.state, "accepted");
  await author.put(`/api/v1/statuses/${quoted.id}`, {
    status: "new",
    quote_approval_policy: "public",
  });
  assert.equal((await show(quoted.id, friend)).quote_approval.current_user, "automatic");
});

test("the list of quotes leads on, and hides what the viewer may not see", async () => {
  const quoted = await quotable();
  const open = [await quote(friend, quoted.id), await quote(stranger, quoted.id)];
  const closed = await quote(friend, quoted.id, { visibility: "private" });
  const path = `/api/v1/statuses/${quoted.id}/quotes`;
  assert.equal((await t.visitor.get(path)).status, 401);
  assert.equal((await t.as(await t.token(author.userId, ["write"])).get(path)).status, 403);
  const all = await friend.get(path);
  assert.deepEqual(
    all.json.map((status: any) => status.id),
    [closed.id, open[1].id, open[0].id],
  );
  for (const status of all.json) assertEntity("Status", status);
  assert.deepEqual(
    (await author.get(path)).json.map((status: any) => status.id),
    [open[1].id, open[0].id],
  );
  const first = await friend.get(`${path}?limit=1`);
  assert.match(
    first.headers.get("link")!,
    /max_id=\d+>; rel="next", <[^>]+since_id=\d+>; rel="prev"/,
  );
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link")!)![1]!;
  assert.deepEqual((await friend.get(next)).json[0].id, open[1].id);
});

test("a reblog is quoted as what it reblogs", async () => {
  const quoted = await quotable();
  const boost = (await friend.post(`/api/v1/statuses/${quoted.id}/reblog`, {})).json;
  assert.equal(boost.quote_approval.current_user, "automatic");
  assert.equal((await quote(stranger, boost.id)).quote.quoted_status.id, quoted.id);
  const quoting = await quote(stranger, quoted.id);
  const again = (await friend.post(`/api/v1/statuses/${quoting.id}/reblog`, {})).json;
  assert.equal(again.reblog.quote.quoted_status.id, quoted.id);
});

test("filters find what is quoted", async () => {
  const quoted = await quotable({ status: "about marmots" });
  const quoting = await quote(friend, quoted.id);
  const filter = {
    title: "animals",
    context: ["home"],
    keywords_attributes: [{ keyword: "marmots" }],
  };
  await stranger.post("/api/v2/filters", filter);
  const seen = await show(quoting.id, stranger);
  assert.equal(seen.quote.quoted_status.filtered.length, 1);
});

test("the joined bytes are the entity, for every viewer", async () => {
  const quoted = await quotable();
  const outer = await post(friend, {
    quote_approval_policy: "followers",
    quoted_status_id: quoted.id,
  });
  const gone = await quotable();
  const orphan = await quote(friend, gone.id);
  await author.delete(`/api/v1/statuses/${gone.id}`);
  const ids = [quoted.id, outer.id, orphan.id, (await quote(friend, outer.id)).id];
  ids.push((await author.post(`/api/v1/statuses/${outer.id}/reblog`, {})).json.id);
  for (const viewer of [null, author, friend, stranger]) {
    const who = viewer ? asPerson(viewer.accountId) : NOBODY;
    const views = (await loadStatuses(t.app, ids, who)).map(assumeSeen);
    assert.equal(views.length, 5);
    for (const view of views) {
      const { site } = t.app.config;
      const entity = JSON.parse(JSON.stringify(statusEntity(view, site)));
      assert.deepEqual(JSON.parse(statusJson(view, site).toString()), entity);
    }
  }
});

test("who leaves takes their quotes' counts along, and what others quoted of them", async () => {
  const leaver = await t.person("leaver");
  const [mine, theirs] = [
    await quotable(),
    await post(leaver, { quote_approval_policy: "public" }),
  ];
  await quote(leaver, mine.id);
  const orphan = await quote(friend, theirs.id);
  assert.equal((await show(mine.id)).quotes_count, 1);
  await removeAccount(t.app, leaver.accountId);
  assert.deepEqual((await show(orphan.id)).quote, { state: "unauthorized", quoted_status: null });
  await t.runJobs();
  assert.equal((await show(mine.id)).quotes_count, 0);
  assert.deepEqual((await show(orphan.id)).quote, { state: "deleted", quoted_status: null });
});

test("a page takes the same number of queries however many quotes it has", async () => {
  const ids: string[] = [];
  for (let n = 0; n < 6; n++) {
    const outer = await post(friend, {
      quote_approval_policy: "public",
      quoted_status_id: (await quotable()).id,
    });
    ids.push((await quote(stranger, outer.id)).id);
  }
  await t.runJobs();
  // In a transaction nothing is cached.
  const count = (some: string[]) =>
    t.countQueries(() =>
      t.app.sql.begin((tx) => loadStatuses(t.app, some, asPerson(author.accountId), tx)),
    );
  assert.equal((await count(ids.slice(0, 1))).queries, (await count(ids)).queries);
});
