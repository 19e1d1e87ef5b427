// What an archive may hold: whoever made it may want to fill the disk or the memory.

import { FILE_LIMIT } from "../../../../platform/http/body.ts";
import { VIDEO_BYTES } from "../../../base/media/limits.ts";

const MIB = 1024 * 1024;

/** That is uploaded on a page; the command line takes larger ones. */
export const ARCHIVE_UPLOAD = 1024 * MIB;
/** Of all that is read, unpacked. */
export const ARCHIVE_LIMITS = {
  files: 200_000,
  bytes: 20 * 1024 * MIB,
  tooLarge: "The archive is too large.",
};
/** Of JSON and CSV files, whatever they hold; further ones are passed over. */
export const DOCUMENTS = 200;
/** That are fetched from the other server for one archive; further ones are left out. */
export const FETCHED_FILES = 20_000;
/** In the circles of the posts of one archive; a person's lists seldom have as many. */
export const CIRCLE_PEOPLE = 2000;
/** Of one archive that are imported. */
export const LISTS = 20;
export const ACTOR_BYTES = MIB;
export const OUTBOX_BYTES = 1024 * MIB;
/** Of one activity; larger ones are left out. */
export const ITEM_BYTES = MIB;
export const POSTS = 200_000;
/** Drafts, scheduled posts and pins, of each; our own archives have fewer. */
export const WAITING = 500;
/** A file that is larger than what may be uploaded is not read. */
export const FILE_BYTES = Math.max(FILE_LIMIT, VIDEO_BYTES);
