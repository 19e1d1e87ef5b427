// SQL of the public, tag and link timelines: each query selects the ids of one page; statuses/rules.ts leaves out
// hidden ones after loading.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { ascending, inBounds, inOrder, inOrderOf } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { onlyRow } from "../../../platform/db/rows.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { listedPublicly } from "../../posts/statuses/fragments.ts";

export type PublicFilter = {
  local: boolean;
  remote: boolean;
  onlyMedia: boolean;
  /** Null for all; posts without a language always count. */
  languages: string[] | null;
  viewer: Viewer;
  now: Date;
};

/**
 * Leaves out accounts `a` that the viewer hides; `now` decides which mutes have expired. It uses `IS NULL`, because the
 * planner would make joins of NOT EXISTS, which read all blocks for each author where there were none when it planned.
 */
const notHidden = (db: Db, viewer: Viewer, now: Date) =>
  viewer.kind === "nobody"
    ? db``
    : db`
      AND (SELECT true FROM blocks b
        WHERE b.account_id = ${viewer.id} AND b.target_account_id = a.id) IS NULL
      AND (SELECT true FROM blocks b
        WHERE b.account_id = a.id AND b.target_account_id = ${viewer.id}) IS NULL
      AND (SELECT true FROM mutes m
        WHERE m.account_id = ${viewer.id} AND m.target_account_id = a.id
          AND (m.expires_at IS NULL OR m.expires_at > ${now})) IS NULL
      AND (SELECT true FROM account_domain_blocks d
        WHERE d.account_id = ${viewer.id} AND d.domain = a.domain) IS NULL
    `;

/**
 * Makes a condition on authors, for a LATERAL join: in good standing, and not hidden from the viewer. OFFSET 0 keeps it
 * separate, so that PostgreSQL evaluates it once for each author of a walk (Memoize) and not for each post: 300 busy
 * people who are muted cost 300 look-ups, whatever they write.
 */
const shownAuthor = (db: Db, authorId: Fragment, { viewer, now }: PublicFilter) => db`(
  SELECT FROM accounts a
  WHERE a.id = ${authorId} AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    ${notHidden(db, viewer, now)}
  OFFSET 0
) author`;

/** Filters the posts `s` themselves. */
const filters = (db: Db, filter: PublicFilter) => db`
  ${filter.local ? db`AND s.local` : db``}
  ${filter.remote ? db`AND NOT s.local` : db``}
  ${filter.onlyMedia ? db`AND s.has_media` : db``}
  ${filter.languages ? db`AND (s.language IS NULL OR s.language = ANY(${filter.languages}))` : db``}
`;

/**
 * Posts in an index that a page looks at to fill itself, for each key: a reader who hides 19 of 20 has full pages, and
 * one who hides more waits no longer for one that is not.
 */
const LOOKED_AT = "1000";
const BEFORE_LAST = "999";

/**
 * Ids of a page, newest first. `edge` is the id of the last post that was looked at where the page ended there, though
 * there may be more; null elsewhere.
 */
export type Walked = { ids: string[]; edge: string | null };

/** `entries` (id, account_id) come from an index, for each `k.key` of `keys`; `also` is a condition on posts. */
type Walk = { keys: Fragment; entries: Fragment; also: Fragment };

/**
 * Walks an index down from the page's edge, without sorting, for each key as far as the page is long. Hidden posts are
 * skipped in the index alone, which has the authors: only posts that may be shown are read. What is below the highest
 * edge of a key waits for the next page.
 */
const walk = async (
  db: Db,
  page: Page,
  filter: PublicFilter,
  { keys, entries, also }: Walk,
): Promise<Walked> => {
  const order = inOrderOf(db, page, "id");
  const [nearest, isNear] = ascending(page) ? [db`min`, db`<=`] : [db`max`, db`>=`];
  const { ids, edge } = await onlyRow(db<[Walked]>`
    WITH shown AS MATERIALIZED (
      SELECT k.key, page.id FROM (${keys}) AS k (key) CROSS JOIN LATERAL (
        SELECT e.id
        FROM (${entries} ${order} LIMIT ${db.unsafe(LOOKED_AT)}) e
        CROSS JOIN LATERAL ${shownAuthor(db, db`e.account_id`, filter)}
        CROSS JOIN LATERAL (
          SELECT FROM statuses s
          WHERE s.id = e.id AND ${listedPublicly(db)} ${also} ${filters(db, filter)}
          OFFSET 0
        ) wanted
        ${order} LIMIT ${page.limit}
      ) page
    ), edge AS MATERIALIZED (
      SELECT ${nearest}(e.id) AS id FROM (${keys}) AS k (key) CROSS JOIN LATERAL (
        ${entries} ${order} LIMIT 1 OFFSET ${db.unsafe(BEFORE_LAST)}
      ) e
      WHERE (SELECT count(*) FROM shown WHERE shown.key IS NOT DISTINCT FROM k.key) < ${page.limit}
    )
    SELECT edge.id::text AS edge, ARRAY(
      SELECT DISTINCT id FROM shown WHERE edge.id IS NULL OR shown.id ${isNear} edge.id
      ${order} LIMIT ${page.limit}
    )::text[] AS ids
    FROM edge
  `);
  return { ids: inOrder(page, ids), edge: ids.length < page.limit ? edge : null };
};

