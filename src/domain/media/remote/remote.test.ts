// Files of another server: fetched when somebody looks, once, kept, given up for a while, forgotten.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, test } from "node:test";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { startPeer } from "../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../test/fake-peer.ts";
import {
  movingGif,
  picture,
  picturedPlace,
  silentVideo,
  WITHOUT_FFMPEG,
} from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { forgetHostFailures } from "../../../platform/fetch/host-breaker.ts";

let server: TestApp;
let peer: FakePeer;
let author: PeerActor;
let alice: Person;
let files: Server;
let origin: string;
/** What the other server has, by path: a file, a status, or how it answers. */
const served = new Map<string, Buffer | number | ((response: ServerResponse) => void)>();
const asked: string[] = [];

const serve = (path: string, response: ServerResponse): void => {
  asked.push(path);
  const found = served.get(path) ?? 404;
  if (typeof found === "function") found(response);
  else if (typeof found === "number") response.writeHead(found).end("no");
  // Whatever it says that it is.
  else response.writeHead(200, { "content-type": "text/html" }).end(found);
};

before(async () => {
  files = createServer((request, response) => serve(request.url!, response));
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  [server, peer] = await Promise.all([startTestApp(), startPeer()]);
  alice = await server.person("alice");
  author = peer.actor("author");
});
after(async () => {
  await Promise.all([server.close(), peer.close()]);
  files.closeAllConnections();
  files.close();
});

let notes = 0;

/** Fetches a post with these attachments; returns its entity. */
const noteWith = async (attachment: object[]): Promise<any> => {
  const path = `/notes/${(notes += 1)}`;
  peer.note(author, path, { attachment });
  const q = encodeURIComponent(peer.origin + path);
  const answer = await server.request("GET", `/api/v2/search?resolve=true&q=${q}`, {
    token: alice.token,
  });
  assert.equal(answer.json.statuses.length, 1, answer.text);
  return answer.json.statuses[0];
};

const attached = async (path: string, mediaType = "image/jpeg", more = {}): Promise<any> => {
  const url = origin + path;
  const status = await noteWith([{ type: "Document", mediaType, url, name: "alt", ...more }]);
  return status.media_attachments[0];
};

const look = async (url: string) => {
  const response = await fetch(url);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, type: response.headers.get("content-type"), bytes };
};

const countAsked = (path: string): number => asked.filter((one) => one === path).length;

test("nothing is fetched until somebody looks; then once, however many look, and not again", async () => {
  served.set("/a.jpg", await picture("jpeg", 900, 600));
  const media = await attached("/a.jpg", "image/jpeg", {
    blurhash: "U516R5kvfQkvkvflfQflfQfQfQfQkv",
  });
  assert.equal(media.remote_url, `${origin}/a.jpg`);
  assert.match(media.url, new RegExp(`^${server.url}/media/remote/attachments/`));
  assert.equal(media.description, "alt");
  assert.ok(media.blurhash);
  assert.equal(countAsked("/a.jpg"), 0);
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => look(media.url)));
  for (const { status, type, bytes } of all) {
    assert.deepEqual([status, type], [200, "image/jpeg"]);
    assert.ok(bytes.equals(served.get("/a.jpg") as Buffer));
  }
  assert.equal((await look(media.url)).status, 200);
  assert.equal(countAsked("/a.jpg"), 1);
  const small = await look(media.preview_url);
  const { width, height } = await sharp(small.bytes).metadata();
  assert.ok(width * height <= 640 * 360 + 1000);
  assert.equal(small.type, "image/jpeg");
});

test("an address that was not given out is 404, and so is a guessed one", async () => {
  served.set("/private.jpg", await picturedPlace());
  const { id, url } = await attached("/private.jpg");
  const tag = url.split("/").at(-1);
  for (const path of [
    `attachments/${id}/0000000000000000`,
    `avatars/${id}/${tag}`,
    `attachments/12345/${tag}`,
    `others/${id}/${tag}`,
    `attachments/x/${tag}`,
  ]) {
    assert.equal((await look(`${server.url}/media/remote/${path}`)).status, 404, path);
  }
  assert.equal(countAsked("/private.jpg"), 0);
});

test("what is no media is not passed on, and not asked for again", async () => {
  const bad: Record<string, Buffer | number> = {
    "/page": Buffer.from("<!doctype html><script>alert(1)</script>"),
    "/svg": Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    "/gone": 410,
    "/large": Buffer.concat([await picture("jpeg"), Buffer.alloc(17 * 1024 * 1024)]),
  };
  for (const [path, what] of Object.entries(bad)) {
    served.set(path, what);
    const { url } = await attached(path);
    assert.equal((await look(url)).status, 404, path);
    assert.equal((await look(url)).status, 404, path);
    assert.equal(countAsked(path), 1, path);
  }
});

