// Uploading, describing, attaching, editing and deleting media through the API, with real files.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { sendRequest, startTestApp } from "../../../test/harness.ts";
import type { Answer, Person, TestApp } from "../../../test/harness.ts";
import {
  formOf,
  heic,
  movingGif,
  picture,
  plainPicture,
  picturedPlace,
  recording,
  silentVideo,
  webm,
  WITHOUT_FFMPEG,
} from "../../../test/files.ts";
import { startS3 } from "../../../test/s3-server.ts";
import { eventually } from "../../../test/journeys/eventually.ts";
import { assertEntity } from "../../../test/schema.ts";

let server: TestApp;
let alice: Person;
let bob: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
  bob = await server.person("bob");
});
after(() => server.close());

const upload = (
  file: Buffer | null,
  more: Record<string, string | Buffer> = {},
  version = "v2",
): Promise<Answer> =>
  server.request("POST", `/api/${version}/media`, {
    token: alice.token,
    multipart: formOf(file, more),
  });

const api = (method: string, path: string, json?: unknown, person = alice) =>
  server.request(method, path, { token: person.token, ...(json !== undefined && { json }) });

const post = async (json: object): Promise<any> => {
  const answer = await api("POST", "/api/v1/statuses", json);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
};

const bytesOf = async (url: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(url)).arrayBuffer());

const uploaded = async (file: Buffer, more = {}): Promise<any> => {
  const answer = await upload(file, more);
  assert.ok(answer.status === 200 || answer.status === 202, answer.text);
  await server.runJobs();
  const found = await api("GET", `/api/v1/media/${answer.json.id}`);
  assert.equal(found.status, 200, found.text);
  return found.json;
};

const filesOf = (folder: string): string[] => {
  const path = join(server.app.config.dataDir, folder);
  try {
    return readdirSync(path, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => name);
  } catch {
    return [];
  }
};

/** The uploaded files of a request go after its answer. */
const nothingLeft = () => eventually("the uploads go", async () => filesOf("uploads").length === 0);

