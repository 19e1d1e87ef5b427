// Serves followers and follows of an account, and one's own blocks and mutes.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { open, user, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { linkPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import { paged, pagedById } from "../../../platform/http/schema.ts";
import { getShownAccount } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import { hidesPeople, listPeople, LISTS } from "./list-people.ts";
import type { People } from "./list-people.ts";
import { loadRelations } from "./load.ts";
import { mutedAccountEntity } from "./present.ts";
import type { PeopleList } from "./queries.ts";

/** Sends a page of accounts in a relation to one's own, with its Link header. */
export const pageOfPeople = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  list: PeopleList,
  of: { accountId: string; hideFor?: string | null },
): Promise<People> => {
  const page = parsePage(request.query as object, 40);
  const people = await listPeople(app, list, of.accountId, page, of.hideFor ?? null);
  const { origin } = app.config.site;
  linkPage(request, reply, { origin, ids: people.pageIds, limit: page.limit, prev: "since_id" });
  return people;
};

const followRoutes = (server: Server, app: App): void => {
  const send =
    (list: PeopleList) =>
    async (request: FastifyRequest<{ Params: { id: string } }>, reply: FastifyReply) => {
      const view = await getShownAccount(app, request.params.id);
      const viewer = viewerId(request);
      if (await hidesPeople(app, view, viewer)) return [];
      const hideFor = viewer === view.id ? null : viewer;
      cacheForPublic(request, reply);
      const of = { accountId: view.id, hideFor };
      const { views } = await pageOfPeople(app, request, reply, list, of);
      return views.map((account) => accountEntity(account, app.config.site));
    };
  const config = open("read:accounts");
  server.get("/api/v1/accounts/:id/followers", pagedById(config), send(LISTS.followers));
  server.get("/api/v1/accounts/:id/following", pagedById(config), send(LISTS.following));
};

const ownRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  server.get("/api/v1/blocks", paged(user("read:blocks")), async (request, reply) => {
    const of = { accountId: viewerOf(request).accountId };
    const { views } = await pageOfPeople(app, request, reply, LISTS.blocks, of);
    return views.map((view) => accountEntity(view, site));
  });

  server.get("/api/v1/mutes", paged(user("read:mutes")), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const { views } = await pageOfPeople(app, request, reply, LISTS.mutes, { accountId });
    const relations = await loadRelations(
      app,
      accountId,
      views.map((view) => view.id),
    );
    return views.map((view) => mutedAccountEntity(view, relations.get(view.id), site));
  });
};

export const relationshipListRoutes = (server: Server, app: App): void => {
  followRoutes(server, app);
  ownRoutes(server, app);
};
