// Videos and recordings: probed, and made into what every browser plays, by the system's ffmpeg.

import { dirname, join } from "node:path";
import { findProgram } from "../config/programs.ts";
import { Unavailable } from "../errors.ts";
import { createTurns } from "../fair-queue.ts";
import { isMp4Video } from "./effort.ts";
import { onlyThisFile, probeFile } from "./probe.ts";
import type { Probe } from "./probe.ts";
import { runProgram, stopPrograms } from "./run.ts";

/** What is made, and of the processor at most so many milliseconds for it: TakesTooLong. */
type Conversion = { path: string; demuxer: string; probe: Probe; to: string; ms: number };

/** `by`: for whom it is, as with pictures: what is only looked at has its turn, too. */
export type Video = {
  probe(path: string, demuxer: string, by: string): Promise<Probe>;
  /** H.264 and AAC in MP4, copied where they are that already. `rate`: of a GIF, pictures a second. */
  toMp4(conversion: Conversion, rate?: number): Promise<void>;
  /** MP3 or AAC as it is, everything else as MP3. Returns the ending. */
  toAudio(conversion: Conversion): Promise<"mp3" | "m4a">;
  /** One picture of it as PNG; of a recording its cover. */
  picture(path: string, demuxer: string, to: string, by: string): Promise<void>;
  /** Ends what runs. */
  close(): void;
};

const PICTURE_MS = 10_000;
/** Files of one member or host that wait to be looked at. */
const MAX_WAITING = 100;

/** Without what the file says of where and by whom it was made. */
const BARE = ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact"];

const QUIET = ["-nostdin", "-v", "error", "-y", "-threads", "1"];

/**
 * As it is shown: with square pixels, and smaller where it is too large for phones. H.264 needs even sides. The sides
 * are those of squareSize in probe.ts.
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

/** The filter for the rate keeps the time of the last picture, with each version of ffmpeg. */
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

/** null: the system has no ffmpeg, or no ffprobe beside it. */
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
