// SQL of the public, tag and link timelines: each query selects the ids of one page; statuses/rules.ts leaves out
// hidden ones after loading.

import type { Db, Fragment } from "../../../platform/db/index.ts";
import { unprepared } from "../../../platform/db/unprepared.ts";
import { ascending, inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { listedPublicly } from "../../posts/statuses/fragments.ts";

type IdRow = { id: string };

const direction = (db: Db, page: Page) => (ascending(page) ? db`ASC` : db`DESC`);

export type PublicFilter = {
  local: boolean;
  remote: boolean;
  onlyMedia: boolean;
  /** Null for all; posts without a language always count. */
  languages: string[] | null;
  viewer: Viewer;
  now: Date;
};

/** Leaves out accounts `a` that the viewer hides; `now` decides which mutes have expired. */
const notHidden = (db: Db, viewer: Viewer, now: Date) =>
  viewer.kind === "nobody"
    ? db``
    : db`
      AND NOT EXISTS (SELECT FROM blocks b
        WHERE b.account_id = ${viewer.id} AND b.target_account_id = a.id)
      AND NOT EXISTS (SELECT FROM blocks b
        WHERE b.account_id = a.id AND b.target_account_id = ${viewer.id})
      AND NOT EXISTS (SELECT FROM mutes m
        WHERE m.account_id = ${viewer.id} AND m.target_account_id = a.id
          AND (m.expires_at IS NULL OR m.expires_at > ${now}))
      AND NOT EXISTS (SELECT FROM account_domain_blocks d
        WHERE d.account_id = ${viewer.id} AND d.domain = a.domain)
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
 * Plans pages of a viewer who blocks or mutes somebody each time: a plan from when nobody had blocked anybody reads all
 * blocks for each status (336 ms where 4,000 were just blocked, with a plan for them 1).
 */
const plannedFor = <Q extends object>({ viewer }: PublicFilter, query: Q): Q =>
  viewer.kind === "nobody" ? query : unprepared(query);

/**
 * Walks statuses_public (or statuses_public_local, or statuses_public_media) from the page's edge, without sorting.
 * Hidden posts are skipped in the index alone, which contains the authors: only posts that may be shown are read.
 */
export const selectPublic = (db: Db, page: Page, filter: PublicFilter) =>
  plannedFor(
    filter,
    db<IdRow[]>`
  SELECT w.id
  FROM statuses w
  CROSS JOIN LATERAL ${shownAuthor(db, db`w.account_id`, filter)}
  CROSS JOIN LATERAL (
    SELECT FROM statuses s
    WHERE s.id = w.id AND (s.in_reply_to_id IS NULL OR s.in_reply_to_account_id = s.account_id)
      ${filters(db, filter)}
    OFFSET 0
  ) wanted
  WHERE ${listedPublicly(db, "w")} AND w.reblog_of_id IS NULL
    ${filter.local ? db`AND w.local` : db``}
    ${filter.onlyMedia ? db`AND w.has_media` : db``}
    AND ${inPage(db, page, "w.id")}
`,
  );

/** Folded tag names: any of `any`, each of `all`, none of `none`. */
type TagFilter = { any: string[]; all: string[]; none: string[] };

/** Requires each of `all`, none of `none`, with a step in statuses_tags' key for each. */
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

/** Leaves out a tag that is also in `none`: all its statuses would be read, to find nothing. */
const walked = ({ any, none }: TagFilter): string[] => [...new Set(any).difference(new Set(none))];

/**
 * Walks statuses_tags' key down from the page's edge, for each tag as far as the page is long, and takes the newest of
 * these: a tag of 40,000 statuses costs what a small one does. The key has the authors of what the world may see, so
 * that only posts that may be shown are read.
 */
export const selectTagged = (db: Db, page: Page, tags: TagFilter, filter: PublicFilter) =>
  plannedFor(
    filter,
    db<IdRow[]>`
  SELECT DISTINCT found.id
  FROM tags t
  CROSS JOIN LATERAL (
    SELECT st.status_id AS id
    FROM statuses_tags st
    CROSS JOIN LATERAL ${shownAuthor(db, db`st.account_id`, filter)}
    CROSS JOIN LATERAL (
      SELECT FROM statuses s
      WHERE s.id = st.status_id AND ${listedPublicly(db)} AND s.reblog_of_id IS NULL
        ${filters(db, filter)}
      OFFSET 0
    ) wanted
    WHERE st.tag_id = t.id
      ${alsoTagged(db, tags)}
      AND ${inPage(db, page, "st.status_id")}
  ) found
  WHERE t.name = ANY(${walked(tags)})
  ORDER BY found.id ${direction(db, page)}
  LIMIT ${page.limit}
`,
  );

/** Selects public statuses that link to an address (statuses/links.ts), of people in good standing. */
export const selectLinking = (db: Db, page: Page, urlHash: Buffer, filter: PublicFilter) =>
  plannedFor(
    filter,
    db<IdRow[]>`
  SELECT s.id
  FROM status_links k
  JOIN statuses s ON s.id = k.status_id
  CROSS JOIN LATERAL ${shownAuthor(db, db`s.account_id`, filter)}
  WHERE k.url_hash = ${urlHash} AND ${listedPublicly(db)}
    ${filters(db, filter)}
    AND ${inPage(db, page, "k.status_id")}
`,
  );

/** Returns whether anybody links there in public. */
export const selectIsLinked = async (db: Db, urlHash: Buffer): Promise<boolean> =>
  (
    await db`
      SELECT 1 FROM status_links k JOIN statuses s ON s.id = k.status_id
      WHERE k.url_hash = ${urlHash} AND ${listedPublicly(db)} LIMIT 1
    `
  ).length > 0;
