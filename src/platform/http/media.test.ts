// Stored files over HTTP, from disk, from S3, and through a reverse proxy.

import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { spawnNginx, withoutNginx } from "../../../test/nginx.ts";
import { startS3 } from "../../../test/s3-server.ts";
import type { S3Server } from "../../../test/s3-server.ts";
import { fileUrl, newKey } from "../storage/index.ts";

let disk: TestApp;
let s3: TestApp;
let proxied: TestApp;
let bucket: S3Server;
const folder = mkdtempSync(join(tmpdir(), "rookery-bucket-"));

before(async () => {
  bucket = await startS3(folder);
  const { endpoint, bucket: name, credentials } = bucket.options;
  disk = await startTestApp();
  s3 = await startTestApp({
    env: {
      S3_BUCKET: name,
      S3_ENDPOINT: endpoint!,
      AWS_ACCESS_KEY_ID: credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: credentials!.secretAccessKey,
    },
  });
  proxied = await startTestApp({ env: { MEDIA_ACCEL_PREFIX: "/protected/media/" } });
});
after(async () => {
  await Promise.all([disk, s3, proxied].map((server) => server?.close()));
  await bucket.close();
  rmSync(folder, { recursive: true });
});

const store = async (server: TestApp, content: string, ending = "jpg"): Promise<string> => {
  const key = newKey("attachments", ending);
  await server.app.storage.put(key, Readable.from([Buffer.from(content)]));
  return fileUrl(server.app.config.site, key);
};

test("a file is served as what it is and nothing else, to every origin, for ever", async () => {
  for (const server of [disk, s3]) {
    const answer = await server.visitor.get(await store(server, "<html>not a page</html>"));
    assert.equal(answer.status, 200);
    assert.equal(answer.text, "<html>not a page</html>");
    const header = (name: string) => answer.headers.get(name);
    assert.equal(header("content-type"), "image/jpeg");
    assert.equal(header("content-length"), "23");
    assert.equal(header("x-content-type-options"), "nosniff");
    assert.match(header("content-security-policy")!, /^default-src 'none';.* sandbox$/);
    assert.equal(header("access-control-allow-origin"), "*");
    assert.match(header("cache-control")!, /^public, max-age=31536000, immutable$/);
    assert.equal(header("accept-ranges"), "bytes");
  }
});

test("one who has it is told so", async () => {
  for (const server of [disk, s3]) {
    const url = await store(server, "seen before");
    const etag = (await server.visitor.get(url)).headers.get("etag")!;
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const answer = await server.visitor.get(url, { "if-none-match": header });
      assert.equal(answer.status, 304, header);
      assert.equal(answer.text, "");
    }
    await server.visitor.get(url, { "if-none-match": '"other"' }).ok();
  }
});

test("parts of a file", async () => {
  for (const server of [disk, s3]) {
    const url = await store(server, "0123456789", "mp4");
    const part = (range: string, more = {}) => server.visitor.get(url, { range, ...more });
    for (const [range, text, said] of [
      ["bytes=0-3", "0123", "bytes 0-3/10"],
      ["bytes=7-", "789", "bytes 7-9/10"],
      ["bytes=-2", "89", "bytes 8-9/10"],
      ["bytes=8-100", "89", "bytes 8-9/10"],
      ["bytes=2-99999999999", "23456789", "bytes 2-9/10"],
    ] as const) {
      const answer = await part(range);
      assert.equal(answer.status, 206, range);
      assert.equal(answer.text, text);
      assert.equal(answer.headers.get("content-range"), said);
      assert.equal(answer.headers.get("content-length"), String(text.length));
    }
    for (const range of ["bytes=10-", "bytes=-0"]) {
      const answer = await part(range);
      assert.equal(answer.status, 416, range);
      assert.equal(answer.headers.get("content-range"), "bytes */10");
    }
    for (const range of ["bytes=0-1,3-4", "lines=1-2", "bytes=4-2", "bytes=-", "bytes=x-y"]) {
      assert.equal((await part(range)).text, "0123456789", range);
    }
    const etag = (await server.visitor.get(url)).headers.get("etag")!;
    await part("bytes=0-0", { "if-range": '"old"' }).ok();
    await part("bytes=0-1", { "if-range": etag }).ok(206);
  }
});

test("HEAD tells the size", async () => {
  for (const server of [disk, s3]) {
    const answer = await server.visitor.send("HEAD", await store(server, "12345"));
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get("content-length"), "5");
    assert.equal(answer.text, "");
  }
});

