// Caching of answers that are the same for everybody.

import type { FastifyReply, FastifyRequest } from "fastify";

const SHARED = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";

/** The same for everybody: shared caches may keep it for some minutes. */
export const shareable = (reply: FastifyReply): FastifyReply =>
  reply
    .header("cache-control", "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400")
    .header("vary", "Accept, Origin");

/** Lets proxies keep the answer for a moment when it was asked for without any token or cookie. */
export const cacheForPublic = (request: FastifyRequest, reply: FastifyReply): void => {
  const { authorization, cookie } = request.headers;
  if (request.credentials !== null || authorization || cookie) return;
  // Not the parsed query: a schema leaves out what it does not name.
  if (request.url.includes("access_token")) return;
  reply.header("cache-control", SHARED);
};
