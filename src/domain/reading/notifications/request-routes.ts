// Serves requests: senders whose notifications the policy filters.
// https://docs.joinmastodon.org/methods/notifications/#get-requests

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { NotFound } from "../../../platform/errors.ts";
import { userForm, viewerOf } from "../../../platform/http/auth.ts";
import { readPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import type { Server } from "../../../platform/http/server.ts";
import { byId, paged, withBody } from "../../../platform/http/schema.ts";
import { PAGE } from "./cached-page.ts";
import { accept, dismiss, getRequest, loadRequests } from "./policy.ts";
import { requestEntity } from "./present-policy.ts";
import { selectRequests } from "./queries-policy.ts";
import { READING, RequestIdsBody } from "./schema.ts";

const WRITING = userForm("write:notifications");

const readingRoutes = (server: Server, app: App): void => {
  const { site } = app.config;

  server.get("/api/v1/notifications/requests", paged(READING), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const rows = await readPage(app, request, reply, { most: PAGE }, (page) =>
      selectRequests(app.sql, accountId, page, app.clock.now()),
    );
    return (await loadRequests(app, accountId, rows)).map((view) => requestEntity(view, site));
  });

  // Accepted notifications show at once, so that there is never anything to wait for.
  server.get("/api/v1/notifications/requests/merged", { config: READING }, async () => ({
    merged: true,
  }));

  server.get("/api/v1/notifications/requests/:id", byId(READING), async (request) => {
    const id = pathId(request.params.id);
    return requestEntity(await getRequest(app, viewerOf(request).accountId, id), site);
  });
};

const ACTS = { accept, dismiss };

export const requestRoutes = (server: Server, app: App): void => {
  readingRoutes(server, app);
  for (const [name, act] of Object.entries(ACTS)) {
    server.post(
      `/api/v1/notifications/requests/${name}`,
      withBody(WRITING, RequestIdsBody),
      async (request) => {
        const ids = (request.body.id ?? []).flatMap((id) => parseId(id) ?? []);
        await act(app, viewerOf(request).accountId, ids);
        return {};
      },
    );

    server.post(`/api/v1/notifications/requests/:id/${name}`, byId(WRITING), async (request) => {
      const id = pathId(request.params.id);
      if ((await act(app, viewerOf(request).accountId, [id])) === 0) throw new NotFound();
      return {};
    });
  }
};
