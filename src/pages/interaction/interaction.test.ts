// /authorize_interaction: from an address on another server to a follow, reply, boost or favourite here.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";

const PATH = "/authorize_interaction";
const ACCOUNT = `${PATH}/account`;
const STATUS = `${PATH}/status`;

let t: TestApp;
let peer: FakePeer;
let remote: PeerActor;
let alice: Person;
let bob: Person;
let browser: Browser;

before(async () => {
  t = await startTestApp();
  peer = await startPeer("127.0.0.2");
  remote = peer.actor("remy");
  [alice, bob] = [await t.person("alice"), await t.person("bob")];
  browser = openBrowser(t);
  await browser.signIn("alice");
});
after(async () => {
  await peer.close();
  await t.close();
});

const open = (uri: string, by = browser) => by.get(`${PATH}?${new URLSearchParams({ uri })}`);
const titleOf = ({ text }: Answer) => /<title>([^<]*) - /.exec(text)?.[1];
const relation = async (id: string) => {
  const path = `/api/v1/accounts/relationships?id[]=${id}`;
  return (await t.request("GET", path, { token: alice.token })).json[0];
};
const write = async (person: Person, json: object) =>
  (await t.request("POST", "/api/v1/statuses", { token: person.token, json })).json;
const read = async (id: string) =>
  (await t.request("GET", `/api/v1/statuses/${id}`, { token: alice.token })).json;

describe("getting there", () => {
  test("WebFinger's template leads here: sign-in first, and back; search engines stay away", async () => {
    const resource = `acct:alice@${t.app.config.site.localDomain}`;
    const finger = await t.request("GET", `/.well-known/webfinger?resource=${resource}`);
    const jrd = JSON.parse(finger.text) as { links: { rel: string; template?: string }[] };
    const { template } = jrd.links.find(({ rel }) => rel.endsWith("/subscribe"))!;
    assert.equal(template, `${t.url}${PATH}?uri={uri}`);
    const path = template!.slice(t.url.length).replace("{uri}", encodeURIComponent(remote.uri));

    const visitor = openBrowser(t);
    const first = await visitor.get(path);
    assert.equal(first.status, 302);
    assert.match(first.headers.get("x-robots-tag") ?? "", /noindex/);
    const form = await visitor.get(first.headers.get("location")!);
    const values = { login: "bob", password: "correct horse" };
    const back = await visitor.submit(form, "/auth/sign_in", values);
    assert.equal(back.headers.get("location"), path);
    const page = await visitor.get(path);
    assert.equal(titleOf(page), `Follow @remy@${peer.host}`);
    assert.match(page.headers.get("x-robots-tag") ?? "", /noindex/);
    assert.match(page.text, /<meta name="robots" content="noindex"/);
    assert.equal(page.headers.get("cache-control"), "private, no-store");
  });

  test("by address, page, acct: and handle, of people here and elsewhere", async () => {
    const here = `bob@${t.app.config.site.localDomain}`;
    for (const uri of [`acct:${here}`, `@${here}`, here, `${t.url}/@bob`, `${t.url}/users/bob`]) {
      assert.equal(titleOf(await open(uri)), `Follow @${here}`, uri);
    }
    const there = `remy@${peer.host}`;
    for (const uri of [`acct:${there}`, `@${there}`, ` ${there} `, remote.uri]) {
      assert.equal(titleOf(await open(uri)), `Follow @${there}`, uri);
    }
  });

  test("what is not there, not for the person or nonsense is said in words, with another try", async () => {
    const secret = await write(bob, { status: "for followers", visibility: "private" });
    const nowhere = [`${peer.origin}/gone`, "http://127.0.0.3:1/x", "@nobody@127.0.0.3:1"];
    const odd = ["javascript:alert(1)", "<script>", "@", "a@b@c", `${t.url}/@bob/1`, secret.url];
    for (const uri of [...nowhere, ...odd, `https://x.example/${"x".repeat(3000)}`]) {
      const answer = await open(uri);
      assert.equal(answer.status, 404, uri);
      assert.match(answer.text, /Account or post not found/);
      assert.match(answer.text, /<form method="get" action="\/authorize_interaction"/);
      assert.doesNotMatch(answer.text, /<script>/);
    }
    assert.equal((await browser.get(PATH)).status, 200);
  });

  test("forms need our token, and a session", async () => {
    const page = await open(`@bob@${t.app.config.site.localDomain}`);
    const form = { act: "follow", id: bob.accountId };
    assert.equal((await browser.post(ACCOUNT, form)).status, 403);
    const stranger = await openBrowser(t).submit(page, ACCOUNT, { act: "follow" });
    assert.match(stranger.headers.get("location") ?? "", /^\/auth\/sign_in/);
    assert.equal((await relation(bob.accountId)).following, false);
    assert.equal((await browser.submit(page, ACCOUNT, { act: "__proto__" })).status, 404);
    assert.equal((await browser.submit(page, ACCOUNT, { act: "follow", id: "x" })).status, 404);
  });
});

