// Files of another server: fetched when somebody looks, once, kept, given up for a while, forgotten.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { createServer } from "node:http";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { buffer } from "node:stream/consumers";
import sharp from "sharp";
import { startPeer } from "../../../../../test/fake-peer.ts";
import type { FakePeer, PeerActor } from "../../../../../test/fake-peer.ts";
import {
  movingGif,
  picture,
  picturedPlace,
  silentVideo,
  WITHOUT_FFMPEG,
} from "../../../../../test/files.ts";
import { openBrowser } from "../../../../../test/browser.ts";
import { startTestApp } from "../../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../../test/harness.ts";
import { forgetHostFailures } from "../../../../platform/fetch/host-breaker.ts";
import { joinFetch } from "./fetch-limits.ts";

let server: TestApp;
let peer: FakePeer;
let author: PeerActor;
let alice: Person;
let files: Server;
let origin: string;
/** What the other server has, by path: a file, a status, or how it answers. */
type Answering = (response: ServerResponse, request: IncomingMessage) => void;
const served = new Map<string, Buffer | number | Answering>();
const requested: string[] = [];
/** What requests log as faults. */
const faults: unknown[] = [];

const watchLog = ({ log }: TestApp["app"]): void => {
  log.onChild = (child) => {
    child.error = child.warn = (...line: unknown[]) => void faults.push(line);
  };
};

const serve = (request: IncomingMessage, response: ServerResponse): void => {
  const path = request.url!;
  requested.push(path);
  const reply = served.get(path) ?? 404;
  if (typeof reply === "function") reply(response, request);
  else if (typeof reply === "number") response.writeHead(reply).end("no");
  // Whatever it says that it is.
  else response.writeHead(200, { "content-type": "text/html" }).end(reply);
};

