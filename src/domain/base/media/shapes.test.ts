// Times, sizes and kinds that files have and their copies keep.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import sharp from "sharp";
import { byFfmpeg, formOf, longGif, WITHOUT_FFMPEG } from "../../../../test/files.ts";
import { startTestApp } from "../../../../test/harness.ts";
import type { Person, TestApp } from "../../../../test/harness.ts";

let server: TestApp;
let alice: Person;

before(async () => {
  server = await startTestApp();
  alice = await server.person("alice");
});
after(() => server.close());

const uploaded = async (file: Buffer): Promise<any> => {
  const answer = await alice.post("/api/v2/media", formOf(file));
  await server.runJobs();
  return alice.get(`/api/v1/media/${answer.json.id}`).ok();
};

test("a GIF keeps the time of its last picture", { skip: WITHOUT_FFMPEG }, async () => {
  for (const [delays, seconds] of [
    [[10, 10, 10, 10, 200], 2.4],
    [[7, 13, 10, 29, 300], 3.59],
  ] as const) {
    const { type, meta } = await uploaded(longGif(40, delays.length, [...delays]));
    assert.equal(type, "gifv");
    // One picture of the video more or less.
    const { duration } = meta.original;
    assert.ok(Math.abs(duration - seconds) <= 0.05, `${duration}, not ${seconds}`);
  }
});

test(
  "pixels that are not square are shown as wide as they are",
  { skip: WITHOUT_FFMPEG },
  async () => {
    const source = ["-f", "lavfi", "-i", "testsrc=duration=1:size=160x120:rate=10"];
    const shape = ["-pix_fmt", "yuv420p", "-vf"];
    const wide = byFfmpeg("mp4", [...source, ...shape, "setsar=2/1", "-c:v", "libx264"]);
    const { meta } = await uploaded(wide);
    assert.deepEqual([meta.original.width, meta.original.height], [320, 120]);
    assert.ok(Math.abs(meta.small.aspect - 320 / 120) < 0.05, String(meta.small.aspect));
    const tall = byFfmpeg("webm", [...source, ...shape, "setsar=1/2", "-c:v", "libvpx"]);
    const { original } = (await uploaded(tall)).meta;
    assert.deepEqual([original.width, original.height], [160, 240]);
  },
);

test(
  "a GIF of a canvas that ffmpeg does not take is not said to be 0x0",
  { skip: WITHOUT_FFMPEG },
  async () => {
    const file = longGif(40, 2, [10, 10]);
    file.fill(0xff, 6, 10);
    const { json } = await alice.post("/api/v2/media", formOf(file));
    await server.runJobs();
    const shown = await alice.get(`/api/v1/media/${json.id}`);
    assert.equal(shown.status, 422, shown.text);
    assert.match(
      shown.json.error,
      /^The file is damaged or of a kind that this server cannot read/,
    );
  },
);

test("of an AVIF that moves the first picture is taken", { skip: WITHOUT_FFMPEG }, async () => {
  const moving = byFfmpeg("avif", [
    "-f",
    "lavfi",
    "-i",
    "testsrc=duration=1:size=160x120:rate=3",
    "-c:v",
    "libaom-av1",
    "-cpu-used",
    "8",
  ]);
  assert.equal(moving.toString("latin1", 4, 12), "ftypavis");
  const { type, url } = await uploaded(moving);
  assert.equal(type, "image");
  const stored = Buffer.from(await (await fetch(url)).arrayBuffer());
  const { width, height, format } = await sharp(stored).metadata();
  assert.deepEqual([width, height, format], [160, 120, "jpeg"]);
});
