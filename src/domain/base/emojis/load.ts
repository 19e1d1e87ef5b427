// Finds the server's own emojis by their shortcodes in texts, and lists them for pickers.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import type { Db } from "../../../platform/db/index.ts";
import { hostIn } from "../../../platform/json/read.ts";
import { remoteEmojiUrl } from "../../../platform/storage/remote-url.ts";
import { mediaRejectedAmong } from "../blocklists/domains.ts";
import { selectEmojiById, selectEmojis, selectEnabledEmojis } from "./queries.ts";
import { ownEmoji } from "./present.ts";
import type { CustomEmojiRow, EmojiRow } from "./tables.ts";

/** Matches a shortcode, but not within a word or a number such as `10:30:45`; its length is emoji_shortcode_length. */
const SHORTCODE = /(?<![\p{L}\p{N}:]):([A-Za-z0-9_]{2,128}):(?![\p{L}\p{N}:])/gu;

/** Returns the shortcodes between colons in a text, each once. */
export const shortcodesOf = (text: string): string[] =>
  text.includes(":") ? [...new Set([...text.matchAll(SHORTCODE)].map((match) => match[1]!))] : [];

/** Caches the emojis that are not disabled. */
const enabledEmojis = listenedValue({
  name: "own emojis",
  channel: "emojis",
  key: "emojis:",
  read: async (db) => {
    const rows = await selectEnabledEmojis(db);
    return { rows, byCode: new Map(rows.map((row) => [row.shortcode, row])) };
  },
});

/** Returns the emojis in the order of their categories. */
export const listEmojis = async (app: App): Promise<readonly CustomEmojiRow[]> =>
  (await enabledEmojis(app)).rows;

/** Returns null for an unknown or disabled emoji. */
export const findEmojiById = (app: App, id: string): Promise<CustomEmojiRow | null> =>
  selectEmojiById(app.sql, id);

/** Returns the emojis by shortcode, without unknown and disabled ones. */
export const findEmojis = async (
  app: App,
  shortcodes: string[],
  db: Db = app.sql,
): Promise<Map<string, CustomEmojiRow>> => {
  const distinct = [...new Set(shortcodes)];
  if (distinct.length === 0) return new Map();
  if (app.config.caches.enabled && !app.fresh && db === app.sql) {
    const { byCode } = await enabledEmojis(app);
    return new Map(
      distinct.flatMap((code) => (byCode.has(code) ? [[code, byCode.get(code)!]] : [])),
    );
  }
  // Callers may cache the result, so that changes have to be watched.
  enabledEmojis.watch(app);
  const rows = await selectEmojis(db, distinct);
  return new Map(rows.map((row) => [row.shortcode, row]));
};

const throughHere = ({ config }: App, { shortcode, url, static_url }: EmojiRow): EmojiRow => ({
  shortcode,
  url: remoteEmojiUrl(config, "emojis", url),
  static_url: remoteEmojiUrl(config, "stills", static_url),
});

/**
 * Turns emojis of other servers into what people here see: fetched by this server when somebody looks, and left out
 * where media of their server are rejected. `uri` is the address of the post or account.
 */
export const remoteEmojis = async (
  app: App,
  items: { uri: string; emojis: EmojiRow[] }[],
): Promise<EmojiRow[][]> => {
  const hosts = items.map(({ uri, emojis }) => (emojis.length > 0 ? (hostIn(uri) ?? "") : ""));
  const named = hosts.filter((host) => host !== "");
  if (named.length === 0) return items.map(() => []);
  const rejected = await mediaRejectedAmong(app, named);
  return items.map(({ emojis }, n) =>
    rejected.has(hosts[n]!) ? [] : emojis.map((emoji) => throughHere(app, emoji)),
  );
};

/** Returns the server's own emojis in each of the texts, with one query at most. */
export const emojisInTexts = async (app: App, db: Db, texts: string[]): Promise<EmojiRow[][]> => {
  const codes = texts.map(shortcodesOf);
  const emojis = await findEmojis(app, codes.flat(), db);
  return codes.map((own) =>
    own.flatMap((code) => {
      const row = emojis.get(code);
      return row ? [ownEmoji(row, app.config.site)] : [];
    }),
  );
};
