// The server's own emojis by their shortcodes: in texts, and in the list for pickers.

import type { App } from "../../../platform/app.ts";
import { listenedValue } from "../../../platform/caches/listened.ts";
import type { Db } from "../../../platform/db/index.ts";
import { hostIn } from "../../../platform/json/read.ts";
import { remoteEmojiUrl } from "../../../platform/storage/remote-url.ts";
import { mediaRejectedAmong } from "../blocklists/domains.ts";
import { selectEmojiById, selectEmojis, selectEnabledEmojis } from "./queries.ts";
import { ownEmoji } from "./present.ts";
import type { CustomEmojiRow, EmojiRow } from "./tables.ts";

/** Contract: limits.json, emoji_shortcode_length. Not within a word or a number: `10:30:45`. */
const SHORTCODE = /(?<![\p{L}\p{N}:]):([A-Za-z0-9_]{2,128}):(?![\p{L}\p{N}:])/gu;

/** The shortcodes between colons in a text, each once. */
export const shortcodesOf = (text: string): string[] =>
  text.includes(":") ? [...new Set([...text.matchAll(SHORTCODE)].map((match) => match[1]!))] : [];

/** Those that are not disabled. */
const enabledEmojis = listenedValue({
  name: "own emojis",
  channel: "emojis",
  key: "emojis:",
  read: async (db) => {
    const rows = await selectEnabledEmojis(db);
    return { rows, byCode: new Map(rows.map((row) => [row.shortcode, row])) };
  },
});

/** In the order of their categories. */
export const listEmojis = async (app: App): Promise<readonly CustomEmojiRow[]> =>
  (await enabledEmojis(app)).rows;

/** null: there is none, or it is disabled. */
export const findEmojiById = (app: App, id: string): Promise<CustomEmojiRow | null> =>
  selectEmojiById(app.sql, id);

/** By shortcode; unknown and disabled ones are absent. */
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
  // What is made of these may be cached: changes have to reach it.
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
 * Emojis of posts and accounts of other servers as people here see them: fetched by this server when somebody
 * looks, and none of a server whose media are rejected. `uri`: of the post or account.
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

/** The server's own emojis in each of the texts. One query at most. */
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
