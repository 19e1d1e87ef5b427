// All SQL of the timelines: each gives the ids of one page; hiding is judged after loading, by
// statuses/rules.ts.

import type { Db } from "../../platform/db/index.ts";
import { ascending, lowerBound, upperBound } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { FEED_LENGTH } from "../../platform/feeds/index.ts";

type IdRow = { id: string };

/** Ids come as one text: as rows, a thousand of them cost more to unpack than to find. */
const splitIds = (rows: { ids: string | null }[]): string[] => rows[0]?.ids?.split(",") ?? [];

const direction = (db: Db, page: Page) => (ascending(page) ? db`ASC` : db`DESC`);

/** Accounts whose statuses the viewer does not get; judged by `now`. */
const notHidden = (db: Db, viewerId: string | null, now: Date) =>
  viewerId === null
    ? db``
    : db`
      AND NOT EXISTS (SELECT FROM blocks b
        WHERE b.account_id = ${viewerId} AND b.target_account_id = s.account_id)
      AND NOT EXISTS (SELECT FROM blocks b
        WHERE b.account_id = s.account_id AND b.target_account_id = ${viewerId})
      AND NOT EXISTS (SELECT FROM mutes m
        WHERE m.account_id = ${viewerId} AND m.target_account_id = s.account_id
          AND (m.expires_at IS NULL OR m.expires_at > ${now}))
    `;

export type PublicFilter = {
  local: boolean;
  remote: boolean;
  onlyMedia: boolean;
  /** null: all; posts without a language always count. */
  languages: string[] | null;
  viewerId: string | null;
  now: Date;
};

const filters = (db: Db, filter: PublicFilter) => db`
  ${filter.local ? db`AND s.local` : db``}
  ${filter.remote ? db`AND NOT s.local` : db``}
  ${filter.onlyMedia ? db`AND s.has_media` : db``}
  ${filter.languages ? db`AND (s.language IS NULL OR s.language = ANY(${filter.languages}))` : db``}
  ${notHidden(db, filter.viewerId, filter.now)}
`;

/** Walks statuses_public (or statuses_public_local) from the page's edge; no sorting. */
export const selectPublic = (db: Db, page: Page, filter: PublicFilter) => db<IdRow[]>`
  SELECT s.id
  FROM statuses s
  JOIN accounts a ON a.id = s.account_id AND a.suspended_at IS NULL AND a.silenced_at IS NULL
  WHERE s.visibility = 'public' AND s.reblog_of_id IS NULL
    AND (s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = s.account_id)
    AND s.id > ${lowerBound(page)} AND s.id < ${upperBound(page)}
    ${filters(db, filter)}
  ORDER BY s.id ${direction(db, page)}
  LIMIT ${page.limit}
`;

/** Folded tag names: any of `any`, each of `all`, none of `none`. */
export type TagFilter = { any: string[]; all: string[]; none: string[] };

/** Each of `all`, none of `none`: a step in statuses_tags' key for each. */
const alsoTagged = (db: Db, { all, none }: TagFilter) => {
  const has = (name: string) => db`EXISTS (
    SELECT FROM statuses_tags o
    WHERE o.tag_id = (SELECT id FROM tags WHERE name = ${name}) AND o.status_id = st.status_id
  )`;
  return [
    db``,
    ...all.map((name) => db`AND ${has(name)}`),
    ...none.map((n) => db`AND NOT ${has(n)}`),
  ];
};

/**
 * Walks statuses_tags' key down from the page's edge, for each tag as far as the page is long, and
 * takes the newest of these: a tag of 40,000 statuses costs what a small one does.
 */
export const selectTagged = (db: Db, page: Page, tags: TagFilter, filter: PublicFilter) => db<
  IdRow[]
>`
  SELECT DISTINCT found.id
  FROM tags t
  CROSS JOIN LATERAL (
    SELECT st.status_id AS id
    FROM statuses_tags st
    JOIN statuses s ON s.id = st.status_id
    JOIN accounts a ON a.id = s.account_id AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    WHERE st.tag_id = t.id
      AND st.status_id > ${lowerBound(page)} AND st.status_id < ${upperBound(page)}
      AND s.visibility = 'public' AND s.reblog_of_id IS NULL
      ${alsoTagged(db, tags)}
      ${filters(db, filter)}
    ORDER BY st.status_id ${direction(db, page)}
    LIMIT ${page.limit}
  ) found
  WHERE t.name = ANY(${[...new Set(tags.any)]})
  ORDER BY found.id ${direction(db, page)}
  LIMIT ${page.limit}
`;