describe("pictures", () => {
  test("of each kind are stored with a smaller one", async () => {
    for (const [format, type] of [
      ["jpeg", "image/jpeg"],
      ["png", "image/png"],
      ["webp", "image/webp"],
      ["avif", "image/jpeg"],
    ] as const) {
      const answer = await upload(await picture(format, 900, 600), { description: " a flag " });
      assert.equal(answer.status, 200, answer.text);
      assertEntity("MediaAttachment", answer.json);
      const { type: kind, url, preview_url: small, meta, description, blurhash } = answer.json;
      assert.equal(kind, "image");
      assert.equal(description, "a flag");
      assert.match(blurhash, /^.{20,40}$/);
      assert.deepEqual(meta.original, { width: 900, height: 600, size: "900x600", aspect: 1.5 });
      assert.ok(meta.small.width * meta.small.height <= 640 * 360 + 1000);
      for (const [address, size] of [
        [url, meta.original],
        [small, meta.small],
      ] as const) {
        const served = await fetch(address);
        assert.equal(served.headers.get("content-type"), type);
        const found = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
        assert.deepEqual([found.width, found.height], [size.width, size.height]);
      }
    }
  });

  test("lose where, when and by whom they were taken, and stand upright", async () => {
    const { json } = await upload(await picturedPlace());
    assert.equal(json.meta.original.size, "48x64");
    for (const url of [json.url, json.preview_url]) {
      const stored = await bytesOf(url);
      const { exif, xmp, orientation, width } = await sharp(stored).metadata();
      assert.deepEqual([exif, xmp, orientation, width], [undefined, undefined, undefined, 48]);
      assert.ok(!stored.includes("Secret Name"));
      // Turned by 90°, the red half is above.
      const { data } = await sharp(stored).raw().toBuffer({ resolveWithObject: true });
      assert.ok(data[0]! > 200 && data[2]! < 60, "above");
      assert.ok(data.at(-1)! > 200 && data.at(-3)! < 60, "below");
    }
  });

  test("of phones (HEIC) become JPEGs, upright and in the colours that browsers know", async () => {
    const { status, json, text } = await upload(heic());
    assert.equal(status, 200, text);
    assert.equal(json.meta.original.size, "100x120");
    assert.match(json.url, /\.jpg$/);
    const stored = sharp(await bytesOf(json.url));
    assert.equal((await stored.metadata()).icc, undefined);
    const { data, info } = await stored.raw().toBuffer({ resolveWithObject: true });
    const at = (x: number, y: number) =>
      [...data.subarray(3 * (y * info.width + x))].slice(0, 3).map((value) => value >> 4);
    // Colours of Display P3 are stronger in sRGB: this red was #c04040, this green #40c040.
    assert.deepEqual(at(96, 116), [4, 4, 12], "blue");
    assert.deepEqual(at(3, 116), [12, 3, 3], "red");
    assert.deepEqual(at(3, 3), [0, 12, 2], "green");
    assert.deepEqual(at(96, 3), [12, 12, 1], "yellow");
  });

  test("that are too large to show are made smaller", async () => {
    const { json } = await upload(await plainPicture(4250, 3400));
    const { width, height } = json.meta.original;
    assert.ok(width * height <= 3840 * 2160 + 5000, `${width}x${height}`);
    assert.ok(Math.abs(width / height - 1.25) < 0.01);
  });

  test("the old version of the route does the same", async () => {
    const answer = await upload(await picture("png"), {}, "v1");
    assert.equal(answer.status, 200);
    assert.match(answer.json.url, /\.png$/);
  });

  test("have a focus, a description and a preview of their owner's", async () => {
    const { json } = await upload(await picture("jpeg", 800, 800), { focus: "-0.5,2" });
    assert.deepEqual(json.meta.focus, { x: -0.5, y: 1 });
    const thumbnail = await picture("png", 100, 50);
    const changed = await server.request("PUT", `/api/v1/media/${json.id}`, {
      token: alice.token,
      multipart: formOf(null, { description: "new", focus: "0,0.25", thumbnail }),
    });
    assert.equal(changed.status, 200, changed.text);
    assert.equal(changed.json.description, "new");
    assert.deepEqual(changed.json.meta.focus, { x: 0, y: 0.25 });
    assert.equal(changed.json.meta.small.size, "100x50");
    assert.equal(changed.json.url, json.url);
    assert.notEqual(changed.json.preview_url, json.preview_url);
    assert.equal((await sharp(await bytesOf(changed.json.preview_url)).metadata()).width, 100);
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    assert.equal((await fetch(json.preview_url)).status, 404);
  });

  test("a description has an end", async () => {
    const { json } = await upload(await picture("png"));
    const path = `/api/v1/media/${json.id}`;
    assert.equal((await api("PUT", path, { description: "ü".repeat(1500) })).status, 200);
    const long = await api("PUT", path, { description: "x".repeat(1501) });
    assert.equal(long.status, 422);
    assert.match(long.json.error, /1500 characters/);
  });
});

