// Files that the other server has in a bucket: they are copied, or stay there where the bucket is that of this server.

import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { cloneDatabase } from "../../../test/database.ts";
import { startTestApp } from "../../../test/harness.ts";
import type { TestApp } from "../../../test/harness.ts";
import { ENV_FILE, startOldServer } from "../test/old-server.ts";
import type { OldServer } from "../test/old-server.ts";
import { startS3 } from "../../../test/s3-server.ts";
import type { S3Server } from "../../../test/s3-server.ts";
import { s3Files } from "../../../src/platform/storage/s3.ts";
import type { Files } from "../../../src/platform/storage/index.ts";
import { checkImport } from "./check.ts";
import { readOldEnv } from "./env.ts";
import type { OldEnv } from "./env.ts";
import { connectOld, moveIn } from "./move-in.ts";
import { bytesOf, openOldMedia } from "./old-media.ts";
import type { OldMedia } from "./old-media.ts";

const FOLDER = "old/files";
const AVATAR = "accounts/avatars/117/666/255/851/114/680/original/b8d32bac177d5539.png";

let s3: S3Server;
let old: OldServer;
let env: OldEnv;
let bucket: Files;
let uploaded: string[];
/** Without copies of what other servers have. */
let taken: string[];
let beside: Awaited<ReturnType<typeof cloneDatabase>>;
const folder = mkdtempSync(join(tmpdir(), "rookery-bucket-"));

const upload = async (): Promise<string[]> => {
  const paths = readdirSync(old.media, { recursive: true, encoding: "utf8" }).filter((path) =>
    statSync(join(old.media, path)).isFile(),
  );
  for (const path of paths) await bucket.put(path, join(old.media, path));
  return paths.toSorted();
};

before(async () => {
  s3 = await startS3(join(folder, "s3"));
  const { bucket: name, endpoint, credentials } = s3.options;
  const file = join(folder, "env");
  writeFileSync(
    file,
    `${readFileSync(ENV_FILE, "utf8")}
S3_ENABLED=true
S3_BUCKET=${name}
S3_ENDPOINT=${endpoint}
AWS_ACCESS_KEY_ID=${credentials!.accessKeyId}
AWS_SECRET_ACCESS_KEY=${credentials!.secretAccessKey}
S3_KEY_PREFIX=${FOLDER}
`,
  );
  env = readOldEnv(file);
  beside = await cloneDatabase();
  old = await startOldServer(beside.url);
  bucket = s3Files(s3.options, () => true, FOLDER);
  uploaded = await upload();
  taken = uploaded.filter((path) => !/^cache\/(?!preview_cards)/.test(path));
});

after(async () => {
  bucket?.close();
  await old?.close();
  await beside?.drop();
  await s3?.close();
  rmSync(folder, { recursive: true, force: true });
});

type Server = { server: TestApp; media: OldMedia; close(): Promise<void> };

const startNew = async (settings: Record<string, string>): Promise<Server> => {
  const database = await cloneDatabase();
  const server = await startTestApp({
    databaseUrl: database.url,
    env: { LOCAL_DOMAIN: "old.test", LOCAL_HTTPS: "true", ...settings },
    checked: false,
    worker: false,
  });
  const media = openOldMedia(server.app.config, env, `s3://${s3.options.bucket}`);
  return {
    server,
    media,
    async close() {
      media.files.close();
      await server.close();
      await database.drop();
    },
  };
};

const moveAll = async ({ server }: Server, media: OldMedia) => {
  const from = await connectOld(old.url);
  try {
    const { files } = await moveIn(server.app, { old: from, env, media });
    const { faults } = await checkImport(server.app, { old: from, env, media });
    assert.deepEqual(faults, []);
    return files;
  } finally {
    await from.end();
  }
};

const inBucket = async (): Promise<string[]> => Array.fromAsync(bucket.list(), ({ key }) => key);

const avatarOf = async (server: TestApp): Promise<string> =>
  (await server.visitor.get("/api/v1/accounts/lookup?acct=g1")).json.avatar;

test("files are copied from the bucket, also where it fails now and then, and only once", async () => {
  const added = await startNew({});
  const failed = new Set<string>();
  const opened: string[] = [];
  const failing: OldMedia = {
    ...added.media,
    files: {
      ...added.media.files,
      async open(path) {
        if (!failed.has(path)) {
          failed.add(path);
          throw new Error("503 Slow Down");
        }
        opened.push(path);
        return added.media.files.open(path);
      },
    },
  };
  const first = await moveAll(added, failing);
  assert.equal(first.missing, 0);
  assert.equal(first.copied, taken.length);
  assert.ok(first.bytes <= (await bytesOf(added.media)));
  assert.deepEqual(opened.toSorted(), taken);
  const again = await moveAll(added, failing);
  assert.deepEqual([again.copied, again.missing, opened.length], [0, 0, taken.length]);
  const file = await added.server.visitor.get(new URL(await avatarOf(added.server)).pathname);
  assert.equal(file.headers.get("content-length"), String(statSync(join(old.media, AVATAR)).size));
  await added.close();
});

test("an import ends where the bucket fails for longer", async () => {
  const added = await startNew({});
  const open = () => Promise.reject(new Error("503 Slow Down"));
  const broken = { ...added.media, files: { ...added.media.files, open } };
  await assert.rejects(moveAll(added, broken), /503 Slow Down/);
  assert.equal((await moveAll(added, added.media)).copied, taken.length);
  await added.close();
});

test("files stay in a bucket that is that of this server, under their old names", async () => {
  const added = await startNew({
    S3_BUCKET: s3.options.bucket,
    S3_ENDPOINT: s3.options.endpoint!,
    S3_FOLDER: FOLDER,
    AWS_ACCESS_KEY_ID: s3.options.credentials!.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.options.credentials!.secretAccessKey,
    S3_PUBLIC_URL: "https://files.old.test",
  });
  assert.equal(await bytesOf(added.media), 0);
  const files = await moveAll(added, added.media);
  assert.deepEqual([files.copied, files.missing], [0, 0]);
  assert.ok(files.stayed >= taken.length);
  assert.deepEqual(await inBucket(), uploaded);
  const { server } = added;
  assert.equal(await avatarOf(server), `https://files.old.test/${FOLDER}/${AVATAR}`);
  const redirect = await server.visitor.get(`/system/${AVATAR}`);
  assert.deepEqual(
    [redirect.status, redirect.headers.get("location")],
    [301, await avatarOf(server)],
  );
  const file = await server.visitor.get(`/media/${AVATAR}`);
  assert.deepEqual([file.status, file.headers.get("content-type")], [200, "image/png"]);
  // What nothing names any more is deleted, as all files are.
  await server.app.storage.delete([AVATAR]);
  assert.deepEqual(
    await inBucket(),
    uploaded.filter((path) => path !== AVATAR),
  );
  await added.close();
  await bucket.put(AVATAR, join(old.media, AVATAR));
});

test("a place that nobody can reach is refused in one sentence", async () => {
  const { server, close } = await startNew({});
  const open = (place: string) => () => openOldMedia(server.app.config, env, place);
  assert.throws(open("s3://other"), /^Error: The old env file has no S3_BUCKET=other/);
  assert.throws(open("s3://"), /must be a folder or s3:\/\/bucket/);
  assert.throws(open(join(folder, "nothing")), /There is no folder .*nothing/);
  await close();
});
