// The public pages: what a person with a browser sees, signed in or not.

import cookie from "@fastify/cookie";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Type } from "../platform/http/schema.ts";
import type { App } from "../platform/app.ts";
import { parseId } from "../platform/db/paging.ts";
import { Gone, NotFound } from "../platform/errors.ts";
import type { Server } from "../platform/http/server.ts";
import { isTagName } from "../platform/text/tags.ts";
import { getAccount } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { wantsActivityJson } from "../federation/media-types.ts";
import { aboutPage, privacyPage, termsPage } from "./about.ts";
import { collectionPage } from "./collection.ts";
import { embedRoutes } from "./embed-routes.ts";
import { homePage } from "./home.ts";
import { SHARED, sendPublicPage } from "./layout.ts";
import type { PublicPage } from "./layout.ts";
import { mediaPage } from "./media-of.ts";
import { webUrl } from "./parts.ts";
import { postOf } from "./post-of.ts";
import { profilePage } from "./profile.ts";
import { personFeed, tagFeed } from "./rss.ts";
import { selectLocalAccountId, selectRemoteUrl } from "./queries.ts";
import { publicStyleRoutes } from "./style.ts";
import { tagPage } from "./tag.ts";
import { taggedPage } from "./tagged.ts";
import { threadPage } from "./thread.ts";

/** For pages with the server's figures, which are to be at most a minute old (FIGURES_SECONDS). */
const SHARED_FRESH = "max-age=15, public";

/** Readers ask often, and nobody waits. */
const FEED = "max-age=300, public";

const moveTo = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header("vary", "Accept").header("cache-control", SHARED).redirect(url, 302);

const personByName = async (app: App, name: string): Promise<AccountView> => {
  const id = /^[a-z0-9_]{1,30}$/i.test(name) ? await selectLocalAccountId(app.sql, name) : null;
  if (id === null) throw new NotFound();
  const view = await getAccount(app, id);
  if (view.suspended_at) throw new Gone();
  return view;
};

/** The address of a stranger's page; only what a browser may be sent to. */
const strangerUrl = async (app: App, name: string): Promise<string> => {
  const [username = "", domain = ""] = name.split("@", 2);
  const url = webUrl(domain && (await selectRemoteUrl(app.sql, username, domain)));
  if (!url) throw new NotFound();
  return url;
};

const Older = { querystring: Type.Object({ max_id: Type.Optional(Type.String()) }) };

type Show = (
  request: FastifyRequest,
  reply: FastifyReply,
  page: PublicPage,
) => Promise<FastifyReply>;

const personRoutes = (server: Server, app: App, show: Show): void => {
  server.get<{ Params: { name: string }; Querystring: { max_id?: string } }>(
    "/@:name",
    { schema: Older },
    async (request, reply) => {
      const { name } = request.params;
      if (name.includes("@")) return moveTo(reply, await strangerUrl(app, name));
      const view = await personByName(app, name);
      if (wantsActivityJson(request)) return moveTo(reply, view.uri);
      return show(request, reply, await profilePage(app, view, parseId(request.query.max_id)));
    },
  );

  server.get<{ Params: { name: string; tag: string }; Querystring: { max_id?: string } }>(
    "/@:name/tagged/:tag",
    { schema: Older },
    async (request, reply) => {
      const { name, tag } = request.params;
      if (!isTagName(tag)) throw new NotFound();
      if (name.includes("@")) return moveTo(reply, await strangerUrl(app, name));
      const view = await personByName(app, name);
      return show(request, reply, await taggedPage(app, view, tag, parseId(request.query.max_id)));
    },
  );

  server.get<{ Params: { name: string }; Querystring: { max_id?: string } }>(
    "/@:name/media",
    { schema: Older },
    async (request, reply) => {
      const { name } = request.params;
      if (name.includes("@")) return moveTo(reply, await strangerUrl(app, name));
      const view = await personByName(app, name);
      return show(request, reply, await mediaPage(app, view, parseId(request.query.max_id)));
    },
  );

  server.get<{ Params: { name: string; id: string } }>("/@:name/:id", async (request, reply) => {
    const view = await postOf(app, request.params.name, request.params.id);
    const elsewhere = view.account.domain !== null || view.reblog_of_id !== null;
    if (wantsActivityJson(request) && view.account.domain === null) return moveTo(reply, view.uri);
    if (!elsewhere) return show(request, reply, await threadPage(app, view));
    const shown = view.reblog ?? view;
    const url = webUrl(shown.url) ?? webUrl(shown.uri);
    if (!url) throw new NotFound();
    return moveTo(reply, url);
  });
};

const serverRoutes = (server: Server, app: App, show: Show): void => {
  server.get("/", async (request, reply) =>
    sendPublicPage(app, request, reply, await homePage(app), SHARED_FRESH),
  );
  server.get("/about", async (request, reply) =>
    sendPublicPage(app, request, reply, await aboutPage(app), SHARED_FRESH),
  );
  server.get("/privacy-policy", async (request, reply) =>
    show(request, reply, await privacyPage(app)),
  );
  server.get("/terms-of-service", async (request, reply) =>
    show(request, reply, await termsPage(app)),
  );
  server.get<{ Params: { date: string } }>("/terms-of-service/:date", async (request, reply) =>
    show(request, reply, await termsPage(app, request.params.date)),
  );
};

const listRoutes = (server: Server, app: App, show: Show): void => {
  server.get<{ Params: { id: string } }>("/collections/:id", async (request, reply) =>
    show(request, reply, await collectionPage(app, request.params.id)),
  );

  server.get<{ Params: { name: string }; Querystring: { max_id?: string } }>(
    "/tags/:name",
    { schema: Older },
    async (request, reply) => {
      const { name } = request.params;
      if (!isTagName(name)) throw new NotFound();
      const page = await tagPage(app, name, parseId(request.query.max_id));
      return show(request, reply, page);
    },
  );
};

const sendFeed = (reply: FastifyReply, document: string): FastifyReply =>
  reply
    .headers({
      "content-type": "application/rss+xml; charset=utf-8",
      "cache-control": FEED,
      "x-content-type-options": "nosniff",
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

/** What is framed and what is a file knows no cookies; they are read in the scope of the pages alone. */
export const pageRoutes = (server: Server, app: App): void => {
  publicStyleRoutes(server);
  embedRoutes(server, app);
  feedRoutes(server, app);
  const show: Show = (request, reply, page) => sendPublicPage(app, request, reply, page);
  server.register(async (pages: Server) => {
    await pages.register(cookie);
    personRoutes(pages, app, show);
    serverRoutes(pages, app, show);
    listRoutes(pages, app, show);
  });
};