describe("an account", () => {
  test("here: followed and unfollowed; oneself is not", async () => {
    const uri = `${t.url}/@bob`;
    const page = await open(uri);
    assert.match(page.text, />\s*Follow\s*</);
    const done = await browser.submit(page, ACCOUNT, { act: "follow" });
    assert.equal(done.headers.get("location"), `${PATH}?${new URLSearchParams({ uri })}`);
    assert.equal((await relation(bob.accountId)).following, true);
    const after = await open(uri);
    assert.match(after.text, /You follow this account/);
    await browser.submit(after, ACCOUNT, { act: "unfollow" });
    assert.equal((await relation(bob.accountId)).following, false);
    const own = await open(`${t.url}/@alice`);
    assert.match(own.text, /This is your account/);
    assert.doesNotMatch(own.text, /value="follow"/);
  });

  test("elsewhere: the request goes to its server, and can be withdrawn", async () => {
    const page = await open(remote.uri);
    await browser.submit(page, ACCOUNT, { act: "follow" });
    await t.runJobs();
    assert.ok(peer.inbox().some(({ type, object }) => type === "Follow" && object === remote.uri));
    const waiting = await open(remote.uri);
    assert.match(waiting.text, /waiting for an answer/);
    assert.match(waiting.text, />\s*Cancel follow request\s*</);
  });

  test("who approves followers is asked; who blocks cannot be followed", async () => {
    const locky = await t.person("locky");
    const profile = "/api/v1/accounts/update_credentials";
    await t.request("PATCH", profile, { token: locky.token, json: { locked: true } });
    assert.match((await open(`${t.url}/@locky`)).text, />\s*Request to follow\s*</);
    const foe = await t.person("foe");
    await t.request("POST", `/api/v1/accounts/${alice.accountId}/block`, { token: foe.token });
    const page = await open(`${t.url}/@foe`);
    assert.match(page.text, /You can’t follow this account/);
    assert.doesNotMatch(page.text, /value="follow"/);
  });
});

describe("a post", () => {
  test("elsewhere: fetched, favourited and boosted, and both undone", async () => {
    const note = peer.note(remote, "/notes/1", { content: "<p>Anyone can cook</p>" });
    const uri = String(note["id"]);
    const page = await open(uri);
    assert.match(page.text, /Anyone can cook/);
    const id = /name="id" value="(\d+)"/.exec(page.text.replaceAll(/\s+/g, " "))![1]!;
    for (const act of ["favourite", "boost"]) await browser.submit(page, STATUS, { act });
    let status = await read(id);
    assert.deepEqual([status.favourited, status.reblogged], [true, true]);
    await t.runJobs();
    const sent = peer.inbox().map(({ type }) => type);
    assert.ok(sent.includes("Like") && sent.includes("Announce"));
    const after = await open(uri);
    assert.match(after.text, /Remove favourite[\s\S]*Undo boost/);
    for (const act of ["unfavourite", "unboost"]) await browser.submit(after, STATUS, { act });
    status = await read(id);
    assert.deepEqual([status.favourited, status.reblogged], [false, false]);
  });

  test("a reply names who is answered, keeps the warning and its audience, and is posted once", async () => {
    const parent = await write(bob, {
      status: `@alice hello @remy@${peer.host}`,
      spoiler_text: "a <warning>",
      visibility: "unlisted",
    });
    const page = await open(parent.url);
    assert.match(page.text, new RegExp(`>@bob @remy@${peer.host} </textarea>`));
    assert.match(page.text, /value="a &lt;warning&gt;"/);
    assert.doesNotMatch(page.text, /value="public"/);
    const form = { act: "reply", status: "@bob hi", spoiler_text: "cw", visibility: "unlisted" };
    for (const key of ["one", "one"]) {
      const done = await browser.submit(page, STATUS, { ...form, key });
      assert.match(done.headers.get("location") ?? "", /done=replied$/);
    }
    assert.match(
      (await browser.get(`${PATH}?uri=${parent.url}&done=replied`)).text,
      /has been posted/,
    );
    const { json } = await t.request("GET", `/api/v1/statuses/${parent.id}/context`);
    assert.equal(json.descendants.length, 1);
    const [reply] = json.descendants;
    assert.deepEqual(
      [reply.visibility, reply.spoiler_text, reply.in_reply_to_id],
      ["unlisted", "cw", parent.id],
    );
  });

  test("a reply that cannot be posted stays in the form, with the reason", async () => {
    const parent = await write(bob, { status: "short please" });
    const page = await open(parent.url);
    const text = `<b>${"x".repeat(600)}`;
    const form = { act: "reply", status: text, visibility: "private" };
    const answer = await browser.submit(page, STATUS, form);
    assert.equal(answer.status, 422);
    assert.match(answer.text, /Text character limit of 500 exceeded/);
    assert.ok(answer.text.includes(`&lt;b&gt;${"x".repeat(600)}</textarea>`));
    assert.match(answer.text, /value="private"\s+selected/);
  });

  test("followers-only posts of others can be favourited, not boosted", async () => {
    await t.request("POST", `/api/v1/accounts/${bob.accountId}/follow`, { token: alice.token });
    const parent = await write(bob, { status: "among us", visibility: "private" });
    const page = await open(parent.url);
    assert.match(page.text, />\s*★ Favourite\s*</);
    assert.doesNotMatch(page.text, /value="boost"/);
    assert.equal((await browser.submit(page, STATUS, { act: "boost" })).status, 403);
  });
});

