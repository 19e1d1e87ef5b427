// Serves grouped notifications. https://docs.joinmastodon.org/methods/grouped_notifications/

import type { App } from "../../../platform/app.ts";
import { parseLimit, parsePage } from "../../../platform/db/paging.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { listParts, sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import { linkPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { PageQuery, withPath, withQuery } from "../../../platform/http/schema.ts";
import { accountJson } from "../../people/accounts/present.ts";
import { presentPage } from "../timelines/former-ids.ts";
import { PAGE, unreadGroups } from "./cached-page.ts";
import { fallbacksFor } from "./fallbacks.ts";
import { dismissGroup, getGroup, listGroups, listSenders } from "./groups.ts";
import { groupsParts } from "./present-groups.ts";
import { countUnreadGroups } from "./queries-groups.ts";
import {
  COUNT_LIMITS,
  FallbackQuery,
  GroupCountQuery,
  GroupsQuery,
  KeyParams,
  READING,
  groupFilterOf,
  wantsPartial,
} from "./schema.ts";

const listRoute = (server: Server, app: App): void => {
  server.get("/api/v2/notifications", withQuery(READING, GroupsQuery), async (request, reply) => {
    const partial = wantsPartial(request.query);
    const { accountId } = viewerOf(request);
    const page = await presentPage(app, accountId, parsePage(request.query, PAGE));
    const filter = groupFilterOf(request.query);
    const { view, ids, floor } = await listGroups(app, accountId, page, filter);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    const fallbackOf = fallbacksFor(request.query, viewerOf(request));
    const { site } = app.config;
    return sendJsonBytes(reply, groupsParts(view, { site, fallbackOf, floor, partial }));
  });
};

const countRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v2/notifications/unread_count",
    withQuery(READING, GroupCountQuery),
    async (request) => {
      const { accountId } = viewerOf(request);
      if (Object.keys(request.query).length === 0)
        return { count: await unreadGroups(app, accountId) };
      const limit = parseLimit(request.query.limit, ...COUNT_LIMITS);
      const filter = groupFilterOf(request.query);
      const now = app.clock.now();
      return { count: await countUnreadGroups(app.sql, accountId, filter, limit, now) };
    },
  );
};

const oneRoutes = (server: Server, app: App): void => {
  const { origin } = app.config.site;

  server.get(
    "/api/v2/notifications/:group_key",
    {
      config: READING,
      schema: { params: KeyParams, querystring: FallbackQuery },
    },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const view = await getGroup(app, viewer.accountId, request.params.group_key);
      const fallbackOf = fallbacksFor(request.query, viewer);
      const { site } = app.config;
      return sendJsonBytes(
        reply,
        groupsParts(view, { site, fallbackOf, floor: null, partial: false }),
      );
    },
  );

  server.get(
    "/api/v2/notifications/:group_key/accounts",
    {
      config: READING,
      schema: { params: KeyParams, querystring: PageQuery },
    },
    async (request, reply) => {
      const { accountId } = viewerOf(request);
      const page = await presentPage(app, accountId, parsePage(request.query, PAGE));
      const { views, ids } = await listSenders(app, accountId, request.params.group_key, page);
      linkPage(request, reply, { origin, ids, limit: page.limit });
      const { site } = app.config;
      return sendJsonBytes(
        reply,
        listParts(views, (view, parts) => parts.push(accountJson(view, site))),
      );
    },
  );

  server.post(
    "/api/v2/notifications/:group_key/dismiss",
    withPath(user("write:notifications"), KeyParams),
    async (request) => {
      await dismissGroup(app, viewerOf(request).accountId, request.params.group_key);
      return {};
    },
  );
};

export const groupRoutes = (server: Server, app: App): void => {
  listRoute(server, app);
  countRoute(server, app);
  oneRoutes(server, app);
};
