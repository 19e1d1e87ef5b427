// SQL that reads statuses. What changes them is in queries-write.ts.

import type { Db } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { mediaJson } from "../media/fragments.ts";
import { columnList, READ_COLUMNS } from "./columns.ts";
import { openToEverybody, reactionJson } from "./fragments.ts";
import type { StatusEditRow, StatusRow } from "./tables.ts";

/** So many reactions are counted, and so many kinds shown. */
const MAX_REACTIONS = 5000;
const MAX_KINDS = 20;

/** Of the status `s`. */
const countedReactions = (db: Db) => db`
  SELECT json_agg(${reactionJson(db, db`r`)} ORDER BY r.count DESC, r.reaction)
  FROM (
    SELECT f.reaction, count(*)::int AS count, max(f.reaction_url) AS reaction_url,
      max(f.uri) FILTER (WHERE f.reaction_url IS NOT NULL) AS uri
    FROM (
      SELECT f.reaction, f.reaction_url, a.uri FROM favourites f
      JOIN accounts a ON a.id = f.account_id AND a.suspended_at IS NULL
      WHERE f.status_id = s.id AND f.reaction IS NOT NULL LIMIT ${MAX_REACTIONS}
    ) AS f
    GROUP BY f.reaction ORDER BY count(*) DESC, f.reaction LIMIT ${MAX_KINDS}
  ) AS r
`;

/**
 * The statuses and those that they reblog, in no order. One query however many. Few joins: of fourteen, the planner would
 * try thousands of orders, for each connection anew.
 */
export const selectStatuses = (db: Db, ids: string[]) => db<StatusRow[]>`
  WITH wanted AS (
    SELECT unnest(${ids}::bigint[]) AS id
    UNION
    SELECT reblog_of_id FROM statuses WHERE id = ANY(${ids}::bigint[]) AND reblog_of_id IS NOT NULL
  )
  SELECT
    s.id, ${db.unsafe(columnList("s.", READ_COLUMNS))},
    (SELECT uri FROM statuses parent WHERE parent.id = s.in_reply_to_id) AS in_reply_to_uri,
    (SELECT uri FROM conversations c WHERE c.id = s.conversation_id) AS conversation_uri,
    coalesce(st.replies_count, 0) AS replies_count,
    coalesce(st.reblogs_count, 0) AS reblogs_count,
    coalesce(st.favourites_count, 0) AS favourites_count,
    coalesce(st.quotes_count, 0) AS quotes_count,
    app.name AS app_name,
    app.website AS app_website,
    coalesce((
      SELECT json_agg(json_build_object(
        'id', a.id::text, 'username', a.username, 'domain', a.domain, 'url', a.url, 'uri', a.uri,
        'silent', m.silent
      ) ORDER BY a.id)
      FROM mentions m JOIN accounts a ON a.id = m.account_id
      WHERE m.status_id = s.id
    ), '[]') AS mentions,
    coalesce((
      SELECT json_agg(json_build_object('name', t.name) ORDER BY l.place, t.id)
      FROM statuses_tags l JOIN tags t ON t.id = l.tag_id
      WHERE l.status_id = s.id
    ), '[]') AS tags,
    coalesce(CASE WHEN s.has_media THEN (
      SELECT json_agg(${mediaJson(db)} ORDER BY ma.position)
      FROM media_attachments ma
      WHERE ma.status_id = s.id
    ) END, '[]') AS media,
    CASE WHEN s.reblog_of_id IS NULL THEN (
      SELECT json_build_object(
        'id', p.id::text, 'options', p.options, 'tallies', p.tallies, 'multiple', p.multiple,
        'hide_totals', p.hide_totals, 'voters_count', p.voters_count, 'expires_at', p.expires_at
      )
      FROM polls p
      WHERE p.status_id = s.id
    ) END AS poll,
    CASE WHEN s.reblog_of_id IS NULL THEN (
      SELECT json_build_object(
        'id', q.id::text, 'state', q.state, 'quoted_status_id', q.quoted_status_id::text,
        'quoted_account_id', q.quoted_account_id::text, 'quoted_uri', q.quoted_uri,
        'legacy', q.legacy, 'approval_uri', q.approval_uri
      )
      FROM quotes q
      WHERE q.status_id = s.id
    ) END AS quote,
    pc.card || jsonb_build_object(
      'url', pc.url, 'image_key', pc.image_key, 'creator_id', pc.creator_account_id::text
    ) AS card,
    coalesce(CASE WHEN s.local AND st.favourites_count > 0 THEN (${countedReactions(db)}) END, '[]')
      AS reactions
  FROM wanted w
  JOIN statuses s ON s.id = w.id
  LEFT JOIN status_stats st ON st.status_id = s.id
  LEFT JOIN preview_cards pc ON pc.url_hash = s.card_hash
  LEFT JOIN oauth_apps app ON app.id = s.app_id
`;

/** More replies are not read, however large the thread is: the deepest are left out. */
const MAX_BELOW = 10_000;

export type ContextLimits = { ancestors: number; descendants: number; depth: number };

