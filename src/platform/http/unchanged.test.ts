// Versions of what shared caches may keep: a cache in front asks again, and gets no body while nothing has changed.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startTestApp } from "../../../test/harness.ts";
import type { Person, TestApp } from "../../../test/harness.ts";
import { spawnNginx, withoutNginx } from "../../../test/nginx.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  await alice.post("/api/v1/statuses", { status: "first" }).ok();
});
after(() => server.close());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers });

const SHARED = [
  "/api/v2/instance",
  "/api/v1/custom_emojis",
  "/api/v1/timelines/public",
  "/api/openapi.json",
  "/@alice.rss",
];

test("what everybody may read has a weak tag, by which 304 comes without a body", async () => {
  for (const path of SHARED) {
    const first = await get(path);
    const etag = first.headers.get("etag")!;
    assert.match(etag, /^W\/"[\w-]+"$/, path);
    for (const sent of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
      const again = await get(path, { "if-none-match": sent });
      assert.deepEqual([again.status, await again.text()], [304, ""], `${path} ${sent}`);
      assert.equal(again.headers.get("etag"), etag);
      assert.equal(again.headers.get("cache-control"), first.headers.get("cache-control"));
    }
    const other = await get(path, { "if-none-match": 'W/"other"' });
    assert.deepEqual([other.status, await other.text()], [200, await first.text()], path);
    const { status, headers } = await fetch(`${server.url}${path}`, { method: "HEAD" });
    assert.deepEqual([status, headers.get("etag")], [200, etag], path);
  }
});

test("what one person reads, a fault and an act have none", async () => {
  const own = await alice.get("/api/v1/timelines/public").ok();
  assert.equal(own.length, 1);
  assert.equal((await alice.get("/api/v1/timelines/home")).headers.get("etag"), null);
  assert.equal((await get("/api/v1/statuses/1")).headers.get("etag"), null);
  const { headers } = await alice.post("/api/v1/statuses", { status: "second" });
  assert.equal(headers.get("etag"), null);
});

test("a feed has the time of its last change, by which 304 comes too, until something else is the newest", async () => {
  const path = "/@alice.rss";
  const { id } = await alice.post("/api/v1/statuses", { status: "newest" }).ok();
  const at = (await get(path)).headers.get("last-modified")!;
  assert.equal((await get(path, { "if-modified-since": at })).status, 304);
  const tag = { "if-none-match": '"other"', "if-modified-since": at };
  assert.equal((await get(path, tag)).status, 200);
  await server.write`UPDATE statuses SET created_at = created_at - interval '1 day' WHERE id <> ${id}`;
  await alice.delete(`/api/v1/statuses/${id}`).ok();
  assert.equal((await get(path, { "if-modified-since": at })).status, 200);
  await server.person("silent");
  const empty = await get("/@silent.rss");
  assert.equal(empty.headers.get("last-modified"), null);
  const etag = empty.headers.get("etag")!;
  assert.equal((await get("/@silent.rss", { "if-none-match": etag })).status, 304);
});

test(
  "a cache in front keeps what it has until something changes",
  { skip: withoutNginx },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "rookery-cache-"));
    const socketPath = join(folder, "socket");
    const child = spawnNginx(
      folder,
      `proxy_cache_path ${folder}/cache keys_zone=all:1m;
     server {
       listen unix:${socketPath};
       location / {
         proxy_pass ${server.url};
         proxy_cache all;
         proxy_cache_revalidate on;
         proxy_ignore_headers Cache-Control Vary;
         proxy_cache_valid 200 1s;
         add_header X-Cache $upstream_cache_status always;
       }
     }`,
    );
    const ask = async (path: string) => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      httpRequest({ socketPath, path, headers: { host: "x.example" } }, resolve)
        .on("error", reject)
        .end();
      const answer = await promise;
      return {
        cache: answer.headers["x-cache"],
        status: answer.statusCode,
        text: await text(answer),
      };
    };
    const until = async (path: string, cache: string) => {
      for (;;) {
        const answer = await ask(path).catch(() => null);
        if (answer?.cache === cache) return answer;
        await wait(50);
      }
    };
    try {
      for (const path of ["/api/v1/timelines/public", "/@alice.rss"]) {
        const first = await until(path, "MISS");
        const kept = await until(path, "REVALIDATED");
        assert.deepEqual([kept.status, kept.text], [200, first.text], path);
      }
      await alice.post("/api/v1/statuses", { status: "news" }).ok();
      const fresh = await until("/api/v1/timelines/public", "EXPIRED");
      assert.match(fresh.text, /news/);
    } finally {
      child.kill();
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
