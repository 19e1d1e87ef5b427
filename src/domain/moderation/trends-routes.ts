// What trends, for moderators: with what waits for a review. https://docs.joinmastodon.org/methods/admin/trends/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { inOrder, parseLimit, parsePage } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { viewerOf } from "../../platform/http/auth.ts";
import { linkOffset, linkPage } from "../../platform/http/links.ts";
import { pathId } from "../../platform/http/paths.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { requestActor, requireActor } from "./actors.ts";
import { may } from "../roles/acts.ts";
import { adminAccess, IdParams, pageParameters } from "./admin-schema.ts";
import { loadForModerators } from "../statuses/load.ts";
import { statusEntity } from "../statuses/present.ts";
import { adminTagEntities } from "../trends/admin-tags.ts";
import { linkEntities, publisherEntity } from "../trends/admin-lists.ts";
import { trendRules } from "../trends/load.ts";
import { selectLinks, selectStatuses, selectTags } from "../trends/queries.ts";
import type { Trending } from "../trends/queries.ts";
import {
  selectEveryLink,
  selectEveryStatus,
  selectEveryTag,
  selectLink,
  selectPublisher,
  selectPublishers,
  selectUnreviewed,
} from "../trends/queries-admin.ts";
import { reviewAs } from "../trends/review.ts";
import type { Subject } from "../trends/review.ts";

const OffsetQuery = Type.Object({
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

const MAX_OFFSET = 10_000;

type TrendsQuery = { slice: Trending; all: boolean };

/** Who may not review gets what everybody sees. */
const readQuery = async (app: App, request: FastifyRequest, page: number): Promise<TrendsQuery> => {
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
  { slice }: TrendsQuery,
  rows: readonly T[],
): readonly T[] => {
  const { limit, offset } = slice;
  linkOffset(request, reply, { origin: app.config.site.origin, offset, limit, count: rows.length });
  return rows;
};

const statusEntities = async (app: App, request: FastifyRequest, ids: string[]) => {
  const waiting = await selectUnreviewed(app.sql, ids);
  const views = await loadForModerators(app, ids, viewerOf(request).accountId);
  return views.map((view) => ({
    ...statusEntity(view, app.config.site),
    requires_review: waiting.has(view.id),
  }));
};

const listRoutes = (server: Server, app: App): void => {
  const options = { config: adminAccess("read"), schema: { querystring: OffsetQuery } };
  server.get("/api/v1/admin/trends/tags", options, async (request, reply) => {
    const query = await readQuery(app, request, 10);
    const select = query.all ? selectEveryTag : selectTags;
    const rows = linked(app, request, reply, query, await select(app.sql, query.slice));
    const ids = rows.map(({ id }) => id);
    return adminTagEntities(app, ids, viewerOf(request).accountId);
  });
  server.get("/api/v1/admin/trends/statuses", options, async (request, reply) => {
    const query = await readQuery(app, request, 20);
    const select = query.all ? selectEveryStatus : selectStatuses;
    const rows = linked(app, request, reply, query, await select(app.sql, query.slice));
    return statusEntities(
      app,
      request,
      rows.map(({ id }) => id),
    );
  });
  server.get("/api/v1/admin/trends/links", options, async (request, reply) => {
    const query = await readQuery(app, request, 10);
    if (query.all) {
      const rows = await selectEveryLink(app.sql, query.slice);
      return linkEntities(app, linked(app, request, reply, query, rows));
    }
    const rows = linked(app, request, reply, query, await selectLinks(app.sql, query.slice));
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

type SubjectRoutes = {
  path: string;
  type: Subject;
  entity: (app: App, request: FastifyRequest, id: string) => Promise<unknown>;
};

const orNotFound = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new NotFound();
  return value;
};

const SUBJECTS: SubjectRoutes[] = [
  {
    path: "tags",
    type: "tag",
    entity: async (app, request, id) =>
      orNotFound((await adminTagEntities(app, [id], viewerOf(request).accountId))[0]),
  },
  {
    path: "statuses",
    type: "status",
    entity: async (app, request, id) => orNotFound((await statusEntities(app, request, [id]))[0]),
  },
  {
    path: "links",
    type: "link",
    entity: async (app, _request, id) =>
      (await linkEntities(app, [orNotFound(await selectLink(app.sql, id))]))[0],
  },
  {
    path: "links/publishers",
    type: "publisher",
    entity: async (app, _request, id) =>
      publisherEntity(orNotFound(await selectPublisher(app.sql, id))),
  },
];

const reviewRoutes = (server: Server, app: App, subject: SubjectRoutes): void => {
  const { path, type, entity } = subject;
  for (const [verb, trendable] of [
    ["approve", true],
    ["reject", false],
  ] as const) {
    server.post(
      `/api/v1/admin/trends/${path}/:id/${verb}`,
      { config: adminAccess("write"), schema: { params: IdParams } },
      async (request) => {
        const id = pathId(request.params.id);
        await reviewAs(app, await requestActor(app, request), type, { id, trendable });
        return entity(app, request, id);
      },
    );
  }
};

export const adminTrendRoutes = (server: Server, app: App): void => {
  listRoutes(server, app);
  for (const subject of SUBJECTS) reviewRoutes(server, app, subject);
};
