// What members do about people and posts by the pages of the client, without scripts.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { formOf, picture } from "../../../test/files.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let alice: Person;
let bob: Person;
let carol: Person;
let browser: Browser;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
  carol = await server.person("carol");
});

after(() => server.close());

beforeEach(async () => {
  browser = openBrowser(server);
  await browser.signIn("alice");
});

const post = async (by: Person, json: object): Promise<{ id: string }> =>
  (await by.post("/api/v1/statuses", json)).json;

const relation = async () => {
  const path = `/api/v1/accounts/relationships?id[]=${bob.accountId}`;
  return (await alice.get(path)).json[0];
};

/** Sends the form of a page of the client with these fields as well. */
const send = async (path: string, action: string, fields: Record<string, string> = {}) => {
  const page = await browser.get(path);
  assert.equal(page.status, 200, path);
  assert.ok(page.text.includes(`action="/web/act/${action}"`), `${path} has no form ${action}`);
  const [, token] = /name="form_token" value="([^"]+)"/.exec(page.text)!;
  return browser.post(`/web/act/${action}`, { form_token: token!, back: "/home", ...fields });
};

test("authors boost what is for their followers or this server, others do not", async () => {
  const boosts = async (name: string, by: Person, visibility: string): Promise<boolean> => {
    const { id } = await post(by, { status: visibility, visibility });
    const { text } = await browser.get(`/@${name}/${id}`);
    const [button = ""] = text.match(/<button[^>]*data-act="reblog"[^>]*>/) ?? [];
    assert.ok(button);
    return !button.includes("disabled");
  };
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
  for (const visibility of ["public", "private", "local", "local_followers"])
    assert.equal(await boosts("alice", alice, visibility), true, visibility);
  assert.equal(await boosts("alice", alice, "direct"), false);
  for (const visibility of ["private", "local"])
    assert.equal(await boosts("bob", bob, visibility), false, visibility);
});

test("pictures in lists are the small ones, or the default one", async () => {
  const shown = async () => {
    const { text } = await browser.get("/@alice/followers");
    return [...text.matchAll(/class="avatar" src="([^"]+)"/g)].map(([, url]) => url!);
  };
  await bob.post(`/api/v1/accounts/${alice.accountId}/follow`);
  assert.ok((await shown()).some((url) => url.endsWith("/avatars/missing.png")));
  const linked = async () => {
    const { text } = await browser.get("/@bob");
    assert.match(text, /class="profile-avatar"/);
    return [...text.matchAll(/<a href="([^"]*\/avatars\/[^"]*)" data-media/g)].map(
      ([, url]) => url,
    );
  };
  assert.deepEqual(await linked(), [], "the default one leads nowhere");
  const multipart = formOf(null, { avatar: await picture("png", 400, 400) });
  const path = "/api/v1/accounts/update_credentials";
  const { json } = await bob.patch(path, multipart);
  assert.ok((await shown()).includes(json.avatar_small));
  assert.deepEqual(await linked(), [json.avatar]);
});

test("the menus of posts and people are lists of links and buttons where there are no scripts", async () => {
  const { id } = await post(bob, { status: "to be seen" });
  const { text } = await browser.get(`/@bob/${id}?menu`);
  for (const part of ["mute", "block", `report?status=${id}`])
    assert.ok(text.includes(`href="/@bob/${part}"`), part);
  assert.match(text, new RegExp(`formaction="/web/act/statuses/${id}/mute"`, "i"));
  assert.match((await browser.get("/@bob?menu")).text, /href="\/@bob\/note"/);

  const own = await post(alice, { status: "mine" });
  const menu = (await browser.get(`/@alice/${own.id}?menu`)).text;
  assert.match(menu, new RegExp(`href="/@alice/${own.id}/delete"`));
  assert.match(menu, /Who can quote this post/);
  assert.doesNotMatch(menu, /href="\/@alice\/block"/);
});

