// The one place where an error becomes an answer: `{"error": …}` with the right status, or a page
// for people.

import type { FastifyError } from "fastify";
import type { App } from "../app.ts";
import { HttpError } from "../errors.ts";
import { sendFaultPage, wantsPage } from "./fault-page.ts";
import type { Server } from "./server.ts";

/** Errors of the HTTP layer itself (body too large, bad header …) carry their own status. */
const layerStatus = (error: FastifyError): number | null =>
  error.statusCode && error.statusCode >= 400 && error.statusCode < 500 ? error.statusCode : null;

export const registerErrors = (server: Server, app: App): void => {
  server.setErrorHandler(async (error: FastifyError | HttpError, request, reply) => {
    if (error instanceof HttpError) {
      if (error.headers) reply.headers(error.headers);
      reply.header("cache-control", "private, no-store");
      if (wantsPage(request)) return sendFaultPage(app, reply, error.status, error.message);
      return reply.code(error.status).send(error.body ?? { error: error.message });
    }
    const status = layerStatus(error);
    if (status) return reply.code(status).send({ error: error.message });
    request.log.error({ err: error, path: request.url.split("?", 1)[0] }, "request failed");
    if (wantsPage(request)) return sendFaultPage(app, reply, 500);
    return reply.code(500).send({ error: "Something went wrong on our end" });
  });
  server.setNotFoundHandler(async (request, reply) =>
    wantsPage(request)
      ? sendFaultPage(app, reply, 404)
      : reply.code(404).send({ error: "Not Found" }),
  );
};
