// An archive that one machine receives, another one unpacks and a third one imports: they share the database and a
// bucket.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { pack } from "tar-stream";
import { hiddenFields, openBrowser } from "../../../../test/browser.ts";
import { picture } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { TestApp } from "../../../../test/harness.ts";
import { startS3 } from "../../../../test/s3-server.ts";
import type { S3Server } from "../../../../test/s3-server.ts";
import { onImportDue } from "./run.ts";

const folder = mkdtempSync(join(tmpdir(), "rookery-several-"));
let bucket: S3Server;
let web: TestApp;
const apps: TestApp[] = [];
let now = new Date();

const startApp = async (databaseUrl: string | null, worker: boolean): Promise<TestApp> => {
  const { options } = bucket;
  const env = {
    S3_BUCKET: options.bucket,
    S3_ENDPOINT: options.endpoint!,
    AWS_ACCESS_KEY_ID: options.credentials!.accessKeyId,
    AWS_SECRET_ACCESS_KEY: options.credentials!.secretAccessKey,
  };
  const app = await startTestApp({
    env,
    checked: false,
    clock: { now: () => now },
    ...(databaseUrl !== null && { databaseUrl }),
    ...(!worker && { worker: false as const }),
  });
  apps.push(app);
  return app;
};

before(async () => {
  bucket = await startS3(folder);
  web = await startApp(null, false);
});
after(async () => {
  for (const app of apps.toReversed()) await app.close();
  await bucket.close();
  rmSync(folder, { recursive: true });
});

const OLD = "https://old.example/users/al";

const post = (n: number, attachment: object[]) => ({
  id: `${OLD}/statuses/${n}/activity`,
  type: "Create",
  actor: OLD,
  to: ["https://www.w3.org/ns/activitystreams#Public"],
  object: {
    id: `${OLD}/statuses/${n}`,
    type: "Note",
    attributedTo: OLD,
    published: "2019-05-04T03:02:01Z",
    to: ["https://www.w3.org/ns/activitystreams#Public"],
    content: `<p>number ${n}</p>`,
    attachment,
    tag: [],
  },
});

const archive = async (): Promise<Buffer> => {
  const bytes = await picture("png");
  const path = "media_attachments/files/1/2/original/a.png";
  const document = { type: "Document", mediaType: "image/png", url: `/${path}` };
  const items = [post(1, []), post(2, [document])];
  const tar = pack();
  tar.entry({ name: "actor.json" }, JSON.stringify({ id: OLD, type: "Person" }));
  tar.entry({ name: "outbox.json" }, JSON.stringify({ orderedItems: items }));
  tar.entry({ name: path }, bytes);
  tar.finalize();
  return buffer(tar as unknown as Readable);
};

const upload = async (status = 302): Promise<string | undefined> => {
  const browser = openBrowser(web);
  await browser.signIn("carol");
  const page = await browser.get("/settings/import");
  const multipart = new FormData();
  multipart.set("form_token", hiddenFields(page.text, "/settings/import/posts")["form_token"]!);
  multipart.set("archive", new Blob([new Uint8Array(await archive())]), "archive.tar");
  const cookie = [...browser.cookies].map((pair) => pair.join("=")).join("; ");
  const answer = await web.visitor.post("/settings/import/posts", multipart, { cookie });
  assert.equal(answer.status, status, answer.text);
  return answer.headers.get("location")?.split("/").at(-1);
};

const waiting = () => Array.fromAsync(web.app.uploads!.list(), ({ key }) => key);

const left = ({ app }: TestApp): string[] => {
  try {
    return readdirSync(join(app.config.dataDir, "uploads")).filter((name) =>
      /^import|-/.test(name),
    );
  } catch {
    return [];
  }
};

test("an archive is found wherever the job runs, and its files wherever it goes on", async () => {
  const { token, accountId } = await web.person("carol");
  const id = (await upload())!;
  assert.equal((await waiting()).length, 1, "in the bucket");
  await upload(422);
  assert.equal((await waiting()).length, 1, "one that is refused is not kept");
  const first = await startApp(web.databaseUrl, false);
  await onImportDue(first.app, { id });
  assert.deepEqual(left(first), [`import-${id}`]);
  // It takes so long that what is two days old would be deleted.
  now = new Date(now.getTime() + 86_400_000);
  const [before] = await waiting();
  const second = await startApp(web.databaseUrl, true);
  await second.app.sql`UPDATE graphile_worker._private_jobs SET run_at = now()`;
  await second.runJobs();
  const { json } = await web.as(token).get(`/api/v1/imports/${id}`);
  assert.deepEqual([json.state, json.imported, json.failed], ["done", 2, 0]);
  const posts = await web.as(token).get(`/api/v1/accounts/${accountId}/statuses`);
  const files = posts.json.map((status: any) => status.media_attachments.length);
  assert.deepEqual(files.toSorted(), [0, 1]);
  assert.ok(before);
  assert.deepEqual(await waiting(), [], "nothing is left in the bucket");
  assert.deepEqual(left(second), []);
});
