// Adds, changes and removes the server's own emojis.

import type { App } from "../../../platform/app.ts";
import type { Db, Tx } from "../../../platform/db/index.ts";
import {
  NotFound,
  Unprocessable,
  checkAll,
  checkFilled,
  faultOf,
} from "../../../platform/errors.ts";
import { says } from "../../../platform/text/texts.ts";
import type { Said } from "../../../platform/text/texts.ts";
import { storePictures } from "../../../platform/pictures/store.ts";
import type { PictureResult } from "../../../platform/pictures/task.ts";
import { OWN_EMOJI_LIMITS as LIMITS } from "./limits.ts";
import { packFiles, shortcodeOfFile } from "./pack.ts";
import {
  deleteEmojis,
  selectEveryEmoji,
  selectTaken,
  updateEmojis,
  upsertEmoji,
} from "./queries.ts";
import type { CustomEmojiRow } from "./tables.ts";

export type NewOwnEmoji = {
  shortcode: string;
  bytes: Buffer;
  /** Undefined for no category, or to keep that of a replaced emoji. */
  category?: string | null | undefined;
  /** Whether pickers offer the emoji. */
  visible: boolean;
};

const { min, max } = LIMITS.shortcode;
const SHORTCODE = new RegExp(`^[A-Za-z0-9_]{${min},${max}}$`);

const checkShortcode = (shortcode: string): void => {
  if (SHORTCODE.test(shortcode)) return;
  throw faultOf("shortcode", says("staff.emojis.bad_shortcode", { name: shortcode, min, max }));
};

const checkCategory = (category: string | null | undefined): void => {
  if (!category) return;
  if (category.length > LIMITS.category || /\p{Cc}/u.test(category)) {
    throw faultOf("category", says("staff.emojis.bad_category", { count: LIMITS.category }));
  }
};

export const checkNames = ({
  shortcode,
  category,
}: Omit<NewOwnEmoji, "bytes" | "visible">): void => {
  checkAll(
    () => checkFilled({ shortcode }),
    () => checkShortcode(shortcode),
    () => checkCategory(category),
  );
};

const tooLarge = () => faultOf("file", says("staff.emojis.large", { count: LIMITS.bytes / 1024 }));

export const checkSize = (bytes: number): void => {
  if (bytes > LIMITS.bytes) throw tooLarge();
};

/** Keeps the still picture only where the emoji moves; otherwise both would be the same file. */
const kept = ({ files, moves }: PictureResult) => (moves ? files : files.slice(0, 1));

/** Stores a smaller picture where the upload has more pixels than pickers and texts can show. */
const storeFiles = async (app: App, bytes: Buffer) => {
  const { stored } = await storePictures(app, "emojis", bytes, {
    by: "emojis",
    maxPixels: LIMITS.pixels,
    maxFrames: LIMITS.frames,
    outputs: [{ pixels: LIMITS.side ** 2 }, { pixels: LIMITS.side ** 2, still: true, as: "png" }],
    keep: kept,
  });
  const file_key = stored[0]!.key;
  return { file_key, static_key: stored[1]?.key ?? file_key };
};

type Recording = (tx: Tx) => Promise<void>;

const store = async (app: App, emoji: NewOwnEmoji, record?: Recording): Promise<void> => {
  checkSize(emoji.bytes.length);
  const { shortcode, category, visible } = emoji;
  const keys = await storeFiles(app, emoji.bytes);
  try {
    await app.sql.begin(async (tx) => {
      await upsertEmoji(tx, { shortcode, ...keys, category, visible_in_picker: visible });
      await record?.(tx);
    });
  } catch (error) {
    await app.storage.delete([...new Set(Object.values(keys))]);
    throw error;
  }
};

const checkCount = (count: number): void => {
  if (count >= LIMITS.count) {
    throw new Unprocessable(says("staff.emojis.full", { count: LIMITS.count }));
  }
};

/**
 * Throws Unprocessable, with one sentence, for a picture or shortcode that is not allowed. With `overwrite` an existing
 * emoji gets the picture. `record` runs in the same transaction.
 */
export const addEmoji = async (
  app: App,
  emoji: NewOwnEmoji,
  overwrite = false,
  record?: Recording,
): Promise<void> => {
  checkAll(
    () => checkNames(emoji),
    () => checkSize(emoji.bytes.length),
  );
  const { taken, count } = await selectTaken(app.sql, [emoji.shortcode]);
  if (taken.length === 0) checkCount(count);
  else if (!overwrite) {
    throw faultOf("shortcode", says("staff.emojis.taken", { name: emoji.shortcode }));
  }
  await store(app, emoji, record);
};

export type PackOptions = {
  prefix: string;
  suffix: string;
  category: string | null | undefined;
  visible: boolean;
  overwrite: boolean;
  /** Maximum number of pictures that are taken; by default all. */
  limit?: number;
};

/** Results of an import; `skipped` are emojis whose shortcode exists. */
export type Imported = {
  added: number;
  skipped: number;
  failed: { name: string; why: string; said?: Said }[];
};

/** Adds the pictures that can be emojis and reports the rest. */
export const importPack = async (
  app: App,
  path: string,
  { prefix, suffix, overwrite, limit = Infinity, ...rest }: PackOptions,
): Promise<Imported> => {
  checkCategory(rest.category);
  const result: Imported = { added: 0, skipped: 0, failed: [] };
  const done = new Set<string>();
  let files = 0;
  for await (const { name, bytes } of packFiles(path)) {
    files += 1;
    if (files > limit) throw faultOf("file", says("staff.emojis.many", { count: limit }));
    const shortcode = `${prefix}${shortcodeOfFile(name)}${suffix}`;
    const { taken, count } = await selectTaken(app.sql, [shortcode]);
    if (done.has(shortcode) || (taken.length > 0 && !overwrite)) {
      result.skipped += 1;
      continue;
    }
    done.add(shortcode);
    if (taken.length === 0) checkCount(count);
    try {
      if (bytes === null) throw tooLarge();
      checkShortcode(shortcode);
      await store(app, { shortcode, bytes, ...rest });
      result.added += 1;
    } catch (error) {
      if (!(error instanceof Unprocessable)) throw error;
      result.failed.push({ name, why: error.message, ...(error.said && { said: error.said }) });
    }
  }
  if (files === 0) throw faultOf("file", says("staff.emojis.empty_pack"));
  return result;
};

const requireAll = (shortcodes: string[], there: string[]): void => {
  const missing = shortcodes.find((shortcode) => !there.includes(shortcode));
  if (missing !== undefined) throw new NotFound(says("staff.emojis.missing", { name: missing }));
};

/** Returns all emojis, disabled ones included. */
export const everyEmoji = (app: App): Promise<readonly CustomEmojiRow[]> =>
  selectEveryEmoji(app.sql);

/** Disables emojis: their shortcodes stay text. Other servers are not notified and keep what they have. */
export const disableEmojis = async (db: Db, shortcodes: string[], disabled: boolean) =>
  requireAll(shortcodes, await updateEmojis(db, shortcodes, { disabled }));

export const categoriseEmojis = async (
  db: Db,
  shortcodes: string[],
  category: string | null,
): Promise<void> => {
  checkCategory(category);
  requireAll(shortcodes, await updateEmojis(db, shortcodes, { category }));
};

export const removeEmojis = async (db: Db, shortcodes: string[]): Promise<void> =>
  requireAll(shortcodes, await deleteEmojis(db, shortcodes));
