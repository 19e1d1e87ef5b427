// Cache-Control of responses that are the same for everybody.

import type { FastifyReply, FastifyRequest } from "fastify";

const SHARED = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";

/** Lets shared caches store the response for some minutes. */
export const shareable = (reply: FastifyReply): FastifyReply =>
  reply
    .header("cache-control", "max-age=300, public, stale-while-revalidate=30, stale-if-error=86400")
    .header("vary", "Accept, Origin");

/** Lets proxies keep the answer for a moment when it was asked for without any token. */
export const cacheForPublic = (request: FastifyRequest, reply: FastifyReply): void => {
  const { access_token: token } = request.query as Record<string, unknown>;
  if (request.credentials === null && !request.headers.authorization && token === undefined) {
    reply.header("cache-control", SHARED);
  }
};