/** Direct statuses that the person wrote or is mentioned in. */
export const selectDirect = (db: Db, page: Page, accountId: string) => db<IdRow[]>`
  SELECT id FROM (
    SELECT s.id FROM statuses s
    WHERE s.account_id = ${accountId} AND s.visibility = 'direct'
      AND s.id > ${lowerBound(page)} AND s.id < ${upperBound(page)}
    UNION
    SELECT s.id FROM mentions m JOIN statuses s ON s.id = m.status_id
    WHERE m.account_id = ${accountId} AND s.visibility = 'direct'
      AND m.status_id > ${lowerBound(page)} AND m.status_id < ${upperBound(page)}
  ) t
  ORDER BY id ${direction(db, page)}
  LIMIT ${page.limit}
`;

/**
 * Looks at the newest `among` statuses of those whom the account follows (null: at all). Ids alone
 * are read for all of them, from statuses_account; whole rows only until the feed is full: OFFSET 0
 * keeps the planner from reading every row first. 6 ms for 500 follows, as one step 42 ms.
 */
const selectHomeAmong = (db: Db, accountId: string, length: number, among: number | null) => db<
  { ids: string | null }[]
>`
  WITH followed AS (
    SELECT target_account_id AS id, show_reblogs, languages FROM follows WHERE account_id = ${accountId}
    UNION ALL
    SELECT ${accountId}::bigint, true, NULL
  ), newest AS MATERIALIZED (
    SELECT s.id, f.id AS account_id, f.show_reblogs, f.languages
    FROM followed f
    CROSS JOIN LATERAL (
      SELECT id FROM statuses WHERE account_id = f.id ORDER BY id DESC LIMIT ${length}
    ) s
    ORDER BY s.id DESC
    LIMIT ${among}
  )
  SELECT string_agg(id::text, ',') AS ids FROM (
    SELECT f.id
    FROM newest f
    CROSS JOIN LATERAL (SELECT * FROM statuses WHERE id = f.id OFFSET 0) s
    WHERE (s.account_id = ${accountId} OR s.visibility IN ('public', 'unlisted', 'private')
        OR EXISTS (SELECT FROM mentions m WHERE m.status_id = s.id AND m.account_id = ${accountId}))
      AND (s.reblog_of_id IS NULL OR f.show_reblogs)
      AND (f.languages IS NULL OR s.language IS NULL OR s.language = ANY(f.languages))
      AND (s.in_reply_to_account_id IS NULL
        OR s.in_reply_to_account_id IN (s.account_id, ${accountId})
        OR s.account_id = ${accountId}
        OR EXISTS (SELECT FROM follows r
          WHERE r.account_id = ${accountId} AND r.target_account_id = s.in_reply_to_account_id))
    ORDER BY f.id DESC
    LIMIT ${length}
  ) found
`;

/** What a home feed consists of, newest first: ids. */
export const selectHome = async (
  db: Db,
  accountId: string,
  length = FEED_LENGTH,
): Promise<string[]> => {
  // So many are left over almost always; who follows those who mostly talk to others needs more.
  const found = splitIds(await selectHomeAmong(db, accountId, length, length * 2));
  if (found.length === length) return found;
  return splitIds(await selectHomeAmong(db, accountId, length, null));
};

export type FanOut = {
  authorId: string;
  isReblog: boolean;
  language: string | null;
  replyToId: string | null;
  /** Direct statuses reach only those. */
  onlyIds: string[] | null;
  after: string;
  limit: number;
};

/** Followers here whose home gets the status, by account id: the same rules as selectHome. */
export const selectHomeReaders = async (db: Db, status: FanOut): Promise<string[]> =>
  splitIds(
    await db<{ ids: string | null }[]>`
      SELECT string_agg(account_id::text, ',') AS ids FROM (
        SELECT f.account_id
        FROM follows f
        WHERE f.local AND f.target_account_id = ${status.authorId}
          AND f.account_id > ${status.after}
          ${status.onlyIds ? db`AND f.account_id = ANY(${status.onlyIds}::bigint[])` : db``}
          ${status.isReblog ? db`AND f.show_reblogs` : db``}
          ${
            status.language
              ? db`AND (f.languages IS NULL OR ${status.language} = ANY(f.languages))`
              : db``
          }
          ${
            status.replyToId && status.replyToId !== status.authorId
              ? db`AND (f.account_id = ${status.replyToId} OR EXISTS (SELECT FROM follows r
                  WHERE r.account_id = f.account_id
                    AND r.target_account_id = ${status.replyToId}))`
              : db``
          }
        ORDER BY f.account_id
        LIMIT ${status.limit}
      ) found
    `,
  );

/** Everybody here who may have a status of the author at home. */
export const selectLocalFollowers = async (
  db: Db,
  authorId: string,
  after: string,
  limit: number,
): Promise<string[]> =>
  splitIds(
    await db<{ ids: string | null }[]>`
      SELECT string_agg(account_id::text, ',') AS ids FROM (
        SELECT account_id FROM follows
        WHERE local AND target_account_id = ${authorId} AND account_id > ${after}
        ORDER BY account_id LIMIT ${limit}
      ) found
    `,
  );
