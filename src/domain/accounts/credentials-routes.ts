// One's own account: what it is, changing it, its defaults.
// https://docs.joinmastodon.org/methods/accounts/#verify_credentials

import type { App } from "../../platform/app.ts";
import { user, viewerOf } from "../../platform/http/auth.ts";
import type { Server } from "../../platform/http/server.ts";
import { getAccount } from "./load.ts";
import { credentialAccountEntity, preferencesEntity } from "./present.ts";
import { countFollowRequests } from "./queries.ts";
import { ProfileBody } from "./schema.ts";
import { getSettings } from "./settings.ts";
import { updateProfile } from "./update-profile.ts";

/** Contract: limits.json, follow_requests_count_cap. */
const REQUESTS_CAP = 40;

const credentialAccount = async (app: App, accountId: string) => {
  const [view, settings, followRequests] = await Promise.all([
    getAccount(app, accountId),
    getSettings(app, accountId),
    countFollowRequests(app.sql, accountId, REQUESTS_CAP),
  ]);
  return credentialAccountEntity(view, { settings, followRequests }, app.config.site);
};

export const credentialsRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1/accounts/verify_credentials",
    { config: user("profile", "read:accounts") },
    async (request) => credentialAccount(app, viewerOf(request).accountId),
  );

  server.route({
    method: ["PATCH", "PUT"],
    url: "/api/v1/accounts/update_credentials",
    config: user("write:accounts"),
    schema: { body: ProfileBody },
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      await updateProfile(app, accountId, request.body);
      return credentialAccount(app, accountId);
    },
  });

  server.get("/api/v1/preferences", { config: user("read:accounts") }, async (request) => {
    const { accountId, locale } = viewerOf(request);
    const view = await getAccount(app, accountId);
    return preferencesEntity(view, await getSettings(app, accountId), locale);
  });
};
