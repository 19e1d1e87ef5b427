// All SQL of the tags slice.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, firstValue, onlyValue, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { FeaturedTagRow, TagView } from "./tables.ts";
import { invalidate } from "../../../platform/db/commits.ts";

/** `since` is the first day of the history. Takes one query for any number of tags, in no order. */
const selectViews = (
  db: Db,
  which: { names: string[] } | { ids: string[] },
  viewerId: string | null,
  since: Date,
) => db<(TagView & { id: string })[]>`
  SELECT t.id, t.name, t.display_name,
    coalesce(history.days, '[]') AS days,
    EXISTS (SELECT FROM tag_follows f
      WHERE f.account_id = ${viewerId} AND f.tag_id = t.id) AS following,
    EXISTS (SELECT FROM featured_tags f
      WHERE f.account_id = ${viewerId} AND f.tag_id = t.id) AS featuring,
    m.id IS NOT NULL AS muting, m.expires_at AS muting_expires_at
  FROM tags t
  LEFT JOIN tag_mutes m ON m.account_id = ${viewerId} AND m.tag_id = t.id
    AND (m.expires_at IS NULL OR m.expires_at > now())
  LEFT JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'day', d.day::text, 'uses', d.uses::text, 'accounts', d.accounts::text
    )) AS days
    FROM tag_days d WHERE d.tag_id = t.id AND d.day >= ${since}::date
  ) history ON true
  WHERE ${"names" in which ? db`t.name = ANY(${which.names})` : db`t.id = ANY(${which.ids}::bigint[])`}
`;

export const selectTagsByName = (db: Db, names: string[], viewerId: string | null, since: Date) =>
  selectViews(db, { names }, viewerId, since);

export const selectTagsById = (db: Db, ids: string[], viewerId: string | null, since: Date) =>
  selectViews(db, { ids }, viewerId, since);

/** Selects tags that a person follows, the last followed first; `page_id` pages the list. */
export const selectFollowedTags = (db: Db, accountId: string, page: Page) => db<
  { id: string; page_id: string }[]
>`
  SELECT tag_id AS id, id AS page_id FROM tag_follows
  WHERE account_id = ${accountId} AND ${inPage(db, page, "tag_follows.id")}
`;

/**
 * Selects the tags that an account features, the one with most posts first. Posts are counted by the index
 * statuses_tags_author alone, and only public and unlisted ones; with `id` only this tag.
 */
export const selectFeaturedTags = (db: Db, accountId: string, id: string | null = null) => db<
  FeaturedTagRow[]
>`
  SELECT f.id, f.account_id, f.name AS display, t.name,
    used.count::text AS statuses_count, s.created_at AS last_status_at
  FROM featured_tags f
  JOIN tags t ON t.id = f.tag_id
  CROSS JOIN LATERAL (
    SELECT count(*) AS count, max(st.status_id) AS last_id FROM statuses_tags st
    WHERE st.account_id = f.account_id AND st.tag_id = f.tag_id
  ) used
  LEFT JOIN statuses s ON s.id = used.last_id
  WHERE f.account_id = ${accountId} ${id === null ? db`` : db`AND f.id = ${id}`}
  ORDER BY used.count DESC, f.id
`;

/** Newest statuses of an account from which tags are suggested. */
const LOOK_AT = 1000;

/** Selects ids of the tags that the account uses most and does not feature, the most used first. */
export const selectSuggestions = (db: Db, accountId: string, limit: number) =>
  valuesOf(db<{ id: string }[]>`
    SELECT st.tag_id AS id
    FROM (
      SELECT id FROM statuses WHERE account_id = ${accountId} ORDER BY id DESC LIMIT ${LOOK_AT}
    ) newest
    JOIN statuses_tags st ON st.status_id = newest.id AND st.account_id = ${accountId}
    WHERE NOT EXISTS (SELECT FROM featured_tags f
      WHERE f.account_id = ${accountId} AND f.tag_id = st.tag_id)
    GROUP BY st.tag_id
    ORDER BY count(*) DESC, max(st.status_id) DESC
    LIMIT ${limit}
  `);

