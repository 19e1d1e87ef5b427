// The S3 adapter against a real S3 server.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, test } from "node:test";
import { startS3 } from "../../../test/s3-server.ts";
import type { S3Server } from "../../../test/s3-server.ts";
import { s3Storage } from "./s3.ts";
import { storageContract } from "./storage.contract.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-s3-"));
let started: Promise<S3Server> | null = null;
const server = () => (started ??= startS3(folder));

after(async () => {
  await (await server()).close();
  rmSync(folder, { recursive: true });
});

storageContract("s3", async () => s3Storage((await server()).options));

test("s3: a file has its type, and a wrong secret is an error", async () => {
  const { options } = await server();
  const storage = s3Storage(options);
  await storage.put("emojis/ab/cd.png", Readable.from([Buffer.from("x")]));
  const direct = await fetch(`${options.endpoint}/${options.bucket}/emojis/ab/cd.png`);
  assert.equal(direct.headers.get("content-type"), "image/png");
  storage.close();
  const credentials = { accessKeyId: "nobody", secretAccessKey: "wrong" };
  const stranger = s3Storage({ ...options, credentials });
  await assert.rejects(stranger.stat("emojis/ab/cd.png"));
  stranger.close();
});
