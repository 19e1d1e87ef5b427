// Bounds what is read of an archive: whoever made it may want to fill the disk or the memory.

import { FILE_LIMIT } from "../../../../platform/http/body.ts";
import { VIDEO_BYTES } from "../../../base/media/limits.ts";

const MIB = 1024 * 1024;

/** Bytes that may be uploaded on a page; the command line accepts larger ones. */
export const ARCHIVE_UPLOAD = 1024 * MIB;
/** Files and bytes that are read, unpacked. */
export const ARCHIVE_LIMITS = {
  files: 200_000,
  bytes: 20 * 1024 * MIB,
  tooLarge: "The archive is too large.",
};
/** JSON and CSV files that are read; further ones are ignored. */
export const DOCUMENTS = 200;
/** Files fetched from the other server for one archive; further ones are left out. */
export const FETCHED_FILES = 20_000;
/** People in the circles of the posts of one archive; a person's lists seldom have as many. */
export const CIRCLE_PEOPLE = 2000;
/** Lists of one archive that are imported. */
export const LISTS = 20;
export const ACTOR_BYTES = MIB;
export const OUTBOX_BYTES = 1024 * MIB;
/** Bytes of one activity; larger ones are left out. */
export const ITEM_BYTES = MIB;
export const POSTS = 200_000;
/** Drafts, scheduled posts and pins of each kind; our own archives have fewer. */
export const WAITING = 500;
/** Bytes of one file: a file that could not be uploaded is not read. */
export const FILE_BYTES = Math.max(FILE_LIMIT, VIDEO_BYTES);
