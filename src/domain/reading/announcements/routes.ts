// Serves announcements of the server's staff. https://docs.joinmastodon.org/methods/announcements/

import type { App } from "../../../platform/app.ts";
import { Unprocessable } from "../../../platform/errors.ts";
import { checkStanding, open, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { Type, byId, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { listAnnouncements } from "./load.ts";
import { announcementEntity } from "./present.ts";
import { addReaction, dismissAnnouncement, removeReaction } from "./react.ts";

const ListQuery = Type.Object({ with_dismissed: Type.Optional(Type.Boolean()) });
const ReactionParams = Type.Object({ id: Type.String(), name: Type.String() });

const listRoute = (server: Server, app: App): void => {
  // The route needs no scope, and answers 422 without a user (auth_matrix of the contract).
  server.get("/api/v1/announcements", withQuery(open(), ListQuery), async (request) => {
    const viewer = request.credentials?.viewer;
    if (!viewer) throw new Unprocessable("This method requires an authenticated user");
    checkStanding(viewer);
    const all = await listAnnouncements(app, viewer.accountId);
    // Clients show dismissed ones in a separate list: they are left out only on request.
    const leaveOut = request.query.with_dismissed === false;
    return all
      .filter((view) => !leaveOut || !view.read)
      .map((view) => announcementEntity(view, app.config.site));
  });
};

const reactionRoutes = (server: Server, app: App): void => {
  const config = userForm("write", "write:favourites");
  const schema = { params: ReactionParams };
  server.route({
    method: ["PUT", "PATCH"],
    url: "/api/v1/announcements/:id/reactions/:name",
    config,
    schema,
    handler: async (request) => {
      const { id, name } = request.params;
      await addReaction(app, id, viewerOf(request).accountId, name);
      return {};
    },
  });

  server.delete(
    "/api/v1/announcements/:id/reactions/:name",
    { config, schema },
    async (request) => {
      const { id, name } = request.params;
      await removeReaction(app, id, viewerOf(request).accountId, name);
      return {};
    },
  );
};

export const announcementRoutes = (server: Server, app: App): void => {
  listRoute(server, app);
  reactionRoutes(server, app);

  server.post(
    "/api/v1/announcements/:id/dismiss",
    byId(userForm("write", "write:accounts")),
    async (request) => {
      await dismissAnnouncement(app, request.params.id, viewerOf(request).accountId);
      return {};
    },
  );
};
