// Makes a span for each request, named after its route.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import type { OpenSpan } from "../tracing/index.ts";
import type { Server } from "./server.ts";

export const registerTracing = (server: Server, { tracing }: App): void => {
  if (!tracing) return;
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  server.addHook("onRequest", (request, _reply, done) => {
    const route = request.routeOptions.url ?? "(unknown)";
    const span = tracing.start(`${request.method} ${route}`, {
      kind: "server",
      attributes: {
        "http.request.method": request.method,
        "http.route": route,
        "url.scheme": request.protocol,
        // The log has the same id.
        "rookery.request_id": request.id,
      },
      link: request.headers["traceparent"]?.toString(),
    });
    spans.set(request, span);
    span.run(done);
  });
  server.addHook("onError", (request, _reply, error, done) => {
    spans.get(request)?.set({ "error.type": error.constructor.name });
    done();
  });
  server.addHook("onResponse", (request, reply, done) => {
    const span = spans.get(request);
    span?.set({ "http.response.status_code": reply.statusCode });
    span?.end(reply.statusCode >= 500 ? new Error("answered with an error") : undefined);
    done();
  });
};
