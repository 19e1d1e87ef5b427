// Serves posts: one, several, their threads, versions and polls, who did what with them, and what a person did.
// https://docs.joinmastodon.org/methods/statuses/ https://docs.joinmastodon.org/methods/polls/

import type { FastifyReply, FastifyRequest } from "fastify";
import { readingApp } from "../../../platform/app.ts";
import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import type { Page } from "../../../platform/db/paging.ts";
import {
  anyToken,
  open,
  requestViewer,
  user,
  viewerId,
  viewerOf,
} from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { extension } from "../../../platform/http/extension.ts";
import { joinInTurns, sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { readPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { asPerson } from "../../../platform/viewer.ts";
import { IdParams, byId, paged, pagedById, withQuery } from "../../../platform/http/schema.ts";
import { listAccounts } from "../../people/accounts/load.ts";
import { accountEntity } from "../../people/accounts/present.ts";
import type { AccountView } from "../../people/accounts/tables.ts";
import { takeRefresh } from "../polls/load.ts";
import { sendRefreshHeader } from "../../base/refreshes/refreshes.ts";
import { loadRelations } from "../../people/relationships/load.ts";
import type { Relation } from "../../people/relationships/tables.ts";
import { getPolled } from "./acts.ts";
import { getCircle } from "./circle.ts";
import { loadContext, loadEdits, wantReplies } from "./context.ts";
import type { Context } from "./context.ts";
import { getVisible, loadVisible } from "./load.ts";
import { ownPollEntity, referenceEntity, statusEntity } from "./present.ts";
import { appendStatus, statusListParts, statusListPartsInTurns } from "./present-bytes.ts";
import { circleEntity, historyEntities, sourceEntity } from "./present-written.ts";
import { selectFavouriters, selectMarked, selectRebloggers } from "./queries.ts";
import { selectQuoting } from "./queries-approvals.ts";
import { ContextQuery, SeveralQuery } from "./schema.ts";
import type { StatusView } from "./tables.ts";

/** Posts of a thread from which it is sent in turns; they take some hundred kilobytes. */
const LONG_CONTEXT = 200;

/** Returns the first replies and the nearest ancestors; `further` has references to the others, to place them. */
const cutContext = ({ ancestors, descendants }: Context, limit: number) => ({
  shown: {
    ancestors: ancestors.slice(Math.max(0, ancestors.length - limit)),
    descendants: descendants.slice(0, limit),
  },
  further: {
    ancestors: ancestors.slice(0, Math.max(0, ancestors.length - limit)).map(referenceEntity),
    descendants: descendants.slice(limit).map(referenceEntity),
  },
});

const OPEN = open("read:statuses");

const reading = (server: Server, app: App): void => {
  const { site } = app.config;

  const sendContext = async (reply: FastifyReply, context: Context, limit: number | undefined) => {
    const cut = limit === undefined ? null : cutContext(context, limit);
    const { ancestors, descendants } = cut?.shown ?? context;
    const parts = [
      Buffer.from('{"ancestors":'),
      ...(await statusListPartsInTurns(ancestors, site)),
      Buffer.from(',"descendants":'),
      ...(await statusListPartsInTurns(descendants, site)),
      Buffer.from(cut ? `,"further":${JSON.stringify(cut.further)}}` : "}"),
    ];
    const isLong = ancestors.length + descendants.length > LONG_CONTEXT;
    return sendJsonBytes(reply, isLong ? await joinInTurns(parts) : parts);
  };

  server.get("/api/v1/statuses", withQuery(OPEN, SeveralQuery), async (request, reply) => {
    const ids = (request.query.id ?? []).flatMap((id) => parseId(id) ?? []);
    const views = await loadVisible(app, [...new Set(ids)], requestViewer(request));
    const sorted = views.toSorted((a, b) => (BigInt(b.id) > BigInt(a.id) ? 1 : -1));
    return sendJsonBytes(reply, statusListParts(sorted, site));
  });

  server.get("/api/v1/statuses/:id", byId(OPEN), async (request, reply) => {
    const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
    cacheForPublic(request, reply);
    return sendJsonBytes(reply, appendStatus(view, site));
  });

  server.get(
    "/api/v1/statuses/:id/context",
    { config: OPEN, schema: { params: IdParams, querystring: ContextQuery } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      const refresh = viewerId(request) === null ? null : await wantReplies(app, view);
      if (refresh) sendRefreshHeader(reply, refresh);
      const context = await loadContext(readingApp(app), view);
      cacheForPublic(request, reply);
      return sendContext(reply, context, request.query.limit);
    },
  );

  server.get("/api/v1/statuses/:id/history", byId(OPEN), async (request, reply) => {
    const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
    cacheForPublic(request, reply);
    return historyEntities(view, await loadEdits(app, view), site);
  });

  const circle = extension(user("read:statuses"), "statuses", "Circle", "404");
  server.get("/api/v1/statuses/:id/circle", byId(circle), async (request) => {
    const viewer = viewerOf(request).person;
    return circleEntity(await getCircle(app, viewer, pathId(request.params.id)), site);
  });

  server.get("/api/v1/statuses/:id/source", byId(anyToken("read:statuses")), async (request) =>
    sourceEntity(await getVisible(app, pathId(request.params.id), requestViewer(request))),
  );
};

type People = (
  db: App["sql"],
  statusId: string,
  page: Page,
) => PromiseLike<{ id: string; page_id: string }[]>;

/** Hides people whom the viewer blocks or mutes, or who block the viewer. */
const isHidden = (relation: Relation | undefined): boolean =>
  relation !== undefined &&
  (relation.blocking || relation.blocked_by || relation.muting || relation.domain_blocking);

/** Returns these accounts in their order, without those that are hidden from the viewer (null: a visitor). */
export const shownPeople = async (
  app: App,
  viewer: string | null,
  ids: string[],
): Promise<AccountView[]> => {
  const [accounts, relations] = await Promise.all([
    listAccounts(app, ids),
    viewer === null ? null : loadRelations(app, viewer, ids),
  ]);
  return accounts.filter(({ id }) => !isHidden(relations?.get(id)));
};

const sendPeople = async (
  app: App,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  select: People,
) => {
  const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
  cacheForPublic(request, reply);
  const rows = await readPage(app, request, reply, { most: 40, prev: "since_id" }, (page) =>
    select(app.sql, (view.reblog ?? view).id, page),
  );
  const people = rows.map((row) => row.id);
  const shown = await shownPeople(app, viewerId(request), people);
  return shown.map((account) => accountEntity(account, app.config.site));
};

const peopleRoutes = (server: Server, app: App): void => {
  const config = open("read:accounts");
  server.get("/api/v1/statuses/:id/favourited_by", pagedById(config), (request, reply) =>
    sendPeople(app, request, reply, selectFavouriters),
  );
  server.get("/api/v1/statuses/:id/reblogged_by", pagedById(config), (request, reply) =>
    sendPeople(app, request, reply, selectRebloggers),
  );
};

const markedRoutes = (server: Server, app: App): void => {
  for (const table of ["favourites", "bookmarks"] as const) {
    server.get(`/api/v1/${table}`, paged(user(`read:${table}`)), async (request, reply) => {
      const { accountId } = viewerOf(request);
      const rows = await readPage(app, request, reply, { most: 20 }, (page) =>
        selectMarked(app.sql, table, accountId, page),
      );
      const views = await loadVisible(
        app,
        rows.map((row) => row.id),
        asPerson(accountId),
      );
      return views.map((view) => statusEntity(view, app.config.site));
    });
  }
};

const quotesRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/statuses/:id/quotes",
    pagedById(user("read:statuses")),
    async (request, reply) => {
      const { accountId } = viewerOf(request);
      const view = await getVisible(app, pathId(request.params.id), asPerson(accountId));
      const rows = await readPage(app, request, reply, { most: 20, prev: "since_id" }, (page) =>
        selectQuoting(app.sql, (view.reblog ?? view).id, page),
      );
      const ids = rows.map((row) => row.id);
      const views = await loadVisible(app, ids, asPerson(accountId));
      return sendJsonBytes(reply, statusListParts(views, app.config.site));
    },
  );
};

/**
 * Fetches a remote poll's counts from its server; returns false when they are not due or the server does not answer, so
 * that the stored ones are shown.
 */
const refreshPoll = async (app: App, view: StatusView): Promise<boolean> => {
  if (view.local) return false;
  if (!(await takeRefresh(app.sql, view.poll!.id, app.clock.now()))) return false;
  return app.remote.refreshStatus(view.uri);
};

const pollRoute = (server: Server, app: App): void => {
  server.get("/api/v1/polls/:id", byId(OPEN), async (request, reply) => {
    const viewer = requestViewer(request);
    const view = await getPolled(app, viewer, pathId(request.params.id));
    cacheForPublic(request, reply);
    const isFresh = viewer.kind !== "nobody" && (await refreshPoll(app, view));
    return ownPollEntity(isFresh ? await getVisible(app, view.id, viewer) : view);
  });
};

export const statusReadRoutes = (server: Server, app: App): void => {
  reading(server, app);
  peopleRoutes(server, app);
  markedRoutes(server, app);
  quotesRoute(server, app);
  pollRoute(server, app);
};
