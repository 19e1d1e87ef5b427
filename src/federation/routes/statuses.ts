// Serves local statuses as documents: the note, its activity, and its collections.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/ids/index.ts";
import { NotFound } from "../../platform/errors.ts";
import type { Server } from "../../platform/http/server.ts";
import { AS_CONTEXT } from "../../domain/people/accounts/activitypub.ts";
import { contextUri, noteDocument } from "../../domain/posts/statuses/activitypub.ts";
import { statusActivity } from "../../domain/posts/statuses/activitypub-acts.ts";
import { loadContext } from "../../domain/posts/statuses/context.ts";
import { loadVisible } from "../../domain/posts/statuses/load.ts";
import { NOBODY } from "../../platform/viewer.ts";
import type { StatusView } from "../../domain/posts/statuses/tables.ts";
import { getOfActor } from "../actor-paths.ts";
import { WITH_PAGE, asksForPage, localActor, redirectToPage, sendActivity } from "./answer.ts";
import { selectReplies } from "./queries.ts";
import { isStatusPath, readerOf, shownStatus } from "./viewer.ts";
import type { Shown, StatusPath } from "./viewer.ts";

type StatusRequest = FastifyRequest<{ Params: StatusPath }>;

/** Replies on a page; as many as peers fetch along with a status (contract: replies_prefetch). */
const REPLIES_PAGE = 5;

const send = (reply: FastifyReply, shown: Shown, document: Record<string, unknown>, maxAge = 180) =>
  sendActivity(reply, document, {
    maxAge: shown.shared ? maxAge : null,
    vary: "Accept, Signature",
  });

const linkNote = (reply: FastifyReply, view: StatusView): void => {
  reply.header("link", `<${view.uri}>; rel="alternate"; type="application/activity+json"`);
};

type RepliesPage = { others: boolean; minId: string };

const pageQuery = ({ others, minId }: RepliesPage): string =>
  [
    ...(minId === "0" ? [] : [`min_id=${minId}`]),
    ...(others ? ["only_other_accounts=true"] : []),
    "page=true",
  ].join("&");

const repliesPage = async (app: App, view: StatusView, page: RepliesPage) => {
  const partOf = `${view.uri}/replies`;
  const query = { statusId: view.id, authorId: view.account_id, ...page, limit: REPLIES_PAGE };
  const rows = await selectReplies(app.sql, query);
  const last = rows.length === REPLIES_PAGE ? rows.at(-1) : undefined;
  const following = last ? { ...page, minId: last.id } : { others: true, minId: "0" };
  const hasNext = last !== undefined || !page.others;
  return {
    id: `${partOf}?${pageQuery(page)}`,
    type: "CollectionPage",
    ...(hasNext && { next: `${partOf}?${pageQuery(following)}` }),
    partOf,
    items: rows.map((row) => row.uri),
  };
};

const replies = async (app: App, view: StatusView, query: Record<string, unknown>) => {
  const others = query["only_other_accounts"] === "true";
  const page = await repliesPage(app, view, { others, minId: parseId(query["min_id"]) ?? "0" });
  if (query["page"] !== undefined) return { "@context": AS_CONTEXT, ...page };
  return { "@context": AS_CONTEXT, id: `${view.uri}/replies`, type: "Collection", first: page };
};

/** Returns the note; a reblog has an activity but no note. */
const shownNote = async (app: App, request: StatusRequest): Promise<Shown> => {
  const shown = await shownStatus(app, request, request.params);
  if (shown.view.reblog) throw new NotFound();
  return shown;
};

const ownReplies = async (app: App, view: StatusView): Promise<string[]> => {
  const query = { statusId: view.id, authorId: view.account_id, others: false, minId: "0" };
  return (await selectReplies(app.sql, { ...query, limit: REPLIES_PAGE })).map((row) => row.uri);
};

/**
 * Returns the address of the page, which decides who may see it, because it knows who is signed in. Throws NotFound for
 * what cannot be a status.
 */
const pageUrl = async (app: App, path: StatusPath): Promise<string> => {
  if (!isStatusPath(path)) throw new NotFound();
  const author = path.username ?? (await localActor(app, path)).username;
  return `${app.config.site.origin}/@${author}/${path.id}`;
};

const documentRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  getOfActor<StatusPath>(server, "/statuses/:id", WITH_PAGE, async (request, reply) => {
    if (asksForPage(request)) return redirectToPage(reply, await pageUrl(app, request.params));
    const shown = await shownNote(app, request);
    const { view } = shown;
    linkNote(reply, view);
    return send(reply, shown, noteDocument(view, site, await ownReplies(app, view)));
  });

  getOfActor<StatusPath>(server, "/statuses/:id/activity", {}, async (request, reply) => {
    const shown = await shownStatus(app, request, request.params);
    if (!shown.view.reblog) linkNote(reply, shown.view);
    return send(reply, shown, statusActivity(shown.view, site));
  });
};

const counted = (view: StatusView, path: "likes" | "shares", total: string) => ({
  "@context": AS_CONTEXT,
  id: `${view.uri}/${path}`,
  type: "Collection",
  totalItems: Number(total),
});

/** Serves the known posts of a conversation that everybody may see, the first one first (FEP-7888). */
const contextRoute = (server: Server, app: App): void => {
  type ContextRequest = FastifyRequest<{ Params: { id: string } }>;
  server.get("/contexts/:id", async (request: ContextRequest, reply) => {
    const id = parseId(request.params.id);
    const reader = await readerOf(app, request);
    const seen = id === null ? [] : await loadVisible(app, [id], reader);
    const [root] = await loadVisible(
      app,
      seen.map((view) => view.id),
      NOBODY,
    );
    if (!root || root.conversation_id !== root.id || root.reblog) throw new NotFound();
    const { descendants } = await loadContext(app, root);
    const document = {
      "@context": AS_CONTEXT,
      id: contextUri(app.config.site, root.id),
      type: "OrderedCollection",
      ...(root.local && { attributedTo: root.account.uri }),
      orderedItems: [root, ...descendants].map(({ uri }) => uri),
    };
    return sendActivity(reply, document, { maxAge: 60 });
  });
};

export const statusDocumentRoutes = (server: Server, app: App): void => {
  documentRoutes(server, app);
  contextRoute(server, app);

  getOfActor<StatusPath>(server, "/statuses/:id/replies", {}, async (request, reply) => {
    const shown = await shownNote(app, request);
    const query = request.query as Record<string, unknown>;
    return send(reply, shown, await replies(app, shown.view, query), 0);
  });

  getOfActor<StatusPath>(server, "/statuses/:id/likes", {}, async (request, reply) => {
    const shown = await shownNote(app, request);
    return send(reply, shown, counted(shown.view, "likes", shown.view.favourites_count), 0);
  });

  getOfActor<StatusPath>(server, "/statuses/:id/shares", {}, async (request, reply) => {
    const shown = await shownNote(app, request);
    return send(reply, shown, counted(shown.view, "shares", shown.view.reblogs_count), 0);
  });
};
