// Serves what trends and what waits for a review, for moderators. https://docs.joinmastodon.org/methods/admin/trends/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parseLimit, parsePage } from "../../../platform/db/paging.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { viewerOf } from "../../../platform/http/auth.ts";
import { linkOffset, linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, byId, paged, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { requestActor, requireActor } from "./actors.ts";
import { may } from "../../base/roles/acts.ts";
import { adminAccess } from "./admin-schema.ts";
import type { SeenStatus } from "../../posts/statuses/tables.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import { adminTagEntities } from "../../reading/trends/admin-tags.ts";
import {
  getPublisher,
  listPublishers,
  publisherEntity,
  reviewedStatuses,
  trendingLink,
  trendingLinks,
  trendingStatuses,
  trendingTags,
} from "../../reading/trends/admin-lists.ts";
import type { AdminTrends } from "../../reading/trends/admin-lists.ts";
import { trendRules } from "../../reading/trends/load.ts";
import { reviewAs } from "../../reading/trends/review.ts";
import type { Subject } from "../../reading/trends/review.ts";

const OffsetQuery = Type.Object({
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

const PATH = "/api/v1/admin/trends";
const MAX_OFFSET = 10_000;

/** Members of the staff who may not review get what everybody sees. */
const readQuery = async (app: App, request: FastifyRequest, page: number): Promise<AdminTrends> => {
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

type Answered = { request: FastifyRequest; reply: FastifyReply; query: AdminTrends };

const link = (app: App, { request, reply, query }: Answered, count: number): void => {
  const { limit, offset } = query.slice;
  linkOffset(request, reply, { origin: app.config.site.origin, offset, limit, count });
};

const statusEntities = (
  app: App,
  { views, waiting }: { views: SeenStatus[]; waiting: Set<string> },
) =>
  views.map((view) => ({
    ...statusEntity(view, app.config.site),
    requires_review: waiting.has(view.id),
  }));

const listRoutes = (server: Server, app: App): void => {
  const options = withQuery(adminAccess("read"), OffsetQuery);
  server.get(`${PATH}/tags`, options, async (request, reply) => {
    const query = await readQuery(app, request, 10);
    const tags = await trendingTags(app, query, viewerOf(request).accountId);
    link(app, { request, reply, query }, tags.length);
    return tags;
  });
  server.get(`${PATH}/statuses`, options, async (request, reply) => {
    const query = await readQuery(app, request, 20);
    const trending = await trendingStatuses(app, query, viewerOf(request).accountId);
    link(app, { request, reply, query }, trending.count);
    return statusEntities(app, trending);
  });
  server.get(`${PATH}/links`, options, async (request, reply) => {
    const query = await readQuery(app, request, 10);
    const links = await trendingLinks(app, query);
    link(app, { request, reply, query }, links.length);
    return links;
  });
  server.get(`${PATH}/links/publishers`, paged(adminAccess("read")), async (request, reply) => {
    await requireActor(app, request, "trends.review");
    const page = parsePage(request.query as object, 100, 200);
    const rows = await listPublishers(app, page);
    const ids = rows.map(({ id }) => id);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    return rows.map(publisherEntity);
  });
};

type SubjectRoutes = {
  path: string;
  type: Subject;
  entity: (app: App, request: FastifyRequest, id: string) => Promise<unknown>;
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
    entity: async (app, request, id) => {
      const trending = await reviewedStatuses(app, [id], viewerOf(request).accountId);
      return orNotFound(statusEntities(app, trending)[0]);
    },
  },
  { path: "links", type: "link", entity: (app, _request, id) => trendingLink(app, id) },
  {
    path: "links/publishers",
    type: "publisher",
    entity: async (app, _request, id) => publisherEntity(await getPublisher(app, id)),
  },
];

const reviewRoutes = (server: Server, app: App, subject: SubjectRoutes): void => {
  const { path, type, entity } = subject;
  for (const [verb, trendable] of [
    ["approve", true],
    ["reject", false],
  ] as const) {
    server.post(`${PATH}/${path}/:id/${verb}`, byId(adminAccess("write")), async (request) => {
      const id = pathId(request.params.id);
      await reviewAs(app, await requestActor(app, request), type, { id, trendable });
      return entity(app, request, id);
    });
  }
};

export const adminTrendRoutes = (server: Server, app: App): void => {
  listRoutes(server, app);
  for (const subject of SUBJECTS) reviewRoutes(server, app, subject);
};
