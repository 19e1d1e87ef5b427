// Serves a person's conversations, and the timeline of private mentions.
// https://docs.joinmastodon.org/methods/conversations/

import type { App } from "../../../platform/app.ts";
import { inOrder, parsePage } from "../../../platform/db/paging.ts";
import type { Page } from "../../../platform/db/paging.ts";
import { NotFound, orNotFound } from "../../../platform/errors.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import { readPage } from "../../../platform/http/links.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import type { Server } from "../../../platform/http/server.ts";
import { byId, paged } from "../../../platform/http/schema.ts";
import { sendStatuses } from "../timelines/routes.ts";
import { conversationViews, shownConversations } from "./load.ts";
import { conversationEntity } from "./present.ts";
import { deleteConversation, selectConversations, selectDirect, updateUnread } from "./queries.ts";

const PAGE = 20;
const WRITING = byId(userForm("write:conversations"));

const listRoute = (server: Server, app: App): void => {
  server.get("/api/v1/conversations", paged(user("read:statuses")), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const rows = await readPage(app, request, reply, { most: PAGE }, (page) =>
      selectConversations(app.sql, accountId, page, app.clock.now()),
    );
    const views = await shownConversations(app, accountId, rows);
    return views.map((view) => conversationEntity(view, app.config.site));
  });
};

const directRoute = (server: Server, app: App): void => {
  server.get("/api/v1/timelines/direct", paged(user("read:statuses")), async (request, reply) => {
    const page = parsePage(request.query, PAGE);
    const { accountId } = viewerOf(request);
    const read = async (of: Page) =>
      inOrder(of, [...(await selectDirect(app.sql, of, accountId))]).map((row) => row.id);
    return sendStatuses(app, request, reply, { ids: await read(page), page, read });
  });
};

const markRoutes = (server: Server, app: App): void => {
  const mark = async (accountId: string, path: string, unread: boolean) => {
    const row = orNotFound(await updateUnread(app.sql, accountId, pathId(path), unread));
    const [view] = await conversationViews(app, accountId, [row]);
    return conversationEntity(view!, app.config.site);
  };
  server.post("/api/v1/conversations/:id/read", WRITING, (request) =>
    mark(viewerOf(request).accountId, request.params.id, false),
  );
  server.post("/api/v1/conversations/:id/unread", WRITING, (request) =>
    mark(viewerOf(request).accountId, request.params.id, true),
  );
};

export const conversationRoutes = (server: Server, app: App): void => {
  listRoute(server, app);
  directRoute(server, app);
  markRoutes(server, app);
  server.delete("/api/v1/conversations/:id", WRITING, async (request) => {
    const id = pathId(request.params.id);
    if (!(await deleteConversation(app.sql, viewerOf(request).accountId, id))) {
      throw new NotFound();
    }
    return {};
  });
};
