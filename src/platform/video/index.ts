// Videos and recordings: probed, and made into what every browser plays, by the system's ffmpeg.

import { dirname, join } from "node:path";
import { findProgram } from "../config/programs.ts";
import { onlyThisFile, probeFile } from "./probe.ts";
import type { Probe } from "./probe.ts";
import { runProgram, stopPrograms } from "./run.ts";

export type Video = {
  probe(path: string, demuxer: string): Promise<Probe>;
  /** H.264 and AAC in MP4, copied where they are that already. */
  toMp4(path: string, demuxer: string, probe: Probe, to: string): Promise<void>;
  /** MP3 or AAC as it is, everything else as MP3. Returns the ending. */
  toAudio(path: string, demuxer: string, probe: Probe, to: string): Promise<"mp3" | "m4a">;
  /** One picture of it as PNG; of a recording its cover. */
  picture(path: string, demuxer: string, to: string): Promise<void>;
  /** Ends what runs. */
  close(): void;
};

const ENCODE_MS = 15 * 60_000;
const PICTURE_MS = 30_000;

/** Without what the file says of where and by whom it was made. */
const BARE = ["-map_metadata", "-1", "-map_chapters", "-1", "-fflags", "+bitexact"];

const QUIET = ["-nostdin", "-v", "error", "-y", "-threads", "1"];

const isMp4Video = ({ video }: Probe): boolean =>
  video !== null && video.codec === "h264" && /^yuvj?420p$/.test(video.pixels);

/** H.264 needs even sides; what is too large for phones is made smaller. */
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
  [
    "-vf",
    "scale=trunc(min(1\\,1920/max(iw\\,ih))*iw/2)*2:trunc(min(1\\,1920/max(iw\\,ih))*ih/2)*2",
  ],
].flat();

const videoOptions = (probe: Probe): string[] =>
  [
    ["-map", "0:V:0", "-map", "0:a:0?"],
    isMp4Video(probe) ? ["-c:v", "copy"] : ENCODED,
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

/** null: the system has no ffmpeg, or no ffprobe beside it. */
export const createVideo = (ffmpegPath: string): Video | null => {
  const ffmpeg = findProgram(ffmpegPath);
  const ffprobe = ffmpeg && findProgram(join(dirname(ffmpeg), "ffprobe"));
  if (!ffmpeg || !ffprobe) return null;
  const run = async (path: string, demuxer: string, options: string[], to: string, ms: number) => {
    await runProgram(ffmpeg, [...QUIET, ...onlyThisFile(path, demuxer), ...options, to], ms);
  };
  return {
    probe: (path, demuxer) => probeFile(ffprobe, path, demuxer),
    toMp4: (path, demuxer, probe, to) =>
      run(path, demuxer, [...BARE, ...videoOptions(probe)], to, ENCODE_MS),
    async toAudio(path, demuxer, probe, to) {
      const { ending, options } = audioOptions(probe);
      await run(path, demuxer, [...BARE, "-map", "0:a:0", ...options], to, ENCODE_MS);
      return ending;
    },
    picture: (path, demuxer, to) =>
      run(
        path,
        demuxer,
        ["-map", "0:v:0", "-frames:v", "1", "-c:v", "png", "-f", "image2", "-update", "1"],
        to,
        PICTURE_MS,
      ),
    close: stopPrograms,
  };
};
