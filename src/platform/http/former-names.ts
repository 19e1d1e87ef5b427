// Handles requests under a domain that the server had before (docs/design/moving.md): pages redirect to the present
// one, while servers and apps that only know the old one are served there.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { formerNamesOf } from "../config/names.ts";
import type { FormerNames } from "../config/names.ts";
import type { Server } from "./server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The former names under which the request came; null for the present ones. */
    formerNames: FormerNames | null;
  }
}

/** Paths that programs request, which keep to the address that they know; a moved document says so itself. */
const ANSWERED =
  /^\/(?:api|users|ap|actor|inbox|contexts|nodeinfo|\.well-known|health|oauth\/(?:token|revoke|userinfo))(?=[/?]|$)/;

const isRead = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

/**
 * Handles requests before any route. A request that sends something to an old address is answered there, because a
 * redirect would lose its body.
 */
export const registerFormerNames = (server: Server, { config: { site } }: App): void => {
  server.decorateRequest("formerNames", null);
  if (site.former.length === 0) return;
  server.addHook("onRequest", async (request, reply) => {
    request.formerNames = formerNamesOf(site, request.host);
    if (!request.formerNames || !isRead(request) || ANSWERED.test(request.url)) return;
    // The redirect is not permanent: a server may get an earlier name back.
    return reply
      .header("cache-control", "max-age=86400, public")
      .redirect(site.origin + request.url, 301);
  });
};
