// What is asked under a name that the server had before (docs/design/moving.md): pages lead to the present one, while
// servers and apps that only know the old one are answered there.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { formerNamesOf } from "../config/names.ts";
import type { FormerNames } from "../config/names.ts";
import type { Server } from "./server.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The names under which it came, where these are not the present ones. */
    formerNames: FormerNames | null;
  }
}

/** What programs ask for, which keep to the address that they know; a document that has moved says so itself. */
const ANSWERED =
  /^\/(?:api|users|ap|actor|inbox|contexts|nodeinfo|\.well-known|health|oauth\/(?:token|revoke|userinfo))(?=[/?]|$)/;

const isRead = ({ method }: FastifyRequest): boolean => method === "GET" || method === "HEAD";

/** Before any route. What somebody sends to an old address is taken there: a redirect would lose it. */
export const registerFormerNames = (server: Server, { config: { site } }: App): void => {
  server.decorateRequest("formerNames", null);
  if (site.former.length === 0) return;
  server.addHook("onRequest", async (request, reply) => {
    request.formerNames = formerNamesOf(site, request.host);
    if (!request.formerNames || !isRead(request) || ANSWERED.test(request.url)) return;
    // Not for ever: a server may get an earlier name back.
    return reply
      .header("cache-control", "max-age=86400, public")
      .redirect(site.origin + request.url, 301);
  });
};