test("what is not there, or not a key, is 404", async () => {
  for (const server of [disk, s3, proxied]) {
    const missing = fileUrl(server.app.config.site, newKey("attachments", "jpg"));
    const archive = newKey("archives", "tgz");
    await server.app.storage.put(archive, Readable.from([Buffer.from("private")]));
    assert.throws(() => fileUrl(server.app.config.site, archive), /no public address/);
    const inside = newKey("attachments", "png");
    const wrong = [archive, `backups/media/${archive}`, `attachments/media/${inside}`];
    wrong.push("unfinished", "..%2f..%2fsecrets", "attachments/%00.jpg", "a/b.html", "");
    for (const path of [missing, ...wrong.map((name) => `/media/${name}`)]) {
      assert.equal((await server.visitor.get(path)).status, 404, path);
    }
  }
});

test("a reverse proxy that can is told where the file is", async () => {
  const url = await store(proxied, "sent by nginx");
  const answer = await proxied.visitor.get(url);
  assert.equal(answer.text, "");
  assert.equal(answer.headers.get("content-type"), "image/jpeg");
  const path = new URL(url).pathname.replace("/media/", "/protected/media/");
  assert.equal(answer.headers.get("x-accel-redirect"), path);
  proxied.app.config.storage.sendfile = true;
  const other = await proxied.visitor.get(url);
  proxied.app.config.storage.sendfile = false;
  assert.equal(other.headers.get("x-accel-redirect"), null);
  assert.equal(other.headers.get("x-sendfile"), path);
});

/** What every answer with a file has. */
const OF_FILES = [
  "x-content-type-options",
  "content-security-policy",
  "cross-origin-resource-policy",
  "access-control-allow-origin",
];

/** The blocks of docs/OPERATIONS.md for nginx, as one server that listens on a socket. */
const documentedServer = (socket: string, app: string, files: string): string => {
  const operations = readFileSync(new URL("../../../docs/OPERATIONS.md", import.meta.url), "utf8");
  const [server, inside] = [...operations.matchAll(/^```nginx\n([^]*?)^```$/gm)].map(
    ([, text]) => text!,
  );
  return server!
    .replace(/^ +listen .*$/m, `listen unix:${socket};`)
    .replaceAll(/^ +ssl_.*$/gm, "")
    .replaceAll("http://127.0.0.1:3000", app)
    .replace(/\}\s*$/, inside!.replace(/alias .*;/, `alias ${files};`) + "}");
};

test("nginx sends files as docs/OPERATIONS.md configures it", { skip: withoutNginx }, async () => {
  const at = mkdtempSync(join(tmpdir(), "rookery-nginx-"));
  const socketPath = join(at, "socket");
  const { config } = proxied.app;
  const child = spawnNginx(
    at,
    documentedServer(socketPath, proxied.url, join(config.dataDir, "media/")),
  );
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = httpRequest({ socketPath, path, headers }, resolve).on("error", reject).end();
    const response = await promise;
    const content = await text(response);
    request.destroy();
    return { status: response.statusCode, headers: response.headers, text: content };
  };
  try {
    const path = new URL(await store(proxied, "sent by nginx")).pathname;
    while ((await ask(path).catch(() => null)) === null) {
      assert.equal(child.exitCode, null, "nginx ended");
      await sleep(5);
    }
    const whole = await ask(path);
    assert.deepEqual([whole.status, whole.text], [200, "sent by nginx"]);
    const direct = await disk.visitor.get(await store(disk, "sent by nginx"));
    for (const name of ["content-type", "cache-control", ...OF_FILES]) {
      assert.equal(whole.headers[name], direct.headers.get(name), name);
    }
    const part = await ask(path, { range: "bytes=5-6" });
    assert.deepEqual([part.status, part.text], [206, "by"]);
    const known = await ask(path, { "if-none-match": whole.headers.etag! });
    assert.equal(known.status, 304);
    const missing = await ask(`/media/${newKey("attachments", "jpg")}`);
    assert.deepEqual(
      [missing.status, missing.headers["cache-control"]],
      [404, "private, no-store"],
    );
    assert.equal((await ask(path.replace("/media/", "/protected/media/"))).status, 404);
  } finally {
    child.kill("SIGTERM");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    rmSync(at, { recursive: true });
  }
});
