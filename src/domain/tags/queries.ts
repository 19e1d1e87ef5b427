// SQL that reads tags; queries-write.ts writes them.

import type { Db } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import type { FeaturedTagRow, TagView } from "./tables.ts";

/** `since`: the first day of the history. One query for any number of tags; in no order. */
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
      WHERE f.account_id = ${viewerId} AND f.tag_id = t.id) AS featuring
  FROM tags t
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

/** Tags that a person follows, the last followed first; `page_id` pages the list. */
export const selectFollowedTags = (db: Db, accountId: string, page: Page) => db<
  { id: string; page_id: string }[]
>`
  SELECT tag_id AS id, id AS page_id FROM tag_follows
  WHERE account_id = ${accountId} AND id > ${lowerBound(page)} AND id < ${upperBound(page)}
  ORDER BY id ${ascending(page) ? db`ASC` : db`DESC`} LIMIT ${page.limit}
`;

/**
 * The tags that an account features, the one with most posts first. Posts are counted by the index
 * statuses_tags_author alone, and only public and unlisted ones; `id`: only this tag.
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

/** How many of an account's newest statuses suggestions come from. */
const LOOK_AT = 1000;

/** The tags that the account uses most and does not feature: ids, the most used first. */
export const selectSuggestions = async (db: Db, accountId: string, limit: number) => {
  const rows = await db<{ id: string }[]>`
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
  `;
  return rows.map((row) => row.id);
};

/** The URL of a remote account's featured tags; null for local accounts and where it is not given. */
export const selectFeaturedTagsUrl = async (db: Db, accountId: string) => {
  const [row] = await db<{ url: string | null }[]>`
    SELECT featured_tags_url AS url FROM accounts
    WHERE id = ${accountId} AND domain IS NOT NULL AND suspended_at IS NULL
  `;
  return row?.url ?? null;
};
