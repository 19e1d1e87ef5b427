// What trends and what waits for a review, for moderators.

import type { App } from "../../platform/app.ts";
import { inOrder } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { loadForModerators } from "../statuses/load.ts";
import { adminTagEntities } from "./admin-tags.ts";
import { loadCards } from "./load.ts";
import { trendsLinkEntity } from "./present.ts";
import {
  selectEveryLink,
  selectEveryStatus,
  selectEveryTag,
  selectPublishers,
  selectUnreviewed,
} from "./queries-admin.ts";
import type { AdminLink, PublisherRow } from "./queries-admin.ts";

export const linkEntities = async (app: App, links: readonly AdminLink[]) => {
  const cards = await loadCards(app, links);
  const shape = { site: app.config.site, viewerId: null, now: app.clock.now() };
  return links.map((link, n) => ({
    ...trendsLinkEntity(link, cards[n] ?? null, shape),
    id: link.id,
    requires_review: link.requires_review,
  }));
};

export const publisherEntity = (row: PublisherRow) => ({
  id: row.id,
  domain: row.domain,
  trendable: row.trendable,
  reviewed_at: row.reviewed_at && isoTime(row.reviewed_at),
  requested_review_at: row.requested_review_at && isoTime(row.requested_review_at),
  requires_review: row.reviewed_at === null,
});

type Slice = { limit: number; offset: number };

const ids = (rows: readonly { id: string }[]): string[] => rows.map(({ id }) => id);

export const trendingTags = async (app: App, slice: Slice, viewerId: string) =>
  adminTagEntities(app, ids(await selectEveryTag(app.sql, slice)), viewerId);

export const trendingLinks = async (app: App, slice: Slice) =>
  linkEntities(app, await selectEveryLink(app.sql, slice));

/** Views, and which of them wait. */
export const trendingStatuses = async (app: App, slice: Slice, viewerId: string) => {
  const statusIds = ids(await selectEveryStatus(app.sql, slice));
  const waiting = await selectUnreviewed(app.sql, statusIds);
  return { views: await loadForModerators(app, statusIds, viewerId), waiting };
};

export const listPublishers = async (app: App, page: Page): Promise<PublisherRow[]> =>
  inOrder(page, [...(await selectPublishers(app.sql, page))]);
