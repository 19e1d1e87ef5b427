// What a conversion takes of the processor, told before it begins from what the file says of itself.

import { fractionOf } from "./probe.ts";
import type { Probe } from "./probe.ts";

/** Pixels that are decoded and encoded in a millisecond: 60 million a second on a slow core. */
const PIXELS_A_MS = 60_000;
/** Of a GIF, which is easily decoded, and changes little from picture to picture. */
const GIF_PIXELS_A_MS = 150_000;
/** For each second of sound. */
const SOUND_MS = 10;

/** A GIF has at most so many pixels in all its pictures together, as a video: 480 of the largest ones. */
const GIF_PIXELS = 4_000_000_000;
/** As fast as browsers show them. */
const GIF_RATE = 50;

/** How many pictures it has: as the container says, or by its time. */
const framesOf = ({ duration, video }: Probe): number =>
  Math.max(video?.frames ?? 0, duration * fractionOf(video?.frameRate));

/** It is copied. */
export const isMp4Video = ({ video }: Probe): boolean =>
  video !== null && video.codec === "h264" && /^yuvj?420p$/.test(video.pixels);

const areaOf = ({ video }: Probe): number => (video ? video.width * video.height : 0);

/**
 * Pictures a second of the video that is made of a GIF: each keeps its time, also the last one. Less exact where long
 * times would make too many pictures of few; null: it has too many itself.
 */
export const gifRate = (probe: Probe): number | null => {
  const most = GIF_PIXELS / areaOf(probe);
  if (framesOf(probe) > most) return null;
  const exact = probe.video?.exactRate || GIF_RATE;
  return Math.min(GIF_RATE, exact, most / probe.duration);
};

/** Milliseconds of the processor for a video or a recording; copying takes none that count. */
export const effortOf = (probe: Probe): number => {
  const isCopied = probe.video === null || isMp4Video(probe);
  const pictures = isCopied ? 0 : (framesOf(probe) * areaOf(probe)) / PIXELS_A_MS;
  const { audio, video, duration } = probe;
  const isSoundKept = audio === null || audio === "aac" || (audio === "mp3" && video === null);
  return pictures + (isSoundKept ? 0 : duration * SOUND_MS);
};

/** Of a GIF that becomes a video with so many pictures a second. */
export const gifEffort = (probe: Probe, rate: number): number =>
  (Math.max(framesOf(probe), probe.duration * rate) * areaOf(probe)) / GIF_PIXELS_A_MS;
