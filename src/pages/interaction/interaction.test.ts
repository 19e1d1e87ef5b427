// From this server to another and back: /interact for visitors, /authorize_interaction and /share for members.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";

const PATH = "/authorize_interaction";

let t: TestApp;
let peer: FakePeer;
let remote: PeerActor;
let bob: Person;
let browser: Browser;
let ip = 1;

before(async () => {
  t = await startTestApp({ env: { TRUSTED_PROXY_IP: "127.0.0.1" } });
  peer = await startPeer("127.0.0.2");
  remote = peer.actor("remy");
  await t.person("alice");
  bob = await t.person("bob");
  browser = openBrowser(t);
  await browser.signIn("alice");
});
after(async () => {
  await peer.close();
  await t.close();
});

const open = (uri: string, by = browser) => by.get(`${PATH}?${new URLSearchParams({ uri })}`);
const leadsTo = ({ headers }: Answer) => headers.get("location");
const write = async (person: Person, json: object) =>
  (await person.post("/api/v1/statuses", json)).json;

test("a browser leads from a web+mastodon: address to the page for it", async () => {
  const intent = async (uri: string) => {
    const answer = await t.visitor.get(`/intent?${new URLSearchParams({ uri })}`);
    return answer.status === 302 ? leadsTo(answer) : answer.status;
  };
  const follow = "web+mastodon://follow?uri=acct:remy@there.example";
  assert.equal(await intent(follow), `${PATH}?uri=acct:remy@there.example`);
  assert.equal(await intent("web+mastodon://share?text=a%26b"), "/share?text=a%26b");
  for (const uri of ["", "web+mastodon://constructor", "https://follow/?uri=x", "nonsense"])
    assert.equal(await intent(uri), 404, uri);
});

describe("from other servers", () => {
  test("WebFinger's template leads here: sign-in first, and back; search engines stay away", async () => {
    const resource = `acct:alice@${t.app.config.site.localDomain}`;
    const finger = await t.visitor.get(`/.well-known/webfinger?resource=${resource}`);
    const jrd = JSON.parse(finger.text) as { links: { rel: string; template?: string }[] };
    const { template } = jrd.links.find(({ rel }) => rel.endsWith("/subscribe"))!;
    assert.equal(template, `${t.url}${PATH}?uri={uri}`);
    const intents = jrd.links.filter(({ rel }) => rel.startsWith("https://w3id.org/fep/3b86/"));
    assert.deepEqual(
      intents.map(({ rel, template: to }) => [rel.split("/").at(-1), to]),
      [
        ["Object", `${t.url}${PATH}?uri={object}`],
        ["Create", `${t.url}/share?text={content}`],
      ],
    );
    const path = template!.slice(t.url.length).replace("{uri}", encodeURIComponent(remote.uri));

    const visitor = openBrowser(t);
    const first = await visitor.get(path);
    assert.equal(first.status, 302);
    assert.match(first.headers.get("x-robots-tag") ?? "", /noindex/);
    const form = await visitor.get(leadsTo(first)!);
    const values = { login: "bob", password: "correct horse" };
    const back = await visitor.submit(form, "/auth/sign_in", values);
    assert.equal(leadsTo(back), path);
    const answer = await visitor.get(path);
    assert.equal(leadsTo(answer), `/@remy@${peer.host}`);
    assert.equal(answer.headers.get("cache-control"), "private, no-store");
    const page = await visitor.get(leadsTo(answer)!);
    assert.match(page.text, /data-act="follow"/);
  });

  test("by address, page, acct: and handle, of people and posts here and elsewhere", async () => {
    const here = `bob@${t.app.config.site.localDomain}`;
    for (const uri of [`acct:${here}`, `@${here}`, here, `${t.url}/@bob`, `${t.url}/users/bob`]) {
      assert.equal(leadsTo(await open(uri)), "/@bob", uri);
    }
    const there = `remy@${peer.host}`;
    for (const uri of [`acct:${there}`, `@${there}`, ` ${there} `, remote.uri]) {
      assert.equal(leadsTo(await open(uri)), `/@${there}`, uri);
    }
    const own = await write(bob, { status: "hello" });
    for (const uri of [own.url, own.uri]) {
      assert.equal(leadsTo(await open(uri)), `/@bob/${own.id}`, uri);
    }
    const note = peer.note(remote, "/notes/1", { content: "<p>Anyone can cook</p>" });
    const path = leadsTo(await open(String(note["id"])))!;
    assert.match(path, new RegExp(`^/@${there}/\\d+$`));
    assert.match((await browser.get(path)).text, /Anyone can cook/);
  });

  test("what is not there, not for the person or nonsense is said in words, with another try", async () => {
    const secret = await write(bob, { status: "for followers", visibility: "private" });
    const nowhere = [`${peer.origin}/gone`, "http://127.0.0.3:1/x", "@nobody@127.0.0.3:1"];
    const odd = ["javascript:alert(1)", "<script>", "@", "a@b@c", `${t.url}/@bob/1`, secret.url];
    for (const uri of [...nowhere, ...odd, `https://x.example/${"x".repeat(3000)}`]) {
      const answer = await open(uri);
      assert.equal(answer.status, 404, uri);
      assert.match(answer.text, /<h1[^>]*>Account or post not found<\/h1>/);
      assert.match(answer.text, /<form[^>]* action="\/authorize_interaction"/);
      assert.doesNotMatch(answer.text, /<script>/);
    }
    assert.equal((await browser.get(PATH)).status, 200);
  });
});

