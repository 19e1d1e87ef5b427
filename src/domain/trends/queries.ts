// SQL that reads what trends, and what moderators say of it. A thing may trend where they said so, of
// itself or of where it comes from, or where nothing was said and the server lets everything trend.

import { invalidate } from "../../platform/db/invalidate.ts";
import type { Db } from "../../platform/db/index.ts";
import { listedPublicly } from "../statuses/fragments.ts";
import type { TrendingLink } from "./tables.ts";

export type Trending = {
  /** What nobody has judged trends as well. */
  byDefault: boolean;
  /** In these alone, or without one; null: all. */
  languages: string[] | null;
  /** These come first. */
  preferred: string[] | null;
  limit: number;
  offset: number;
};

const inLanguages = (db: Db, column: string, languages: string[] | null) =>
  languages === null
    ? db``
    : db`AND (${db.unsafe(column)} IS NULL OR ${db.unsafe(column)} = ANY(${languages}))`;

const preferredFirst = (db: Db, column: string, preferred: string[] | null) =>
  preferred === null ? db`` : db`coalesce(${db.unsafe(column)} = ANY(${preferred}), false) DESC,`;

type IdRow = { id: string };

export const selectTags = (db: Db, { byDefault, limit, offset }: Trending) => db<IdRow[]>`
  SELECT r.tag_id AS id FROM trend_tags r JOIN tags t ON t.id = r.tag_id
  WHERE coalesce(t.trendable, ${byDefault}) AND t.listable IS NOT FALSE
  ORDER BY r.score DESC, r.tag_id DESC LIMIT ${limit} OFFSET ${offset}
`;

export const selectStatuses = (db: Db, trending: Trending) => db<IdRow[]>`
  SELECT r.status_id AS id
  FROM trend_statuses r
  JOIN statuses s ON s.id = r.status_id
  JOIN accounts a ON a.id = s.account_id
  WHERE coalesce(s.trendable, a.trendable, ${trending.byDefault})
    AND ${listedPublicly(db)} AND NOT s.sensitive AND s.spoiler_text = ''
    AND a.discoverable AND a.suspended_at IS NULL AND a.silenced_at IS NULL
    ${inLanguages(db, "s.language", trending.languages)}
  ORDER BY ${preferredFirst(db, "s.language", trending.preferred)} r.score DESC, r.status_id DESC LIMIT ${trending.limit} OFFSET ${trending.offset}
`;

export const selectLinks = (db: Db, trending: Trending) => db<TrendingLink[]>`
  SELECT l.id, l.url, l.domain, l.language, l.history
  FROM trend_links l JOIN trend_publishers p ON p.domain = l.domain
  WHERE l.score > 0 AND coalesce(l.trendable, p.trendable, ${trending.byDefault})
    ${inLanguages(db, "l.language", trending.languages)}
  ORDER BY ${preferredFirst(db, "l.language", trending.preferred)} l.score DESC, l.id DESC LIMIT ${trending.limit} OFFSET ${trending.offset}
`;

export type Verdict = { id: string; trendable: boolean; at: Date };

/** Each is true when there is such a thing. */
export const reviewTagRow = async (db: Db, { id, trendable, at }: Verdict): Promise<boolean> =>
  (
    await db`
      UPDATE tags SET trendable = ${trendable}, reviewed_at = ${at} WHERE id = ${id} RETURNING 1
    `
  ).length > 0;

export const reviewAccountRow = async (db: Db, { id, trendable, at }: Verdict) => {
  const rows = await db`
    UPDATE accounts SET trendable = ${trendable}, reviewed_at = ${at} WHERE id = ${id} RETURNING 1
  `;
  invalidate(db, `account:${id}`);
  return rows.length > 0;
};

export const reviewStatusRow = async (db: Db, { id, trendable }: Verdict): Promise<boolean> => {
  const rows = await db`
    UPDATE statuses SET trendable = ${trendable} WHERE id = ${id} RETURNING 1
  `;
  invalidate(db, `status:${id}`);
  return rows.length > 0;
};

export const reviewLinkRow = async (db: Db, { id, trendable, at }: Verdict): Promise<boolean> =>
  (
    await db`
      UPDATE trend_links SET trendable = ${trendable}, reviewed_at = ${at}
      WHERE id = ${id} RETURNING 1
    `
  ).length > 0;

export const reviewPublisherRow = async (db: Db, { id, trendable, at }: Verdict) =>
  (
    await db`
      UPDATE trend_publishers SET trendable = ${trendable}, reviewed_at = ${at}
      WHERE id = ${id} RETURNING 1
    `
  ).length > 0;