/** Selects the URL of a remote account's featured tags; null for local accounts and where it is not stated. */
export const selectFeaturedTagsUrl = (db: Db, accountId: string) =>
  firstValue(db<{ url: string | null }[]>`
    SELECT featured_tags_url AS url FROM accounts
    WHERE id = ${accountId} AND domain IS NOT NULL AND suspended_at IS NULL
  `);

/** `name` is the case-folded key, `display` the spelling of its first use. */
export type NewTag = { name: string; display: string };

/** Sorts tags, so that two transactions with common tags lock them in the same order. */
export const insertNames = async (db: Db, tags: NewTag[]): Promise<void> => {
  await db`
    INSERT INTO tags (name, display_name)
    SELECT DISTINCT ON (g.name) g.name, g.display
    FROM unnest(${tags.map((t) => t.name)}::text[], ${tags.map((t) => t.display)}::text[])
      AS g (name, display)
    WHERE NOT EXISTS (SELECT FROM tags t WHERE t.name = g.name)
    ORDER BY g.name
    ON CONFLICT (name) DO NOTHING
  `;
};

/** Returns the id of a tag, which is inserted if it is new. */
export const upsertTag = async (db: Db, tag: NewTag): Promise<string> => {
  await insertNames(db, [tag]);
  return onlyValue(db<{ id: string }[]>`SELECT id FROM tags WHERE name = ${tag.name}`);
};

/** A status whose tags are written; its columns are those of `posts` in taggingParts. */
type TaggedRow = {
  /** Its position among the statuses. */
  n: number;
  id: string;
  account_id: string;
  created_at: Date;
};

/** Facts about the status's visibility on which tags depend. */
export type TaggedFor = {
  /** Whether it is public or unlisted, so that it counts on its author's profile. */
  open: boolean;
  /** Whether it is public, so that it counts in the tag's history. */
  listed: boolean;
};

/** A tag of the status at the position `n`; distinct by name. */
export type TagOf = NewTag &
  TaggedFor & {
    n: number;
    /** Its position among the tags of its status. */
    place: number;
  };

/**
 * Makes parts of a statement that has `posts` (TaggedRow): inserts new tags, links them to the statuses, and counts new
 * uses in the history: a status once, an account once a day, limited accounts not at all. A tag that another
 * transaction inserts at the same time is updated without a change, to get its id.
 */
export const taggingParts = (db: Db, tags: TagOf[]) => db`
  tagged AS MATERIALIZED (
    SELECT p.id AS status_id, p.account_id, p.created_at::date AS day, t.name, t.display,
      t.place, t.open,
      t.listed AND (SELECT a.silenced_at IS NULL AND a.suspended_at IS NULL
        FROM accounts a WHERE a.id = p.account_id) AS counts
    FROM posts p
    JOIN jsonb_to_recordset(${db.json(tags)}) AS t (
      n int, name text, display text, place smallint, open boolean, listed boolean
    ) USING (n)
  ), new_tags AS (
    INSERT INTO tags (name, display_name)
    SELECT DISTINCT ON (t.name) t.name, t.display FROM tagged t
    WHERE NOT EXISTS (SELECT FROM tags known WHERE known.name = t.name)
    ORDER BY t.name
    ON CONFLICT (name) DO UPDATE SET name = excluded.name
    RETURNING id, name
  ), uses AS MATERIALIZED (
    SELECT t.*, coalesce(known.id, new_tags.id) AS tag_id
    FROM tagged t LEFT JOIN tags known USING (name) LEFT JOIN new_tags USING (name)
  ), tag_links AS (
    INSERT INTO statuses_tags AS t (tag_id, status_id, account_id, place)
    SELECT tag_id, status_id, CASE WHEN open THEN account_id END, place FROM uses
    ON CONFLICT (tag_id, status_id) DO UPDATE SET place = excluded.place
      WHERE t.place <> excluded.place
    RETURNING tag_id, status_id, xmax = 0 AS is_new
  ), counted_uses AS (
    SELECT tag_id, uses.day, uses.account_id
    FROM tag_links JOIN uses USING (tag_id, status_id) WHERE uses.counts AND tag_links.is_new
  ), tag_people AS (
    INSERT INTO tag_day_accounts (tag_id, day, account_id)
    SELECT DISTINCT tag_id, day, account_id FROM counted_uses ORDER BY 1, 2, 3
    ON CONFLICT (tag_id, day, account_id) DO NOTHING
    RETURNING tag_id, day
  ), tag_history AS (
    INSERT INTO tag_days AS d (tag_id, day, uses, accounts)
    SELECT u.tag_id, u.day, count(*),
      (SELECT count(*) FROM tag_people p WHERE p.tag_id = u.tag_id AND p.day = u.day)
    FROM counted_uses u
    GROUP BY u.tag_id, u.day ORDER BY u.tag_id, u.day
    ON CONFLICT (tag_id, day) DO UPDATE SET
      uses = d.uses + excluded.uses, accounts = d.accounts + excluded.accounts
  )
`;