describe("to other servers", () => {
  const subject = () => `${t.url}/users/bob`;
  const leave = (home: string, headers: Record<string, string> = {}) =>
    t.visitor.post(
      "/interact",
      new URLSearchParams({ uri: subject(), back: "/interact?acct=bob", home }),
      { accept: "text/html", "x-forwarded-for": `192.0.2.${ip++}`, ...headers },
    );
  const at = (address: string) => address.replace("{uri}", encodeURIComponent(subject()));
  const usual = () => at(`${peer.origin}${PATH}?uri={uri}`);

  test("a visitor's buttons lead to a form; a member's to the page itself", async () => {
    const { id } = await write(bob, { status: "come and see" });
    const visitor = openBrowser(t);
    const thread = await visitor.get(`/@bob/${id}`);
    assert.match(thread.text, new RegExp(`href="/interact/${id}\\?act=boost"`));
    const page = await visitor.get(`/interact/${id}?act=boost`);
    assert.match(page.text, /<h1[^>]*>Boost this post<\/h1>/);
    assert.match(page.text, /come and see/);
    assert.ok(page.text.includes(`name="uri" value="${t.url}/users/bob/statuses/${id}"`));
    assert.match(page.text, /name="robots" content="noindex"/);
    assert.ok(page.text.includes(encodeURIComponent(`/@bob/${id}`)));
    const person = await visitor.get("/interact?acct=bob");
    assert.ok(person.text.includes(`name="uri" value="${subject()}"`));
    assert.equal(leadsTo(await browser.get(`/interact/${id}`)), `/@bob/${id}`);
    assert.equal(leadsTo(await browser.get("/interact?acct=bob")), "/@bob");
    const secret = await write(bob, { status: "for followers", visibility: "private" });
    for (const path of [`/interact/${secret.id}`, "/interact/1", "/interact", "/interact?acct=x"])
      assert.equal((await visitor.get(path)).status, 404, path);
  });

  test("to where the person's server says, or where most have it", async () => {
    const finger = (acct: string, template: string) =>
      peer.documents.set(`/.well-known/webfinger?resource=acct:${acct}`, {
        subject: `acct:${acct}`,
        links: [{ rel: "http://ostatus.org/schema/1.0/subscribe", template }],
      });
    finger(`ann@${peer.host}`, `${peer.origin}/act?on={uri}`);
    finger(`${peer.host}@${peer.host}`, `${peer.origin}/server?on={uri}`);
    finger(`evil@${peer.host}`, "javascript:alert('{uri}')");
    finger(`odd@${peer.host}`, `${peer.origin}/without`);
    const cases = [
      [`@ann@${peer.host}`, at(`${peer.origin}/act?on={uri}`)],
      [` ANN@${peer.host} `.replace("ANN", "ann"), at(`${peer.origin}/act?on={uri}`)],
      [peer.host, at(`${peer.origin}/server?on={uri}`)],
      [`${peer.origin}/@ann`, at(`${peer.origin}/server?on={uri}`)],
      [`evil@${peer.host}`, usual()],
      [`odd@${peer.host}`, usual()],
      [`nobody@${peer.host}`, usual()],
      [`alice@${t.app.config.site.localDomain}`, at(`${t.url}${PATH}?uri={uri}`)],
      [t.app.config.site.localDomain, at(`${t.url}${PATH}?uri={uri}`)],
    ] as const;
    for (const [home, address] of cases) {
      const answer = await leave(home);
      assert.deepEqual([answer.status, leadsTo(answer)], [303, address], home);
      assert.equal(answer.headers.get("cache-control"), "private, no-store");
    }
  });

  test("what leads nowhere is said, with what was entered", async () => {
    const cases = [
      ["ann", "invalid"],
      ["", "invalid"],
      ["javascript:alert(1)", "invalid"],
      ["127.0.0.3:1", "unreachable"],
    ] as const;
    for (const [home, problem] of cases) {
      const answer = await leave(home);
      const query = new URLSearchParams({ problem, home });
      assert.equal(leadsTo(answer), `/interact?acct=bob&${query}`, home);
    }
    const page = await t.visitor.get(leadsTo(await leave('"><b>.x:y:z'))!);
    assert.match(page.text, /role="alert">Enter your full handle/);
    assert.doesNotMatch(page.text, /"><b>/);
    assert.match(page.text, /name="back" value="\/interact\?acct=bob"/);
  });

  test("other pages send nobody through here, and nobody makes us ask again and again", async () => {
    const foreign = await leave(peer.host, { origin: "https://evil.example" });
    assert.equal(foreign.status, 403);
    assert.equal((await leave(peer.host, { "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal((await leave(peer.host, { origin: t.url })).status, 303);
    const from = { "x-forwarded-for": "198.51.100.1" };
    const answers = [];
    for (let n = 0; n < 21; n++) answers.push((await leave("ann", from)).status);
    assert.deepEqual(answers, [...Array<number>(20).fill(303), 429]);
  });
});

describe("sharing", () => {
  const SHARE = "/share";

  test("who is signed out signs in first, and comes back to the same text", async () => {
    const path = `${SHARE}?${new URLSearchParams({ text: "a & b" })}`;
    const visitor = openBrowser(t);
    const form = await visitor.get(leadsTo(await visitor.get(path))!);
    const values = { login: "bob", password: "correct horse" };
    const back = await visitor.submit(form, "/auth/sign_in", values);
    assert.equal(leadsTo(back), path);
    const page = await visitor.get(leadsTo(await visitor.get(path))!);
    assert.match(page.text, />a &amp; b<\/textarea>/);
    assert.match(page.text, /<meta name="robots" content="noindex"/);
  });

  test("title, text and address are the text, each once; markup is text", async () => {
    const page = async (query: Record<string, string>) =>
      /<textarea[^>]*>([\s\S]*?)<\/textarea>/.exec(
        (await browser.get(leadsTo(await browser.get(`${SHARE}?${new URLSearchParams(query)}`))!))
          .text,
      )![1];
    const url = "https://example.com/x";
    assert.equal(await page({ title: "News", text: "read", url }), `News read ${url}`);
    assert.equal(await page({ text: `read ${url}`, url, title: " " }), `read ${url}`);
    assert.equal(await page({ text: "</textarea><script>" }), "&lt;/textarea>&lt;script>");
    assert.equal(await page({}), "");
  });
});
