// All SQL of the emojis slice.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import type { CustomEmojiRow } from "./tables.ts";

const columns = (db: Db) => db`
  id, shortcode, file_key, static_key, category, visible_in_picker, disabled, updated_at
`;

/** With those that a picker does not offer (visible_in_picker false), without those that are disabled. */
export const selectEnabledEmojis = (db: Db) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis WHERE NOT disabled ORDER BY category, shortcode
`;

export const selectEveryEmoji = (db: Db) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis ORDER BY category, shortcode
`;

export const selectEmojis = (db: Db, shortcodes: string[]) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis WHERE shortcode = ANY(${shortcodes}) AND NOT disabled
`;

export const selectEmojiById = async (db: Db, id: string): Promise<CustomEmojiRow | null> => {
  const [row] = await db<CustomEmojiRow[]>`
    SELECT ${columns(db)} FROM custom_emojis WHERE id = ${id} AND NOT disabled
  `;
  return row ?? null;
};

/** Those of the shortcodes that exist, and how many emojis there are. */
export const selectTaken = async (
  db: Db,
  shortcodes: string[],
): Promise<{ taken: string[]; count: number }> => {
  const [row] = await db<{ taken: string[]; count: number }[]>`
    SELECT ARRAY(SELECT shortcode FROM custom_emojis WHERE shortcode = ANY(${shortcodes})) AS taken,
      (SELECT count(*)::int FROM custom_emojis) AS count
  `;
  return row!;
};

export type NewEmoji = Pick<
  CustomEmojiRow,
  "shortcode" | "file_key" | "static_key" | "visible_in_picker"
> & {
  /** undefined: an existing emoji keeps its own. */
  category: string | null | undefined;
};

/** An existing emoji with the shortcode gets the new picture. */
export const upsertEmoji = async (db: Db, emoji: NewEmoji): Promise<void> => {
  const { shortcode, file_key, static_key, visible_in_picker, category } = emoji;
  await db`
    INSERT INTO custom_emojis AS e (shortcode, file_key, static_key, visible_in_picker, category)
    VALUES (${shortcode}, ${file_key}, ${static_key}, ${visible_in_picker}, ${category ?? null})
    ON CONFLICT (shortcode) DO UPDATE SET
      file_key = excluded.file_key, static_key = excluded.static_key,
      category = ${category === undefined ? db`e.category` : db`excluded.category`},
      visible_in_picker = excluded.visible_in_picker, updated_at = now()
  `;
  invalidate(db, "emojis:");
};

type Change = Partial<Pick<CustomEmojiRow, "disabled" | "category" | "visible_in_picker">>;

/** False: there is none. */
export const updateEmoji = async (db: Db, shortcode: string, change: Change): Promise<boolean> => {
  const rows = await db`
    UPDATE custom_emojis SET ${db(change)}, updated_at = now() WHERE shortcode = ${shortcode}
    RETURNING 1
  `;
  invalidate(db, "emojis:");
  return rows.length > 0;
};

/** False: there is none. */
export const deleteEmoji = async (db: Db, shortcode: string): Promise<boolean> => {
  const rows = await db`DELETE FROM custom_emojis WHERE shortcode = ${shortcode} RETURNING 1`;
  invalidate(db, "emojis:");
  return rows.length > 0;
};
