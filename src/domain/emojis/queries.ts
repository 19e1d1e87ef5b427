// All SQL of the emojis slice.

import type { Db } from "../../platform/db/index.ts";
import type { CustomEmojiRow } from "./tables.ts";

const columns = (db: Db) => db`shortcode, url, static_url, category, visible_in_picker`;

/** With those that a picker does not offer (visible_in_picker false). */
export const selectAllEmojis = (db: Db) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis WHERE NOT disabled ORDER BY category, shortcode
`;

export const selectEmojis = (db: Db, shortcodes: string[]) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis WHERE shortcode = ANY(${shortcodes}) AND NOT disabled
`;