/**
 * The chain above a status, oldest first, at most `ancestors` long; and everything below it,
 * parents before children and siblings by age: a walk in depth, as clients draw it, of at most
 * `descendants` statuses and `depth` levels. Ids come as two texts: rows cost more to parse than to
 * find.
 */
export const selectContextIds = async (db: Db, id: string, limits: ContextLimits) => {
  const [row] = await db<{ above: string | null; below: string | null }[]>`
    WITH RECURSIVE above (id, in_reply_to_id, depth) AS (
      SELECT id, in_reply_to_id, 0 FROM statuses WHERE id = ${id}
      UNION ALL
      SELECT s.id, s.in_reply_to_id, above.depth + 1
      FROM above JOIN statuses s ON s.id = above.in_reply_to_id
      WHERE above.depth < ${limits.ancestors}
    ), below (id, path) AS (
      SELECT id, ARRAY[id] FROM statuses WHERE in_reply_to_id = ${id}
      UNION ALL
      SELECT s.id, below.path || s.id
      FROM below JOIN statuses s ON s.in_reply_to_id = below.id
      WHERE cardinality(below.path) < ${limits.depth} AND NOT s.id = ANY(below.path)
    )
    SELECT
      (SELECT string_agg(id::text, ',' ORDER BY depth DESC) FROM above WHERE depth > 0) AS above,
      (SELECT string_agg(id::text, ',' ORDER BY path) FROM (
        SELECT id, path FROM (SELECT id, path FROM below LIMIT ${MAX_BELOW}) looked_at
        ORDER BY path LIMIT ${limits.descendants}
      ) walk) AS below
  `;
  return { above: row?.above?.split(",") ?? [], below: row?.below?.split(",") ?? [] };
};

export const selectReblogId = async (db: Db, accountId: string, statusId: string) => {
  const [row] = await db<{ id: string }[]>`
    SELECT id FROM statuses WHERE reblog_of_id = ${statusId} AND account_id = ${accountId}
  `;
  return row?.id ?? null;
};

/** What the files that a version showed are called now. */
const mediaOfEdit = (db: Db) => db`
  coalesce((
    SELECT jsonb_agg(shown.item || coalesce((
      SELECT jsonb_build_object('file_key', m.file_key, 'small_key', m.small_key)
      FROM media_attachments m WHERE m.id = (shown.item ->> 'id')::bigint
    ), '{}') ORDER BY shown.n)
    FROM jsonb_array_elements(e.media) WITH ORDINALITY AS shown (item, n)
  ), '[]') AS media
`;

/** Earlier versions, oldest first; the current one is the status itself. */
export const selectEdits = (db: Db, statusId: string) => db<StatusEditRow[]>`
  SELECT text, content, spoiler_text, sensitive, emojis, poll_options, ${mediaOfEdit(db)}, created_at
  FROM status_edits e WHERE status_id = ${statusId} ORDER BY id
`;

export const selectIdempotent = async (db: Db, accountId: string, key: string, since: Date) => {
  const [row] = await db<{ status_id: string }[]>`
    SELECT status_id FROM status_idempotency
    WHERE account_id = ${accountId} AND key = ${key} AND created_at > ${since}
  `;
  return row?.status_id ?? null;
};

export const countPins = async (db: Db, accountId: string): Promise<number> => {
  const [row] = await db<{ count: number }[]>`
    SELECT count(*)::int AS count FROM status_pins WHERE account_id = ${accountId}
  `;
  return row!.count;
};

type PagedRow = { id: string; page_id: string };

const pageOrder = (db: Db, page: Page) => (ascending(page) ? db`ASC` : db`DESC`);

/** Accounts that favourited, newest favourite first; `page_id` pages the list. */
export const selectFavouriters = (db: Db, statusId: string, page: Page) => db<PagedRow[]>`
  SELECT f.account_id AS id, f.id AS page_id
  FROM favourites f JOIN accounts a ON a.id = f.account_id AND a.suspended_at IS NULL
  WHERE f.status_id = ${statusId} AND f.id > ${lowerBound(page)} AND f.id < ${upperBound(page)}
  ORDER BY f.id ${pageOrder(db, page)} LIMIT ${page.limit}
`;

/** Accounts that reblogged in public; the reblog's id pages the list. */
export const selectRebloggers = (db: Db, statusId: string, page: Page) => db<PagedRow[]>`
  SELECT s.account_id AS id, s.id AS page_id
  FROM statuses s JOIN accounts a ON a.id = s.account_id AND a.suspended_at IS NULL
  WHERE s.reblog_of_id = ${statusId} AND ${openToEverybody(db)}
    AND s.id > ${lowerBound(page)} AND s.id < ${upperBound(page)}
  ORDER BY s.id ${pageOrder(db, page)} LIMIT ${page.limit}
`;

/** The statuses that a person favourited or bookmarked, newest act first. */
export const selectMarked = (
  db: Db,
  table: "favourites" | "bookmarks",
  accountId: string,
  page: Page,
) => db<PagedRow[]>`
  SELECT m.status_id AS id, m.id AS page_id
  FROM ${db(table)} m
  WHERE m.account_id = ${accountId} AND m.id > ${lowerBound(page)} AND m.id < ${upperBound(page)}
  ORDER BY m.id ${pageOrder(db, page)} LIMIT ${page.limit}
`;
