// What a conversion takes is told from what a file says, and a GIF keeps its times for what it may take.

import assert from "node:assert/strict";
import { test } from "node:test";
import { effortOf, gifEffort, gifRate } from "./effort.ts";
import type { Probe, VideoStream } from "./probe.ts";

const MINUTE = 60_000;

const stream = (changes: Partial<VideoStream>): VideoStream => ({
  codec: "vp9",
  pixels: "yuv420p",
  width: 1920,
  height: 1080,
  frameRate: "30/1",
  exactRate: 30,
  frames: 0,
  isCover: false,
  ...changes,
});

const probe = (duration: number, changes: Partial<VideoStream> = {}): Probe => ({
  duration,
  bitrate: 0,
  video: stream(changes),
  cover: null,
  audio: null,
});

test("copying takes nothing, encoding as much as there are pixels and sound", () => {
  assert.equal(effortOf(probe(600, { codec: "h264" })), 0);
  assert.equal(effortOf({ ...probe(600, { codec: "h264" }), audio: "aac" }), 0);
  const minutes = effortOf(probe(60)) / MINUTE;
  assert.ok(minutes > 0.5 && minutes < 2, String(minutes));
  // What the container says of its pictures counts where it is more than its time.
  assert.equal(effortOf(probe(1, { frames: 1800 })), effortOf(probe(60)));
  assert.equal(effortOf({ ...probe(600), video: null, audio: "mp3" }), 0);
  const recording = effortOf({ ...probe(36 * 3600), video: null, audio: "opus" });
  assert.ok(recording > 10 * MINUTE, String(recording));
});

const gif = (side: number, frames: number, seconds: number, exactRate: number): Probe =>
  probe(seconds, {
    codec: "gif",
    width: side,
    height: side,
    frames,
    frameRate: frames === 2 ? "0/1" : `${Math.round((frames / seconds) * 1000)}/1000`,
    exactRate,
  });

test("6,000 pictures of 2,800 pixels a side are too many, few that are shown for long are not", () => {
  assert.equal(gifRate(gif(2800, 6000, 600, 10)), null);
  assert.equal(gifRate(gif(500, 100, 10, 10)), 10);
  assert.equal(gifRate(gif(100, 2, 6, 100)), 50);
  // Four pictures, the last of which stays for eleven minutes.
  const slow = gif(2800, 4, 655.41, 50);
  const rate = gifRate(slow)!;
  assert.ok(rate > 0.5 && rate < 1, String(rate));
  assert.ok(gifEffort(slow, rate) < MINUTE);
});
