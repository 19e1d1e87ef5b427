// Estimates the processor time of a conversion before it begins, from what the file says about itself.

import { fractionOf } from "./probe.ts";
import type { Probe } from "./probe.ts";

/** Pixels decoded and encoded in a millisecond: 60 million a second on a slow core. */
const PIXELS_A_MS = 60_000;
/** Pixels of a GIF in a millisecond: it is easily decoded and changes little between frames. */
const GIF_PIXELS_A_MS = 150_000;
/** Milliseconds of the processor for each second of sound. */
const SOUND_MS = 10;

/** Pixels of all frames of a GIF that is made into a video: 480 of the largest frames. */
const GIF_PIXELS = 4_000_000_000;
/** Frames per second of a GIF, as fast as browsers show them. */
const GIF_RATE = 50;

/** Returns the number of frames: as the container says, or from its duration. */
const framesOf = ({ duration, video }: Probe): number =>
  Math.max(video?.frames ?? 0, duration * fractionOf(video?.frameRate));

/** Whether a video is already what browsers play, so that it is copied. */
export const isMp4Video = ({ video }: Probe): boolean =>
  video !== null && video.codec === "h264" && /^yuvj?420p$/.test(video.pixels);

const areaOf = ({ video }: Probe): number => (video ? video.width * video.height : 0);

/**
 * Returns the frames per second of the video made of a GIF: each frame keeps its time, also the last one. The rate is
 * less exact where long times would make too many frames; null when the GIF itself has too many.
 */
export const gifRate = (probe: Probe): number | null => {
  const most = GIF_PIXELS / areaOf(probe);
  if (framesOf(probe) > most) return null;
  const exact = probe.video?.exactRate || GIF_RATE;
  return Math.min(GIF_RATE, exact, most / probe.duration);
};

/** Returns the milliseconds of the processor for a video or a recording; copying costs next to nothing. */
export const effortOf = (probe: Probe): number => {
  const isCopied = probe.video === null || isMp4Video(probe);
  const pictures = isCopied ? 0 : (framesOf(probe) * areaOf(probe)) / PIXELS_A_MS;
  const { audio, video, duration } = probe;
  const isSoundKept = audio === null || audio === "aac" || (audio === "mp3" && video === null);
  return pictures + (isSoundKept ? 0 : duration * SOUND_MS);
};

/** Returns the milliseconds of the processor for a GIF that becomes a video with this frame rate. */
export const gifEffort = (probe: Probe, rate: number): number =>
  (Math.max(framesOf(probe), probe.duration * rate) * areaOf(probe)) / GIF_PIXELS_A_MS;
