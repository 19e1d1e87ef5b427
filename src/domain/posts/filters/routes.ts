// Serves filters, their keywords and their statuses. https://docs.joinmastodon.org/methods/filters/

import type { App } from "../../../platform/app.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import type { Server } from "../../../platform/http/server.ts";
import { byId, changingById, withBody, withPath } from "../../../platform/http/schema.ts";
import { olderFilterRoutes } from "./older-routes.ts";
import { filterEntity, filterStatusEntity, keywordEntity } from "./present.ts";
import { selectFilters } from "./queries.ts";
import { FilterBody, FilterIdParams, KeywordBody } from "./schema.ts";
import {
  addFilter,
  addKeyword,
  changeFilter,
  changeKeyword,
  getFilter,
  getFilterOfPart,
  removeFilter,
  removeFilterStatus,
  removeKeyword,
} from "./write.ts";

const READ = user("read:filters");
const OF_FILTER = withPath(READ, FilterIdParams);
const WRITE = user("write:filters");
const FORM = userForm("write:filters");

const readRoutes = (server: Server, app: App): void => {
  server.get("/api/v2/filters", { config: READ }, async (request) => {
    const rows = await selectFilters(app.sql, viewerOf(request).accountId);
    return rows.map(filterEntity);
  });

  server.get("/api/v2/filters/:id", byId(READ), async (request) => {
    const id = pathId(request.params.id);
    return filterEntity(await getFilter(app, viewerOf(request).accountId, id));
  });
};

const writeRoutes = (server: Server, app: App): void => {
  server.post("/api/v2/filters", withBody(FORM, FilterBody), async (request) => {
    const { accountId } = viewerOf(request);
    const keywords = request.body.keywords_attributes ?? [];
    const id = await addFilter(app, accountId, request.body, keywords);
    return filterEntity(await getFilter(app, accountId, id));
  });

  server.route({
    url: "/api/v2/filters/:id",
    ...changingById(FORM, FilterBody),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const before = await getFilter(app, accountId, pathId(request.params.id));
      const keywords = request.body.keywords_attributes ?? [];
      await changeFilter(app, accountId, before, request.body, keywords);
      return filterEntity(await getFilter(app, accountId, before.id));
    },
  });

  server.delete("/api/v2/filters/:id", byId(FORM), async (request) => {
    await removeFilter(app, viewerOf(request).accountId, pathId(request.params.id));
    return {};
  });
};

const keywordRoutes = (server: Server, app: App): void => {
  const find = (accountId: string, id: string) =>
    getFilterOfPart(app, "filter_keywords", accountId, id);
  const keywordOf = async (accountId: string, id: string) =>
    keywordEntity((await find(accountId, id)).keywords.find((row) => row.id === id)!);

  server.get("/api/v2/filters/:filter_id/keywords", OF_FILTER, async (request) => {
    const id = pathId(request.params.filter_id);
    return (await getFilter(app, viewerOf(request).accountId, id)).keywords.map(keywordEntity);
  });

  server.post(
    "/api/v2/filters/:filter_id/keywords",
    { config: WRITE, schema: { params: FilterIdParams, body: KeywordBody } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const filter = await getFilter(app, accountId, pathId(request.params.filter_id));
      return keywordOf(accountId, await addKeyword(app, accountId, filter, request.body));
    },
  );

  server.get("/api/v2/filters/keywords/:id", byId(READ), (request) =>
    keywordOf(viewerOf(request).accountId, pathId(request.params.id)),
  );

  server.route({
    url: "/api/v2/filters/keywords/:id",
    ...changingById(WRITE, KeywordBody),
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const id = pathId(request.params.id);
      await changeKeyword(app, accountId, await find(accountId, id), id, request.body);
      return keywordOf(accountId, id);
    },
  });

  server.delete("/api/v2/filters/keywords/:id", byId(WRITE), async (request) => {
    const { accountId } = viewerOf(request);
    const id = pathId(request.params.id);
    await removeKeyword(app, accountId, await find(accountId, id), id);
    return {};
  });
};

/** statuses/act-routes.ts adds statuses, because it must know whether the person may see them. */
const statusRoutes = (server: Server, app: App): void => {
  const find = (accountId: string, id: string) =>
    getFilterOfPart(app, "filter_statuses", accountId, id);

  server.get("/api/v2/filters/:filter_id/statuses", OF_FILTER, async (request) => {
    const id = pathId(request.params.filter_id);
    const filter = await getFilter(app, viewerOf(request).accountId, id);
    return filter.statuses.map(filterStatusEntity);
  });

  server.get("/api/v2/filters/statuses/:id", byId(READ), async (request) => {
    const id = pathId(request.params.id);
    const filter = await find(viewerOf(request).accountId, id);
    return filterStatusEntity(filter.statuses.find((row) => row.id === id)!);
  });

  server.delete("/api/v2/filters/statuses/:id", byId(WRITE), async (request) => {
    const { accountId } = viewerOf(request);
    const id = pathId(request.params.id);
    await find(accountId, id);
    await removeFilterStatus(app, accountId, id);
    return {};
  });
};

export const filterRoutes = (server: Server, app: App): void => {
  readRoutes(server, app);
  writeRoutes(server, app);
  keywordRoutes(server, app);
  statusRoutes(server, app);
  olderFilterRoutes(server, app);
};
