// What people do with statuses: favourite, reblog, bookmark, pin, mute; and the lists of who did.
// https://docs.joinmastodon.org/methods/statuses/

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import type { Page } from "../../platform/db/paging.ts";
import { open, user, requestViewer, viewerId, viewerOf } from "../../platform/http/auth.ts";
import { cacheForPublic } from "../../platform/http/cache.ts";
import { linkPage } from "../../platform/http/links.ts";
import { pathId } from "../../platform/http/path-id.ts";
import type { Server } from "../../platform/http/server.ts";
import { asPerson } from "../../platform/viewer.ts";
import type { KnownViewer } from "../../platform/viewer.ts";
import { listAccounts } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import { loadRelations } from "../relationships/load.ts";
import type { Relation } from "../relationships/tables.ts";
import { favourite, unfavourite } from "./favourite.ts";
import { getVisible, loadVisible } from "./load.ts";
import { bookmark, muteThread, pin, unbookmark, unmuteThread, unpin } from "./acts.ts";
import { statusEntity } from "./present.ts";
import { selectFavouriters, selectMarked, selectRebloggers } from "./queries.ts";
import { reblog, unreblog } from "./reblog.ts";
import { IdParams, PageQuery, ReblogBody } from "./schema.ts";
import type { SeenStatus } from "./tables.ts";

type Act = {
  path: string;
  scope: string;
  run: (app: App, viewer: KnownViewer, id: string) => Promise<SeenStatus>;
};

/** Acts that are answered with the status; on a reblog they apply to the original. */
const ACTS: Act[] = [
  { path: "/api/v1/statuses/:id/favourite", scope: "write:favourites", run: favourite },
  { path: "/api/v1/statuses/:id/unfavourite", scope: "write:favourites", run: unfavourite },
  { path: "/api/v1/statuses/:id/bookmark", scope: "write:bookmarks", run: bookmark },
  { path: "/api/v1/statuses/:id/unbookmark", scope: "write:bookmarks", run: unbookmark },
  { path: "/api/v1/statuses/:id/pin", scope: "write:accounts", run: pin },
  { path: "/api/v1/statuses/:id/unpin", scope: "write:accounts", run: unpin },
  { path: "/api/v1/statuses/:id/mute", scope: "write:mutes", run: muteThread },
  { path: "/api/v1/statuses/:id/unmute", scope: "write:mutes", run: unmuteThread },
  { path: "/api/v1/statuses/:id/unreblog", scope: "write:statuses", run: unreblog },
];

const actRoutes = (server: Server, app: App): void => {
  for (const { path, scope, run } of ACTS) {
    server.post(path, { config: user(scope), schema: { params: IdParams } }, async (request) => {
      const viewer = asPerson(viewerOf(request).accountId);
      return statusEntity(await run(app, viewer, pathId(request.params.id)), app.config.site);
    });
  }
};

const reblogRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/statuses/:id/reblog",
    { config: user("write:statuses"), schema: { params: IdParams, body: ReblogBody } },
    async (request) => {
      const viewer = asPerson(viewerOf(request).accountId);
      const { visibility } = request.body;
      return statusEntity(
        await reblog(app, viewer, pathId(request.params.id), visibility),
        app.config.site,
      );
    },
  );
};

type People = (
  db: App["sql"],
  statusId: string,
  page: Page,
) => PromiseLike<{ id: string; page_id: string }[]>;

/** People whom the viewer blocks or mutes, or who block the viewer. */
const isHidden = (relation: Relation | undefined): boolean =>
  relation !== undefined &&
  (relation.blocking || relation.blocked_by || relation.muting || relation.domain_blocking);

const sendPeople = async (
  app: App,
  request: FastifyRequest<{ Params: { id: string } }>,
  reply: FastifyReply,
  select: People,
) => {
  const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
  cacheForPublic(request, reply);
  const page = parsePage(request.query as object, 40);
  const rows = inOrder(page, [...(await select(app.sql, (view.reblog ?? view).id, page))]);
  const ids = rows.map((row) => row.page_id);
  linkPage(request, reply, {
    origin: app.config.site.origin,
    ids,
    limit: page.limit,
    prev: "since_id",
  });
  const viewer = viewerId(request);
  const people = rows.map((row) => row.id);
  const [accounts, relations] = await Promise.all([
    listAccounts(app, people),
    viewer === null ? null : loadRelations(app, viewer, people),
  ]);
  return accounts
    .filter(({ id }) => !isHidden(relations?.get(id)))
    .map((account) => accountEntity(account, app.config.site));
};

const peopleRoutes = (server: Server, app: App): void => {
  const schema = { params: IdParams, querystring: PageQuery };
  const config = open("read:accounts");
  server.get("/api/v1/statuses/:id/favourited_by", { config, schema }, (request, reply) =>
    sendPeople(app, request, reply, selectFavouriters),
  );
  server.get("/api/v1/statuses/:id/reblogged_by", { config, schema }, (request, reply) =>
    sendPeople(app, request, reply, selectRebloggers),
  );
};

const markedRoutes = (server: Server, app: App): void => {
  for (const table of ["favourites", "bookmarks"] as const) {
    server.get(
      `/api/v1/${table}`,
      { config: user(`read:${table}`), schema: { querystring: PageQuery } },
      async (request, reply) => {
        const { accountId } = viewerOf(request);
        const page = parsePage(request.query, 20);
        const rows = inOrder(page, [...(await selectMarked(app.sql, table, accountId, page))]);
        const ids = rows.map((row) => row.page_id);
        linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
        const views = await loadVisible(
          app,
          rows.map((row) => row.id),
          asPerson(accountId),
        );
        return views.map((view) => statusEntity(view, app.config.site));
      },
    );
  }
};

export const statusActRoutes = (server: Server, app: App): void => {
  actRoutes(server, app);
  reblogRoute(server, app);
  peopleRoutes(server, app);
  markedRoutes(server, app);
};
