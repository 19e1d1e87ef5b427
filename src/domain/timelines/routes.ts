// The timelines of the API. https://docs.joinmastodon.org/methods/timelines/

import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "typebox";
import type { App } from "../../platform/app.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { open, user, viewerId, viewerOf } from "../../platform/http/auth.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import { linkPage } from "../../platform/http/links.ts";
import type { Server } from "../../platform/http/server.ts";
import { normaliseTag } from "../../platform/text/tags.ts";
import { loadStatuses } from "../statuses/load.ts";
import { statusListParts } from "../statuses/present.ts";
import { belongsInList } from "../statuses/rules.ts";
import { PageQuery } from "../statuses/schema.ts";
import { homePage } from "./home.ts";
import { selectDirect, selectPublic, selectTagged } from "./queries.ts";
import type { PublicFilter } from "./queries.ts";

const PAGE = 20;

/** Presents a page of ids; Link follows what was found, not what was shown. */
const sendStatuses = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  found: { ids: string[]; page: Page },
) => {
  const { ids, page } = found;
  const { origin } = app.config.site;
  linkPage(request, reply, { origin, ids, limit: page.limit, endless: true });
  const views = await loadStatuses(app, ids, viewerId(request));
  return sendJsonBytes(reply, statusListParts(views.filter(belongsInList), app.config.site));
};

const Flag = Type.Optional(Type.Boolean());
const PublicQuery = Type.Object({
  ...PageQuery.properties,
  local: Flag,
  remote: Flag,
  only_media: Flag,
});
const Tags = Type.Optional(Type.Array(Type.String()));
const TagQuery = Type.Object({ ...PublicQuery.properties, any: Tags, all: Tags, none: Tags });
const TagParams = Type.Object({ hashtag: Type.String() });

type PublicParams = { local?: boolean; remote?: boolean; only_media?: boolean };

const publicFilter = (app: App, request: FastifyRequest, query: PublicParams): PublicFilter => ({
  // Asking for both is asking for neither half alone.
  local: Boolean(query.local && !query.remote),
  remote: Boolean(query.remote && !query.local),
  onlyMedia: Boolean(query.only_media),
  languages: request.credentials?.viewer?.chosenLanguages ?? null,
  viewerId: viewerId(request),
  now: app.clock.now(),
});

const homeRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/timelines/home",
    { config: user("read:statuses"), schema: { querystring: PageQuery } },
    async (request, reply) => {
      const page = parsePage(request.query, PAGE);
      const ids = await homePage(app, viewerOf(request).accountId, page);
      if (ids === null) reply.code(206);
      return sendStatuses(app, request, reply, { ids: ids ?? [], page });
    },
  );
};

const publicRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/timelines/public",
    { config: open("read:statuses"), schema: { querystring: PublicQuery } },
    async (request, reply) => {
      const page = parsePage(request.query, PAGE);
      const filter = publicFilter(app, request, request.query);
      const rows = await selectPublic(app.sql, page, filter);
      const ids = inOrder(page, [...rows]).map((row) => row.id);
      return sendStatuses(app, request, reply, { ids, page });
    },
  );
};

const MAX_EXTRA_TAGS = 4; // contract: limits.json, tag_timeline

const folded = (names: string[] | undefined): string[] =>
  (names ?? []).slice(0, MAX_EXTRA_TAGS).map(normaliseTag).filter(Boolean);

const tagRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/timelines/tag/:hashtag",
    { config: open("read:statuses"), schema: { params: TagParams, querystring: TagQuery } },
    async (request, reply) => {
      const { any, all, none } = request.query;
      const page = parsePage(request.query, PAGE);
      const tags = {
        any: [normaliseTag(request.params.hashtag), ...folded(any)],
        all: folded(all),
        none: folded(none),
      };
      const rows = await selectTagged(
        app.sql,
        page,
        tags,
        publicFilter(app, request, request.query),
      );
      const ids = inOrder(page, [...rows]).map((row) => row.id);
      return sendStatuses(app, request, reply, { ids, page });
    },
  );
};

const directRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/timelines/direct",
    { config: user("read:statuses"), schema: { querystring: PageQuery } },
    async (request, reply) => {
      const page = parsePage(request.query, PAGE);
      const rows = await selectDirect(app.sql, page, viewerOf(request).accountId);
      const ids = inOrder(page, [...rows]).map((row) => row.id);
      return sendStatuses(app, request, reply, { ids, page });
    },
  );
};

export const timelineRoutes = (server: Server, app: App): void => {
  homeRoute(server, app);
  publicRoute(server, app);
  tagRoute(server, app);
  directRoute(server, app);
};
