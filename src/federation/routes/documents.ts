// Serves the ActivityPub documents of this server. With AUTHORIZED_FETCH they are served to signed requests alone
// (except the server's own actor, whose key everybody needs to check our signatures), and no cache may share them.
// Every route in this scope requires that unless its options say otherwise; the Accept header only decides whether a
// request is redirected to a page.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { Unauthorized } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { actorRoutes } from "./actors.ts";
import { collectionRoutes } from "./collections.ts";
import { featuredCollectionRoutes } from "./featured-collections.ts";
import { authorizationRoutes } from "./authorizations.ts";
import { statusDocumentRoutes } from "./statuses.ts";
import { needsSigner, signerOf } from "./viewer.ts";

const checkSigner = async (app: App, request: FastifyRequest): Promise<void> => {
  if (!needsSigner(app, request) || (await signerOf(app, request))) return;
  throw new Unauthorized("This server answers only requests that are signed by an actor");
};

const unshared = (app: App, request: FastifyRequest, reply: FastifyReply): void => {
  if (!needsSigner(app, request)) return;
  reply.header("cache-control", "private, no-store").header("vary", "Accept, Signature");
};

export const documentRoutes = (server: Server, app: App): void => {
  server.register(async (scope: Server) => {
    if (app.config.access.signedFetches) {
      scope.addHook("preHandler", (request) => checkSigner(app, request));
      scope.addHook("onSend", async (request, reply) => unshared(app, request, reply));
    }
    actorRoutes(scope, app);
    collectionRoutes(scope, app);
    featuredCollectionRoutes(scope, app);
    statusDocumentRoutes(scope, app);
    authorizationRoutes(scope, app);
  });
};
