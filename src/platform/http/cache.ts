// Caching of answers that are the same for everybody.

import type { FastifyReply, FastifyRequest } from "fastify";

const SHARED = "max-age=15, public, stale-while-revalidate=30, stale-if-error=86400";

/** Lets proxies keep the answer for a moment when it was asked for without any token. */
export const cacheForPublic = (request: FastifyRequest, reply: FastifyReply): void => {
  const { access_token: token } = request.query as Record<string, unknown>;
  if (request.credentials === null && !request.headers.authorization && token === undefined) {
    reply.header("cache-control", SHARED);
  }
};