describe("what is refused leaves nothing", () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script/></svg>';
  const playlist = "#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n";
  const files: Record<string, () => Promise<Buffer> | Buffer> = {
    "an SVG": () => Buffer.from(svg),
    "a page": () => Buffer.from("<!doctype html><script>alert(1)</script>"),
    "an ActivityPub document": () => Buffer.from('{"type":"Note","id":"https://a.example/1"}'),
    "a playlist": () => Buffer.from(playlist),
    "a playlist that begins like a recording": () => Buffer.from(`ID3\x04\0\0\0\0\0\0${playlist}`),
    "a script that begins like a JPEG": () =>
      Buffer.concat([Buffer.from("ffd8ffe0", "hex"), Buffer.from("<script>alert(1)</script>")]),
    "half a PNG": async () => (await picture("png", 500, 500)).subarray(0, 200),
    "half a JPEG": async () => (await picture("jpeg", 900, 900)).subarray(0, 900),
    "34 megapixels": () => plainPicture(8300, 4100),
    "a PNG that says it has 2,500 megapixels": async () => {
      const bomb = await picture("png", 10, 10);
      bomb.writeUInt32BE(50_000, 16);
      bomb.writeUInt32BE(50_000, 20);
      return bomb;
    },
    "what begins like an HEIC": () =>
      Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic and more", "latin1"),
    "half an HEIC": () => heic().subarray(0, 1090),
    "an HEIC that says it has 3,600 megapixels": () => {
      const bomb = heic();
      const sizes = bomb.indexOf("ispe", bomb.indexOf("ispe") + 4) + 8;
      bomb.writeUInt32BE(60_000, sizes);
      bomb.writeUInt32BE(60_000, sizes + 4);
      return bomb;
    },
    nothing: () => Buffer.from("x"),
  };
  for (const [name, make] of Object.entries(files)) {
    test(name, async () => {
      const stored = filesOf("media").length;
      const answer = await upload(await make());
      if (answer.status === 202) {
        // A video or recording: it is found out later.
        await server.runJobs();
        const later = await api("GET", `/api/v1/media/${answer.json.id}`);
        assert.equal(later.status, 422, later.text);
        assert.match(later.json.error, /^[A-Z][^\n]+$/);
        await api("DELETE", `/api/v1/media/${answer.json.id}`);
      } else {
        assert.equal(answer.status, 422, answer.text);
        assert.match(answer.json.error, /^[A-Z][^\n]+$/);
      }
      assert.equal(filesOf("media").length, stored);
      await nothingLeft();
    });
  }

  test("no file, a large file, and a thumbnail that is none", async () => {
    const blank = "Validation failed: File can't be blank";
    assert.equal((await upload(null)).json.error, blank);
    for (const file of ["text", "data:image/png;base64,"]) {
      assert.equal((await upload(null, { file })).json.error, blank);
    }
    const large = Buffer.concat([await picture("png"), Buffer.alloc(17 * 1024 * 1024)]);
    const answer = await upload(large);
    assert.equal(answer.status, 422);
    assert.match(answer.json.error, /16 MB/);
    const wrong = await upload(await picture("png"), { thumbnail: Buffer.from(svg) });
    assert.equal(wrong.status, 422);
    await nothingLeft();
  });

  test("a file may be the text of a data: address", async () => {
    const file = `data:image/jpeg;base64,${(await picture("png")).toString("base64")}`;
    const { status, json, text } = await upload(null, { file, description: "halves" });
    assert.equal(status, 200, text);
    assert.deepEqual([json.type, json.description], ["image", "halves"]);
    assert.equal((await sharp(await bytesOf(json.url)).metadata()).format, "png");
    await nothingLeft();
  });

  test("nothing after the end of a picture is stored", async () => {
    const page = Buffer.from("<script>alert(1)</script>PK\x03\x04");
    const { json } = await upload(Buffer.concat([await picture("jpeg"), page]));
    assert.ok(!(await bytesOf(json.url)).includes("alert"));
  });

  test("a body that breaks off", async () => {
    const url = new URL("/api/v2/media", server.url).toString();
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const body = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc';
    const response = await fetch(url, {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${alice.token}` },
      body,
    });
    assert.equal(response.status, 400);
    await nothingLeft();
  });
});

describe("videos and recordings", { skip: WITHOUT_FFMPEG }, () => {
  test("a silent video moves like a GIF, and its codec is kept", async () => {
    const answer = await upload(silentVideo());
    assert.equal(answer.status, 202);
    assert.equal(answer.json.url, null);
    await server.runJobs();
    const { json, status } = await api("GET", `/api/v1/media/${answer.json.id}`);
    assert.equal(status, 200);
    assert.equal(json.type, "gifv");
    const { width, height, frame_rate, duration, bitrate } = json.meta.original;
    assert.deepEqual([width, height, frame_rate], [160, 120, "10/1"]);
    assert.ok(duration >= 1 && bitrate > 0);
    assert.match(json.url, /\.mp4$/);
    assert.equal((await sharp(await bytesOf(json.preview_url)).metadata()).width, 160);
    assert.ok(json.blurhash);
  });

  test("a WebM becomes an MP4 with sound", async () => {
    const json = await uploaded(webm());
    assert.equal(json.type, "video");
    assert.equal((await fetch(json.url)).headers.get("content-type"), "video/mp4");
  });

  test("a GIF that moves becomes a video, one that does not stays a picture", async () => {
    const moving = await uploaded(await movingGif());
    assert.equal(moving.type, "gifv");
    assert.match(moving.url, /\.mp4$/);
    const still = await uploaded(await picture("gif"));
    assert.equal(still.type, "image");
    assert.match(still.url, /\.gif$/);
  });

  test("a recording becomes an MP3; a thumbnail is its cover", async () => {
    const json = await uploaded(recording(), { thumbnail: await picture("png", 60, 60) });
    assert.equal(json.type, "audio");
    assert.ok(json.meta.original.duration > 0.9);
    assert.equal((await fetch(json.url)).headers.get("content-type"), "audio/mpeg");
    assert.equal(json.meta.small.size, "60x60");
  });

  test("half a video is refused", async () => {
    const answer = await upload(silentVideo().subarray(0, 1500));
    await server.runJobs();
    const later = await api("GET", `/api/v1/media/${answer.json.id}`);
    assert.equal(later.status, 422);
    assert.match(later.json.error, /damaged/);
    const attached = await api("POST", "/api/v1/statuses", { media_ids: [answer.json.id] });
    assert.equal(attached.status, 422);
    await nothingLeft();
  });
});

describe("an upload belongs to its owner until it is posted", () => {
  test("nobody else reads, changes, deletes or posts it", async () => {
    const { json } = await upload(await picture("png"));
    const path = `/api/v1/media/${json.id}`;
    for (const [method, body] of [
      ["GET", undefined],
      ["PUT", { description: "mine" }],
      ["DELETE", undefined],
    ] as const) {
      assert.equal((await api(method, path, body, bob)).status, 404, method);
    }
    const stolen = await api("POST", "/api/v1/statuses", { media_ids: [json.id] }, bob);
    assert.equal(stolen.status, 422);
    assert.match(stolen.json.error, /not found or already attached/);
    const reader = await server.token(alice.userId, ["read"]);
    assert.equal((await server.request("GET", path, { token: reader })).status, 403);
  });

  test("it can be deleted, with its files, but not once it is posted", async () => {
    const { json } = await upload(await picture("png"));
    assert.deepEqual((await api("DELETE", `/api/v1/media/${json.id}`)).json, {});
    assert.equal((await api("GET", `/api/v1/media/${json.id}`)).status, 404);
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    assert.equal((await fetch(json.url)).status, 404);
    const { json: other } = await upload(await picture("png"));
    await post({ media_ids: [other.id] });
    assert.equal((await api("DELETE", `/api/v1/media/${other.id}`)).status, 422);
  });

  test("a deleted post's are there for another in its place, unless they are to go with it", async () => {
    const { json: file } = await upload(await picture("png"), { description: "a rook" });
    const first = await post({ status: "tpyo", media_ids: [file.id] });
    // However old the post is.
    await server.write`
      UPDATE media_attachments SET created_at = now() - interval '25 hours' WHERE id = ${file.id}
    `;
    const { json: draft } = await api("DELETE", `/api/v1/statuses/${first.id}`);
    assert.deepEqual([draft.text, draft.media_attachments[0].id], ["tpyo", file.id]);
    await server.app.jobs.add(server.app.sql, "retention.due", { what: "uploads" });
    await server.runJobs();
    const stolen = await api("POST", "/api/v1/statuses", { media_ids: [file.id] }, bob);
    assert.equal(stolen.status, 422);
    const again = await post({ status: "typo", media_ids: [file.id] });
    assert.deepEqual(
      [again.media_attachments[0].id, again.media_attachments[0].description],
      [file.id, "a rook"],
    );
    assert.equal((await fetch(file.url)).status, 200);

    await api("DELETE", `/api/v1/statuses/${again.id}?delete_media=true`);
    assert.equal((await api("GET", `/api/v1/media/${file.id}`)).status, 404);
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
    assert.equal((await api("GET", `/api/v1/media/${old.id}`)).status, 404);
    assert.equal((await fetch(old.url)).status, 404);
    assert.equal((await api("GET", `/api/v1/media/${fresh.id}`)).status, 200);
    const shown = await api("GET", `/api/v1/statuses/${status.id}`);
    assert.equal(shown.json.media_attachments.length, 1);
  });
});

describe("posts with media", () => {
  const several = async (count: number): Promise<string[]> => {
    const ids: string[] = [];
    for (let n = 0; n < count; n++) ids.push((await upload(await picture("png"))).json.id);
    return ids;
  };
  const idsOf = (status: any): string[] => status.media_attachments.map((one: any) => one.id);

  test("need no text, and keep the order", async () => {
    const ids = (await several(4)).toReversed();
    const status = await post({ media_ids: ids });
    assert.deepEqual(idsOf(status), ids);
    assert.equal(status.content, "");
    const again = await api("POST", "/api/v1/statuses", { status: "x", media_ids: [ids[0]] });
    assert.equal(again.status, 422);
  });

  test("have at most four files, no poll, and no video beside pictures", async () => {
    const ids = await several(5);
    const poll = { options: ["a", "b"], expires_in: 3600 };
    for (const [body, words] of [
      [{ media_ids: ids }, /more than 4/],
      [{ status: "x", media_ids: ids.slice(0, 1), poll }, /poll/],
      [{ status: "x", media_ids: ["12345"] }, /not found/],
      [{ status: "x", media_ids: ["not an id"] }, /not found/],
    ] as const) {
      const answer = await api("POST", "/api/v1/statuses", body);
      assert.equal(answer.status, 422, answer.text);
      assert.match(answer.json.error, words);
    }
    await server.write`UPDATE media_attachments SET type = 'video' WHERE id = ${ids[0]!}`;
    const mixed = await api("POST", "/api/v1/statuses", { media_ids: ids.slice(0, 2) });
    assert.match(mixed.json.error, /together/);
    assert.equal((await post({ media_ids: ids.slice(0, 1) })).media_attachments.length, 1);
  });

  test("an edit reorders, adds, removes and describes; earlier versions keep what they showed", async () => {
    const [a, b, c] = (await several(3)) as [string, string, string];
    const status = await post({ status: "one", media_ids: [a, b] });
    const path = `/api/v1/statuses/${status.id}`;
    const edited = await api("PUT", path, {
      status: "two",
      media_ids: [c, a],
      media_attributes: [
        { id: a, description: "the first", focus: "0.5,-0.5" },
        { id: b, description: "not attached any more" },
      ],
    });
    assert.equal(edited.status, 200, edited.text);
    assert.deepEqual(idsOf(edited.json), [c, a]);
    assert.equal(edited.json.media_attachments[1].description, "the first");
    assert.deepEqual(edited.json.media_attachments[1].meta.focus, { x: 0.5, y: -0.5 });
    const { json: history } = await api("GET", `${path}/history`);
    assert.deepEqual(history.map(idsOf), [
      [a, b],
      [c, a],
    ]);
    assert.equal(history[0].media_attachments[0].description, null);
    const removed = history[0].media_attachments[1].url;
    assert.equal((await fetch(removed)).status, 200);
    const empty = await api("PUT", path, { status: "" });
    assert.equal(empty.status, 422);
    // Deleting the post with its media deletes all files of all versions.
    await api("DELETE", `${path}?delete_media=true`);
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
      (await api("PUT", path, { status: "one", media_ids: ids })).json;
    assert.deepEqual(idsOf(await edit([a])), [a]);
    const elsewhere = await api("POST", "/api/v1/statuses", { status: "x", media_ids: [b] });
    assert.equal(elsewhere.status, 422);
    const other = await post({ status: "another" });
    const moved = { status: "another", media_ids: [b] };
    assert.equal((await api("PUT", `/api/v1/statuses/${other.id}`, moved)).status, 422);
    assert.equal((await api("DELETE", `/api/v1/media/${b}`)).status, 422);
    assert.deepEqual(idsOf(await edit([b, a])), [b, a]);
    const { json: history } = await api("GET", `${path}/history`);
    assert.deepEqual(history.map(idsOf), [[a, b], [a], [b, a]]);
    assert.deepEqual(idsOf(await edit([a])), [a]);
  });

  test("a change of a description alone is an edit", async () => {
    const [id] = (await several(1)) as [string];
    const status = await post({ status: "same", media_ids: [id] });
    const body = { status: "same", media_ids: [id] };
    const same = await api("PUT", `/api/v1/statuses/${status.id}`, body);
    assert.equal(same.json.edited_at, null);
    const media_attributes = [{ id, description: "words" }];
    const form = new URLSearchParams({
      status: "same",
      "media_ids[]": id,
      "media_attributes[][id]": id,
      "media_attributes[][description]": media_attributes[0]!.description,
    });
    const { token } = alice;
    const changed = await server.request("PUT", `/api/v1/statuses/${status.id}`, { token, form });
    assert.ok(changed.json.edited_at);
    assert.equal(changed.json.media_attachments[0].description, "words");
  });

  test("a scheduled post keeps its files until it is published", async () => {
    const ids = await several(2);
    const at = new Date(Date.now() + 3600_000).toISOString();
    const scheduled = await post({ media_ids: ids, scheduled_at: at });
    assert.deepEqual(idsOf(scheduled), ids);
    assert.deepEqual(scheduled.params.media_ids, ids);
    const path = `/api/v1/scheduled_statuses/${scheduled.id}`;
    assert.deepEqual(idsOf((await api("GET", path)).json), ids);
    assert.deepEqual(idsOf((await api("GET", "/api/v1/scheduled_statuses")).json[0]), ids);
    const taken = await api("POST", "/api/v1/statuses", { media_ids: ids });
    assert.equal(taken.status, 422);
    await server.write`UPDATE scheduled_statuses SET scheduled_at = now() WHERE id = ${scheduled.id}`;
    await server.app.jobs.add(server.app.sql, "status.scheduled", { id: scheduled.id });
    await server.runJobs();
    const account = `/api/v1/accounts/${alice.accountId}/statuses?only_media=true&limit=1`;
    assert.deepEqual(idsOf((await api("GET", account)).json[0]), ids);
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
  const asEve = async (file: Buffer) =>
    server.request("POST", "/api/v2/media", { token: eve.token, multipart: formOf(file) });
  const media_ids = [(await asEve(await picture("png"))).json.id];
  const status = (await api("POST", "/api/v1/statuses", { status: "bad", media_ids }, eve)).json;
  const other = [(await asEve(await picture("webp"))).json.id];
  const path = `/api/v1/statuses/${status.id}`;
  await api("PUT", path, { status: "bad", media_ids: other }, eve);
  const me = await server.request("PATCH", "/api/v1/accounts/update_credentials", {
    token: eve.token,
    multipart: formOf(null, { avatar: await picture("png") }),
  });
  const report = { account_id: eve.accountId, status_ids: [status.id] };
  assert.equal((await api("POST", "/api/v1/reports", report, bob)).status, 200);
  const urlsNow = async () => [
    (await api("GET", path, undefined, alice)).json.media_attachments[0].url,
    (await api("GET", `${path}/history`, undefined, alice)).json[0].media_attachments[0]
      .preview_url,
    (await api("GET", `/api/v1/accounts/${eve.accountId}`, undefined, alice)).json.avatar,
  ];
  const before = await urlsNow();
  assert.equal(before[2], me.json.avatar);
  const codes = (urls: string[]) => Promise.all(urls.map(async (url) => (await fetch(url)).status));
  assert.deepEqual(await codes(before), [200, 200, 200]);
  const account = `/api/v1/admin/accounts/${eve.accountId}`;
  await api("POST", `${account}/action`, { type: "suspend" }, mod);
  await server.runJobs();
  await server.app.jobs.add(server.app.sql, "files.delete", {});
  await server.runJobs();
  assert.deepEqual(await codes(before), [404, 404, 404]);
  const [seen] = (await api("GET", "/api/v1/admin/reports?resolved=true", undefined, mod)).json;
  assert.deepEqual(await codes([seen.statuses[0].media_attachments[0].url]), [200]);
  await api("POST", `${account}/unsuspend`, undefined, mod);
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
    const { json } = await other.request("POST", "/api/v2/media", { token, multipart });
    assert.ok(json.url.startsWith(`${options.endpoint}/media/attachments/`), json.url);
    // Any worker can process what waits; nothing of it is left.
    const wanted = other.enqueued.filter(({ name }) => name === "media.uploaded");
    assert.equal(wanted.length, 1);
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
    await other.request("DELETE", `/api/v1/media/${json.id}`, { token });
    await other.app.jobs.add(other.app.sql, "files.delete", {});
    await other.runJobs();
    assert.equal((await fetch(json.url)).status, 404);
  } finally {
    await other.close();
    await bucket.close();
    rmSync(folder, { recursive: true });
  }
});
