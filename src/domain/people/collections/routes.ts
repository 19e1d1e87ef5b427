// Serves collections of accounts that a person recommends. https://docs.joinmastodon.org/methods/collections/

import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parseLimit } from "../../../platform/db/paging.ts";
import { open, user, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { linkOffset } from "../../../platform/http/links.ts";
import {
  IdParams,
  Type,
  byId,
  changingById,
  withBody,
  withPath,
} from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { getShownAccount, listAccounts } from "../accounts/load.ts";
import { accountEntity, partialAccountEntity } from "../accounts/present.ts";
import {
  addItem,
  changeCollection,
  createCollection,
  leaveCollection,
  removeCollection,
  removeItem,
} from "./edit.ts";
import { getCollection, loadCollections } from "./load.ts";
import { collectionEntity, itemEntity } from "./present.ts";
import { refreshLater, refreshListLater } from "./remote.ts";
import { selectIdsWith, selectOwnIds } from "./queries.ts";
import type { Slice } from "./queries.ts";

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]));

const ChangeBody = Type.Object({
  name: Type.Optional(Type.String()),
  description: text,
  language: text,
  tag_name: text,
  sensitive: Type.Optional(Type.Boolean()),
  discoverable: Type.Optional(Type.Boolean()),
});

const CreateBody = Type.Object({
  ...ChangeBody.properties,
  account_ids: Type.Optional(Type.Array(Type.String(), { maxItems: 100 })),
});

const ItemBody = Type.Object({ account_id: Type.Optional(Type.String()) });
const InParams = Type.Object({ collection_id: Type.String() });
const ItemParams = Type.Object({ collection_id: Type.String(), id: Type.String() });

const PageQuery = Type.Object({
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

const DEFAULT_PAGE = 40;
const MAX_OFFSET = 100_000;

const sliceOf = (query: { limit?: unknown; offset?: unknown }, max: number): Slice => ({
  limit: parseLimit(query.limit, DEFAULT_PAGE, max),
  offset: parseLimit(query.offset, 0, MAX_OFFSET),
});

const read = open("read", "read:collections");
const write = user("write", "write:collections");

const wrapped = async (app: App, id: string, viewer: string) => ({
  collection: collectionEntity(await getCollection(app, id, viewer), app.config.site),
});

const collectionRoutes = (server: Server, app: App, api: string): void => {
  server.post(`${api}/collections`, withBody(write, CreateBody), async (request) => {
    const { accountId } = viewerOf(request);
    return wrapped(app, await createCollection(app, accountId, request.body), accountId);
  });

  server.get(`${api}/collections/:id`, byId(read), async (request) => {
    const view = await getCollection(app, request.params.id, viewerId(request));
    await refreshLater(app, view);
    const people = [view.account_id, ...view.items.map((item) => item.account_id)];
    const accounts = await listAccounts(app, [...new Set(people)]);
    return {
      accounts: accounts.map((account) => accountEntity(account, app.config.site)),
      collection: collectionEntity(view, app.config.site),
    };
  });

  server.route({
    url: `${api}/collections/:id`,
    ...changingById(write, ChangeBody),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const id = await changeCollection(app, request.params.id, accountId, request.body);
      return wrapped(app, id, accountId);
    },
  });

  server.delete(`${api}/collections/:id`, byId(write), async (request) => {
    await removeCollection(app, request.params.id, viewerOf(request).accountId);
    return {};
  });
};

const itemRoutes = (server: Server, app: App, api: string): void => {
  server.post(
    `${api}/collections/:collection_id/items`,
    { config: write, schema: { params: InParams, body: ItemBody } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const { account_id: added } = request.body;
      const item = await addItem(app, request.params.collection_id, accountId, added);
      return { collection_item: itemEntity(item) };
    },
  );

  server.delete(
    `${api}/collections/:collection_id/items/:id`,
    withPath(write, ItemParams),
    async (request) => {
      const { collection_id: collection, id } = request.params;
      await removeItem(app, collection, viewerOf(request).accountId, id);
      return {};
    },
  );

  server.post(
    `${api}/collections/:collection_id/items/:id/revoke`,
    withPath(write, ItemParams),
    async (request) => {
      const { collection_id: collection, id } = request.params;
      await leaveCollection(app, collection, viewerOf(request).accountId, id);
      return {};
    },
  );
};

type ListRequest = FastifyRequest<{
  Params: { id: string };
  Querystring: { limit?: unknown; offset?: unknown };
}>;

/** Accounts shown for each collection in a list, beside its owner. */
const PREVIEWED = 4;

/** Makes the entity of https://docs.joinmastodon.org/entities/CollectionsWithAccountPreviews/ */
const listed = async (app: App, request: ListRequest, ids: string[]) => {
  const { site } = app.config;
  const views = await loadCollections(app, ids, viewerId(request));
  const people = views.flatMap(({ account_id: ownerId, items }) => [
    ownerId,
    ...items.slice(0, PREVIEWED).map((item) => item.account_id),
  ]);
  const accounts = await listAccounts(app, [...new Set(people)]);
  return {
    collections: views.map((view) => collectionEntity(view, site)),
    partial_accounts: accounts.map((account) => partialAccountEntity(account, site)),
  };
};

const accountRoutes = (server: Server, app: App, api: string): void => {
  const schema = { params: IdParams, querystring: PageQuery };
  const { origin } = app.config.site;

  server.get(
    `${api}/accounts/:id/collections`,
    { config: read, schema },
    async (request, reply) => {
      const owner = await getShownAccount(app, request.params.id);
      await refreshListLater(app, owner);
      const { id } = owner;
      const slice = sliceOf(request.query, 100);
      const ids = await selectOwnIds(app.sql, id, id !== viewerId(request), slice);
      linkOffset(request, reply, { origin, ...slice, count: ids.length });
      return listed(app, request as ListRequest, ids);
    },
  );

  server.get(
    `${api}/accounts/:id/in_collections`,
    { config: user("read", "read:collections"), schema },
    async (request, reply) => {
      const { id } = await getShownAccount(app, request.params.id);
      const slice = sliceOf(request.query, 80);
      const isOwn = id === viewerOf(request).accountId;
      const ids = await selectIdsWith(app.sql, id, !isOwn, slice);
      linkOffset(request, reply, { origin, ...slice, count: ids.length });
      return listed(app, request as ListRequest, ids);
    },
  );
};

/** Clients written before 4.6.0 was released use the names of its previews. */
export const accountCollectionRoutes = (server: Server, app: App): void => {
  for (const api of ["/api/v1", "/api/v1_alpha"]) {
    collectionRoutes(server, app, api);
    itemRoutes(server, app, api);
    accountRoutes(server, app, api);
  }
};
