// SQL of what waits for a review, and of decisions.

import type { Db } from "../../../platform/db/index.ts";
import { firstRow, valuesOf } from "../../../platform/db/rows.ts";
import { inPage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { linkCard } from "./queries.ts";
import type { TrendingLink } from "./tables.ts";

type Slice = { limit: number; offset: number };
type IdRow = { id: string };

/** Selects tags whatever was decided about them. */
export const selectEveryTag = (db: Db, { limit, offset }: Slice) =>
  valuesOf(db<IdRow[]>`
    SELECT tag_id AS id FROM trend_tags ORDER BY score DESC, tag_id DESC LIMIT ${limit} OFFSET ${offset}
  `);

export const selectEveryStatus = (db: Db, { limit, offset }: Slice) =>
  valuesOf(db<IdRow[]>`
    SELECT status_id AS id FROM trend_statuses
    ORDER BY score DESC, status_id DESC LIMIT ${limit} OFFSET ${offset}
  `);

/** Selects the statuses among these that wait for a review, of themselves or of their authors. */
export const selectUnreviewed = async (db: Db, statusIds: string[]): Promise<Set<string>> => {
  const ids = await valuesOf(db<IdRow[]>`
    SELECT s.id FROM statuses s JOIN accounts a ON a.id = s.account_id
    WHERE s.id = ANY(${statusIds}::bigint[]) AND s.trendable IS NULL AND a.reviewed_at IS NULL
  `);
  return new Set(ids);
};

export type AdminLink = TrendingLink & { requires_review: boolean };

const linkColumns = (db: Db) => db`
  l.id, l.url, l.domain, l.language, l.history, ${linkCard(db)},
  l.reviewed_at IS NULL AND p.reviewed_at IS NULL AS requires_review
`;

export const selectEveryLink = (db: Db, { limit, offset }: Slice) => db<AdminLink[]>`
  SELECT ${linkColumns(db)}
  FROM trend_links l JOIN trend_publishers p ON p.domain = l.domain
  LEFT JOIN preview_cards c ON c.url_hash = l.url_hash
  WHERE l.score > 0 ORDER BY l.score DESC, l.id DESC LIMIT ${limit} OFFSET ${offset}
`;

export const selectLink = (db: Db, id: string): Promise<AdminLink | null> =>
  firstRow(db<AdminLink[]>`
    SELECT ${linkColumns(db)}
    FROM trend_links l JOIN trend_publishers p ON p.domain = l.domain
    LEFT JOIN preview_cards c ON c.url_hash = l.url_hash
    WHERE l.id = ${id}
  `);

export type PublisherRow = {
  id: string;
  domain: string;
  trendable: boolean | null;
  reviewed_at: Date | null;
  requested_review_at: Date | null;
};

const publisherColumns = (db: Db) => db`id, domain, trendable, reviewed_at, requested_review_at`;

export const selectPublishers = (db: Db, page: Page) => db<PublisherRow[]>`
  SELECT ${publisherColumns(db)} FROM trend_publishers
  WHERE ${inPage(db, page)}
`;

export const selectPublisher = (db: Db, id: string): Promise<PublisherRow | null> =>
  firstRow(db<PublisherRow[]>`
    SELECT ${publisherColumns(db)} FROM trend_publishers WHERE id = ${id}
  `);
