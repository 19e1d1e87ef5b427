// SQL that changes tags: who uses, follows and features them.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";

/** name is the folded key, display how it was first written. */
export type NewTag = { name: string; display: string };

/** Sorted, so that two transactions that share tags take their locks in the same order. */
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

/** The id of a tag, which is made where it is new. */
export const upsertTag = async (db: Db, tag: NewTag): Promise<string> => {
  await insertNames(db, [tag]);
  const [row] = await db<{ id: string }[]>`SELECT id FROM tags WHERE name = ${tag.name}`;
  return row!.id;
};

/** A status whose tags are to be tied; its columns are those of `posts` in taggingParts. */
export type TaggedRow = {
  /** Its place among them. */
  n: number;
  id: string;
  account_id: string;
  created_at: Date;
};

/** Who may see the status, as far as it matters here. */
export type TaggedFor = {
  /** Everybody: it counts for its author's profile. */
  open: boolean;
  /** It may be shown to who did not ask for it: it counts for the tag's history. */
  listed: boolean;
};

/** A tag of the status at the place `n`; distinct by name. */
export type TagOf = NewTag & TaggedFor & { n: number };

/**
 * Parts of a statement that has `posts` (TaggedRow): makes the tags that are new, ties them, and counts
 * what is new in the history: once a status, and once a day an account. People who are limited count
 * for nothing. A tag that another transaction makes meanwhile is written again, as it is, to get its id.
 */
export const taggingParts = (db: Db, tags: TagOf[]) => db`
  tagged AS MATERIALIZED (
    SELECT p.id AS status_id, p.account_id, p.created_at::date AS day, t.name, t.display,
      t.open,
      t.listed AND (SELECT a.silenced_at IS NULL AND a.suspended_at IS NULL
        FROM accounts a WHERE a.id = p.account_id) AS counts
    FROM posts p
    JOIN jsonb_to_recordset(${db.json(tags)}) AS t (
      n int, name text, display text, open boolean, listed boolean
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
  ), tied AS (
    INSERT INTO statuses_tags (tag_id, status_id, account_id)
    SELECT tag_id, status_id, CASE WHEN open THEN account_id END FROM uses
    ON CONFLICT (tag_id, status_id) DO NOTHING
    RETURNING tag_id, status_id
  ), counted_uses AS (
    SELECT tag_id, uses.day, uses.account_id
    FROM tied JOIN uses USING (tag_id, status_id) WHERE uses.counts
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

/** The tags of statuses that are there. */
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

/** Takes the status out of all tags but these. */
export const deleteOtherUses = (db: Db, statusId: string, names: string[]) => db`
  DELETE FROM statuses_tags st USING tags t
  WHERE st.status_id = ${statusId} AND t.id = st.tag_id AND NOT t.name = ANY(${names})
`;

export const deleteDaysBefore = async (db: Db, before: Date): Promise<void> => {
  await db`DELETE FROM tag_day_accounts WHERE day < ${before}::date`;
  await db`DELETE FROM tag_days WHERE day < ${before}::date`;
};

/** Who follows a tag is kept (timelines/kept-readers.ts). The tag is there. */
export const insertTagFollow = async (db: Db, accountId: string, name: string): Promise<void> => {
  await db`
    INSERT INTO tag_follows (account_id, tag_id)
    SELECT ${accountId}, id FROM tags WHERE name = ${name}
    ON CONFLICT (account_id, tag_id) DO NOTHING
  `;
  invalidate(db, `tag-followers:${name}`);
};

export const deleteTagFollow = async (db: Db, accountId: string, name: string): Promise<void> => {
  await db`
    DELETE FROM tag_follows f USING tags t
    WHERE f.account_id = ${accountId} AND t.id = f.tag_id AND t.name = ${name}
  `;
  invalidate(db, `tag-followers:${name}`);
};

/** Two features at the same moment are counted one after the other. */
export const lockFeatured = (db: Db, accountId: string) => db`
  SELECT 1 FROM accounts WHERE id = ${accountId} FOR NO KEY UPDATE
`;

export const countFeatured = async (db: Db, accountId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM featured_tags WHERE account_id = ${accountId}
  `;
  return row!.count;
};

/** The id of the new one; null when it is featured already. */
export const insertFeatured = async (
  db: Db,
  featured: { accountId: string; tagId: string; display: string },
): Promise<string | null> => {
  const [row] = await db<{ id: string }[]>`
    INSERT INTO featured_tags (account_id, tag_id, name)
    VALUES (${featured.accountId}, ${featured.tagId}, ${featured.display})
    ON CONFLICT (account_id, tag_id) DO NOTHING RETURNING id
  `;
  return row?.id ?? null;
};

/** By its id or its tag's name; null when the account has no such one. */
export const deleteFeatured = async (
  db: Db,
  accountId: string,
  which: { id: string } | { name: string },
) => {
  const [row] = await db<{ name: string; display: string }[]>`
    DELETE FROM featured_tags f USING tags t
    WHERE f.account_id = ${accountId} AND t.id = f.tag_id
      AND ${"id" in which ? db`f.id = ${which.id}` : db`t.name = ${which.name}`}
    RETURNING t.name, f.name AS display
  `;
  return row ?? null;
};

/** All that an account elsewhere features, in place of what was known. */
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
