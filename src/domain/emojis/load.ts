// The server's own emojis by their shortcodes. https://docs.joinmastodon.org/entities/CustomEmoji/

import type { App } from "../../platform/app.ts";
import { selectEmojis } from "./queries.ts";
import type { CustomEmojiRow } from "./tables.ts";

const SHORTCODE = /:([A-Za-z0-9_]{2,128}):/g;

/** The shortcodes between colons in a text, each once. */
export const shortcodesOf = (text: string): string[] => [
  ...new Set([...text.matchAll(SHORTCODE)].map((match) => match[1]!)),
];

/** By shortcode; unknown ones are absent. */
export const findEmojis = async (
  app: App,
  shortcodes: string[],
): Promise<Map<string, CustomEmojiRow>> => {
  if (shortcodes.length === 0) return new Map();
  const rows = await selectEmojis(app.sql, [...new Set(shortcodes)]);
  return new Map(rows.map((row) => [row.shortcode, row]));
};

export const customEmojiEntity = (row: CustomEmojiRow) => ({
  shortcode: row.shortcode,
  url: row.url,
  static_url: row.static_url,
  visible_in_picker: row.visible_in_picker,
  ...(row.category !== null && { category: row.category }),
});
