// CORS: any web client may call the API from any origin; cookies never count there.

import type { Server } from "./server.ts";

const EXPOSED =
  "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Mastodon-Async-Refresh";

/** Paths that pages of other origins may read. Our own pages (sign-in, consent) are not among them. */
const isShared = (path: string): boolean =>
  /^\/(?:api\/|oauth\/(?:token|revoke|userinfo|introspect)|\.well-known\/|nodeinfo\/|media\/|avatars\/|headers\/|users\/|@|health)/.test(
    path,
  );

export const registerCors = (server: Server): void => {
  server.addHook("onRequest", (request, reply, done) => {
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"]) {
      return void reply
        .code(200)
        .headers({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
          "access-control-allow-headers": "authorization, content-type, idempotency-key",
          "access-control-max-age": "7200",
        })
        .send({});
    }
    if (isShared(request.url)) {
      reply.header("access-control-allow-origin", "*");
      reply.header("access-control-expose-headers", EXPOSED);
    }
    reply.header("x-content-type-options", "nosniff");
    return done();
  });
};
