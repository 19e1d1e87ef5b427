// Media of posts: who may attach what, and editing, drafts, deletion, through the API.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
import { sendRequest } from "../../../../test/person.ts";
import { formOf, picture } from "../../../../test/files.ts";
import { startS3 } from "../../../../test/s3-server.ts";

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
});
after(() => server.close());

const upload = (file: Buffer | null, more: Record<string, string | Buffer> = {}, version = "v2") =>
  alice.post(`/api/${version}/media`, formOf(file, more));

const post = (json: object): Promise<any> => alice.post("/api/v1/statuses", json).ok();

describe("an upload belongs to its owner until it is posted", () => {
  test("nobody else reads, changes, deletes or posts it", async () => {
    const { json } = await upload(await picture("png"));
    const path = `/api/v1/media/${json.id}`;
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", { description: "mine" }],
      ["DELETE", undefined],
    ] as const) {
      assert.equal((await bob.send(method, path, body)).status, 404, method);
    }
    const stolen = await bob.post("/api/v1/statuses", { media_ids: [json.id] });
    assert.equal(stolen.status, 422);
    assert.match(stolen.json.error, /not found or already attached/);
    const reader = await server.token(alice.userId, ["read"]);
    assert.equal((await server.as(reader).get(path)).status, 403);
  });

  test("it can be deleted, with its files, but not once it is posted", async () => {
    const { json } = await upload(await picture("png"));
    assert.deepEqual((await alice.delete(`/api/v1/media/${json.id}`)).json, {});
    assert.equal((await alice.get(`/api/v1/media/${json.id}`)).status, 404);
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    assert.equal((await fetch(json.url)).status, 404);
    const { json: other } = await upload(await picture("png"));
    await post({ media_ids: [other.id] });
    assert.equal((await alice.delete(`/api/v1/media/${other.id}`)).status, 422);
  });

  test("a deleted post's are there for another in its place, unless they are to go with it", async () => {
    const { json: file } = await upload(await picture("png"), { description: "a rook" });
    const first = await post({ status: "tpyo", media_ids: [file.id] });
    // However old the post is.
    await server.write`
      UPDATE media_attachments SET created_at = now() - interval '25 hours' WHERE id = ${file.id}
    `;
    const { json: draft } = await alice.delete(`/api/v1/statuses/${first.id}`);
    assert.deepEqual([draft.text, draft.media_attachments[0].id], ["tpyo", file.id]);
    await server.app.jobs.add(server.app.sql, "retention.due", { what: "uploads" });
    await server.runJobs();
    const stolen = await bob.post("/api/v1/statuses", { media_ids: [file.id] });
    assert.equal(stolen.status, 422);
    const again = await post({ status: "typo", media_ids: [file.id] });
    assert.deepEqual(
      [again.media_attachments[0].id, again.media_attachments[0].description],
      [file.id, "a rook"],
    );
    assert.equal((await fetch(file.url)).status, 200);

    await alice.delete(`/api/v1/statuses/${again.id}?delete_media=true`);
    assert.equal((await alice.get(`/api/v1/media/${file.id}`)).status, 404);
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    assert.equal((await fetch(file.url)).status, 404);
  });

  test("what is not posted within a day goes, with its files", async () => {
    const { json: old } = await upload(await picture("png"));
    const { json: fresh } = await upload(await picture("png"));
    const { json: posted } = await upload(await picture("png"));
    const status = await post({ media_ids: [posted.id] });
    await server.write`
      UPDATE media_attachments SET created_at = now() - interval '25 hours'
      WHERE id IN (${old.id}, ${posted.id})
    `;
    await server.app.jobs.add(server.app.sql, "retention.due", { what: "uploads" });
    await server.runJobs();
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    assert.equal((await alice.get(`/api/v1/media/${old.id}`)).status, 404);
    assert.equal((await fetch(old.url)).status, 404);
    await alice.get(`/api/v1/media/${fresh.id}`).ok();
    const shown = await alice.get(`/api/v1/statuses/${status.id}`);
    assert.equal(shown.json.media_attachments.length, 1);
  });
});

