// Serves the timelines of the API. https://docs.joinmastodon.org/methods/timelines/

import type { FastifyReply, FastifyRequest } from "fastify";
import { PageQuery, Type, paged, withQuery } from "../../../platform/http/schema.ts";
import type { App } from "../../../platform/app.ts";
import { inOrder, parsePage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { NotFound, orNotFound } from "../../../platform/errors.ts";
import { open, requestViewer, user, viewerOf } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { linkPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { normaliseTag } from "../../../platform/text/tags.ts";
import { getList } from "../../people/lists/load.ts";
import { linkHash } from "../../posts/statuses/links.ts";
import { loadStatuses } from "../../posts/statuses/load.ts";
import { statusListParts } from "../../posts/statuses/present-bytes.ts";
import { belongsInList } from "../../posts/statuses/rules.ts";
import { NOBODY } from "../../../platform/viewer.ts";
import { sendRefreshHeader } from "../../base/refreshes/refreshes.ts";
import { homePage, homeRefresh } from "./home.ts";
import { cachedPage } from "./cached-pages.ts";
import type { Dependency } from "./cached-pages.ts";
import { fill } from "./fill.ts";
import type { Filling } from "./fill.ts";
import { shownLanguages } from "./languages.ts";
import { listPage } from "./list-feed.ts";
import { selectIsLinked, selectLinking, selectPublic, selectTagged } from "./queries.ts";
import type { PublicFilter, Walked } from "./queries.ts";

const PAGE = 20;

/** `edge` is where the search for the page ended, if that is further than its posts. */
type Slice = Filling & { edge?: string | null };

/** Makes Link from what was found and looked at, not from what was shown. */
const linkSlice = (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { ids, edge = null, page }: Slice,
): void =>
  linkPage(request, reply, {
    origin: app.config.site.origin,
    ids: edge === null ? ids : inOrder(page, [...inOrder(page, ids), edge]),
    limit: page.limit,
    endless: true,
  });

/** Presents a page of ids. */
export const sendStatuses = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  slice: Slice,
) => {
  const { ids, views } = await fill(app, requestViewer(request), slice);
  linkSlice(app, request, reply, { ...slice, ids });
  return sendJsonBytes(reply, statusListParts(views, app.config.site));
};

type Shared = {
  page: Page;
  filter: PublicFilter;
  /** Cache key: everything that the page depends on. */
  key: string;
  dependency: Dependency;
  select: (filter: PublicFilter) => Promise<Walked>;
};

/**
 * Sends a page that is cached for everybody, which is right for every viewer who blocks or mutes nobody on it, and is
 * blocked by nobody. For others it is queried again, so that their page is as full.
 */
const sendShared = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  { page, filter, key, dependency, select }: Shared,
) => {
  cacheForPublic(request, reply);
  const shared = await cachedPage(app, key, dependency, () =>
    select({ ...filter, viewer: NOBODY }),
  );
  const views = await loadStatuses(app, shared.ids, filter.viewer);
  if (!views.every(belongsInList)) {
    return sendStatuses(app, request, reply, { ...(await select(filter)), page });
  }
  linkSlice(app, request, reply, { ...shared, page });
  return sendJsonBytes(reply, statusListParts(views, app.config.site));
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
const ListParams = Type.Object({ list_id: Type.String() });
const OPEN = open("read:statuses");

const LinkQuery = Type.Object({ ...PageQuery.properties, url: Type.Optional(Type.String()) });
const TagParams = Type.Object({ hashtag: Type.String() });

type PublicParams = { local?: boolean; remote?: boolean; only_media?: boolean };

/** Ignores the reader's languages: whoever opens a hashtag wants all its posts. */
const anyLanguage = (app: App, request: FastifyRequest, query: PublicParams): PublicFilter => ({
  // Both together mean all.
  local: Boolean(query.local && !query.remote),
  remote: Boolean(query.remote && !query.local),
  onlyMedia: Boolean(query.only_media),
  languages: null,
  viewer: requestViewer(request),
  now: app.clock.now(),
});

const publicFilter = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  query: PublicParams,
): Promise<PublicFilter> => ({
  ...anyLanguage(app, request, query),
  languages: await shownLanguages(app, request, reply),
});

/** Returns everything that a page depends on, except the viewer. */
const keyOf = (list: string, page: Page, { viewer: _viewer, now: _now, ...filter }: PublicFilter) =>
  JSON.stringify([list, page, filter]);

const homeRoute = (server: Server, app: App): void => {
  server.get("/api/v1/timelines/home", paged(user("read:statuses")), async (request, reply) => {
    const page = parsePage(request.query, PAGE);
    const { accountId } = viewerOf(request);
    const read = (of: Page) => homePage(app, accountId, of);
    const ids = await read(page);
    if (ids === null) sendRefreshHeader(reply, await homeRefresh(app, accountId)).code(206);
    return sendStatuses(app, request, reply, { ids: ids ?? [], page, read });
  });
};

const publicRoute = (server: Server, app: App): void => {
  server.get("/api/v1/timelines/public", withQuery(OPEN, PublicQuery), async (request, reply) => {
    const page = parsePage(request.query, PAGE);
    const filter = await publicFilter(app, request, reply, request.query);
    return sendShared(app, request, reply, {
      page,
      filter,
      key: keyOf("public", page, filter),
      dependency: "authors",
      select: (of) => selectPublic(app.sql, page, of),
    });
  });
};

const MAX_EXTRA_TAGS = 4; // contract: limits.json, tag_timeline

const folded = (names: string[] | undefined): string[] =>
  (names ?? []).slice(0, MAX_EXTRA_TAGS).map(normaliseTag).filter(Boolean);

const tagRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/timelines/tag/:hashtag",
    { config: OPEN, schema: { params: TagParams, querystring: TagQuery } },
    async (request, reply) => {
      const { any, all, none } = request.query;
      const page = parsePage(request.query, PAGE);
      const tags = {
        any: [normaliseTag(request.params.hashtag), ...folded(any)],
        all: folded(all),
        none: folded(none),
      };
      const filter = anyLanguage(app, request, request.query);
      return sendShared(app, request, reply, {
        page,
        filter,
        key: keyOf(JSON.stringify(tags), page, filter),
        dependency: "anything",
        select: (of) => selectTagged(app.sql, page, tags, of),
      });
    },
  );
};

const listRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/timelines/list/:list_id",
    { config: user("read:lists"), schema: { params: ListParams, querystring: PageQuery } },
    async (request, reply) => {
      const list = await getList(app, viewerOf(request).accountId, request.params.list_id);
      const page = parsePage(request.query, PAGE);
      const read = (of: Page) => listPage(app, list.id, of);
      return sendStatuses(app, request, reply, { ids: await read(page), page, read });
    },
  );
};

/** Answers 404 for an address that nobody links to. */
const linkRoute = (server: Server, app: App): void => {
  server.get("/api/v1/timelines/link", withQuery(OPEN, LinkQuery), async (request, reply) => {
    const hash = orNotFound(linkHash(request.query.url ?? ""));
    const page = parsePage(request.query, PAGE);
    const filter = await publicFilter(app, request, reply, {});
    const linking = await selectLinking(app.sql, page, hash, filter);
    if (linking.ids.length === 0 && !(await selectIsLinked(app.sql, hash))) throw new NotFound();
    cacheForPublic(request, reply);
    return sendStatuses(app, request, reply, { ...linking, page });
  });
};

export const timelineRoutes = (server: Server, app: App): void => {
  homeRoute(server, app);
  publicRoute(server, app);
  tagRoute(server, app);
  listRoute(server, app);
  linkRoute(server, app);
};
