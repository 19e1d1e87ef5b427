// The player of a video elsewhere: which posts have one, and what its page may load.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openBrowser } from "../../test/browser.ts";
import { startTestApp } from "../../test/harness.ts";
import type { Person, TestApp } from "../../test/harness.ts";
import { findPost, startVideoPeer } from "../../test/video-peer.ts";
import type { VideoPeer } from "../../test/video-peer.ts";

let server: TestApp;
let peer: VideoPeer;
let alice: Person;

before(async () => {
  server = await startTestApp({ env: { PREVIEW_CARDS: "true" } });
  [peer, alice] = [await startVideoPeer(), await server.person("alice")];
});
after(async () => {
  await peer?.close();
  await server?.close();
});

const found = (uri: string): Promise<any> => findPost(server, alice, uri);
const playerOf = ({ id, account }: any) => server.visitor.get(`/@${account.acct}/${id}/player`);

test("a video with a picture has the player that its page names, in a page that may load only that", async () => {
  const status = await found(peer.video());
  assert.equal(status.media_attachments.length, 1);
  assert.equal(status.card.type, "video");
  const { status: code, headers, text } = await playerOf(status);
  assert.equal(code, 200);
  const policy = headers.get("content-security-policy") ?? "";
  assert.deepEqual(
    policy.split("; ").filter((part) => !part.startsWith("style-src")),
    [
      "default-src 'none'",
      `frame-src ${peer.origin}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ],
  );
  assert.equal(headers.get("x-frame-options"), "SAMEORIGIN");
  assert.match(text, /<iframe src="[^"]*\/videos\/embed\/w\/1\?autoplay=1" [^>]* sandbox="allow-/);
  assert.doesNotMatch(text, /<script/);
});

test("what says no player, and a post with a picture and a link, have none", async () => {
  const silent = peer.video();
  const { pathname } = new URL(silent.replace("/videos/", "/"));
  peer.pages.set(pathname, {
    headers: { "content-type": "text/html" },
    body: "<title>Silent</title>",
  });
  assert.equal((await playerOf(await found(silent))).status, 404);
  const page = `${peer.origin}/w/1`;
  const attachment = [{ type: "Image", mediaType: "image/jpeg", url: `${peer.origin}/still.jpg` }];
  const content = `<p><a href="${page}">${page}</a></p>`;
  const { id } = peer.note(peer.author, "/notes/1", { content, attachment });
  const note = await found(String(id));
  assert.equal(note.card, null);
  assert.equal((await playerOf(note)).status, 404);
});

test("a video for followers has no card, and no page with a player", async () => {
  const followers = `${peer.author.uri}/followers`;
  await peer.author.deliver(server, { type: "Follow", object: `${server.url}/users/alice` });
  const [row] = await server.app.sql`SELECT id FROM accounts WHERE uri = ${peer.author.uri}`;
  await alice.post(`/api/v1/accounts/${row!["id"]}/follow`).done();
  const object = { type: "Follow", actor: `${server.url}/users/alice`, object: peer.author.uri };
  await peer.author.deliver(server, { type: "Accept", object });
  const uri = peer.video({ to: [followers], cc: [] });
  const document = peer.documents.get(new URL(uri).pathname);
  await peer.author.deliver(server, { type: "Create", object: document, to: [followers] });
  const [status] = await alice.get("/api/v1/timelines/home").ok();
  assert.deepEqual([status.uri, status.visibility, status.card], [uri, "private", null]);
  assert.equal((await playerOf(status)).status, 404);
});

test("a page of a post has its picture with a link to the player, and frames only of ours", async () => {
  const status = await found(peer.video());
  const page = openBrowser(server);
  await page.signIn("alice");
  const { text, headers } = await page.get(`/@${status.account.acct}/${status.id}`);
  const link = /<a\s+class="player"[^>]*>/.exec(text)?.[0] ?? "";
  assert.match(link, new RegExp(`href="[^"]*/${status.id}/player"`));
  assert.match(link, /aria-label="Play “My video” from 127\.0\.0\.1/);
  assert.doesNotMatch(text, /<iframe/);
  assert.match(headers.get("content-security-policy") ?? "", /frame-src 'self'/);
});
