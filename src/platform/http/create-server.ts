// Creates the fastify server: parsing, coercion, errors, CORS, authentication, logging, closing.

import Fastify, { LogController } from "fastify";
import type { FastifyBaseLogger } from "fastify";
import type { TypeBoxTypeProvider } from "@fastify/type-provider-typebox";
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { App } from "../app.ts";
import { requestCounter } from "./api-limits.ts";
import type { ApiLimits } from "./api-limits.ts";
import { registerAskers } from "./asking.ts";
import type { Identify } from "./asking.ts";
import { registerAuth, registerCors } from "./auth.ts";
import type { Authenticate } from "./credentials.ts";
import { BODY_LIMIT, registerBodyParsers, parseQuery } from "./body.ts";
import { uploadFolder } from "../storage/uploads.ts";
import { createHttpServer } from "./connections.ts";
import { registerErrors, sendAddressFault } from "./error-handler.ts";
import type { DrawFault } from "./fault-page.ts";
import { registerBodyRoom, registerOverload } from "./overload.ts";
import { registerRequestRate } from "./request-rates.ts";
import { logResponses, newRequestId, requestLog } from "./request-log.ts";
import { registerHead, rewriteIncoming } from "./incoming.ts";
import { registerTracing } from "./traced.ts";
import type { Server } from "./server.ts";
import { compileValidator } from "./validate.ts";

const SWEEP_MS = 50;

/**
 * Lets a closing server finish its open requests without waiting for idle keep-alive connections, nor for those on
 * which nothing was ever sent (browsers open them in advance), which would delay it by a minute.
 */
const registerClosing = (server: Server): void => {
  const sockets = new Set<Socket>();
  server.server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  const sweep = () => {
    server.server.closeIdleConnections();
    // Node treats these as busy until the timeout for headers.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  server.addHook("preClose", async () => {
    // A server that could not listen never emits that it is closed.
    const timer = setInterval(sweep, SWEEP_MS).unref();
    server.server.once("close", () => clearInterval(timer));
    sweep();
  });
};

const isWebSocket = (request: IncomingMessage): boolean =>
  request.headers.upgrade?.toLowerCase() === "websocket";

/**
 * Creates the server. `authenticate` finds the credentials of a bearer token, `identify` finds other requesters, and
 * `drawFault` draws pages of errors.
 */
export const createServer = (
  app: App,
  authenticate: Authenticate,
  limits: ApiLimits | null = null,
  drawFault?: DrawFault,
  identify?: Identify,
): Server => {
  const server: Server = Fastify({
    loggerInstance: app.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    trustProxy: app.config.http.trustedProxies,
    bodyLimit: BODY_LIMIT,
    // Only WebSockets are upgraded: a request that offers HTTP/2 (h2c) gets an ordinary answer.
    serverFactory: (handle) => createHttpServer(handle, { shouldUpgradeCallback: isWebSocket }),
    exposeHeadRoutes: false,
    genReqId: newRequestId,
    childLoggerFactory: requestLog,
    rewriteUrl: rewriteIncoming,
    routerOptions: {
      maxParamLength: 512,
      querystringParser: parseQuery,
      ignoreTrailingSlash: true,
    },
    frameworkErrors: sendAddressFault(app, drawFault),
    forceCloseConnections: "idle",
  }).withTypeProvider<TypeBoxTypeProvider>();
  server.decorate("ownLocale", app.config.instance.locale);
  server.decorate("routeTable", []);
  server.addHook("onRoute", (route) => void server.routeTable.push(route));
  server.setValidatorCompiler(compileValidator);
  server.setSerializerCompiler(() => JSON.stringify);
  registerBodyParsers(server, uploadFolder(app.config.dataDir));
  registerTracing(server, app);
  registerErrors(server, app, drawFault);
  registerClosing(server);
  registerCors(server);
  registerOverload(server, app);
  if (limits) registerRequestRate(server, app, limits.others);
  registerBodyRoom(server, app);
  registerAuth(server, authenticate, requestCounter(app, limits), app.config.access.closed);
  registerAskers(server, app, authenticate, identify);
  logResponses(server, app);
  registerHead(server);
  return server;
};
