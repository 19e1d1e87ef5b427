// Serves one's own profile for editing: source and HTML, with the featured tags.
// https://docs.joinmastodon.org/methods/profile/

import type { App } from "../../../platform/app.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { uploads } from "../../../platform/http/body.ts";
import type { Server } from "../../../platform/http/server.ts";
import { changing } from "../../../platform/http/schema.ts";
import { getAccount } from "../../people/accounts/load.ts";
import { profileEntity } from "../../people/accounts/present.ts";
import { ProfileBody } from "../../people/accounts/schema.ts";
import { updateProfile } from "../../people/accounts/update-profile.ts";
import { loadFeaturedTags } from "./load.ts";
import { featuredTagEntity } from "./present.ts";

const profile = async (app: App, accountId: string) => {
  const [view, tags] = await Promise.all([
    getAccount(app, accountId),
    loadFeaturedTags(app, accountId),
  ]);
  return profileEntity(
    view,
    tags.map((row) => featuredTagEntity(row, view, app.config.site)),
    app.config.site,
  );
};

export const profileRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/profile", { config: user("profile", "read:accounts") }, (request) =>
    profile(app, viewerOf(request).accountId),
  );

  server.route({
    url: "/api/v1/profile",
    ...changing({ ...user("write:accounts"), ...uploads(2) }, ProfileBody),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const { source: _source, ...input } = request.body;
      await updateProfile(app, accountId, input);
      return profile(app, accountId);
    },
  });
};
