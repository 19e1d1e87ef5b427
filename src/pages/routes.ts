// The public pages: what a person with a browser sees, signed in or not.

import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../platform/app.ts";
import { isOwnDomain } from "../platform/config/names.ts";
import { Gone, NotFound, orNotFound } from "../platform/errors.ts";
import type { Server } from "../platform/http/server.ts";
import { isTagName } from "../platform/text/tags.ts";
import { visitor } from "../domain/people/users/pages/cookies.ts";
import { findKnownId } from "../domain/people/accounts/find.ts";
import { getAccount } from "../domain/people/accounts/load.ts";
import type { AccountView } from "../domain/people/accounts/tables.ts";
import { awaitsOwner } from "../domain/people/users/owner-setup.ts";
import { asAnybody } from "../domain/people/users/pages/components.ts";
import { sendAwaitsOwner } from "../domain/people/users/pages/setup.ts";
import { asMember } from "../domain/people/users/pages/member.ts";
import { wantsActivityJson } from "../federation/media-types.ts";
import { embedRoutes } from "./embed-routes.ts";
import { eventFileRoutes } from "./event-routes.ts";
import { formerAddressRoutes } from "./former-addresses.ts";
import { interactionRoutes } from "./interaction/routes.ts";
import { NOBODY } from "../platform/viewer.ts";
import { playerRoutes } from "./player-routes.ts";
import { postOf } from "./post-of.ts";
import { personFeed, tagFeed } from "./rss.ts";
import type { Feed } from "./rss.ts";
import { clientPaths } from "./web/bundle.ts";
import { SHARED } from "./web/document.ts";
import { clientFileRoutes } from "./web/files.ts";
import { clientRoutes } from "./web/session.ts";
import { showView } from "./web/view.ts";
import type { ShowView } from "./web/view.ts";

/** Cache-Control of pages with the server's figures, which must be at most a minute old (FIGURES_SECONDS). */
const SHARED_FRESH = "max-age=15, public";

/** Cache-Control of feeds: readers poll often, and nobody waits for news. */
const FEED = "max-age=300, public";

type PageContext = { app: App; request: FastifyRequest; reply: FastifyReply };

/** Redirects; a redirect for somebody signed in is not cached for others. */
const moveTo = async ({ app, request, reply }: PageContext, url: string): Promise<FastifyReply> => {
  const isMember = (await visitor(app, request)) !== null;
  return reply
    .header("vary", "Accept, Cookie")
    .header("cache-control", isMember ? "private, no-store" : SHARED)
    .redirect(url, 302);
};

const NAME = /^[a-z0-9_]{1,30}$/i;

const personByName = async (app: App, name: string): Promise<AccountView> => {
  const id = orNotFound(NAME.test(name) ? await findKnownId(app, name) : null);
  const view = await getAccount(app, id);
  if (view.suspended_at) throw new Gone();
  return view;
};

/** Returns `/@me/…` for `/@me@this.domain/…`; null for every other path. */
const shortened = ({ config }: App, { params, url }: FastifyRequest): string | null => {
  const { name = "" } = params as { name?: string };
  const [username = "", domain = ""] = name.split("@");
  const isOurs = isOwnDomain(config.site, domain.toLowerCase()) && NAME.test(username);
  return isOurs ? url.replace(/^\/(?:@|%40)[^/?]*/i, `/@${username}`) : null;
};

/** Pages about a person. */
const PERSON_PAGES = [
  "/@:name/with_replies",
  "/@:name/media",
  "/@:name/followers",
  "/@:name/following",
  "/@:name/featured",
  // Includes who favourited a post, and its history.
  "/@:name/:id/:part",
];

/** Registers the pages of people and posts; peers that ask for the ActivityPub document are redirected to it. */
const personRoutes = (server: Server, app: App, view: ShowView): void => {
  server.addHook("preHandler", async (request, reply) => {
    const path = shortened(app, request);
    if (path !== null) return moveTo({ app, request, reply }, path);
  });
  server.get<{ Params: { name: string } }>("/@:name", async (request, reply) => {
    const { name } = request.params;
    if (name.includes("@") || !wantsActivityJson(request)) return view(request, reply);
    return moveTo({ app, request, reply }, (await personByName(app, name)).uri);
  });
  for (const path of PERSON_PAGES) {
    server.get(path, async (request, reply) => view(request, reply));
  }
  server.get<{ Params: { tag: string } }>("/@:name/tagged/:tag", async (request, reply) => {
    if (!isTagName(request.params.tag)) throw new NotFound();
    return view(request, reply);
  });
  eventFileRoutes(server, app);
  server.get<{ Params: { name: string; id: string } }>("/@:name/:id", async (request, reply) => {
    if (!wantsActivityJson(request)) return view(request, reply);
    // The document ignores the browser's session.
    const { account, uri } = await postOf(app, request.params, NOBODY);
    return account.domain === null ? moveTo({ app, request, reply }, uri) : view(request, reply);
  });
};

/** Pages of the client with routes of their own: they redirect, count, or are cached otherwise. */
const SPECIAL = /^\/(?:@.*|tags\/:name|about|authorize_interaction|share)?$/;

/** Registers the other pages of the client; in the settings, members whose account is not in order are told why. */
const clientPages = (server: Server, app: App, view: ShowView): void => {
  const show = (request: FastifyRequest, reply: FastifyReply) => view(request, reply);
  const mine = asMember(app, ({ request, reply }) => view(request, reply));
  for (const path of clientPaths().filter((each) => !SPECIAL.test(each)))
    server.get(path, path.startsWith("/settings") ? mine : show);
};

const serverRoutes = (server: Server, app: App, view: ShowView): void => {
  server.get("/", async (request, reply) => {
    if (await awaitsOwner(app)) return asAnybody(app)(sendAwaitsOwner)(request, reply);
    return view(request, reply, SHARED_FRESH);
  });
  server.get("/about", async (request, reply) => view(request, reply, SHARED_FRESH));
  server.get<{ Params: { name: string } }>("/tags/:name", async (request, reply) => {
    if (!isTagName(request.params.name)) throw new NotFound();
    return view(request, reply);
  });
};

const sendFeed = (reply: FastifyReply, { document, changedAt }: Feed): FastifyReply =>
  reply
    .headers({
      "content-type": "application/rss+xml; charset=utf-8",
      "cache-control": FEED,
      "x-content-type-options": "nosniff",
      ...(changedAt && { "last-modified": changedAt.toUTCString() }),
    })
    .send(document);

const feedRoutes = (server: Server, app: App): void => {
  server.get<{ Params: { name: string } }>("/@:name.rss", async (request, reply) => {
    const view = await personByName(app, request.params.name);
    return sendFeed(reply, await personFeed(app, view));
  });

  server.get<{ Params: { name: string } }>("/tags/:name.rss", async (request, reply) => {
    const { name } = request.params;
    if (!isTagName(name)) throw new NotFound();
    return sendFeed(reply, await tagFeed(app, name));
  });
};

/** Registers the public pages. Frames and files get no cookies, which are only read in the scope of the pages. */
export const pageRoutes = (server: Server, app: App): void => {
  clientFileRoutes(server);
  embedRoutes(server, app);
  playerRoutes(server, app);
  feedRoutes(server, app);
  server.register(async (pages: Server) => {
    await pages.register(cookie);
    const view = showView(pages, app);
    clientRoutes(pages, app);
    clientPages(pages, app, view);
    pages.register(async (people: Server) => personRoutes(people, app, view));
    serverRoutes(pages, app, view);
    interactionRoutes(pages, app, view);
    formerAddressRoutes(pages, app);
  });
};
