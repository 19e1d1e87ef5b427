// Sets Cache-Control of responses that are the same for everybody.

import type { FastifyReply, FastifyRequest } from "fastify";

const SHARED = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";

/** Lets shared caches store the response for five minutes. */
export const shareable = (reply: FastifyReply): FastifyReply =>
  reply
    .header("cache-control", "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400")
    .header("vary", "Accept, Origin");

/** Lets proxies cache the response for a moment if the request had neither token nor cookie. */
export const cacheForPublic = (request: FastifyRequest, reply: FastifyReply): void => {
  const { authorization, cookie } = request.headers;
  if (request.credentials !== null || authorization || cookie) return;
  // The URL is examined, because the parsed query has only the parameters of the route's schema.
  if (request.url.includes("access_token")) return;
  reply.header("cache-control", SHARED);
};
