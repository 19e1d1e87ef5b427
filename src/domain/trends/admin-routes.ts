// What trends, for moderators: with what waits for a review. https://docs.joinmastodon.org/methods/admin/trends/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import type { Tx } from "../../platform/db/index.ts";
import { inOrder, parseLimit, parsePage } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { requestViewer, viewerOf } from "../../platform/http/auth.ts";
import { linkOffset, linkPage } from "../../platform/http/links.ts";
import { pathId } from "../../platform/http/path-id.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { isoTime } from "../../platform/ids/index.ts";
import { audit } from "../audit/audit.ts";
import { may, requestActor, requireActor } from "../moderation/acts.ts";
import { adminAccess, IdParams, pageParameters } from "../moderation/admin-schema.ts";
import { loadStatuses } from "../statuses/load.ts";
import { statusEntity } from "../statuses/present.ts";
import { seenByModerators } from "../statuses/rules.ts";
import { adminTagEntities } from "./admin-tags.ts";
import { loadCards, trendRules } from "./load.ts";
import { trendsLinkEntity } from "./present.ts";
import { selectLinks, selectStatuses, selectTags } from "./queries.ts";
import type { Trending } from "./queries.ts";
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
import { reviewLink, reviewPublisher, reviewStatus, reviewTag } from "./review.ts";

const OffsetQuery = Type.Object({
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

const MAX_OFFSET = 10_000;

type Asked = { slice: Trending; all: boolean };

/** Who may not review gets what everybody sees. */
const asked = async (app: App, request: FastifyRequest, page: number): Promise<Asked> => {
  const { limit, offset } = request.query as { limit?: unknown; offset?: unknown };
  const { byDefault } = await trendRules(app);
  const slice = {
    byDefault,
    languages: null,
    preferred: null,
    limit: parseLimit(limit, page),
    offset: parseLimit(offset, 0, MAX_OFFSET),
  };
  return { slice, all: may(await requestActor(app, request), "trends.review") };
};

const linked = <T>(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { slice }: Asked,
  rows: readonly T[],
): readonly T[] => {
  const { limit, offset } = slice;
  linkOffset(request, reply, { origin: app.config.site.origin, offset, limit, found: rows.length });
  return rows;
};

const statusEntities = async (app: App, request: FastifyRequest, ids: string[]) => {
  const waiting = await selectUnreviewed(app.sql, ids);
  const views = await loadStatuses(app, ids, requestViewer(request));
  return views.filter(seenByModerators).map((view) => ({
    ...statusEntity(view, app.config.site),
    requires_review: waiting.has(view.id),
  }));
};

const linkEntities = async (app: App, links: readonly AdminLink[]) => {
  const cards = await loadCards(app, links);
  const { site } = app.config;
  return links.map((link, n) => ({
    ...trendsLinkEntity(link, cards[n] ?? null, site, app.clock.now()),
    id: link.id,
    requires_review: link.requires_review,
  }));
};

const publisherEntity = (row: PublisherRow) => ({
  id: row.id,
  domain: row.domain,
  trendable: row.trendable,
  reviewed_at: row.reviewed_at && isoTime(row.reviewed_at),
  requested_review_at: row.requested_review_at && isoTime(row.requested_review_at),
  requires_review: row.reviewed_at === null,
});

const listRoutes = (server: Server, app: App): void => {
  const options = { config: adminAccess("read"), schema: { querystring: OffsetQuery } };
  server.get("/api/v1/admin/trends/tags", options, async (request, reply) => {
    const wanted = await asked(app, request, 10);
    const select = wanted.all ? selectEveryTag : selectTags;
    const rows = linked(app, request, reply, wanted, await select(app.sql, wanted.slice));
    const ids = rows.map(({ id }) => id);
    return adminTagEntities(app, ids, viewerOf(request).accountId);
  });
  server.get("/api/v1/admin/trends/statuses", options, async (request, reply) => {
    const wanted = await asked(app, request, 20);
    const select = wanted.all ? selectEveryStatus : selectStatuses;
    const rows = linked(app, request, reply, wanted, await select(app.sql, wanted.slice));
    return statusEntities(
      app,
      request,
      rows.map(({ id }) => id),
    );
  });
  server.get("/api/v1/admin/trends/links", options, async (request, reply) => {
    const wanted = await asked(app, request, 10);
    if (wanted.all) {
      const rows = await selectEveryLink(app.sql, wanted.slice);
      return linkEntities(app, linked(app, request, reply, wanted, rows));
    }
    const rows = linked(app, request, reply, wanted, await selectLinks(app.sql, wanted.slice));
    return linkEntities(
      app,
      rows.map((row) => ({ ...row, requires_review: false })),
    );
  });
  server.get(
    "/api/v1/admin/trends/links/publishers",
    { config: adminAccess("read"), schema: { querystring: Type.Object(pageParameters) } },
    async (request, reply) => {
      await requireActor(app, request, "trends.review");
      const page = parsePage(request.query as object, 100, 200);
      const rows = inOrder(page, [...(await selectPublishers(app.sql, page))]);
      const ids = rows.map(({ id }) => id);
      linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
      return rows.map(publisherEntity);
    },
  );
};

type Subject = {
  path: string;
  type: string;
  review: (app: App, id: string, trendable: boolean, tx: Tx) => Promise<void>;
  entity: (app: App, request: FastifyRequest, id: string) => Promise<unknown>;
};

const orNotFound = <T>(found: T | null | undefined): T => {
  if (found === null || found === undefined) throw new NotFound();
  return found;
};

const SUBJECTS: Subject[] = [
  {
    path: "tags",
    type: "tag",
    review: reviewTag,
    entity: async (app, request, id) =>
      orNotFound((await adminTagEntities(app, [id], viewerOf(request).accountId))[0]),
  },
  {
    path: "statuses",
    type: "status",
    review: reviewStatus,
    entity: async (app, request, id) => orNotFound((await statusEntities(app, request, [id]))[0]),
  },
  {
    path: "links",
    type: "link",
    review: reviewLink,
    entity: async (app, _request, id) =>
      (await linkEntities(app, [orNotFound(await selectLink(app.sql, id))]))[0],
  },
  {
    path: "links/publishers",
    type: "publisher",
    review: reviewPublisher,
    entity: async (app, _request, id) =>
      publisherEntity(orNotFound(await selectPublisher(app.sql, id))),
  },
];

const reviewRoutes = (server: Server, app: App, subject: Subject): void => {
  const { path, type, review, entity } = subject;
  for (const [verb, trendable] of [
    ["approve", true],
    ["reject", false],
  ] as const) {
    server.post(
      `/api/v1/admin/trends/${path}/:id/${verb}`,
      { config: adminAccess("write"), schema: { params: IdParams } },
      async (request) => {
        const actor = await requireActor(app, request, "trends.review");
        const id = pathId(request.params.id);
        await app.sql.begin(async (tx) => {
          await review(app, id, trendable, tx);
          await audit(app, tx, actor, {
            action: `${type}.${verb}`,
            target: { type, id, label: "" },
          });
        });
        return entity(app, request, id);
      },
    );
  }
};

export const adminTrendRoutes = (server: Server, app: App): void => {
  listRoutes(server, app);
  for (const subject of SUBJECTS) reviewRoutes(server, app, subject);
};
