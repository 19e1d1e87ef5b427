// The public pages: what a person with a browser sees without signing in.

import type { FastifyReply } from "fastify";
import { Type } from "../platform/http/schema.ts";
import type { App } from "../platform/app.ts";
import { parseId } from "../platform/db/paging.ts";
import { Gone, NotFound } from "../platform/errors.ts";
import { sendPage } from "../platform/http/page.ts";
import type { Server } from "../platform/http/server.ts";
import { isTagName } from "../platform/text/tags.ts";
import { getAccount } from "../domain/accounts/load.ts";
import type { AccountView } from "../domain/accounts/tables.ts";
import { wantsActivityJson } from "../federation/media-types.ts";
import { aboutPage, privacyPage, termsPage } from "./about.ts";
import { collectionPage } from "./collection.ts";
import { embedRoutes } from "./embed-routes.ts";
import { homePage } from "./home.ts";
import { webUrl } from "./parts.ts";
import { postOf } from "./post-of.ts";
import { profilePage } from "./profile.ts";
import { selectLocalAccountId, selectRemoteUrl } from "./queries.ts";
import { publicStyleRoutes } from "./style.ts";
import { tagPage } from "./tag.ts";
import { taggedPage } from "./tagged.ts";
import { threadPage } from "./thread.ts";

/** Short: what was deleted or hidden must not be shown for long by caches between. */
const SHARED = "max-age=15, public, stale-while-revalidate=30";

/** For pages with the server's figures, which are to be at most a minute old (FIGURES_SECONDS). */
const SHARED_FRESH = "max-age=15, public";

const show = (reply: FastifyReply, document: string, cacheControl = SHARED): FastifyReply =>
  sendPage(reply.header("vary", "Accept"), document, { media: "any", cacheControl });

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

const personRoutes = (server: Server, app: App): void => {
  server.get<{ Params: { name: string }; Querystring: { max_id?: string } }>(
    "/@:name",
    { schema: Older },
    async (request, reply) => {
      const { name } = request.params;
      if (name.includes("@")) return moveTo(reply, await strangerUrl(app, name));
      const view = await personByName(app, name);
      if (wantsActivityJson(request)) return moveTo(reply, view.uri);
      return show(reply, await profilePage(app, view, parseId(request.query.max_id)));
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
      return show(reply, await taggedPage(app, view, tag, parseId(request.query.max_id)));
    },
  );

  server.get<{ Params: { name: string; id: string } }>("/@:name/:id", async (request, reply) => {
    const view = await postOf(app, request.params.name, request.params.id);
    const elsewhere = view.account.domain !== null || view.reblog_of_id !== null;
    if (wantsActivityJson(request) && view.account.domain === null) return moveTo(reply, view.uri);
    if (!elsewhere) return show(reply, await threadPage(app, view));
    const shown = view.reblog ?? view;
    const url = webUrl(shown.url) ?? webUrl(shown.uri);
    if (!url) throw new NotFound();
    return moveTo(reply, url);
  });
};

export const pageRoutes = (server: Server, app: App): void => {
  publicStyleRoutes(server);
  personRoutes(server, app);
  embedRoutes(server, app);

  server.get("/", async (_request, reply) => show(reply, await homePage(app), SHARED_FRESH));
  server.get("/about", async (_request, reply) => show(reply, await aboutPage(app), SHARED_FRESH));
  server.get("/privacy-policy", async (_request, reply) => show(reply, await privacyPage(app)));

  server.get("/terms-of-service", async (_request, reply) => show(reply, await termsPage(app)));
  server.get<{ Params: { date: string } }>("/terms-of-service/:date", async (request, reply) =>
    show(reply, await termsPage(app, request.params.date)),
  );
  server.get<{ Params: { id: string } }>("/collections/:id", async (request, reply) =>
    show(reply, await collectionPage(app, request.params.id)),
  );

  server.get<{ Params: { name: string }; Querystring: { max_id?: string } }>(
    "/tags/:name",
    { schema: Older },
    async (request, reply) => {
      const { name } = request.params;
      if (!isTagName(name)) throw new NotFound();
      const page = await tagPage(app, name, parseId(request.query.max_id));
      return show(reply, page);
    },
  );
};
