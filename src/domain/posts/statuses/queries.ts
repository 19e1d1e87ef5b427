// SQL that reads statuses, and the marks of many viewers at once.

import type { Db } from "../../../platform/db/index.ts";
import { firstValue, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { ANSWERS } from "../events/tables.ts";
import { mediaJson } from "../../base/media/fragments.ts";
import { openTo, reactionJson } from "./fragments.ts";
import { idList, MARKS } from "./queries-acts.ts";
import { columnList, READ_COLUMNS } from "./tables.ts";
import type { StatusEditRow, StatusRow } from "./tables.ts";

/** A viewer, and the id of a status, an author or a poll. */
export type Pair = { viewerId: string; id: string };

/** The lookups of many viewers. */
export type ManyLookups = {
  statuses: Pair[];
  authors: Pair[];
  polls: Pair[];
  /** Statuses that are an event. */
  events: Pair[];
  now: Date;
};

/** Further value of `mark`: a vote (`choice`) in a poll. */
export const VOTE = 2048;
/** Further value of `mark`: an answer to a calendar event, where `choice` is its position in ANSWERS. */
export const ANSWER = 4096;

export type ManyMarkRow = { viewer: string; mark: number; id: string; choice: number | null };

/** Keeps the statement the same for all statuses without events, which most are. */
const answerMarks = (db: Db, events: Pair[]) =>
  events.length === 0
    ? db``
    : db`
        UNION ALL
        SELECT p.viewer, ${ANSWER}::int, p.id, array_position(${[...ANSWERS]}::text[], r.answer) - 1
        FROM ${pairs(db, events)}
        JOIN event_answers r ON r.account_id = p.viewer AND r.status_id = p.id
      `;

type UnwantedRow = { id: string; domains: string[]; threads: string[]; has_filters: boolean };

/** Selects the exclusions of each of these viewers (cache.ts). */
export const selectUnwanted = (db: Db, viewerIds: string[]) => db<UnwantedRow[]>`
  SELECT v.id,
    ARRAY(SELECT domain FROM account_domain_blocks WHERE account_id = v.id) AS domains,
    ARRAY(SELECT conversation_id::text FROM conversation_mutes WHERE account_id = v.id) AS threads,
    EXISTS (SELECT FROM filters WHERE account_id = v.id) AS has_filters
  FROM unnest(${idList(viewerIds)}::bigint[]) AS v (id)
`;

const pairs = (db: Db, all: Pair[]) => db`
  unnest(${idList(all.map((pair) => pair.viewerId))}::bigint[], ${idList(all.map((pair) => pair.id))}::bigint[])
    AS p (viewer, id)
`;

/** Selects marks for many viewers, with lookups of their own, in one query. */
export const selectManyMarks = (db: Db, lookups: ManyLookups) => {
  const [statuses, authors] = [pairs(db, lookups.statuses), pairs(db, lookups.authors)];
  const row = (mark: number) =>
    db`SELECT p.viewer, ${mark}::int AS mark, p.id, NULL::int AS choice`;
  return db<ManyMarkRow[]>`
    ${row(MARKS.favourited)} FROM ${statuses}
    JOIN favourites f ON f.account_id = p.viewer AND f.status_id = p.id
    UNION ALL
    ${row(MARKS.reblogged)} FROM ${statuses}
    JOIN statuses s ON s.account_id = p.viewer AND s.reblog_of_id = p.id
    UNION ALL
    ${row(MARKS.bookmarked)} FROM ${statuses}
    JOIN bookmarks b ON b.account_id = p.viewer AND b.status_id = p.id
    UNION ALL
    ${row(MARKS.pinned)} FROM ${statuses}
    JOIN status_pins s ON s.account_id = p.viewer AND s.status_id = p.id
    UNION ALL
    ${row(MARKS.following)} FROM ${authors}
    JOIN follows f ON f.account_id = p.viewer AND f.target_account_id = p.id
    UNION ALL
    ${row(MARKS.blocking)} FROM ${authors}
    JOIN blocks b ON b.account_id = p.viewer AND b.target_account_id = p.id
    UNION ALL
    ${row(MARKS.blockedBy)} FROM ${authors}
    JOIN blocks b ON b.account_id = p.id AND b.target_account_id = p.viewer
    UNION ALL
    SELECT p.viewer,
      CASE WHEN m.expires_at IS NULL THEN ${MARKS.muting}::int ELSE ${MARKS.mutingForNow}::int END,
      p.id, NULL
    FROM ${authors}
    JOIN mutes m ON m.account_id = p.viewer AND m.target_account_id = p.id
      AND (m.expires_at IS NULL OR m.expires_at > ${lookups.now})
    UNION ALL
    SELECT p.viewer, ${VOTE}::int, p.id, v.choice FROM ${pairs(db, lookups.polls)}
    JOIN poll_votes v ON v.account_id = p.viewer AND v.poll_id = p.id
    ${answerMarks(db, lookups.events)}
    ORDER BY choice
  `;
};

/** Reactions of a status that are counted, and kinds that are shown. */
const MAX_REACTIONS = 5000;
const MAX_KINDS = 20;
/** Local people of each kind who are told that the reaction is theirs. */
const MAX_OWN = 1000;

/** Counts the reactions of the status `s`. */
const countedReactions = (db: Db) => db`
  SELECT json_agg(
    ${reactionJson(db, db`r`)}::jsonb || jsonb_build_object('by', r.by) ORDER BY r.count DESC, r.reaction
  )
  FROM (
    SELECT f.reaction, count(*)::int AS count, max(f.reaction_url) AS reaction_url,
      (array_agg(f.account_id::text) FILTER (WHERE f.domain IS NULL))[:${MAX_OWN}] AS by,
      max(f.uri) FILTER (WHERE f.reaction_url IS NOT NULL) AS uri
    FROM (
      SELECT f.reaction, f.reaction_url, f.account_id, a.uri, a.domain FROM favourites f
      JOIN accounts a ON a.id = f.account_id AND a.suspended_at IS NULL
      WHERE f.status_id = s.id AND f.reaction IS NOT NULL LIMIT ${MAX_REACTIONS}
    ) AS f
    GROUP BY f.reaction ORDER BY count(*) DESC, f.reaction LIMIT ${MAX_KINDS}
  ) AS r
`;

/**
 * Selects the statuses and those that they reblog, in no order, with one query for any number. It has few joins: with
 * fourteen, the planner would try thousands of orders, for each connection anew.
 */
export const selectStatuses = (db: Db, ids: string[]) => db<StatusRow[]>`
  WITH requested AS (
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
      SELECT json_agg(json_build_object(
        'name', (SELECT name FROM tags WHERE id = l.tag_id)
      ) ORDER BY l.place, l.tag_id)
      FROM statuses_tags l WHERE l.status_id = s.id
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
    CASE WHEN s.has_event THEN (
      SELECT json_build_object(
        'name', e.name, 'starts_at', e.starts_at, 'ends_at', e.ends_at, 'place', e.place,
        'yes_count', e.yes_count, 'maybe_count', e.maybe_count, 'no_count', e.no_count
      )
      FROM status_events e
      WHERE e.status_id = s.id
    ) END AS event,
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
    coalesce(CASE WHEN st.favourites_count > 0 THEN (${countedReactions(db)}) END, '[]')
      AS reactions
  FROM requested r
  JOIN statuses s ON s.id = r.id
  LEFT JOIN status_stats st ON st.status_id = s.id
  LEFT JOIN preview_cards pc ON pc.url_hash = s.card_hash
  LEFT JOIN oauth_apps app ON app.id = s.app_id
`;

/** Replies that are read of a thread; the deepest are left out. */
const MAX_BELOW = 10_000;

export type ContextLimits = { ancestors: number; descendants: number; depth: number };

/**
 * Selects the chain above a status, oldest first, at most `ancestors` long; and everything below it, parents before
 * children and siblings by age: a walk in depth, as clients draw it, of at most `descendants` statuses and `depth`
 * levels. Ids come as two texts, because rows cost more to parse than to find.
 */
export const selectContextIds = async (db: Db, id: string, limits: ContextLimits) => {
  const [row] = await db<{ ancestors: string | null; descendants: string | null }[]>`
    WITH RECURSIVE ancestors (id, in_reply_to_id, depth) AS (
      SELECT id, in_reply_to_id, 0 FROM statuses WHERE id = ${id}
      UNION ALL
      SELECT s.id, s.in_reply_to_id, ancestors.depth + 1
      FROM ancestors JOIN statuses s ON s.id = ancestors.in_reply_to_id
      WHERE ancestors.depth < ${limits.ancestors}
    ), descendants (id, path) AS (
      SELECT id, ARRAY[id] FROM statuses WHERE in_reply_to_id = ${id}
      UNION ALL
      SELECT s.id, descendants.path || s.id
      FROM descendants JOIN statuses s ON s.in_reply_to_id = descendants.id
      WHERE cardinality(descendants.path) < ${limits.depth} AND NOT s.id = ANY(descendants.path)
    )
    SELECT
      (SELECT string_agg(id::text, ',' ORDER BY depth DESC) FROM ancestors WHERE depth > 0) AS ancestors,
      (SELECT string_agg(id::text, ',' ORDER BY path) FROM (
        SELECT id, path FROM (SELECT id, path FROM descendants LIMIT ${MAX_BELOW}) looked_at
        ORDER BY path LIMIT ${limits.descendants}
      ) walk) AS descendants
  `;
  return {
    ancestors: row?.ancestors?.split(",") ?? [],
    descendants: row?.descendants?.split(",") ?? [],
  };
};

export const selectReblogId = (db: Db, accountId: string, statusId: string) =>
  firstValue(db<{ id: string }[]>`
    SELECT id FROM statuses WHERE reblog_of_id = ${statusId} AND account_id = ${accountId}
  `);

/** Updates the keys of files that a version showed to their current ones. */
const mediaOfEdit = (db: Db) => db`
  coalesce((
    SELECT jsonb_agg(shown.item || coalesce((
      SELECT jsonb_build_object('file_key', m.file_key, 'small_key', m.small_key)
      FROM media_attachments m WHERE m.id = (shown.item ->> 'id')::bigint
    ), '{}') ORDER BY shown.n)
    FROM jsonb_array_elements(e.media) WITH ORDINALITY AS shown (item, n)
  ), '[]') AS media
`;

/** Selects earlier versions, oldest first; the current one is the status itself. */
export const selectEdits = (db: Db, statusId: string) => db<StatusEditRow[]>`
  SELECT text, content_type, content, spoiler_text, sensitive, emojis, poll_options, ${mediaOfEdit(db)},
    created_at
  FROM status_edits e WHERE status_id = ${statusId} ORDER BY id
`;

/** Selects statuses that were made with these keys, in order. */
export const selectIdempotent = (db: Db, accountId: string, keys: string[], since: Date) =>
  valuesOf(db<{ status_id: string }[]>`
    SELECT status_id FROM status_idempotency
    WHERE account_id = ${accountId} AND key = ANY(${keys}::text[]) AND created_at > ${since}
    ORDER BY status_id
  `);

type PagedRow = { id: string; page_id: string };

/** Selects accounts that favourited, newest favourite first; `page_id` pages the list. */
export const selectFavouriters = (db: Db, statusId: string, page: Page) => db<PagedRow[]>`
  SELECT f.account_id AS id, f.id AS page_id
  FROM favourites f JOIN accounts a ON a.id = f.account_id AND a.suspended_at IS NULL
  WHERE f.status_id = ${statusId} AND ${inPage(db, page, "f.id")}
`;

/** Selects who reacted to a status with these emojis, `limit` accounts for each, newest first. */
export const selectReactors = (db: Db, statusId: string, names: string[], limit: number) => db<
  { name: string; id: string }[]
>`
  SELECT r.name, r.id FROM (
    SELECT f.reaction AS name, f.account_id AS id,
      row_number() OVER (PARTITION BY f.reaction ORDER BY f.id DESC) AS n
    FROM (
      SELECT f.id, f.reaction, f.account_id FROM favourites f
      JOIN accounts a ON a.id = f.account_id AND a.suspended_at IS NULL
      WHERE f.status_id = ${statusId} AND f.reaction IS NOT NULL
        AND f.reaction = ANY(${names}::text[])
      ORDER BY f.id DESC LIMIT ${MAX_REACTIONS}
    ) AS f
  ) AS r
  WHERE r.n <= ${limit} ORDER BY r.n
`;

/** Selects accounts that reblogged in public; the reblog's id pages the list. */
export const selectRebloggers = (db: Db, statusId: string, page: Page) => db<PagedRow[]>`
  SELECT s.account_id AS id, s.id AS page_id
  FROM statuses s JOIN accounts a ON a.id = s.account_id AND a.suspended_at IS NULL
  WHERE s.reblog_of_id = ${statusId} AND ${openTo(db, "world")}
    AND ${inPage(db, page, "s.id")}
`;

/** Selects the statuses that a person favourited or bookmarked, newest act first. */
export const selectMarked = (
  db: Db,
  table: "favourites" | "bookmarks",
  accountId: string,
  page: Page,
) => db<PagedRow[]>`
  SELECT m.status_id AS id, m.id AS page_id
  FROM ${db(table)} m
  WHERE m.account_id = ${accountId} AND ${inPage(db, page, "m.id")}
`;
