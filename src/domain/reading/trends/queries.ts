// All SQL of the trends slice. Something may trend if it, or its source, was approved, or if neither was
// reviewed and the server lets everything trend. In the scores each account counts once per subject and
// day, with half the weight for each day that has passed; only public acts of accounts in good standing
// count.

import { invalidate } from "../../../platform/db/commits.ts";
import { addDays, idAt } from "../../../platform/ids/index.ts";
import type { Db } from "../../../platform/db/index.ts";
import { valuesOf } from "../../../platform/db/rows.ts";
import { listedPublicly } from "../../posts/statuses/fragments.ts";
import type { TrendingLink, LinkCandidate } from "./tables.ts";

export type Trending = {
  /** Whether tags, posts and links trend without a review. */
  byDefault: boolean;
  /** Languages that come first. */
  preferred: string[] | null;
  limit: number;
  offset: number;
};

const preferredFirst = (db: Db, column: string, preferred: string[] | null) =>
  preferred === null ? db`` : db`coalesce(${db.unsafe(column)} = ANY(${preferred}), false) DESC,`;

type IdRow = { id: string };

export const selectTags = (db: Db, { byDefault, limit, offset }: Trending) =>
  valuesOf(db<IdRow[]>`
    SELECT r.tag_id AS id FROM trend_tags r JOIN tags t ON t.id = r.tag_id
    WHERE coalesce(t.trendable, ${byDefault}) AND t.listable IS NOT FALSE
    ORDER BY r.score DESC, r.tag_id DESC LIMIT ${limit} OFFSET ${offset}
  `);

export const selectStatuses = (db: Db, trending: Trending) =>
  valuesOf(db<IdRow[]>`
    SELECT r.status_id AS id
    FROM trend_statuses r
    JOIN statuses s ON s.id = r.status_id
    JOIN accounts a ON a.id = s.account_id
    WHERE coalesce(s.trendable, a.trendable, ${trending.byDefault})
      AND ${listedPublicly(db)} AND NOT s.sensitive AND s.spoiler_text = ''
      AND a.discoverable AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    ORDER BY ${preferredFirst(db, "s.language", trending.preferred)} r.score DESC, r.status_id DESC
    LIMIT ${trending.limit} OFFSET ${trending.offset}
  `);

/** Makes the card of the preview card `c`. */
export const linkCard = (db: Db) => db`
  c.card || jsonb_build_object(
    'url', c.url, 'image_key', c.image_key, 'creator_id', c.creator_account_id::text
  ) AS card
`;

export const selectLinks = (db: Db, trending: Trending) => db<TrendingLink[]>`
  SELECT l.id, l.url, l.domain, l.language, l.history, ${linkCard(db)}
  FROM trend_links l
  JOIN trend_publishers p ON p.domain = l.domain
  LEFT JOIN preview_cards c ON c.url_hash = l.url_hash
  WHERE l.score > 0 AND coalesce(l.trendable, p.trendable, ${trending.byDefault})
  ORDER BY ${preferredFirst(db, "l.language", trending.preferred)} l.score DESC, l.id DESC
  LIMIT ${trending.limit} OFFSET ${trending.offset}
`;

export type Review = { id: string; trendable: boolean; at: Date };

/** Returns the name of what was reviewed; null when it does not exist. */
type Reviewed = Promise<string | null>;

const nameIn = ([row]: readonly { name: string }[]): string | null => row?.name ?? null;

export const reviewTagRow = async (db: Db, { id, trendable, at }: Review): Reviewed =>
  nameIn(
    await db<{ name: string }[]>`
      UPDATE tags SET trendable = ${trendable}, reviewed_at = ${at} WHERE id = ${id}
      RETURNING '#' || name AS name
    `,
  );

/** Stores the review of a post, which is named by its author. */
export const reviewStatusRow = async (db: Db, { id, trendable }: Review): Reviewed => {
  const rows = await db<{ name: string }[]>`
    UPDATE statuses SET trendable = ${trendable} WHERE id = ${id}
    RETURNING (
      SELECT concat_ws('@', '', a.username, a.domain) FROM accounts a WHERE a.id = statuses.account_id
    ) AS name
  `;
  invalidate(db, `status:${id}`);
  return nameIn(rows);
};

export const reviewLinkRow = async (db: Db, { id, trendable, at }: Review): Reviewed =>
  nameIn(
    await db<{ name: string }[]>`
      UPDATE trend_links SET trendable = ${trendable}, reviewed_at = ${at}
      WHERE id = ${id} RETURNING url AS name
    `,
  );

