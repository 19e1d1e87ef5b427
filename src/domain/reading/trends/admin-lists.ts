// Lists what trends and what waits for a review, for moderators.

import type { App } from "../../../platform/app.ts";
import { inOrder } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { isoTime } from "../../../platform/ids/index.ts";
import { loadForModerators } from "../../posts/statuses/load.ts";
import { adminTagEntities } from "./admin-tags.ts";
import { loadCards } from "./load.ts";
import { trendsLinkEntity } from "./present.ts";
import {
  selectEveryLink,
  selectEveryStatus,
  selectEveryTag,
  selectLink,
  selectPublisher,
  selectPublishers,
  selectUnreviewed,
} from "./queries-admin.ts";
import type { AdminLink, PublisherRow } from "./queries-admin.ts";
import { selectLinks, selectStatuses, selectTags } from "./queries.ts";
import type { Trending } from "./queries.ts";

const linkEntities = async (app: App, links: readonly AdminLink[]) => {
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

/** With `all` also what waits for a review; else what everybody sees. */
export type AdminTrends = { all: true; slice: Slice } | { all: false; slice: Trending };

export const trendingTags = async (app: App, { all, slice }: AdminTrends, viewerId: string) => {
  const ids = all ? selectEveryTag(app.sql, slice) : selectTags(app.sql, slice);
  return adminTagEntities(app, await ids, viewerId);
};

export const trendingLinks = async (app: App, { all, slice }: AdminTrends) => {
  if (all) return linkEntities(app, await selectEveryLink(app.sql, slice));
  const rows = await selectLinks(app.sql, slice);
  return linkEntities(
    app,
    rows.map((row) => ({ ...row, requires_review: false })),
  );
};

/** Throws 404 where it is unknown. */
export const trendingLink = async (app: App, id: string) => {
  const link = orNotFound(await selectLink(app.sql, id));
  return (await linkEntities(app, [link]))[0]!;
};

/** Returns views of those that moderators may see, and which of them wait. */
export const reviewedStatuses = async (app: App, statusIds: string[], viewerId: string) => {
  const waiting = await selectUnreviewed(app.sql, statusIds);
  return { views: await loadForModerators(app, statusIds, viewerId), waiting };
};

/** `count` is the number in the slice, seen or not. */
export const trendingStatuses = async (app: App, { all, slice }: AdminTrends, viewerId: string) => {
  const ids = await (all ? selectEveryStatus(app.sql, slice) : selectStatuses(app.sql, slice));
  return { ...(await reviewedStatuses(app, ids, viewerId)), count: ids.length };
};

export const listPublishers = async (app: App, page: Page): Promise<PublisherRow[]> =>
  inOrder(page, [...(await selectPublishers(app.sql, page))]);

/** Throws 404 where it is unknown. */
export const getPublisher = async (app: App, id: string): Promise<PublisherRow> =>
  orNotFound(await selectPublisher(app.sql, id));
