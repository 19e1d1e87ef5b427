// Bounds uploads: the numbers that clients read in Instance, which are Mastodon's (limits.json of the contract, media).

import type { App } from "../../../platform/app.ts";
import { FILE_LIMIT } from "../../../platform/http/body.ts";

export const PICTURE_BYTES = FILE_LIMIT;
export const VIDEO_BYTES = 99 * 1024 * 1024;
export const PICTURE_PIXELS = 33_177_600;
export const VIDEO_PIXELS = 8_294_400;
export const FRAME_RATE = 120;
export const DESCRIPTION = 10_000;
export const MAX_ATTACHED = 4;
/** Attempts to process an upload. */
export const ATTEMPTS = 5;

/**
 * Milliseconds of processor time for the conversion of a video or a recording: `expected` bounds the estimate before it
 * begins, after `most` it is aborted, up to `short` it does not wait behind long ones.
 */
export const CONVERSION_MS = { expected: 10 * 60_000, most: 15 * 60_000, short: 10_000 };

/** Pixels that are stored of a picture and of its preview; their proportions stay. */
export const STORED_PIXELS = 3840 * 2160;
export const SMALL_PIXELS = 640 * 360;

/** Pixels of a small avatar: lists show 40 × 40, on screens with up to three pixels for each. */
export const AVATAR_SIDE = 120;
export const AVATAR_PIXELS = AVATAR_SIDE * AVATAR_SIDE;

/** Frames of a moving picture that is not made into a video. */
export const MAX_FRAMES = 300;

const PICTURE_TYPES = "jpeg png gif heic heif webp avif".split(" ").map((name) => `image/${name}`);

const VIDEO_TYPES = ["video/webm", "video/mp4", "video/quicktime", "video/ogg", "video/x-ms-asf"];

const AUDIO_TYPES =
  "wave wav x-wav x-pn-wave vnd.wave ogg vorbis mpeg mp3 webm flac aac m4a x-m4a mp4 3gpp"
    .split(" ")
    .map((name) => `audio/${name}`);

/** Lists the accepted types; videos and recordings are among them only where ffmpeg is installed. */
export const supportedTypes = ({ video }: App): string[] =>
  video ? [...PICTURE_TYPES, ...VIDEO_TYPES, ...AUDIO_TYPES] : PICTURE_TYPES;