describe("posts with media", () => {
  const several = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await upload(await picture("png"))).json.id);
    return ids;
  };
  const idsOf = (status: any): string[] =>
    status.media_attachments.map((media_attachment: any) => media_attachment.id);

  test("need no text, and keep the order", async () => {
    const ids = (await several(4)).toReversed();
    const status = await post({ media_ids: ids });
    assert.deepEqual(idsOf(status), ids);
    assert.equal(status.content, "");
    const again = await alice.post("/api/v1/statuses", { status: "x", media_ids: [ids[0]] });
    assert.equal(again.status, 422);
  });

  test("have at most four files, and no video beside pictures", async () => {
    const ids = await several(5);
    for (const [body, words] of [
      [{ media_ids: ids }, /more than 4/],
      [{ status: "x", media_ids: ["12345"] }, /not found/],
      [{ status: "x", media_ids: ["not an id"] }, /not found/],
    ] as const) {
      const answer = await alice.post("/api/v1/statuses", body);
      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.json.error, words);
    }
    await server.write`UPDATE media_attachments SET type = 'video' WHERE id = ${ids[0]!}`;
    const mixed = await alice.post("/api/v1/statuses", { media_ids: ids.slice(0, 2) });
    assert.match(mixed.json.error, /together/);
    assert.equal((await post({ media_ids: ids.slice(0, 1) })).media_attachments.length, 1);
  });

  test("stand beside a poll, here and elsewhere, and go and come back by edits", async () => {
    const ids = await several(1);
    const poll = { options: ["a", "b"], expires_in: 3600 };
    const status = await post({ status: "which?", media_ids: ids, poll });
    assert.deepEqual([idsOf(status), status.poll.options.length], [ids, 2]);
    const accept = "application/activity+json";
    const { json: document } = await server.visitor.get(new URL(status.uri).pathname, { accept });
    assert.deepEqual(
      [document.type, document.attachment.length, document.oneOf.length],
      ["Question", 1, 2],
    );
    const edit = (json: object) =>
      alice.put(`/api/v1/statuses/${status.id}`, { status: "which?", poll, ...json }).ok();
    const without = await edit({});
    assert.deepEqual([idsOf(without), without.poll.options.length], [[], 2]);
    const again = await edit({ media_ids: ids });
    assert.deepEqual([idsOf(again), again.poll.id], [ids, status.poll.id]);
  });

  test("an edit reorders, adds, removes and describes; earlier versions keep what they showed", async () => {
    const [a, b, c] = (await several(3)) as [string, string, string];
    const status = await post({ status: "one", media_ids: [a, b] });
    const path = `/api/v1/statuses/${status.id}`;
    const edited = await alice
      .put(path, {
        status: "two",
        media_ids: [c, a],
        media_attributes: [
          { id: a, description: "the first", focus: "0.5,-0.5" },
          { id: b, description: "not attached any more" },
        ],
      })
      .ok();
    assert.deepEqual(idsOf(edited), [c, a]);
    assert.equal(edited.media_attachments[1].description, "the first");
    assert.deepEqual(edited.media_attachments[1].meta.focus, { x: 0.5, y: -0.5 });
    const { json: history } = await alice.get(`${path}/history`);
    assert.deepEqual(history.map(idsOf), [
      [a, b],
      [c, a],
    ]);
    assert.equal(history[0].media_attachments[0].description, null);
    const removed = history[0].media_attachments[1].url;
    assert.equal((await fetch(removed)).status, 200);
    const empty = await alice.put(path, { status: "" });
    assert.equal(empty.status, 422);
    // Deleting the post with its media deletes all files of all versions.
    await alice.delete(`${path}?delete_media=true`);
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    for (const { url } of [...history[0].media_attachments, ...history[1].media_attachments]) {
      assert.equal((await fetch(url)).status, 404);
    }
  });

  test("what an edit took out may come back into that post, and is deleted alone by nobody", async () => {
    const [a, b] = (await several(2)) as [string, string];
    const status = await post({ status: "one", media_ids: [a, b] });
    const path = `/api/v1/statuses/${status.id}`;
    const edit = async (ids: string[]) =>
      (await alice.put(path, { status: "one", media_ids: ids })).json;
    assert.deepEqual(idsOf(await edit([a])), [a]);
    const elsewhere = await alice.post("/api/v1/statuses", { status: "x", media_ids: [b] });
    assert.equal(elsewhere.status, 422);
    const other = await post({ status: "another" });
    const moved = { status: "another", media_ids: [b] };
    assert.equal((await alice.put(`/api/v1/statuses/${other.id}`, moved)).status, 422);
    assert.equal((await alice.delete(`/api/v1/media/${b}`)).status, 422);
    assert.deepEqual(idsOf(await edit([b, a])), [b, a]);
    const { json: history } = await alice.get(`${path}/history`);
    assert.deepEqual(history.map(idsOf), [[a, b], [a], [b, a]]);
    assert.deepEqual(idsOf(await edit([a])), [a]);
  });

  test("a change of a description alone is an edit", async () => {
    const [id] = (await several(1)) as [string];
    const status = await post({ status: "same", media_ids: [id] });
    const body = { status: "same", media_ids: [id] };
    const same = await alice.put(`/api/v1/statuses/${status.id}`, body);
    assert.equal(same.json.edited_at, null);
    const media_attributes = [{ id, description: "words" }];
    const form = new URLSearchParams({
      status: "same",
      "media_ids[]": id,
      "media_attributes[][id]": id,
      "media_attributes[][description]": media_attributes[0]!.description,
    });
    const changed = await alice.put(`/api/v1/statuses/${status.id}`, form);
    assert.ok(changed.json.edited_at);
    assert.equal(changed.json.media_attachments[0].description, "words");
  });

  test("an edit gives a file another preview; where it is refused, nothing is kept of it", async () => {
    const [id] = (await several(1)) as [string];
    const status = await post({ status: "same", media_ids: [id] });
    const change = async (text: string, description = "") => {
      const form = new FormData();
      form.set("status", text);
      form.set("media_ids[]", id);
      form.set("media_attributes[][id]", id);
      form.set("media_attributes[][description]", description);
      form.set(
        "media_attributes[][thumbnail]",
        new Blob([new Uint8Array(await picture("jpeg"))]),
        "small.jpg",
      );
      return alice.put(`/api/v1/statuses/${status.id}`, form);
    };
    const before = status.media_attachments[0].preview_url;
    const { json: changed } = await change("same");
    assert.ok(changed.edited_at);
    const { preview_url: after } = changed.media_attachments[0];
    assert.notEqual(after, before);
    assert.match(after, /\.webp$|\.jpe?g$/);
    assert.equal((await fetch(after)).status, 200);
    const long = await change("same", "x".repeat(10_001));
    assert.equal(long.status, 422);
    assert.deepEqual(Object.keys(long.json.details), ["media_attributes[][description]"]);
    assert.match(long.json.error, /^Validation failed: media_attributes\[\]\[description\] is too/);
    const { json: still } = await alice.get(`/api/v1/statuses/${status.id}`);
    assert.equal(still.media_attachments[0].preview_url, after);
  });

  test("a file that an edit names twice gets one preview, the last one", async () => {
    const [id] = (await several(1)) as [string];
    const status = await post({ status: "same", media_ids: [id] });
    const form = new FormData();
    form.set("media_ids[]", id);
    for (const [width, height] of [
      [60, 20],
      [40, 20],
    ] as const) {
      const bytes = new Uint8Array(await picture("png", width, height));
      form.append("media_attributes[][id]", id);
      form.append("media_attributes[][thumbnail]", new Blob([bytes]), "small.png");
    }
    const keys = async () =>
      (await Array.fromAsync(server.app.storage.list())).map(({ key }) => key);
    const before = new Set(await keys());
    const edited = await alice.put(`/api/v1/statuses/${status.id}`, form).ok();
    const { width, height } = edited.media_attachments[0].meta.small;
    assert.deepEqual([width, height], [40, 20]);
    assert.equal((await keys()).filter((key) => !before.has(key)).length, 1);
  });

  test("a scheduled post keeps its files until it is published", async () => {
    const ids = await several(2);
    const at = new Date(Date.now() + 3600_000).toISOString();
    const scheduled = await post({ media_ids: ids, scheduled_at: at });
    assert.deepEqual(idsOf(scheduled), ids);
    assert.deepEqual(scheduled.params.media_ids, ids);
    const path = `/api/v1/scheduled_statuses/${scheduled.id}`;
    assert.deepEqual(idsOf((await alice.get(path)).json), ids);
    assert.deepEqual(idsOf((await alice.get("/api/v1/scheduled_statuses")).json[0]), ids);
    const taken = await alice.post("/api/v1/statuses", { media_ids: ids });
    assert.equal(taken.status, 422);
    await server.write`UPDATE scheduled_statuses SET scheduled_at = now() WHERE id = ${scheduled.id}`;
    await server.app.jobs.add(server.app.sql, "status.scheduled", { id: scheduled.id });
    await server.runJobs();
    const account = `/api/v1/accounts/${alice.accountId}/statuses?only_media=true&limit=1`;
    assert.deepEqual(idsOf((await alice.get(account)).json[0]), ids);
  });

  test("two posts that want the same file at once: one gets it, the other is not written", async () => {
    const [id] = (await several(1)) as [string];
    const url = new URL("/api/v1/statuses", server.url).toString();
    const options = { token: alice.token, json: { status: "race", media_ids: [id] } };
    const answers = await Promise.all([1, 2, 3].map(() => sendRequest(url, "POST", options)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 422, 422]);
    const [row] = await server.app.sql`SELECT count(*)::int AS n FROM statuses WHERE text = 'race'`;
    assert.equal(row!["n"], 1);
  });
});