export const reviewPublisherRow = async (db: Db, { id, trendable, at }: Review): Reviewed =>
  nameIn(
    await db<{ name: string }[]>`
      UPDATE trend_publishers SET trendable = ${trendable}, reviewed_at = ${at}
      WHERE id = ${id} RETURNING domain AS name
    `,
  );

/** The least number of accounts for a trend. */
const PEOPLE = 2;
/** Days for which acts count. */
const DAYS = 3;
const MAX_TAGS = 1000;
const MAX_STATUSES = 500;
const MAX_LINKS = 200;

const daysBefore = (now: Date, days: number): Date => addDays(now, -days);

const weight = (db: Db, time: string, now: Date) => db`
  power(0.5, greatest(0, extract(epoch FROM ${now}::timestamptz - ${db.unsafe(time)}) / 86400))
`;

export const replaceTags = (db: Db, now: Date) => db`
  WITH used AS (
    SELECT tag_id, sum(score) AS score FROM (
      SELECT tag_id, sum(accounts * power(0.5, greatest(0, ${now}::date - day))) AS score
      FROM tag_days WHERE day >= ${daysBefore(now, 6)}::date AND day <= ${now}::date
      GROUP BY tag_id
      HAVING sum(accounts) FILTER (WHERE day >= ${daysBefore(now, 1)}::date) >= ${PEOPLE}
      UNION ALL
      SELECT t.id, h.score FROM trend_hints h JOIN tags t ON t.name = h.subject WHERE h.kind = 'tag'
    ) AS candidates
    GROUP BY tag_id ORDER BY score DESC LIMIT ${MAX_TAGS}
  ), gone AS (
    DELETE FROM trend_tags WHERE tag_id NOT IN (SELECT tag_id FROM used)
  )
  INSERT INTO trend_tags (tag_id, score) SELECT tag_id, score FROM used
  ON CONFLICT (tag_id) DO UPDATE SET score = excluded.score
`;

/** `subject` is the id of a post, the name of a tag, the hash of a link; `rank` is from 1 to 100, the best. */
export type Hint = { kind: "status" | "tag" | "link"; subject: string; rank: number };

/** Stores hints, the best as if the least number of accounts for a trend had just taken part here. */
export const upsertHints = (db: Db, hints: Hint[], at: Date) => db`
  INSERT INTO trend_hints (kind, subject, score, found_at)
  SELECT kind, subject, max(rank) * ${PEOPLE} / 100, ${at}
  FROM jsonb_to_recordset(${db.json(hints)}) AS h (kind text, subject text, rank float8)
  GROUP BY kind, subject ORDER BY kind, subject
  ON CONFLICT (kind, subject) DO UPDATE SET score = excluded.score, found_at = excluded.found_at
`;

export const deleteOldHints = (db: Db, now: Date) =>
  db`DELETE FROM trend_hints WHERE found_at < ${daysBefore(now, 1)}`;

/** Stores one post per author: original, public, without a content warning, and the author discoverable. */
export const replaceStatuses = (db: Db, now: Date) => db`
  WITH acts AS (
    SELECT status_id, account_id, created_at FROM favourites
    WHERE created_at > ${daysBefore(now, DAYS)}::timestamptz AND id > ${idAt(daysBefore(now, DAYS + 1))}
    UNION ALL
    SELECT reblog_of_id, account_id, created_at FROM statuses
    WHERE id > ${idAt(daysBefore(now, DAYS))} AND reblog_of_id IS NOT NULL
  ), liked AS (
    SELECT people.status_id, sum(people.weight) AS score
    FROM (
      SELECT status_id, account_id, max(${weight(db, "created_at", now)}) AS weight
      FROM acts GROUP BY 1, 2
    ) people
    JOIN statuses s ON s.id = people.status_id AND s.account_id <> people.account_id
    GROUP BY 1 HAVING count(*) >= ${PEOPLE}
    UNION ALL
    SELECT subject::bigint, score FROM trend_hints WHERE kind = 'status'
  ), best AS (
    SELECT DISTINCT ON (s.account_id) s.id, liked.score
    FROM liked
    JOIN statuses s ON s.id = liked.status_id
    JOIN accounts a ON a.id = s.account_id
    WHERE ${listedPublicly(db)} AND s.reblog_of_id IS NULL AND s.in_reply_to_id IS NULL
      AND NOT s.sensitive AND s.spoiler_text = ''
      AND s.id > ${idAt(daysBefore(now, 7))}
      AND a.discoverable AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    ORDER BY s.account_id, liked.score DESC, s.id DESC
  ), chosen AS (
    SELECT * FROM best ORDER BY score DESC LIMIT ${MAX_STATUSES}
  ), gone AS (
    DELETE FROM trend_statuses WHERE status_id NOT IN (SELECT id FROM chosen)
  )
  INSERT INTO trend_statuses (status_id, score) SELECT id, score FROM chosen
  ON CONFLICT (status_id) DO UPDATE SET score = excluded.score
`;

