// Serves endpoints for apps: registration, tokens, userinfo, the metadata document.

import type { FastifyRequest } from "fastify";
import { Type, withBody } from "../../../platform/http/schema.ts";
import type { App } from "../../../platform/app.ts";
import { Forbidden, orNotFound } from "../../../platform/errors.ts";
import { anybody, anyToken, checkStanding } from "../../../platform/http/auth.ts";
import { addressKey, countAttempt, limitHeaders } from "../../../platform/http/rate-limit.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import type { Server } from "../../../platform/http/server.ts";
import { getAccount } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import {
  applicationEntity,
  checkApp,
  credentialApplicationEntity,
  findApp,
  registerApp,
} from "./apps.ts";
import { exchange, tokenEntity } from "./exchange.ts";
import { readTexts } from "./parameters.ts";
import { selectTokenInfo } from "./queries.ts";
import { revoke } from "./revoke.ts";
import { SCOPES } from "./scopes.ts";

const APPS_PER_ADDRESS: Limit = { name: "apps:ip", by: "address", count: 5, seconds: 600 };

const appBody = Type.Object({
  client_name: Type.Optional(Type.String()),
  redirect_uris: Type.Optional(Type.Array(Type.String())),
  scopes: Type.Optional(Type.Array(Type.String())),
  website: Type.Optional(Type.String()),
});

/** Describes the application of a token made by the command line, which has no app. */
const commandLine = (scopes: string[]) => ({
  id: "0",
  name: "Command line",
  website: null,
  redirect_uris: ["urn:ietf:wg:oauth:2.0:oob"],
  scopes,
  client_id: "",
});

const appRoutes = (server: Server, app: App): void => {
  server.post("/api/v1/apps", withBody(anybody(), appBody), async (request, reply) => {
    const { client_name, redirect_uris, scopes, website } = request.body;
    const checked = checkApp({
      name: client_name ?? "",
      website: website ?? "",
      redirectUris: redirect_uris ?? [],
      scopes: (scopes ?? []).join(" "),
    });
    if (app.config.http.rateLimits) {
      const tally = await countAttempt(app, APPS_PER_ADDRESS, addressKey(request.ip));
      reply.headers(limitHeaders(tally));
    }
    return credentialApplicationEntity(app, await registerApp(app, checked));
  });

  server.get("/api/v1/apps/verify_credentials", { config: anyToken() }, async (request) => {
    const { appId, scopes } = request.credentials!;
    const client = orNotFound(appId === null ? commandLine(scopes) : await findApp(app, appId));
    return applicationEntity(app, client);
  });
};

/** Reads `Authorization: Basic` (RFC 6749, 2.3.1): both parts are form-encoded before base64. */
const basicCredentials = (request: FastifyRequest): Partial<Record<string, string>> => {
  const [, encoded] =
    /^basic\s+([A-Za-z0-9+/=_-]+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (!encoded) return {};
  const [id = "", ...secret] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  const decode = (text: string) => new URLSearchParams(`x=${text}`).get("x") ?? "";
  return readTexts({ client_id: decode(id), client_secret: decode(secret.join(":")) });
};

const parameters = (request: FastifyRequest) => ({
  ...readTexts(request.body),
  ...basicCredentials(request),
});

const tokenRoutes = (server: Server, app: App): void => {
  server.post("/oauth/token", async (request, reply) => {
    reply.header("cache-control", "no-store").header("pragma", "no-cache");
    return tokenEntity(await exchange(app, parameters(request)));
  });

  server.post("/oauth/revoke", async (request, reply) => {
    reply.header("cache-control", "no-store");
    await revoke(app, parameters(request));
    return {};
  });

  server.get("/oauth/token/info", { config: anyToken() }, async (request) => {
    const { tokenId, scopes } = request.credentials!;
    const info = orNotFound(await selectTokenInfo(app.sql, tokenId));
    return {
      resource_owner_id: info.account_id,
      scope: scopes,
      expires_in: null,
      application: { uid: info.client_id ?? "" },
      created_at: Math.floor(info.created_at.getTime() / 1000),
    };
  });
};

/** Answers https://docs.joinmastodon.org/methods/oauth/#userinfo */
const userInfo = (app: App) => async (request: FastifyRequest) => {
  const viewer = request.credentials?.viewer;
  if (!viewer) throw new Forbidden("This method requires an authenticated user");
  checkStanding(viewer);
  const view = await getAccount(app, viewer.accountId);
  const entity = accountEntity(view, app.config.site);
  return {
    iss: `${app.config.site.origin}/`,
    sub: view.uri,
    name: view.display_name || view.username,
    preferred_username: view.username,
    profile: view.url,
    picture: entity["avatar"],
  };
};

/** Describes the OAuth endpoints and what they support, for clients (RFC 8414). */
const metadata = (app: App) => {
  const { origin } = app.config.site;
  return {
    issuer: `${origin}/`,
    authorization_endpoint: `${origin}/oauth/authorize`,
    token_endpoint: `${origin}/oauth/token`,
    revocation_endpoint: `${origin}/oauth/revoke`,
    userinfo_endpoint: `${origin}/oauth/userinfo`,
    app_registration_endpoint: `${origin}/api/v1/apps`,
    scopes_supported: SCOPES,
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "client_credentials"],
    token_endpoint_auth_methods_supported: ["client_secret_basic", "client_secret_post"],
    code_challenge_methods_supported: ["S256"],
    service_documentation: "https://docs.joinmastodon.org/",
  };
};

export const oauthRoutes = (server: Server, app: App): void => {
  appRoutes(server, app);
  tokenRoutes(server, app);
  server.get("/oauth/userinfo", { config: anyToken("profile") }, userInfo(app));
  server.post("/oauth/userinfo", { config: anyToken("profile") }, userInfo(app));
  server.get("/.well-known/oauth-authorization-server", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=300");
    return metadata(app);
  });
};
