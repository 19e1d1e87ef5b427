// CORS: web clients may call the API from any origin; it never uses cookies.

import type { Server } from "./server.ts";

const EXPOSED =
  "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Mastodon-Async-Refresh";

/** Whether other origins may read a path. Our own pages (sign-in, app authorization) are not readable. */
const isShared = (path: string): boolean =>
  /^\/(?:api\/|oauth\/(?:token|revoke|userinfo|introspect)|\.well-known\/|nodeinfo\/|media\/|avatars\/|headers\/|users\/|@|health)/.test(
    path,
  );

/** Headers that web clients usually send; others are allowed on request, because no cookies are used. */
const USUAL_HEADERS = ["authorization", "content-type", "idempotency-key"];
const MOST_HEADERS = 40;

const allowedHeaders = (requested: string | undefined): string => {
  const names = (requested ?? "").toLowerCase().split(",", MOST_HEADERS);
  const tokens = names.map((name) => name.trim()).filter((name) => /^[a-z0-9_-]{1,64}$/.test(name));
  return [...new Set([...USUAL_HEADERS, ...tokens])].join(", ");
};

export const registerCors = (server: Server): void => {
  server.addHook("onRequest", (request, reply, done) => {
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"]) {
      return void reply
        .code(200)
        .headers({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
          "access-control-allow-headers": allowedHeaders(
            request.headers["access-control-request-headers"],
          ),
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
