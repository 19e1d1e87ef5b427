// All SQL of the emojis slice.

import { invalidate } from "../../../platform/db/commits.ts";
import type { Db } from "../../../platform/db/index.ts";
import { firstRow, onlyRow, valuesOf } from "../../../platform/db/rows.ts";
import type { CustomEmojiRow } from "./tables.ts";

const columns = (db: Db) => db`
  id, shortcode, file_key, static_key, category, visible_in_picker, disabled, updated_at
`;

/** Selects emojis that are not disabled, also those that pickers do not offer (visible_in_picker false). */
export const selectEnabledEmojis = (db: Db) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis WHERE NOT disabled ORDER BY category, shortcode
`;

export const selectEveryEmoji = (db: Db) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis ORDER BY category, shortcode
`;

export const selectEmojis = (db: Db, shortcodes: string[]) => db<CustomEmojiRow[]>`
  SELECT ${columns(db)} FROM custom_emojis WHERE shortcode = ANY(${shortcodes}) AND NOT disabled
`;

export const selectEmojiById = (db: Db, id: string): Promise<CustomEmojiRow | null> =>
  firstRow(db<CustomEmojiRow[]>`
    SELECT ${columns(db)} FROM custom_emojis WHERE id = ${id} AND NOT disabled
  `);

/** Selects those of the shortcodes that exist, and counts all emojis. */
export const selectTaken = (db: Db, shortcodes: string[]) =>
  onlyRow(db<{ taken: string[]; count: number }[]>`
    SELECT ARRAY(SELECT shortcode FROM custom_emojis WHERE shortcode = ANY(${shortcodes})) AS taken,
      (SELECT count(*)::int FROM custom_emojis) AS count
  `);

type NewEmoji = Pick<
  CustomEmojiRow,
  "shortcode" | "file_key" | "static_key" | "visible_in_picker"
> & {
  /** Undefined where an existing emoji keeps its own. */
  category: string | null | undefined;
};

/** Replaces the picture where an emoji with the shortcode exists. */
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

/** Returns the shortcodes of the emojis that existed. */
export const updateEmojis = async (
  db: Db,
  shortcodes: string[],
  change: Change,
): Promise<string[]> => {
  const changed = await valuesOf(db<{ shortcode: string }[]>`
    UPDATE custom_emojis SET ${db(change)}, updated_at = now()
    WHERE shortcode = ANY(${shortcodes}) RETURNING shortcode
  `);
  invalidate(db, "emojis:");
  return changed;
};

/** Returns the shortcodes of the emojis that existed. */
export const deleteEmojis = async (db: Db, shortcodes: string[]): Promise<string[]> => {
  const deleted = await valuesOf(db<{ shortcode: string }[]>`
    DELETE FROM custom_emojis WHERE shortcode = ANY(${shortcodes}) RETURNING shortcode
  `);
  invalidate(db, "emojis:");
  return deleted;
};

export type KnownEmoji = { shortcode: string; url: string };

/** Bounds of the search: the newest accounts of the server, and the newest posts of each. */
const KNOWN = { accounts: 500, posts: 20 };

/**
 * Selects emojis of another server that its accounts and posts use, each shortcode once. Accounts come from
 * accounts_of_domain and posts from statuses_account, so that the number of rows is bounded for any server.
 */
export const selectKnownEmojis = (
  db: Db,
  domain: string,
  { like, shortcodes, limit }: { like: string; shortcodes: string[] | null; limit: number },
) => db<KnownEmoji[]>`
  WITH authors AS MATERIALIZED (
    SELECT id, emojis FROM accounts WHERE domain = ${domain} ORDER BY id DESC LIMIT ${KNOWN.accounts}
  ), emoji_lists AS (
    SELECT emojis FROM authors
    UNION ALL
    SELECT s.emojis FROM authors a CROSS JOIN LATERAL (
      SELECT emojis FROM statuses WHERE account_id = a.id ORDER BY id DESC LIMIT ${KNOWN.posts}
    ) AS s
  )
  SELECT DISTINCT ON (e.shortcode) e.shortcode, e.url
  FROM emoji_lists CROSS JOIN LATERAL jsonb_to_recordset(emoji_lists.emojis) AS e (shortcode text, url text)
  WHERE emoji_lists.emojis <> '[]' AND e.shortcode ILIKE ${like}
    AND (${shortcodes}::text[] IS NULL OR e.shortcode = ANY(${shortcodes}::text[]))
  ORDER BY e.shortcode LIMIT ${limit}
`;