test("the files of a suspended account are found under new addresses, by moderators alone", async () => {
  const eve = await server.person("eve");
  const mod = await server.person("mod", {
    role: "Owner",
    scopes: ["read", "admin:read", "admin:write"],
  });
  const asEve = (file: Buffer) => eve.post("/api/v2/media", formOf(file));
  const media_ids = [(await asEve(await picture("png"))).json.id];
  const status = (await eve.post("/api/v1/statuses", { status: "bad", media_ids })).json;
  const other = [(await asEve(await picture("webp"))).json.id];
  const path = `/api/v1/statuses/${status.id}`;
  await eve.put(path, { status: "bad", media_ids: other });
  const me = await eve.patch(
    "/api/v1/accounts/update_credentials",
    formOf(null, { avatar: await picture("png") }),
  );
  const report = { account_id: eve.accountId, status_ids: [status.id] };
  await bob.post("/api/v1/reports", report).ok();
  const urlsNow = async () => [
    (await alice.get(path)).json.media_attachments[0].url,
    (await alice.get(`${path}/history`)).json[0].media_attachments[0].preview_url,
    (await alice.get(`/api/v1/accounts/${eve.accountId}`)).json.avatar,
  ];
  const before = await urlsNow();
  assert.equal(before[2], me.json.avatar);
  const codes = (urls: string[]) => Promise.all(urls.map(async (url) => (await fetch(url)).status));
  assert.deepEqual(await codes(before), [200, 200, 200]);
  const account = `/api/v1/admin/accounts/${eve.accountId}`;
  await mod.post(`${account}/action`, { type: "suspend" });
  await server.runJobs();
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
  assert.deepEqual(await codes(before), [404, 404, 404]);
  const [seen] = (await mod.get("/api/v1/admin/reports?resolved=true")).json;
  assert.deepEqual(await codes([seen.statuses[0].media_attachments[0].url]), [200]);
  await mod.post(`${account}/unsuspend`);
  await server.runJobs();
  assert.deepEqual(await codes(await urlsNow()), [200, 200, 200]);
});

