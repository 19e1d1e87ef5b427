// Scheduled posts. https://docs.joinmastodon.org/methods/scheduled_statuses/

import type { App } from "../../platform/app.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import { user, viewerOf } from "../../platform/http/auth.ts";
import { linkPage } from "../../platform/http/links.ts";
import { pathId } from "../../platform/http/path-id.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import {
  cancelScheduled,
  getScheduled,
  mediaOfScheduled,
  reschedule,
  scheduledTime,
} from "./schedule.ts";
import { scheduledEntity } from "./present.ts";
import { selectScheduledPage } from "./queries-scheduled.ts";
import type { ScheduledRow } from "./queries-scheduled.ts";
import { IdParams, PageQuery } from "./schema.ts";

const TimeBody = Type.Object({
  scheduled_at: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

const entityOf = async (app: App, row: ScheduledRow) =>
  scheduledEntity(row, await mediaOfScheduled(app, [row]), app.config.site);

export const scheduledRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  server.get(
    "/api/v1/scheduled_statuses",
    { config: user("read:statuses"), schema: { querystring: PageQuery } },
    async (request, reply) => {
      const page = parsePage(request.query, 20);
      const rows = await selectScheduledPage(app.sql, viewerOf(request).accountId, page);
      const found = inOrder(page, rows);
      const ids = found.map(({ id }) => id);
      linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
      const media = await mediaOfScheduled(app, found);
      return found.map((row) => scheduledEntity(row, media, site));
    },
  );

  server.get(
    "/api/v1/scheduled_statuses/:id",
    { config: user("read:statuses"), schema: { params: IdParams } },
    async (request) => {
      const { accountId } = viewerOf(request);
      return entityOf(app, await getScheduled(app, pathId(request.params.id), accountId));
    },
  );

  server.route({
    method: ["PUT", "PATCH"],
    url: "/api/v1/scheduled_statuses/:id",
    config: user("write:statuses"),
    schema: { params: IdParams, body: TimeBody },
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const id = pathId(request.params.id);
      await getScheduled(app, id, accountId);
      const at = scheduledTime(app, request.body?.scheduled_at);
      return entityOf(app, await reschedule(app, id, accountId, at));
    },
  });

  server.delete(
    "/api/v1/scheduled_statuses/:id",
    { config: user("write:statuses"), schema: { params: IdParams } },
    async (request) => {
      await cancelScheduled(app, pathId(request.params.id), viewerOf(request).accountId);
      return {};
    },
  );
};