describe("sharing", () => {
  const SHARE = "/share";
  const newest = async () =>
    (
      await t.request("GET", `/api/v1/accounts/${alice.accountId}/statuses?limit=1`, {
        token: alice.token,
      })
    ).json[0];

  test("who is signed out signs in first, and comes back to the same text", async () => {
    const path = `${SHARE}?${new URLSearchParams({ text: "a & b" })}`;
    const visitor = openBrowser(t);
    const first = await visitor.get(path);
    assert.equal(first.status, 302);
    const form = await visitor.get(first.headers.get("location")!);
    const values = { login: "bob", password: "correct horse" };
    const back = await visitor.submit(form, "/auth/sign_in", values);
    assert.equal(back.headers.get("location"), path);
    const page = await visitor.get(path);
    assert.match(page.text, />a &amp; b<\/textarea>/);
    assert.match(page.text, /<meta name="robots" content="noindex"/);
  });

  test("title, text and address are the text, each once; markup is text", async () => {
    const page = async (query: Record<string, string>) =>
      /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(
        (await browser.get(`${SHARE}?${new URLSearchParams(query)}`)).text,
      )![1];
    const url = "https://example.com/x";
    assert.equal(await page({ title: "News", text: "read", url }), `News read ${url}`);
    assert.equal(await page({ text: `read ${url}`, url, title: " " }), `read ${url}`);
    assert.equal(await page({ text: "</textarea><script>" }), "&lt;/textarea&gt;&lt;script&gt;");
    assert.equal(await page({}), "");
  });

  test("a public post leads to its page, once for each form; one for followers back here", async () => {
    const page = await browser.get(`${SHARE}?text=rooks`);
    assert.match(page.text, /value="public"\s+selected/);
    const form = { status: "rooks!", spoiler_text: "birds", visibility: "public" };
    const done = await browser.submit(page, SHARE, form);
    const posted = await newest();
    assert.deepEqual(
      [posted.visibility, posted.spoiler_text, posted.application],
      ["public", "birds", null],
    );
    assert.equal(done.headers.get("location"), `/@alice/${posted.id}`);
    assert.equal((await browser.get(`/@alice/${posted.id}`)).status, 200);
    const again = await browser.submit(page, SHARE, form);
    assert.equal(again.headers.get("location"), `/@alice/${posted.id}`);

    const other = await browser.get(SHARE);
    const closed = { status: "for friends", visibility: "private" };
    const answer = await browser.submit(other, SHARE, closed);
    assert.equal(answer.headers.get("location"), `${SHARE}?done=posted`);
    assert.match((await browser.get(`${SHARE}?done=posted`)).text, /has been published/);
    assert.equal((await newest()).visibility, "private");
  });

  test("what cannot be posted stays in the form, with the reason; without our form nothing is posted", async () => {
    const before = await newest();
    const page = await browser.get(SHARE);
    const long = "x".repeat(600);
    const answer = await browser.submit(page, SHARE, { status: long, visibility: "unlisted" });
    assert.equal(answer.status, 422);
    assert.match(answer.text, /Text character limit of 500 exceeded/);
    assert.ok(answer.text.includes(`${long}</textarea>`));
    assert.match(answer.text, /value="unlisted"\s+selected/);
    const forged = await browser.post(SHARE, { status: "forged", visibility: "public" });
    assert.equal(forged.status, 403);
    assert.equal((await newest()).id, before.id);
  });
});
