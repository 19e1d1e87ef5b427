// Reads what is in a video or recording, by ffprobe.

import { Unprocessable } from "../errors.ts";
import { isRecord, listOf, textOf } from "../json/read.ts";
import { UNREADABLE, runProgram } from "./run.ts";

export type VideoStream = {
  codec: string;
  pixels: string;
  /** Width as it is shown: rotated, and with square pixels. */
  width: number;
  height: number;
  /** Frames per second as a fraction: `30000/1001`. */
  frameRate: string;
  /** The lowest frame rate that has a time for each frame, as far as it can be told; frames per second. */
  exactRate: number;
  /** Number of frames, as the container says; 0 where it does not. */
  frames: number;
  /** True for a picture that belongs to sound, such as a cover. */
  isCover: boolean;
};

export type Probe = {
  /** Duration in seconds. */
  duration: number;
  /** Bits per second. */
  bitrate: number;
  video: VideoStream | null;
  cover: VideoStream | null;
  /** Codec of the sound. */
  audio: string | null;
};

/** Milliseconds of the processor for a probe; the largest accepted files need less than one second. */
const PROBE_MS = 10_000;

/**
 * Bytes and microseconds of the file that are read to find out what is in it: ffmpeg's own defaults, set so that they
 * stay.
 */
const PROBED = ["-probesize", "5000000", "-analyzeduration", "5000000"];

/** Options that let ffmpeg read this file alone, and no other that it names. */
export const onlyThisFile = (path: string, demuxer: string): string[] => [
  "-protocol_whitelist",
  "file",
  "-f",
  demuxer,
  "-i",
  `file:${path}`,
];

const number = (value: unknown): number => {
  const number = Number(value);
  return Number.isFinite(number) && number > 0 ? number : 0;
};

const rotationOf = (stream: Record<string, unknown>): number => {
  const [side] = listOf(stream["side_data_list"], 20)
    .filter(isRecord)
    .filter((data) => "rotation" in data);
  return Math.abs(Number(side?.["rotation"] ?? 0)) % 180;
};

/** Parses `30000/1001` or `4:3`; 0 for none. */
export const fractionOf = (value: unknown): number => {
  const [, over = "0", under = "0"] = /^(\d+)[/:](\d+)$/.exec(textOf(value) ?? "") ?? [];
  return number(Number(over) / Number(under));
};

/** Returns the size with square pixels: players enlarge the side on which a pixel is shorter. */
const squareSize = (stream: Record<string, unknown>) => {
  const ratio = fractionOf(stream["sample_aspect_ratio"]) || 1;
  return {
    width: Math.round(number(stream["width"]) * Math.max(1, ratio)),
    height: Math.round(number(stream["height"]) / Math.min(1, ratio)),
  };
};

const videoOf = (stream: Record<string, unknown>): VideoStream => {
  const { width, height } = squareSize(stream);
  const isTurned = rotationOf(stream) === 90;
  const { disposition } = stream;
  const rate = [stream["avg_frame_rate"], stream["r_frame_rate"]].find(
    (rate) => typeof rate === "string" && /^[1-9]\d*\/[1-9]\d*$/.test(rate),
  );
  return {
    exactRate: fractionOf(stream["r_frame_rate"]),
    frames: number(stream["nb_frames"]),
    codec: textOf(stream["codec_name"]) ?? "",
    pixels: textOf(stream["pix_fmt"]) ?? "",
    width: isTurned ? height : width,
    height: isTurned ? width : height,
    frameRate: typeof rate === "string" ? rate : "0/1",
    isCover: isRecord(disposition) && disposition["attached_pic"] === 1,
  };
};

export const probeFile = async (ffprobe: string, path: string, demuxer: string): Promise<Probe> => {
  const show = ["-show_streams", "-show_format", "-of", "json"];
  const args = ["-v", "error", ...PROBED, ...onlyThisFile(path, demuxer), ...show];
  const said: unknown = JSON.parse(await runProgram(ffprobe, args, PROBE_MS));
  if (!isRecord(said) || !isRecord(said["format"])) throw new Unprocessable(UNREADABLE);
  const streams = listOf(said["streams"], 50).filter(isRecord);
  const videos = streams.filter((stream) => stream["codec_type"] === "video").map(videoOf);
  const sound = streams.find((stream) => stream["codec_type"] === "audio");
  const { duration, bit_rate: bitrate } = said["format"];
  return {
    duration: number(duration),
    bitrate: Math.round(number(bitrate)),
    video: videos.find(({ isCover }) => !isCover) ?? null,
    cover: videos.find(({ isCover }) => isCover) ?? null,
    audio: sound ? (textOf(sound["codec_name"]) ?? "") : null,
  };
};