before(async () => {
  files = createServer((request, response) => serve(request, response));
  await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  [server, peer] = await Promise.all([startTestApp(), startPeer()]);
  watchLog(server.app);
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
  const answer = await alice.get(`/api/v2/search?resolve=true&q=${q}`);
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

const countAsked = (path: string): number => requested.filter((other) => other === path).length;

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
  assert.deepEqual(faults, []);
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
  const answer = await alice.get(`/api/v2/search?resolve=true&q=${q}`);
  const { avatar, avatar_static: still, header, header_static } = answer.json.accounts[0];
  const small = await look(answer.json.accounts[0].avatar_small);
  const { width, height, pages: frames = 1 } = await sharp(small.bytes).metadata();
  assert.deepEqual([small.type, width! * height! <= 14_400, frames], ["image/webp", true, 1]);
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
  const urls: any[] = [];
  for (const name of names) {
    served.set(name, await picture("jpeg", 300, 300));
    urls.push(await attached(name));
    await look(urls.at(-1).url);
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
  await look(urls[2].url);
  assert.equal(countAsked("/three.jpg"), 1);
  await look(urls[0].url);
  assert.equal(countAsked("/one.jpg"), 2);
  await server.write`UPDATE remote_files SET used_at = now() - interval '31 days'`;
  await tidy();
  assert.deepEqual(await copies(), []);
});

/** Runs `work` on a server that stores nothing; nothing must be stored after it. */
const withoutCache = async (work: () => Promise<void>): Promise<void> => {
  const { media, dataDir } = server.app.config;
  const { cacheBytes } = media;
  const stored = async () =>
    (await server.app.sql`SELECT key FROM remote_files WHERE key IS NOT NULL`).length;
  const before = await stored();
  media.cacheBytes = 0;
  try {
    await work();
    assert.equal(await stored(), before);
    assert.deepEqual(readdirSync(join(dataDir, "uploads")), []);
  } finally {
    media.cacheBytes = cacheBytes;
  }
};

test("with a cache of no size, pictures are passed on", async () => {
  served.set("/passed.jpg", await picture("jpeg", 900, 600));
  const media = await attached("/passed.jpg");
  await withoutCache(async () => {
    const { status, type, bytes } = await look(media.url);
    assert.deepEqual([status, type], [200, "image/jpeg"]);
    assert.ok(bytes.equals(served.get("/passed.jpg") as Buffer));
    const head = await fetch(media.url, { method: "HEAD" });
    assert.equal(Number(head.headers.get("content-length")), bytes.length);
    assert.equal(countAsked("/passed.jpg"), 2);
    const preview = await look(media.preview_url);
    const { width, height } = await sharp(preview.bytes).metadata();
    assert.ok(width * height <= 640 * 360 + 1000);
    assert.equal(countAsked("/passed.jpg"), 3);
    assert.deepEqual(faults, []);
  });
});

test("what is being fetched is fetched once, however many want it", async () => {
  let runs = 0;
  const work = async () => (runs += 1);
  const want = () => joinFetch(server.app, "a file", work);
  assert.deepEqual(await Promise.all([want(), want(), want()]), [1, 1, 1]);
  assert.equal(await want(), 2);
});

test("what is large is passed on to each as it arrives, and ended where it is longer than may be", async () => {
  const jpeg = await picture("jpeg");
  const large = Buffer.concat([jpeg, Buffer.alloc(3 * 1024 * 1024, "x")]);
  served.set("/large.jpg", large);
  served.set("/endless.jpg", (response) => {
    response.write(large);
    const more = () => {
      while (!response.destroyed && response.write(large));
    };
    response.on("drain", more);
    more();
  });
  const [{ url }, endless] = [await attached("/large.jpg"), await attached("/endless.jpg")];
  await withoutCache(async () => {
    const both = await Promise.all([look(url), look(url)]);
    for (const { status, bytes } of both) {
      assert.equal(status, 200);
      assert.ok(bytes.equals(large));
    }
    await assert.rejects(look(endless.url), /terminated/);
  });
});

/** Begins as an MP4 does. */
const film = Buffer.concat([
  Buffer.from("\0\0\0\x18ftypisom\0\0\0\0isommp42"),
  randomBytes(300_000),
]);

/** A server that knows ranges. */
const serveFilm = (response: ServerResponse, request: IncomingMessage): void => {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
  if (first === "" && last === "")
    return void response.setHeader("content-length", film.length).end(film);
  const start = first === "" ? film.length - Number(last) : Number(first);
  const end = first === "" || last === "" ? film.length : Math.min(film.length, Number(last) + 1);
  const range = start < film.length ? `${start}-${end - 1}` : "*";
  response.setHeader("content-range", `bytes ${range}/${film.length}`);
  response.setHeader("content-type", "text/html");
  if (start < film.length) response.writeHead(206).end(film.subarray(start, end));
  else response.writeHead(416).end();
};

test("of a video the part is passed on that is asked for", async () => {
  served.set("/film.mp4", serveFilm);
  served.set("/page.mp4", (response) => response.end("<!doctype html>".padEnd(500)));
  served.set("/whole.mp4", film);
  const address = async (path: string) => (await attached(path, "video/mp4")).url;
  const urls = await Promise.all(["/film.mp4", "/page.mp4", "/whole.mp4"].map(address));
  const [url, page, whole] = urls as [string, string, string];
  const part = async (range: string, from = url) => {
    const response = await fetch(from, { headers: { range } });
    const { status, headers } = response;
    const bytes = await buffer(response.body!);
    return {
      status,
      range: headers.get("content-range"),
      type: headers.get("content-type"),
      bytes,
    };
  };
  await withoutCache(async () => {
    const all = await fetch(url);
    assert.equal(all.headers.get("accept-ranges"), "bytes");
    assert.equal(all.headers.get("content-length"), String(film.length));
    assert.ok((await buffer(all.body!)).equals(film));
    for (const [range, start, end] of [
      ["bytes=0-1", 0, 2],
      ["bytes=0-", 0, film.length],
      ["bytes=1000-1999", 1000, 2000],
      ["bytes=-500", film.length - 500, film.length],
    ] as const) {
      const got = await part(range);
      assert.deepEqual([got.status, got.type], [206, "video/mp4"], range);
      assert.equal(got.range, `bytes ${start}-${end - 1}/${film.length}`);
      assert.ok(got.bytes.equals(film.subarray(start, end)), range);
    }
    const beyond = await part(`bytes=${film.length}-`);
    assert.deepEqual([beyond.status, beyond.range], [416, `bytes */${film.length}`]);
    // A server that knows no ranges sends all of it, and so does this one.
    const ignored = await part("bytes=1000-1999", whole);
    assert.deepEqual([ignored.status, ignored.range], [200, null]);
    assert.ok(ignored.bytes.equals(film));
    assert.equal((await part("bytes=100-", page)).status, 404);
    assert.equal((await look(page)).status, 404);
    assert.equal(countAsked("/page.mp4"), 1);
  });
});

test("more files of a host than are fetched at once wait for their turn", async () => {
  const bytes = await picture("png");
  let most = 0;
  let now = 0;
  const { promise: crowd, resolve: isCrowd } = Promise.withResolvers<void>();
  const slowly = async (response: ServerResponse): Promise<void> => {
    most = Math.max(most, (now += 1));
    if (now === 6) isCrowd();
    await crowd;
    setTimeout(() => {
      now -= 1;
      response.end(bytes);
    }, 20);
  };
  const urls: string[] = [];
  for (let n = 0; n < 4; n++) {
    const attachment = [0, 1, 2, 3].map((m) => {
      const path = `/crowd${n}-${m}.png`;
      served.set(path, slowly);
      return { type: "Document", mediaType: "image/png", url: origin + path };
    });
    urls.push(
      ...(await noteWith(attachment)).media_attachments.map((attachment: any) => attachment.url),
    );
  }
  const all = await Promise.all(urls.map(look));
  assert.deepEqual([...new Set(all.map(({ status }) => status))], [200]);
  assert.equal(most, 6);
});

test("the files of a suspended account are shown to moderators alone", async () => {
  served.set("/reported.jpg", await picture("jpeg"));
  const attachment = [{ type: "Document", mediaType: "image/jpeg", url: `${origin}/reported.jpg` }];
  const status = await noteWith(attachment);
  const [before] = status.media_attachments;
  const scopes = ["read", "admin:read", "admin:write"];
  const staff = await server.person("judge", { role: "Owner", scopes });
  const { id } = status.account;
  const report = { account_id: id, status_ids: [status.id] };
  await alice.post("/api/v1/reports", report).ok();
  const reported = async () => {
    const { json } = await staff.get(`/api/v1/admin/reports?target_account_id=${id}`);
    return json[0].statuses[0].media_attachments[0];
  };
  assert.equal((await reported()).url, before.url);
  assert.equal((await look(before.url)).status, 200);
  const account = `/api/v1/admin/accounts/${id}`;
  await staff.post(`${account}/action`, { type: "suspend" }).done();
  const path = `/api/v1/admin/reports?target_account_id=${id}&resolved=true`;
  const [{ statuses }] = (await staff.get(path)).json;
  const [withheld] = statuses[0].media_attachments;
  for (const name of ["url", "preview_url"]) {
    assert.notEqual(withheld[name], before[name]);
    assert.deepEqual([name, (await look(before[name])).status], [name, 404]);
    assert.deepEqual([name, (await look(withheld[name])).status], [name, 200]);
  }
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404);
  await staff.post(`${account}/unsuspend`).done();
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
  const { json } = await server.visitor.get(`/api/v1/statuses/${status.id}`);
  assert.equal(json.media_attachments[0].id, before.id);
  assert.equal(json.media_attachments[0].description, "new");
});

