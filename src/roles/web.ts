// The HTTP server of a process: the API, the pages and the inbox for the web role, the streams for the streaming role,
// and health for every process.

import type { App } from "../platform/app.ts";
import { receiveOthersInvalidations } from "../platform/db/invalidate-others.ts";
import { registerFormerNames } from "../platform/http/former-names.ts";
import { createServer } from "../platform/http/create-server.ts";
import { mayBeSomebody } from "../platform/http/overload.ts";
import type { Server } from "../platform/http/server.ts";
import { listenFault } from "../platform/http/listening.ts";
import { metricsRoute } from "../platform/http/metrics.ts";
import { healthRoutes } from "../domain/about/instance/routes.ts";
import { watchRefusedAddresses } from "../domain/base/blocklists/ips.ts";
import { authenticator } from "../domain/people/oauth/authenticate.ts";
import { visitor } from "../domain/people/users/pages/cookies.ts";
import { signerOf } from "../federation/routes/viewer.ts";
import { drawFault } from "../pages/web/fault.ts";
import { API_LIMITS } from "../rate-limits.ts";
import type { Role } from "./roles.ts";
import { ROLES } from "./roles.ts";
import { attachStreaming } from "./streaming.ts";

/**
 * With several processes, whoever acts through one and reads through another sees the result: an answer waits until the
 * others have its invalidations, and a request until this process has what was published before.
 */
export const registerCacheSync = (server: Server, { cacheSync }: Pick<App, "cacheSync">): void => {
  if (!cacheSync) return;
  server.addHook("onRequest", async (request) => {
    if (mayBeSomebody(request) || request.headers.cookie !== undefined) await cacheSync.caughtUp();
  });
  server.addHook("onSend", async ({ method }) => {
    if (method !== "GET" && method !== "HEAD") await cacheSync.published();
  });
};

/** Builds the server and listens; the port is in `server.server.address()`. */
export const startWeb = async (app: App, roles: readonly Role[] = ROLES): Promise<Server> => {
  const identify = authenticator(app);
  const server = createServer(app, identify, API_LIMITS, drawFault(app), {
    member: (request) => visitor(app, request),
    signer: (request) => signerOf(app, request),
  });
  await receiveOthersInvalidations(app);
  registerCacheSync(server, app);
  await watchRefusedAddresses(app, server);
  registerFormerNames(server, app);
  // Other roles do without the code of the routes, which takes a tenth of a process's memory.
  if (roles.includes("web")) (await import("../routes.ts")).registerRoutes(server, app);
  healthRoutes(server, app);
  metricsRoute(server, app);
  if (roles.includes("streaming")) attachStreaming(app, server, identify);
  app.pulse.start();
  app.replica?.start();
  const { bind, port } = app.config.http;
  try {
    await server.listen({ host: bind, port });
  } catch (error) {
    await server.close();
    throw listenFault(error as NodeJS.ErrnoException, app.config.http);
  }
  return server;
};