/** Writes the tags of existing statuses. */
export const insertUses = async (db: Db, rows: TaggedRow[], tags: TagOf[]): Promise<void> => {
  await db`
    WITH posts AS MATERIALIZED (
      SELECT * FROM jsonb_to_recordset(${db.json(rows as never)}) AS g (
        n int, id bigint, account_id bigint, created_at timestamptz
      )
    ), ${taggingParts(db, tags)}
    SELECT
  `;
};

/** Removes the status from all tags but these. */
export const deleteOtherUses = (db: Db, statusId: string, names: string[]) => db`
  DELETE FROM statuses_tags st USING tags t
  WHERE st.status_id = ${statusId} AND t.id = st.tag_id AND NOT t.name = ANY(${names})
`;

/**
 * Returns false where it is followed already. Invalidates the cached followers of the tag
 * (timelines/cached-readers.ts), which must exist.
 */
export const insertTagFollow = async (db: Db, accountId: string, name: string) => {
  const { count } = await db`
    INSERT INTO tag_follows (account_id, tag_id)
    SELECT ${accountId}, id FROM tags WHERE name = ${name}
    ON CONFLICT (account_id, tag_id) DO NOTHING
  `;
  invalidate(db, `tag-followers:${name}`);
  return count > 0;
};

export const countTagFollows = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM tag_follows WHERE account_id = ${accountId}
  `);

export const deleteTagFollow = async (db: Db, accountId: string, name: string): Promise<void> => {
  await db`
    DELETE FROM tag_follows f USING tags t
    WHERE f.account_id = ${accountId} AND t.id = f.tag_id AND t.name = ${name}
  `;
  invalidate(db, `tag-followers:${name}`);
};

export const countFeatured = (db: Db, accountId: string): Promise<number> =>
  onlyValue(db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM featured_tags WHERE account_id = ${accountId}
  `);

/** Returns the id of the new one; null when it is featured already. */
export const insertFeatured = (
  db: Db,
  featured: { accountId: string; tagId: string; display: string },
): Promise<string | null> =>
  firstValue(db<{ id: string }[]>`
    INSERT INTO featured_tags (account_id, tag_id, name)
    VALUES (${featured.accountId}, ${featured.tagId}, ${featured.display})
    ON CONFLICT (account_id, tag_id) DO NOTHING RETURNING id
  `);

/** Accepts the id or the tag's name; returns null when the account does not feature it. */
export const deleteFeatured = (
  db: Db,
  accountId: string,
  which: { id: string } | { name: string },
) =>
  firstRow(db<{ name: string; display: string }[]>`
    DELETE FROM featured_tags f USING tags t
    WHERE f.account_id = ${accountId} AND t.id = f.tag_id
      AND ${"id" in which ? db`f.id = ${which.id}` : db`t.name = ${which.name}`}
    RETURNING t.name, f.name AS display
  `);

/** Replaces all featured tags of a remote account. */
export const replaceFeatured = async (db: Db, accountId: string, tags: NewTag[]): Promise<void> => {
  const names = tags.map((tag) => tag.name);
  await db`
    DELETE FROM featured_tags f USING tags t
    WHERE f.account_id = ${accountId} AND t.id = f.tag_id AND NOT t.name = ANY(${names})
  `;
  if (tags.length === 0) return;
  await db`
    INSERT INTO featured_tags (account_id, tag_id, name)
    SELECT ${accountId}, t.id, g.display
    FROM unnest(${names}::text[], ${tags.map((tag) => tag.display)}::text[]) AS g (name, display)
    JOIN tags t ON t.name = g.name
    ON CONFLICT (account_id, tag_id) DO NOTHING
  `;
};