/** Walks statuses_public, statuses_public_local or statuses_public_media, or statuses_public_language by language. */
export const selectPublic = (db: Db, page: Page, filter: PublicFilter): Promise<Walked> => {
  const { local, onlyMedia, languages } = filter;
  const isByLanguage = languages !== null && !local && !onlyMedia;
  return walk(db, page, filter, {
    keys: isByLanguage
      ? db`SELECT DISTINCT unnest(${["", ...languages]}::text[])`
      : db`SELECT NULL::text`,
    entries: db`
      SELECT w.id, w.account_id FROM statuses w
      WHERE ${listedPublicly(db, "w")} AND w.reblog_of_id IS NULL
        ${local ? db`AND w.local` : db``}
        ${onlyMedia ? db`AND w.has_media` : db``}
        ${isByLanguage ? db`AND coalesce(w.language, '') = k.key` : db``}
        AND ${inBounds(db, page, "w.id")}
    `,
    also: db`AND (s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = s.account_id)`,
  });
};

/** Folded tag names: any of `any`, each of `all`, none of `none`. */
type TagFilter = { any: string[]; all: string[]; none: string[] };

/** Requires each of `all`, none of `none`, with a step in statuses_tags' key for each. */
const alsoTagged = (db: Db, { all, none }: TagFilter) => {
  const has = (name: string) => db`EXISTS (
    SELECT FROM statuses_tags o
    WHERE o.tag_id = (SELECT id FROM tags WHERE name = ${name}) AND o.status_id = e.id
  )`;
  return [
    db``,
    ...all.map((name) => db`AND ${has(name)}`),
    ...none.map((n) => db`AND NOT ${has(n)}`),
  ];
};

/** Leaves out a tag that is also in `none`: all its statuses would be read, to find nothing. */
const walked = ({ any, none }: TagFilter): string[] => [...new Set(any).difference(new Set(none))];

/** Walks statuses_tags' key, which has the authors of what the world may see. */
export const selectTagged = (
  db: Db,
  page: Page,
  tags: TagFilter,
  filter: PublicFilter,
): Promise<Walked> =>
  walk(db, page, filter, {
    keys: db`SELECT id FROM tags WHERE name = ANY(${walked(tags)})`,
    entries: db`
      SELECT st.status_id AS id, st.account_id FROM statuses_tags st
      WHERE st.tag_id = k.key AND ${inBounds(db, page, "st.status_id")}
    `,
    also: db`AND s.reblog_of_id IS NULL ${alsoTagged(db, tags)}`,
  });

/** Selects public statuses that link to an address (statuses/links.ts), of people in good standing. */
export const selectLinking = (
  db: Db,
  page: Page,
  urlHash: Buffer,
  filter: PublicFilter,
): Promise<Walked> =>
  walk(db, page, filter, {
    keys: db`SELECT NULL::text`,
    entries: db`
      SELECT l.status_id AS id, o.account_id FROM status_links l JOIN statuses o ON o.id = l.status_id
      WHERE l.url_hash = ${urlHash} AND ${inBounds(db, page, "l.status_id")}
    `,
    also: db``,
  });

/** Returns whether anybody links there in public. */
export const selectIsLinked = async (db: Db, urlHash: Buffer): Promise<boolean> =>
  (
    await db`
      SELECT 1 FROM status_links k JOIN statuses s ON s.id = k.status_id
      WHERE k.url_hash = ${urlHash} AND ${listedPublicly(db)} LIMIT 1
    `
  ).length > 0;
