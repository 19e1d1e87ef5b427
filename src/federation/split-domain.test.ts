// Two servers of ours, of which one has its handles on another domain (LOCAL_DOMAIN) than its addresses (WEB_DOMAIN):
// people find, follow, mention and answer each other, and move from one to the other.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { untilQuiet } from "../../test/until-quiet.ts";

type Json = Record<string, any>;

const port = 20_000 + Math.floor(Math.random() * 10_000);

/** What a web server for a bare domain does: WebFinger is elsewhere, and nothing else is there. */
const front = createServer(({ url = "" }, response) => {
  const isKnown = url.startsWith("/.well-known/");
  if (!isKnown) return void response.writeHead(404).end();
  response.writeHead(301, { location: `http://127.0.0.1:${port}${url}` }).end();
});

let split: TestApp;
let plain: TestApp;
let dora: Person;
let emil: Person;
let bob: Person;
let carol: Person;
let domain = "";

before(async () => {
  await new Promise<void>((resolve) => front.listen(0, "127.0.0.3", resolve));
  domain = `127.0.0.3:${(front.address() as AddressInfo).port}`;
  const env = { PORT: String(port), LOCAL_DOMAIN: domain, WEB_DOMAIN: `127.0.0.1:${port}` };
  [split, plain] = await Promise.all([startTestApp({ env }), startTestApp()]);
  [dora, emil] = [await split.person("dora"), await split.person("emil")];
  [bob, carol] = [await plain.person("bob"), await plain.person("carol")];
});

after(async () => {
  await Promise.all([split?.close(), plain?.close()]);
  front.closeAllConnections();
  front.close();
});

const settle = () => untilQuiet(split, plain);

const find = async (server: TestApp, by: Person, q: string): Promise<any> => {
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(q)}`;
  const { accounts, statuses } = await server.as(by).get(path).ok();
  return accounts[0] ?? statuses[0];
};

const home = (server: TestApp, by: Person): Promise<Json[]> =>
  server.as(by).get("/api/v1/timelines/home").ok();

const isFollowing = async (server: TestApp, by: Person, id: string): Promise<boolean> =>
  (await server.as(by).get(`/api/v1/accounts/relationships?id[]=${id}`).ok())[0].following;

test("the handle is found over a redirect; by the other domain and by the address it is the same person", async () => {
  const account = await find(plain, bob, `@dora@${domain}`);
  assert.equal(account.acct, `dora@${domain}`);
  assert.equal(account.uri, `http://127.0.0.1:${port}/users/dora`);
  for (const q of [`dora@127.0.0.1:${port}`, account.uri, account.url]) {
    assert.equal((await find(plain, bob, q))?.id, account.id, q);
  }
  const { json: actor } = await split.visitor.get("/users/dora", {
    accept: "application/activity+json",
  });
  assert.equal(actor.webfinger, `dora@${domain}`);
  // Who is here is found by both, without a request.
  for (const host of [domain, `127.0.0.1:${port}`]) {
    assert.equal((await find(split, emil, `@dora@${host}`)).acct, "dora");
    const resource = encodeURIComponent(`acct:dora@${host}`);
    const { json } = await split.visitor.get(`/.well-known/webfinger?resource=${resource}`);
    assert.equal(json.subject, `acct:dora@${domain}`);
  }
});

test("they follow, mention and answer each other", async () => {
  const doraThere = await find(plain, bob, `@dora@${domain}`);
  await bob.post(`/api/v1/accounts/${doraThere.id}/follow`).ok();
  await settle();
  assert.equal(await isFollowing(plain, bob, doraThere.id), true);
  const { uri } = await dora
    .post("/api/v1/statuses", {
      status: "from two domains",
    })
    .ok();
  await settle();
  const seen = (await home(plain, bob)).find((status) => status["uri"] === uri)!;
  assert.equal(seen["account"].acct, `dora@${domain}`);
  const text = `@dora@${domain} I see`;
  const answer = { status: text, in_reply_to_id: seen["id"] };
  const sent = await bob.post("/api/v1/statuses", answer).ok();
  assert.equal(sent.mentions[0].acct, `dora@${domain}`);
  await settle();
  const [told] = await dora.get("/api/v1/notifications?types[]=mention").ok();
  assert.equal(told.status.uri, sent.uri);
  assert.deepEqual(
    told.status.mentions.map((mention: Json) => mention["acct"]),
    ["dora"],
  );
});

test("somebody moves from the one to the other: followers on both servers go along", async () => {
  const bobThere = await find(split, emil, `${plain.url}/users/bob`);
  await emil.post(`/api/v1/accounts/${bobThere.id}/follow`).ok();
  await carol.post(`/api/v1/accounts/${bob.accountId}/follow`).ok();
  await settle();
  const page = openBrowser(split);
  await page.signIn("dora");
  const aliases = await page.get("/settings/aliases");
  await page.submit(aliases, "/settings/aliases", { acct: `bob@${new URL(plain.url).host}` });
  const { json: actor } = await split.visitor.get("/users/dora", {
    accept: "application/activity+json",
  });
  assert.deepEqual(actor.alsoKnownAs, [`${plain.url}/users/bob`]);
  const moving = openBrowser(plain);
  await moving.signIn("bob");
  const path = "/settings/migration";
  const form = { acct: `dora@${domain}`, current_password: "correct horse" };
  const done = await moving.submit(await moving.get(path), path, form);
  assert.equal(done.headers.get("location"), `${path}?done=move.done_moved`, done.text);
  await settle();
  const doraThere = await find(plain, carol, `@dora@${domain}`);
  assert.equal(await isFollowing(plain, carol, doraThere.id), true);
  assert.equal(await isFollowing(plain, carol, bob.accountId), false);
  assert.equal(await isFollowing(split, emil, dora.accountId), true);
  assert.equal(await isFollowing(split, emil, bobThere.id), false);
  const shown = await emil.get(`/api/v1/accounts/${bobThere.id}`).ok();
  assert.equal(shown.moved.acct, "dora");
});
