// Probes videos and recordings and converts them to what every browser plays, by the system's ffmpeg.

import { dirname, join } from "node:path";
import { findProgram } from "../config/programs.ts";
import { Unavailable } from "../errors.ts";
import { createTurns } from "../fair-queue.ts";
import { isMp4Video } from "./effort.ts";
import { onlyThisFile, probeFile } from "./probe.ts";
import type { Probe } from "./probe.ts";
import { runProgram, stopPrograms } from "./run.ts";

/** A file to convert. `ms` limits the processor time; beyond it TakesTooLong is thrown. */
type Conversion = { path: string; demuxer: string; probe: Probe; to: string; ms: number };

/** `by` is the member or host that a probe or picture is for; these take turns, as with pictures. */
export type Video = {
  probe(path: string, demuxer: string, by: string): Promise<Probe>;
  /** Makes H.264 and AAC in MP4, copied where they are that already. `rate` is the frame rate for a GIF. */
  toMp4(conversion: Conversion, rate?: number): Promise<void>;
  /** Keeps MP3 or AAC and makes MP3 of everything else. Returns the extension. */
  toAudio(conversion: Conversion): Promise<"mp3" | "m4a">;
  /** Takes one frame as PNG; of a recording, its cover. */
  picture(path: string, demuxer: string, to: string, by: string): Promise<void>;
  /** Ends running programs. */
  close(): void;
};

const PICTURE_MS = 10_000;
/** Files of one member or host that may wait to be probed. */
const MAX_WAITING = 100;

/** Removes what the file says about where and by whom it was made. */
const BARE = ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact"];

const QUIET = ["-nostdin", "-v", "error", "-y", "-threads", "1"];

/**
 * Returns a filter that makes pixels square and the video small enough for phones. H.264 needs even sides. The result
 * has the size of squareSize in probe.ts.
 */
const fitted = (): string => {
  const [width, height] = ["max(iw\\,iw*sar)", "max(ih\\,ih/sar)"];
  const scale = `min(1\\,1920/max(${width}\\,${height}))`;
  const even = (side: string) => `max(2\\,trunc(${scale}*${side}/2)*2)`;
  return `scale=${even(width)}:${even(height)},setsar=1`;
};

const ENCODED = [
  ["-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-pix_fmt", "yuv420p"],
  [
    "-maxrate",
    "4M",
    "-bufsize",
    "8M",
    "-threads",
    "1",
    "-g",
    "250",
    "-x264-params",
    "sync-lookahead=0:rc-lookahead=5",
  ],
].flat();

/** The filter for the rate keeps the time of the last frame, with each version of ffmpeg. */
const encodedOptions = (rate: number | undefined): string[] => {
  const filters = rate === undefined ? [fitted()] : [`fps=${rate}`, fitted()];
  return [...ENCODED, "-vf", filters.join(",")];
};

const videoOptions = (probe: Probe, rate: number | undefined): string[] =>
  [
    ["-map", "0:V:0", "-map", "0:a:0?"],
    isMp4Video(probe) ? ["-c:v", "copy"] : encodedOptions(rate),
    probe.audio === "aac" ? ["-c:a", "copy"] : ["-c:a", "aac", "-b:a", "128k", "-ac", "2"],
    ["-movflags", "+faststart", "-f", "mp4"],
  ].flat();

const audioOptions = ({ audio }: Probe): { ending: "mp3" | "m4a"; options: string[] } => {
  if (audio === "mp3") return { ending: "mp3", options: ["-c:a", "copy", "-f", "mp3"] };
  if (audio === "aac") {
    const options = ["-c:a", "copy", "-movflags", "+faststart", "-f", "mp4"];
    return { ending: "m4a", options };
  }
  return { ending: "mp3", options: ["-c:a", "libmp3lame", "-q:a", "2", "-f", "mp3"] };
};

const pictureOptions = (): string[] =>
  [
    ["-map", "0:v:0", "-frames:v", "1", "-vf", fitted()],
    ["-c:v", "png", "-f", "image2", "-update", "1"],
  ].flat();

const tooMany = () =>
  new Unavailable("Too many videos are being read. Please try again in a minute", 60);

/** Returns null where the system has no ffmpeg, or no ffprobe next to it. */
export const createVideo = (ffmpegPath: string, looksAtOnce = 1): Video | null => {
  const ffmpeg = findProgram(ffmpegPath);
  const ffprobe = ffmpeg && findProgram(join(dirname(ffmpeg), "ffprobe"));
  if (!ffmpeg || !ffprobe) return null;
  const run = async (path: string, demuxer: string, options: string[], to: string, ms: number) => {
    await runProgram(ffmpeg, [...QUIET, ...onlyThisFile(path, demuxer), ...options, to], ms);
  };
  const look = createTurns(looksAtOnce, MAX_WAITING, tooMany);
  return {
    probe: (path, demuxer, by) => look(by, () => probeFile(ffprobe, path, demuxer)),
    toMp4: ({ path, demuxer, probe, to, ms }, rate) =>
      run(path, demuxer, [...BARE, ...videoOptions(probe, rate)], to, ms),
    async toAudio({ path, demuxer, probe, to, ms }) {
      const { ending, options } = audioOptions(probe);
      await run(path, demuxer, [...BARE, "-map", "0:a:0", ...options], to, ms);
      return ending;
    },
    picture: (path, demuxer, to, by) =>
      look(by, () => run(path, demuxer, pictureOptions(), to, PICTURE_MS)),
    close: stopPrograms,
  };
};
