// A person's notifications. https://docs.joinmastodon.org/methods/notifications/

import { pathId } from "../../platform/http/path-id.ts";
import { Type } from "../../platform/http/schema.ts";
import type { App } from "../../platform/app.ts";
import { parseId, parseLimit, parsePage } from "../../platform/db/paging.ts";
import { NotFound } from "../../platform/errors.ts";
import { user, viewerOf } from "../../platform/http/auth.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import { linkPage } from "../../platform/http/links.ts";
import type { Server } from "../../platform/http/server.ts";
import { IdParams, PageQuery } from "../statuses/schema.ts";
import { PAGE } from "./cached-page.ts";
import { getNotification, listNotifications } from "./load.ts";
import { notificationEntity, notificationListParts } from "./present.ts";
import { policyRoutes } from "./policy-routes.ts";
import { countUnread, deleteAll, deleteNotification } from "./queries.ts";
import type { NotificationFilter } from "./queries.ts";
import { NOTIFICATION_TYPES } from "./tables.ts";
import type { NotificationType } from "./tables.ts";

// contract: limits.json, get_api_v1_notifications_unread_count
const COUNT = 100;
const MAX_COUNT = 1000;

const Names = Type.Optional(Type.Array(Type.String()));

const Filter = Type.Object({
  types: Names,
  exclude_types: Names,
  account_id: Type.Optional(Type.String()),
});
const ListQuery = Type.Object({ ...PageQuery.properties, ...Filter.properties });
const CountQuery = Type.Object({ limit: PageQuery.properties.limit, ...Filter.properties });

type FilterQuery = { types?: string[]; exclude_types?: string[]; account_id?: string };

/** Unknown names are ignored; an empty list means every type. */
const wantedTypes = ({ types, exclude_types: excluded }: FilterQuery): NotificationType[] =>
  NOTIFICATION_TYPES.filter(
    (type) => (!types?.length || types.includes(type)) && !excluded?.includes(type),
  );

const filterOf = (query: FilterQuery): NotificationFilter => {
  const { account_id: from } = query;
  // An invalid id matches nothing.
  return { types: wantedTypes(query), fromId: from === undefined ? null : (parseId(from) ?? "0") };
};

const listRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/notifications",
    { config: user("read:notifications"), schema: { querystring: ListQuery } },
    async (request, reply) => {
      const page = parsePage(request.query, PAGE);
      const filter = filterOf(request.query);
      const { accountId } = viewerOf(request);
      const { views, ids } = await listNotifications(app, accountId, page, filter);
      linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
      return sendJsonBytes(reply, notificationListParts(views, app.config.site));
    },
  );
};

const countRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/notifications/unread_count",
    { config: user("read:notifications"), schema: { querystring: CountQuery } },
    async (request) => {
      const limit = parseLimit(request.query.limit, COUNT, MAX_COUNT);
      const filter = filterOf(request.query);
      const now = app.clock.now();
      return { count: await countUnread(app.sql, viewerOf(request), filter, limit, now) };
    },
  );
};

const oneRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/notifications/:id",
    { config: user("read:notifications"), schema: { params: IdParams } },
    async (request) => {
      const id = pathId(request.params.id);
      const view = await getNotification(app, viewerOf(request).accountId, id);
      return notificationEntity(view, app.config.site);
    },
  );
};

const removalRoutes = (server: Server, app: App): void => {
  const config = user("write:notifications");
  server.post("/api/v1/notifications/clear", { config }, async (request) => {
    await deleteAll(app.sql, viewerOf(request).accountId);
    return {};
  });

  server.post(
    "/api/v1/notifications/:id/dismiss",
    { config, schema: { params: IdParams } },
    async (request) => {
      const id = pathId(request.params.id);
      if (!(await deleteNotification(app.sql, viewerOf(request).accountId, id))) {
        throw new NotFound();
      }
      return {};
    },
  );
};

export const notificationRoutes = (server: Server, app: App): void => {
  listRoute(server, app);
  countRoute(server, app);
  policyRoutes(server);
  oneRoute(server, app);
  removalRoutes(server, app);
};