/** Selects URLs that several accounts link to, best first, with seven days of history. */
export const selectLinkCandidates = (db: Db, now: Date) => db<LinkCandidate[]>`
  WITH uses AS (
    SELECT k.url_hash, s.account_id, s.language, s.created_at, s.id
    FROM status_links k
    JOIN statuses s ON s.id = k.status_id
    JOIN accounts a ON a.id = s.account_id
    WHERE k.status_id > ${idAt(daysBefore(now, DAYS))}
      AND ${listedPublicly(db)} AND NOT s.sensitive
      AND a.suspended_at IS NULL AND a.silenced_at IS NULL
  ), used AS (
    SELECT url_hash, sum(weight) AS score
    FROM (
      SELECT url_hash, account_id, max(${weight(db, "created_at", now)}) AS weight
      FROM uses GROUP BY 1, 2
    ) people
    GROUP BY url_hash
    HAVING count(*) >= ${PEOPLE}
      OR encode(url_hash, 'hex') IN (SELECT subject FROM trend_hints WHERE kind = 'link')
    ORDER BY score DESC LIMIT ${MAX_LINKS}
  )
  SELECT encode(used.url_hash, 'hex') AS hash, used.score::float8 AS score,
    latest.language, s.content, history.days AS history
  FROM used
  CROSS JOIN LATERAL (
    SELECT max(u.id) AS id, mode() WITHIN GROUP (ORDER BY u.language) AS language
    FROM uses u WHERE u.url_hash = used.url_hash
  ) latest
  JOIN statuses s ON s.id = latest.id
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'day', d.day::text, 'uses', d.uses::text, 'accounts', d.accounts::text
    )) AS days
    FROM (
      SELECT (l.created_at AT TIME ZONE 'UTC')::date AS day, count(*) AS uses,
        count(DISTINCT l.account_id) AS accounts
      FROM status_links k JOIN statuses l ON l.id = k.status_id
      WHERE k.url_hash = used.url_hash AND k.status_id > ${idAt(daysBefore(now, 7))}
        AND ${listedPublicly(db, "l")}
      GROUP BY 1
    ) d
  ) history
  ORDER BY used.score DESC
`;

export type NewLink = Omit<LinkCandidate, "content"> & { url: string; domain: string };

/** Deletes links that no longer trend, except for those that moderators reviewed. */
export const replaceLinks = async (db: Db, links: NewLink[]): Promise<void> => {
  const hashes = links.map((link) => link.hash);
  await db`
    UPDATE trend_links SET score = 0
    WHERE score > 0 AND NOT encode(url_hash, 'hex') = ANY(${hashes})
  `;
  await db`DELETE FROM trend_links WHERE score = 0 AND reviewed_at IS NULL`;
  if (links.length === 0) return;
  await db`
    INSERT INTO trend_publishers (domain)
    SELECT DISTINCT d FROM unnest(${links.map((link) => link.domain)}::text[]) AS d
    WHERE NOT EXISTS (SELECT FROM trend_publishers p WHERE p.domain = d)
    ON CONFLICT (domain) DO NOTHING
  `;
  await db`
    INSERT INTO trend_links (url_hash, url, domain, language, score, history)
    SELECT decode(hash, 'hex'), url, domain, language, score, history
    FROM jsonb_to_recordset(${db.json(links as never)}) AS l (
      hash text, url text, domain text, language text, score float8, history jsonb
    )
    ON CONFLICT (url_hash) DO UPDATE SET
      language = excluded.language, score = excluded.score, history = excluded.history
  `;
};

/** Requests a review of everything that trends and was not reviewed yet. */
export const requestReviews = async (db: Db, now: Date): Promise<void> => {
  await db`
    UPDATE tags t SET requested_review_at = ${now}
    FROM trend_tags r
    WHERE r.tag_id = t.id AND t.reviewed_at IS NULL AND t.requested_review_at IS NULL
  `;
  await db`
    UPDATE trend_publishers p SET requested_review_at = ${now}
    FROM trend_links l
    WHERE l.domain = p.domain AND l.score > 0
      AND p.reviewed_at IS NULL AND p.requested_review_at IS NULL
  `;
  await db`
    UPDATE accounts a SET requested_review_at = ${now}
    FROM trend_statuses r JOIN statuses s ON s.id = r.status_id
    WHERE a.id = s.account_id AND a.reviewed_at IS NULL AND a.requested_review_at IS NULL
  `;
};
