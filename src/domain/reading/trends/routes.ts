// Serves trending hashtags, posts and links. https://docs.joinmastodon.org/methods/trends/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parseLimit } from "../../../platform/db/paging.ts";
import { open, requestViewer, viewerId } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { linkOffset } from "../../../platform/http/links.ts";
import { Type, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { loadStatuses } from "../../posts/statuses/load.ts";
import { statusListParts } from "../../posts/statuses/present-bytes.ts";
import { belongsInList } from "../../posts/statuses/rules.ts";
import { loadTagsById } from "../../posts/tags/load.ts";
import { tagEntity } from "../../posts/tags/present.ts";
import { preferredLanguages } from "../timelines/languages.ts";
import { loadCards, trendRules } from "./load.ts";
import { trendsLinkEntity } from "./present.ts";
import { selectLinks, selectStatuses, selectTags } from "./queries.ts";
import type { Trending } from "./queries.ts";

const TrendsQuery = Type.Object({
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

/** Numbers of results by default (limits.json of the contract). */
const TAGS = 10;
const LINKS = 10;
const STATUSES = 20;
const MAX_OFFSET = 10_000;

/** The date when trends/tags replaced /api/v1/trends (RFC 9745), from the contract. */
const DEPRECATED = "@1648598400";

/** Returns the request's page; null where the server shows no trends. */
const readSlice = async (
  app: App,
  request: FastifyRequest,
  page: number,
  preferred: string[] | null = null,
): Promise<Trending | null> => {
  const { limit, offset } = request.query as { limit?: unknown; offset?: unknown };
  const { shown, byDefault } = await trendRules(app);
  if (!shown) return null;
  return {
    byDefault,
    preferred,
    limit: parseLimit(limit, page),
    offset: parseLimit(offset, 0, MAX_OFFSET),
  };
};

/** Reads a page with `select`, and sets its Link header. */
const readPage = async <T>(
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  trending: Trending | null,
  select: (trending: Trending) => PromiseLike<T[]>,
): Promise<T[]> => {
  cacheForPublic(request, reply);
  if (!trending) return [];
  const rows = await select(trending);
  const { limit, offset } = trending;
  linkOffset(request, reply, { origin: app.config.site.origin, offset, limit, count: rows.length });
  return rows;
};

const tagRoutes = (server: Server, app: App): void => {
  const send = async (request: FastifyRequest, reply: FastifyReply) => {
    const trending = await readSlice(app, request, TAGS);
    const ids = await readPage(app, request, reply, trending, (of) => selectTags(app.sql, of));
    const viewer = viewerId(request);
    const views = await loadTagsById(app, ids, viewer);
    const { site } = app.config;
    return views.map((view) => tagEntity(view, site, app.clock.now(), viewer !== null));
  };
  const options = withQuery(open(), TrendsQuery);
  server.get("/api/v1/trends/tags", options, send);
  server.get("/api/v1/trends", options, (request, reply) =>
    send(request, reply.header("deprecation", DEPRECATED)),
  );
};

const statusRoute = (server: Server, app: App): void => {
  server.get("/api/v1/trends/statuses", withQuery(open(), TrendsQuery), async (request, reply) => {
    const preferred = preferredLanguages(request, reply);
    const trending = await readSlice(app, request, STATUSES, preferred);
    const ids = await readPage(app, request, reply, trending, (of) => selectStatuses(app.sql, of));
    const views = await loadStatuses(app, ids, requestViewer(request));
    return sendJsonBytes(reply, statusListParts(views.filter(belongsInList), app.config.site));
  });
};

const linkRoute = (server: Server, app: App): void => {
  server.get("/api/v1/trends/links", withQuery(open(), TrendsQuery), async (request, reply) => {
    const preferred = preferredLanguages(request, reply);
    const trending = await readSlice(app, request, LINKS, preferred);
    const rows = await readPage(app, request, reply, trending, (of) => selectLinks(app.sql, of));
    const cards = await loadCards(app, rows);
    const shape = {
      site: app.config.site,
      viewerId: viewerId(request),
      now: app.clock.now(),
    };
    return rows.map((row, n) => trendsLinkEntity(row, cards[n] ?? null, shape));
  });
};

export const trendRoutes = (server: Server, app: App): void => {
  tagRoutes(server, app);
  statusRoute(server, app);
  linkRoute(server, app);
};
