// Serves all hashtags to moderators: their names, and where they may be used and shown.

import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { viewerOf } from "../../../platform/http/auth.ts";
import { linkPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, byId, changingById, paged } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { requestActor, requireActor } from "./actors.ts";
import { adminAccess } from "./admin-schema.ts";
import { pageOfTags } from "../../posts/tags/load.ts";
import { adminTagEntities } from "../../reading/trends/admin-tags.ts";
import { changeTagAs } from "../../reading/trends/review.ts";

const Flag = Type.Optional(Type.Boolean());

const TagBody = Type.Object({
  display_name: Type.Optional(Type.String({ maxLength: 1000 })),
  listable: Flag,
  trendable: Flag,
  usable: Flag,
});

const entityOf = async (app: App, id: string, viewerId: string) =>
  orNotFound((await adminTagEntities(app, [id], viewerId))[0]);

export const adminTagRoutes = (server: Server, app: App): void => {
  const config = adminAccess("read");
  server.get("/api/v1/admin/tags", paged(config), async (request, reply) => {
    await requireActor(app, request, "tags.read");
    const page = parsePage(request.query as object, 100, 200);
    const ids = await pageOfTags(app, page);
    linkPage(request, reply, { origin: app.config.site.origin, ids, limit: page.limit });
    return adminTagEntities(app, ids, viewerOf(request).accountId);
  });
  server.get("/api/v1/admin/tags/:id", byId(config), async (request) => {
    await requireActor(app, request, "tags.read");
    return entityOf(app, pathId(request.params.id), viewerOf(request).accountId);
  });
  server.route({
    url: "/api/v1/admin/tags/:id",
    ...changingById(adminAccess("write"), TagBody),
    handler: async (request) => {
      const id = pathId(request.params.id);
      await changeTagAs(app, await requestActor(app, request), id, request.body);
      return entityOf(app, id, viewerOf(request).accountId);
    },
  });
};
