// Lets people read and change their own account and its defaults.
// https://docs.joinmastodon.org/methods/accounts/#verify_credentials

import type { FastifyReply } from "fastify";
import type { App } from "../../../platform/app.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import type { CurrentUser } from "../../../platform/http/credentials.ts";
import { uploads } from "../../../platform/http/body.ts";
import { extension } from "../../../platform/http/extension.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import type { Server } from "../../../platform/http/server.ts";
import { changing, withBody } from "../../../platform/http/schema.ts";
import { getAccount } from "./load.ts";
import { credentialAccountJson, preferencesEntity } from "./present.ts";
import { PreferencesBody, ProfileBody, sourceOf } from "./schema.ts";
import { cachedOwnPart, defaultQuotePolicy, findUser } from "./settings.ts";
import { WHICH } from "./store-picture.ts";
import { removePicture, updateProfile } from "./update-profile.ts";
import { updateSource } from "./update-source.ts";

const sendCredentialAccount = async (app: App, reply: FastifyReply, accountId: string) => {
  const view = await getAccount(app, accountId);
  const own = await cachedOwnPart(app, accountId);
  const quotePolicy = await defaultQuotePolicy(app, own.settings);
  return sendJsonBytes(reply, credentialAccountJson(view, own, quotePolicy, app.config.site));
};

const accountRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1/accounts/verify_credentials",
    { config: user("profile", "read:accounts") },
    (request, reply) => sendCredentialAccount(app, reply, viewerOf(request).accountId),
  );

  server.route({
    url: "/api/v1/accounts/update_credentials",
    ...changing({ ...userForm("write:accounts"), ...uploads(2) }, ProfileBody),
    handler: async (request, reply) => {
      const { accountId } = viewerOf(request);
      await updateProfile(app, accountId, request.body);
      return sendCredentialAccount(app, reply, accountId);
    },
  });
};

/** Reading and changing the profile itself is in tags/profile-routes.ts, because a profile has hashtags. */
const pictureRoutes = (server: Server, app: App): void => {
  for (const which of WHICH) {
    server.delete(
      `/api/v1/profile/${which}`,
      { config: userForm("write:accounts") },
      async (request, reply) => {
        const { accountId } = viewerOf(request);
        await removePicture(app, accountId, which);
        return sendCredentialAccount(app, reply, accountId);
      },
    );
  }
};

const preferences = async (app: App, viewer: CurrentUser) => {
  const { accountId } = viewer;
  const [view, person] = await Promise.all([getAccount(app, accountId), findUser(app, accountId)]);
  const settings = person?.settings ?? {};
  return preferencesEntity(view, {
    settings,
    quotePolicy: await defaultQuotePolicy(app, settings),
    timeZone: person?.time_zone ?? null,
    locale: person?.locale ?? viewer.locale,
  });
};

const preferencesRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/preferences", { config: user("read:accounts") }, (request) =>
    preferences(app, viewerOf(request)),
  );

  // Mastodon has these on a settings page alone.
  const config = extension(userForm("write:accounts"), "preferences", "Preferences", "422");
  server.patch("/api/v1/preferences", withBody(config, PreferencesBody), async (request) => {
    const viewer = viewerOf(request);
    await updateSource(app, viewer.accountId, sourceOf(request.body));
    return preferences(app, viewer);
  });
};

export const credentialsRoutes = (server: Server, app: App): void => {
  accountRoutes(server, app);
  pictureRoutes(server, app);
  preferencesRoutes(server, app);
};