test("with a bucket, uploads go there, and whatever goes with them works", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rookery-bucket-"));
  const bucket = await startS3(folder);
  const { options } = bucket;
  const other = await startTestApp({
    env: {
      S3_BUCKET: options.bucket,
      S3_ENDPOINT: options.endpoint!,
      S3_PUBLIC_URL: `${options.endpoint}/${options.bucket}`,
      AWS_ACCESS_KEY_ID: options.credentials!.accessKeyId,
      AWS_SECRET_ACCESS_KEY: options.credentials!.secretAccessKey,
    },
  });
  try {
    const { token } = await other.person("carol");
    const multipart = formOf(await picture("webp"));
    const { json } = await other.as(token).post("/api/v2/media", multipart);
    assert.ok(json.url.startsWith(`${options.endpoint}/media/attachments/`), json.url);
    // Any worker can process what waits; nothing of it is left.
    const enqueued = other.enqueued.filter(({ name }) => name === "media.uploaded");
    assert.equal(enqueued.length, 1);
    assert.deepEqual(await Array.fromAsync(other.app.uploads!.list()), []);
    const today = other.app.clock.now().toISOString().slice(0, 10);
    const waiting = `${today}/00000000-0000-4000-8000-000000000000`;
    const forgotten = waiting.replace(today, "2020-01-01");
    for (const key of [waiting, forgotten]) await other.app.uploads!.put(key, Readable.from(["x"]));
    await other.app.jobs.add(other.app.sql, "retention.due", { what: "uploads" });
    await other.runJobs();
    const left = await Array.fromAsync(other.app.uploads!.list(), ({ key }) => key);
    assert.deepEqual(left, [waiting]);
    assert.deepEqual(readdirSync(join(other.app.config.dataDir, "uploads")), []);
    assert.equal((await fetch(json.url)).headers.get("content-type"), "image/webp");
    await other.as(token).delete(`/api/v1/media/${json.id}`);
    await other.app.jobs.add(other.app.sql, "files.delete", {});
    await other.runJobs();
    assert.equal((await fetch(json.url)).status, 404);
  } finally {
    await other.close();
    await bucket.close();
    rmSync(folder, { recursive: true });
  }
});
