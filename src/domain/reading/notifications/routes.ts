// Serves a person's notifications. https://docs.joinmastodon.org/methods/notifications/

import { pathId } from "../../../platform/http/incoming.ts";
import type { App } from "../../../platform/app.ts";
import { parseLimit, parsePage } from "../../../platform/db/paging.ts";
import { NotFound } from "../../../platform/errors.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { linkPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { IdParams, byId, withQuery } from "../../../platform/http/schema.ts";
import { presentId, presentPage } from "../timelines/former-ids.ts";
import { PAGE } from "./cached-page.ts";
import { clearNotifications } from "./clear.ts";
import { fallbacksFor } from "./fallbacks.ts";
import { groupRoutes } from "./group-routes.ts";
import { getNotification, listNotifications } from "./load.ts";
import { notificationEntity, notificationListParts } from "./present.ts";
import { policyRoutes } from "./policy-routes.ts";
import { deleteNotification } from "./queries.ts";
import { countUnreadGroups } from "./queries-groups.ts";
import { requestRoutes } from "./request-routes.ts";
import { COUNT_LIMITS, CountQuery, FallbackQuery, ListQuery, READING, filterOf } from "./schema.ts";

const listRoute = (server: Server, app: App): void => {
  server.get("/api/v1/notifications", withQuery(READING, ListQuery), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const page = await presentPage(app, accountId, parsePage(request.query, PAGE));
    const filter = filterOf(request.query);
    const { views, ids } = await listNotifications(app, accountId, page, filter);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    return sendJsonBytes(
      reply,
      notificationListParts(views, {
        site: app.config.site,
        fallbackOf: fallbacksFor(request.query, viewerOf(request)),
      }),
    );
  });
};

const countRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/notifications/unread_count",
    withQuery(READING, CountQuery),
    async (request) => {
      const limit = parseLimit(request.query.limit, ...COUNT_LIMITS);
      const filter = { ...filterOf(request.query), grouped: [] };
      const [{ accountId }, now] = [viewerOf(request), app.clock.now()];
      return { count: await countUnreadGroups(app.sql, accountId, filter, limit, now) };
    },
  );
};

const oneRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/notifications/:id",
    {
      config: READING,
      schema: { params: IdParams, querystring: FallbackQuery },
    },
    async (request) => {
      const viewer = viewerOf(request);
      const id = await presentId(app, viewer.accountId, pathId(request.params.id));
      const view = await getNotification(app, viewer.accountId, id);
      const fallback = fallbacksFor(request.query, viewer)(view.type, () => view.account);
      return notificationEntity(view, app.config.site, fallback);
    },
  );
};

const removalRoutes = (server: Server, app: App): void => {
  const config = user("write:notifications");
  for (const version of ["v1", "v2"]) {
    const form = version === "v1";
    const path = `/api/${version}/notifications/clear`;
    server.post(path, { config: { ...config, form } }, async (request) => {
      await clearNotifications(app, viewerOf(request).accountId);
      return {};
    });
  }

  server.post("/api/v1/notifications/:id/dismiss", byId(config), async (request) => {
    const { accountId } = viewerOf(request);
    const id = await presentId(app, accountId, pathId(request.params.id));
    if (!(await deleteNotification(app.sql, accountId, id))) {
      throw new NotFound();
    }
    return {};
  });
};

export const notificationRoutes = (server: Server, app: App): void => {
  listRoute(server, app);
  countRoute(server, app);
  oneRoute(server, app);
  removalRoutes(server, app);
  groupRoutes(server, app);
  policyRoutes(server, app);
  requestRoutes(server, app);
};