test("following with options, unfollowing, a note, muting for a time, blocking", async () => {
  const person = `accounts/${bob.accountId}`;
  await send("/@bob/follow", `${person}/follow`, {
    reblogs: "false",
    replies: "false",
    daily_limit: "5",
    notify: "true",
  });
  const followed = await relation();
  assert.deepEqual(
    [followed.following, followed.showing_reblogs, followed.notifying],
    [true, false, true],
  );
  assert.deepEqual([followed.showing_replies, followed.daily_limit], [false, 5]);
  const options = (await browser.get("/@bob/follow")).text;
  assert.match(options, /<option[^>]* selected[^>]*>Only the first 5 posts each day</);
  await send("/@bob/note", `${person}/note`, { comment: "met at the mill" });
  assert.match((await browser.get("/@bob")).text, /met at the mill/);
  await send("/@bob/unfollow", `${person}/unfollow`);
  assert.equal((await relation()).following, false);
  await send("/@bob/mute", `${person}/mute`, { duration: "1800", notifications: "false" });
  const muted = await relation();
  assert.deepEqual([muted.muting, muted.muting_notifications], [true, false]);
  assert.ok(muted.muting_expires_at);
  await send("/@bob/block", `${person}/block`);
  assert.equal((await relation()).blocking, true);
  const { text } = await browser.get("/@bob");
  assert.match(text, /data-act="unblock"/);
  await browser.post(`/web/act/${person}/unblock`, {
    form_token: /name="form_token" value="([^"]+)"/.exec(text)![1]!,
  });
  assert.equal((await relation()).blocking, false);
});

test("a member’s own server is not asked about, as there is nothing to block", async () => {
  assert.equal((await browser.get("/@bob/block_domain")).status, 404);
});

test("a report names its posts; somebody else's post cannot be slipped in by the address", async () => {
  const { id } = await post(bob, { status: "rude words" });
  const own = await post(alice, { status: "not his" });
  const page = (await browser.get(`/@bob/report?status=${id}`)).text;
  assert.match(page, new RegExp(`value="${id}"[^>]*checked|checked[^>]*value="${id}"`));
  assert.ok(!(await browser.get(`/@bob/report?status=${own.id}`)).text.includes("not his"));
  const sent = await send(`/@bob/report?status=${id}`, "reports", {
    account_id: bob.accountId,
    category: "spam",
    "status_ids[]": id,
    comment: "see there",
  });
  assert.equal(sent.status, 303);
  const [report] = await server.app.sql`SELECT category, comment, status_ids FROM reports`;
  assert.deepEqual([report!["category"], report!["comment"]], ["spam", "see there"]);
});

test("lists, the quote policy and deleting, each by a form", async () => {
  const answer = await alice.post("/api/v1/lists", { title: "Birders" });
  await alice.post(`/api/v1/accounts/${bob.accountId}/follow`);
  const list = `lists/${answer.json.id}/accounts`;
  await send("/@bob/lists", list, { "account_ids[]": bob.accountId });
  await send("/@bob/lists", `${list}/delete`, { "account_ids[]": bob.accountId });

  const { id } = await post(alice, { status: "soon gone" });
  await send(`/@alice/${id}/quote_policy`, `statuses/${id}/interaction_policy`, {
    quote_approval_policy: "nobody",
  });
  const { json } = await alice.get(`/api/v1/statuses/${id}`);
  assert.deepEqual(json.quote_approval.automatic, []);
  const gone = await send(`/@alice/${id}/delete`, `statuses/${id}/delete`, { back: "/@alice" });
  assert.equal(gone.headers.get("location"), "/@alice");
  assert.equal((await browser.get(`/@alice/${id}`)).status, 404);
  const { id: others } = await post(bob, { status: "his own" });
  assert.equal((await browser.get(`/@bob/${others}/delete`)).status, 404);
});

test("who favourited and boosted a post, with buttons to follow; its history with what changed", async () => {
  const { id } = await post(alice, { status: "two owls sat" });
  for (const act of ["favourite", "reblog"]) await carol.post(`/api/v1/statuses/${id}/${act}`);
  for (const list of ["favourites", "reblogs"])
    assert.match((await browser.get(`/@alice/${id}/${list}`)).text, /class="person".*@carol/s);
  await alice.put(`/api/v1/statuses/${id}`, { status: "two grey owls" });
  const { text } = await browser.get(`/@alice/${id}/history`);
  assert.match(text, /<ins>grey <\/ins>/);
  assert.match(text, /<del> sat<\/del>/);
  assert.equal((await browser.get(`/@bob/${id}/history`)).status, 404);
});

test("a new member finds people, hashtags and the rules; featured things have a tab", async () => {
  await carol.patch("/api/v1/accounts/update_credentials", { discoverable: true });
  const { text } = await browser.get("/welcome?done=confirmed");
  assert.match(text, /is confirmed/);
  assert.match(text, /Introduce yourself/);
  assert.match((await browser.get("/home")).text, /href="\/welcome"|class="post"/);
  assert.match((await browser.get("/@carol/featured")).text, /isn’t featuring anything yet/);
  const visitor = await openBrowser(server).get("/welcome");
  assert.match(visitor.headers.get("location")!, /^\/auth\/sign_in/);
});
