// Which posts' pages name an oEmbed document: those of this server. What is of another server is embedded by that one.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../../test/browser.ts";
import type { Browser } from "../../../test/browser.ts";
import { startPeer } from "../../../test/fake-peer.ts";
import type { FakePeer } from "../../../test/fake-peer.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";

let server: TestApp;
let peer: FakePeer;
let alice: Person;
let member: Browser;

before(async () => {
  server = await startTestApp();
  peer = await startPeer();
  alice = await server.person("alice");
  member = openBrowser(server);
  await member.signIn("alice");
});
after(async () => {
  await peer?.close();
  await server?.close();
});

const OEMBED = /json\+oembed/;

test("a remote post's page leads to the post, and to no oEmbed", async () => {
  const bob = peer.actor("bob");
  const { id: uri } = peer.note(bob, "/notes/open", { content: "<p>from afar</p>" });
  const path = `/api/v2/search?resolve=true&q=${encodeURIComponent(String(uri))}`;
  const { json } = await alice.get(path);
  const { id, account } = json.statuses[0];
  const page = await member.get(`/@${account.acct}/${id}`);
  assert.equal(page.status, 200);
  assert.match(page.text, /from afar/);
  assert.ok(page.text.includes(`type="application/activity+json" href="${uri}"`));
  assert.doesNotMatch(page.text, OEMBED);
});

test("the page of a post that was written here names it to the same member", async () => {
  const answer = await alice.post("/api/v1/statuses", { status: "from here" });
  assert.match((await member.get(`/@alice/${answer.json.id}`)).text, OEMBED);
});