test("a file that fails is left alone for a while, and so is a server where all do", async () => {
  const paths = [1, 2, 3, 4, 5, 6].map((n) => `/weak${n}.jpg`);
  for (const path of paths) {
    served.set(path, path === "/weak1.jpg" ? 503 : (response) => response.destroy());
    const { url } = await attached(path);
    assert.equal((await look(url)).status, 404);
    assert.equal((await look(url)).status, 404);
    assert.equal(countAsked(path), 1);
  }
  served.set("/strong.jpg", await picture("jpeg"));
  const strong = await attached("/strong.jpg");
  assert.equal((await look(strong.url)).status, 404);
  assert.equal(countAsked("/strong.jpg"), 0);
  await forgetHostFailures(server.app, origin);
  assert.equal((await look(strong.url)).status, 200);
});

test("avatars and headers come the same way, moving ones also as a still picture", async () => {
  served.set("/face.gif", await movingGif());
  served.set("/back.png", await picture("png"));
  const person = peer.actor("pictured");
  const document = peer.documents.get("/users/pictured") as Record<string, unknown>;
  document["icon"] = { type: "Image", url: `${origin}/face.gif` };
  document["image"] = { type: "Image", url: `${origin}/back.png` };
  const q = encodeURIComponent(person.uri);
  const found = await server.request("GET", `/api/v2/search?resolve=true&q=${q}`, {
    token: alice.token,
  });
  const { avatar, avatar_static: still, header, header_static } = found.json.accounts[0];
  assert.match(header, /\/media\/remote\/headers\//);
  assert.equal(header_static, header);
  assert.equal((await look(header)).type, "image/png");
  const pages = async (url: string) => (await sharp((await look(url)).bytes).metadata()).pages;
  assert.equal(await pages(avatar), 5);
  assert.notEqual(still, avatar);
  assert.equal((await pages(still)) ?? 1, 1);
});

test("the preview of a video is its first picture", { skip: WITHOUT_FFMPEG }, async () => {
  served.set("/v.mp4", silentVideo());
  const media = await attached("/v.mp4", "video/mp4");
  assert.equal((await look(media.preview_url)).type, "image/png");
  const part = await fetch(media.url, { headers: { range: "bytes=0-9" } });
  assert.equal(part.status, 206);
  assert.equal((await buffer(part.body!)).length, 10);
  assert.equal(countAsked("/v.mp4"), 1);
});

test("the copies not looked at for longest go first, and after 30 days all do", async () => {
  const names = ["/one.jpg", "/two.jpg", "/three.jpg"];
  const made: any[] = [];
  for (const name of names) {
    served.set(name, await picture("jpeg", 300, 300));
    made.push(await attached(name));
    await look(made.at(-1).url);
  }
  const tidy = async () => {
    await server.app.jobs.add(server.app.sql, "retention.due", { what: "remote_files" });
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
  };
  const copies = async () =>
    (
      await server.app.sql`SELECT bytes FROM remote_files WHERE key IS NOT NULL ORDER BY used_at`
    ).map(({ bytes }) => Number(bytes));
  await tidy();
  const before = await copies();
  assert.ok(before.length >= 3);
  // Room for the last two.
  const { media } = server.app.config;
  const { cacheBytes } = media;
  media.cacheBytes = before.slice(-2).reduce((a, b) => a + b, 0);
  await tidy();
  media.cacheBytes = cacheBytes;
  assert.deepEqual(await copies(), before.slice(-2));
  await look(made[2].url);
  assert.equal(countAsked("/three.jpg"), 1);
  await look(made[0].url);
  assert.equal(countAsked("/one.jpg"), 2);
  await server.write`UPDATE remote_files SET used_at = now() - interval '31 days'`;
  await tidy();
  assert.deepEqual(await copies(), []);
});

test("with a cache of no size, files are passed on and soon deleted", async () => {
  const { media } = server.app.config;
  const { cacheBytes } = media;
  media.cacheBytes = 0;
  served.set("/passed.jpg", await picture("jpeg"));
  const { url } = await attached("/passed.jpg");
  assert.equal((await look(url)).status, 200);
  assert.equal((await look(url)).status, 200);
  assert.equal(countAsked("/passed.jpg"), 1);
  const [job] = await server.app.sql`
    SELECT run_at > now() + interval '4 minutes' AND run_at < now() + interval '11 minutes' AS soon
    FROM graphile_worker.jobs WHERE key LIKE 'passed-on:%'`;
  assert.equal(job!["soon"], true);
  await server.write`UPDATE remote_files SET used_at = now() - interval '6 minutes'`;
  await server.app.jobs.add(server.app.sql, "retention.due", { what: "remote_files" });
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
  media.cacheBytes = cacheBytes;
  const [left] = await server.app.sql`SELECT count(*)::int AS n FROM remote_files`;
  assert.equal(left!["n"], 0);
  assert.equal((await look(url)).status, 200);
  assert.equal(countAsked("/passed.jpg"), 2);
});

test("the files of a suspended account are shown to moderators alone", async () => {
  served.set("/reported.jpg", await picture("jpeg"));
  const attachment = [{ type: "Document", mediaType: "image/jpeg", url: `${origin}/reported.jpg` }];
  const status = await noteWith(attachment);
  const [before] = status.media_attachments;
  const scopes = ["read", "admin:read", "admin:write"];
  const staff = await server.person("judge", { role: "Owner", scopes });
  const api = (method: string, path: string, { token }: Person, json?: unknown) =>
    server.request(method, path, { token, json });
  const { id } = status.account;
  const report = { account_id: id, status_ids: [status.id] };
  assert.equal((await api("POST", "/api/v1/reports", alice, report)).status, 200);
  const reported = async () => {
    const { json } = await api("GET", `/api/v1/admin/reports?target_account_id=${id}`, staff);
    return json[0].statuses[0].media_attachments[0];
  };
  assert.equal((await reported()).url, before.url);
  assert.equal((await look(before.url)).status, 200);
  const account = `/api/v1/admin/accounts/${id}`;
  const { status: code } = await api("POST", `${account}/action`, staff, { type: "suspend" });
  assert.equal(code, 200);
  await server.runJobs();
  const path = `/api/v1/admin/reports?target_account_id=${id}&resolved=true`;
  const [{ statuses }] = (await api("GET", path, staff)).json;
  const [withheld] = statuses[0].media_attachments;
  for (const name of ["url", "preview_url"]) {
    assert.notEqual(withheld[name], before[name]);
    assert.deepEqual([name, (await look(before[name])).status], [name, 404]);
    assert.deepEqual([name, (await look(withheld[name])).status], [name, 200]);
  }
  assert.equal((await api("GET", `/api/v1/statuses/${status.id}`, alice)).status, 404);
  assert.equal((await api("POST", `${account}/unsuspend`, staff)).status, 200);
  await server.runJobs();
  assert.equal((await look(before.url)).status, 200);
  assert.equal((await look(withheld.url)).status, 404);
});

test("an edit of a description keeps the attachment and its copy", async () => {
  served.set("/same.jpg", await picture("jpeg"));
  const url = `${origin}/same.jpg`;
  const status = await noteWith([{ type: "Document", mediaType: "image/jpeg", url, name: "old" }]);
  const [before] = status.media_attachments;
  const object = {
    ...(peer.documents.get(new URL(status.uri).pathname) as object),
    attachment: [{ type: "Document", mediaType: "image/jpeg", url, name: "new" }],
    updated: new Date().toISOString(),
  };
  const id = `${peer.origin}/updates/1`;
  const to = "https://www.w3.org/ns/activitystreams#Public";
  const update = { id, type: "Update", actor: author.uri, to, object };
  const { status: code } = await peer.post(`${server.url}/inbox`, author, update);
  assert.equal(code, 202);
  await server.runJobs();
  const { json } = await server.request("GET", `/api/v1/statuses/${status.id}`);
  assert.equal(json.media_attachments[0].id, before.id);
  assert.equal(json.media_attachments[0].description, "new");
});

test("of a server whose media are rejected nothing is fetched or shown, until that ends", async () => {
  served.set("/rejected.jpg", await picture("jpeg"));
  served.set("/rejected-later.jpg", await picture("jpeg"));
  const seen = await attached("/rejected.jpg");
  const unseen = await attached("/rejected-later.jpg");
  assert.equal((await look(seen.url)).status, 200);
  const mod = await server.person("mod", { role: "Owner", scopes: ["admin:read", "admin:write"] });
  const blocks = "/api/v1/admin/domain_blocks";
  const made = await server.request("POST", blocks, {
    token: mod.token,
    json: { domain: peer.host, severity: "noop", reject_media: true },
  });
  assert.equal(made.status, 200, made.text);
  for (const { url } of [seen, unseen]) {
    const { status, bytes } = await look(url);
    assert.equal(status, 404);
    assert.match(String(bytes), /not shown here/);
  }
  assert.equal(countAsked("/rejected-later.jpg"), 0);
  await server.request("DELETE", `${blocks}/${made.json.id}`, { token: mod.token });
  assert.equal((await look(unseen.url)).status, 200);
});
