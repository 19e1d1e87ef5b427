// Uploading, describing, attaching, editing and deleting media through the API, with real files.

import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import sharp from "sharp";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";
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
} from "../../../../test/files.ts";
import { eventually } from "../../../../test/journeys/eventually.ts";
import { assertEntity } from "../../../../test/schema.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
});
after(() => server.close());

const upload = (file: Buffer | null, more: Record<string, string | Buffer> = {}, version = "v2") =>
  alice.post(`/api/${version}/media`, formOf(file, more));

const bytesOf = async (url: string): Promise<Buffer> =>
  Buffer.from(await (await fetch(url)).arrayBuffer());

const uploaded = async (file: Buffer, more = {}): Promise<any> => {
  const answer = await upload(file, more);
  assert.ok(answer.status === 200 || answer.status === 202, answer.text);
  await server.runJobs();
  return alice.get(`/api/v1/media/${answer.json.id}`).ok();
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
      const answer = await upload(await picture(format, 900, 600), {
        description: " a flag ",
      }).ok();
      assertEntity("MediaAttachment", answer);
      const { type: kind, url, preview_url: small, meta, description, blurhash } = answer;
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
        const metadata = await sharp(Buffer.from(await served.arrayBuffer())).metadata();
        assert.deepEqual([metadata.width, metadata.height], [size.width, size.height]);
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
    const json = await upload(heic()).ok();
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
    const { json } = await upload(await plainPicture(3400, 2720));
    const { width, height } = json.meta.original;
    assert.ok(width * height <= 3840 * 2160 + 5000, `${width}x${height}`);
    assert.ok(Math.abs(width / height - 1.25) < 0.01);
  });

  test("the old version of the route does the same", async () => {
    const answer = await upload(await picture("png"), {}, "v1").ok();
    assert.match(answer.url, /\.png$/);
  });

  test("have a focus, a description and a preview of their owner's", async () => {
    const { json } = await upload(await picture("jpeg", 800, 800), { focus: "-0.5,2" });
    assert.deepEqual(json.meta.focus, { x: -0.5, y: 1 });
    const thumbnail = await picture("png", 100, 50);
    const changed = await alice
      .put(
        `/api/v1/media/${json.id}`,
        formOf(null, { description: "new", focus: "0,0.25", thumbnail }),
      )
      .ok();
    assert.equal(changed.description, "new");
    assert.deepEqual(changed.meta.focus, { x: 0, y: 0.25 });
    assert.equal(changed.meta.small.size, "100x50");
    assert.equal(changed.url, json.url);
    assert.notEqual(changed.preview_url, json.preview_url);
    assert.equal((await sharp(await bytesOf(changed.preview_url)).metadata()).width, 100);
    await server.app.jobs.add(server.app.sql, "files.delete", {});
    await server.runJobs();
    assert.equal((await fetch(json.preview_url)).status, 404);
  });

  test("a description has an end", async () => {
    const { json } = await upload(await picture("png"));
    const path = `/api/v1/media/${json.id}`;
    await alice.put(path, { description: "ü".repeat(10_000) }).ok();
    const long = await alice.put(path, { description: "x".repeat(10_001) });
    assert.equal(long.status, 422);
    assert.match(long.json.error, /10000 characters/);
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
    "a JPEG that says it has 34 megapixels": async () => {
      const large = await picture("jpeg");
      const frame = large.indexOf(Buffer.from("ffc0", "hex"));
      large.writeUInt16BE(4100, frame + 5);
      large.writeUInt16BE(8300, frame + 7);
      return large;
    },
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
        const later = await alice.get(`/api/v1/media/${answer.json.id}`);
        assert.equal(later.status, 422, later.text);
        assert.match(later.json.error, /^[A-Z][^\n]+$/);
        await alice.delete(`/api/v1/media/${answer.json.id}`);
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
    const json = await upload(null, { file, description: "halves" }).ok();
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
    const answer = await upload(silentVideo()).ok(202);
    assert.equal(answer.url, null);
    await server.runJobs();
    const json = await alice.get(`/api/v1/media/${answer.id}`).ok();
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
    const later = await alice.get(`/api/v1/media/${answer.json.id}`);
    assert.equal(later.status, 422);
    assert.match(later.json.error, /damaged/);
    const attached = await alice.post("/api/v1/statuses", { media_ids: [answer.json.id] });
    assert.equal(attached.status, 422);
    await nothingLeft();
  });
});