/** The link to the file of a reported post on the page for moderators, which shows no picture of it. */
const linkForStaff = async (path: string): Promise<string> => {
  served.set(path, await picture("jpeg"));
  const url = origin + path;
  const { id, account } = await noteWith([{ type: "Document", mediaType: "image/jpeg", url }]);
  const json = { account_id: account.id, status_ids: [id] };
  const reported = await alice.post("/api/v1/reports", json).ok();
  const browser = openBrowser(server);
  await browser.signIn("mod");
  const { text } = await browser.get(`/admin/reports/${reported.id}`);
  assert.doesNotMatch(text, /<img[^>]+media\/remote\/(?:previews|attachments)/);
  return /href="([^"]+\/media\/remote\/attachments\/[^"]+)"/.exec(text)![1]!;
};

test("of a server whose media are rejected nothing is fetched or shown, until that ends", async () => {
  served.set("/rejected.jpg", await picture("jpeg"));
  served.set("/rejected-later.jpg", await picture("jpeg"));
  const seen = await attached("/rejected.jpg");
  const unseen = await attached("/rejected-later.jpg");
  assert.equal((await look(seen.url)).status, 200);
  const mod = await server.person("mod", { role: "Owner", scopes: ["admin:read", "admin:write"] });
  const blocks = "/api/v1/admin/domain_blocks";
  const answer = await mod
    .post(blocks, { domain: peer.host, severity: "noop", reject_media: true })
    .ok();
  for (const { url } of [seen, unseen]) {
    const { status, bytes } = await look(url);
    assert.equal(status, 404);
    assert.match(String(bytes), /not shown here/);
  }
  assert.equal(countAsked("/rejected-later.jpg"), 0);
  const link = await linkForStaff("/rejected-staff.jpg");
  assert.equal(countAsked("/rejected-staff.jpg"), 0);
  assert.equal((await look(link)).status, 200);
  await mod.delete(`${blocks}/${answer.id}`);
  assert.equal((await look(unseen.url)).status, 200);
});
