// The statuses of the API: writing, reading, editing, deleting.
// https://docs.joinmastodon.org/methods/statuses/

import { readingApp } from "../../platform/app.ts";
import type { App } from "../../platform/app.ts";
import { parseId } from "../../platform/db/paging.ts";
import {
  anyToken,
  open,
  user,
  requestViewer,
  viewerId,
  viewerOf,
} from "../../platform/http/auth.ts";
import type { CurrentUser } from "../../platform/http/auth.ts";
import { cacheForPublic } from "../../platform/http/cache.ts";
import { sendJsonBytes } from "../../platform/http/json-bytes.ts";
import { pathId } from "../../platform/http/path-id.ts";
import type { Server } from "../../platform/http/server.ts";
import { asPerson } from "../../platform/viewer.ts";
import { composeStatus } from "./post.ts";
import type { Author, Draft } from "./post.ts";
import { loadContext, loadEdits, wantReplies } from "./context.ts";
import { createStatus, findIdempotent } from "./create.ts";
import { editOwn, removeOwn } from "./edit.ts";
import { getJustCreated, getVisible, loadVisible } from "./load.ts";
import { sendRefreshHeader } from "../refreshes/refreshes.ts";
import {
  deletedStatusEntity,
  historyEntities,
  scheduledEntity,
  sourceEntity,
  statusEntity,
  statusJson,
  statusListParts,
} from "./present.ts";
import { mediaOfScheduled, scheduleStatus, scheduledTime } from "./schedule.ts";
import { DeleteQuery, EditBody, IdParams, NewStatusBody, SeveralQuery } from "./schema.ts";

const authorOf = ({ accountId: id, settings, locale }: CurrentUser): Author => ({
  id,
  settings,
  locale,
});

const keyOf = (header: string | string[] | undefined): string | null =>
  typeof header === "string" && header !== "" ? header.slice(0, 255) : null;

const post = async (
  app: App,
  viewer: CurrentUser,
  draft: Draft,
  key: string | null,
  appId: string | null,
) => {
  const earlier = key && (await findIdempotent(app, viewer.accountId, key));
  if (earlier) return getVisible(app, earlier, asPerson(viewer.accountId));
  const input = await composeStatus(app, authorOf(viewer), draft, { appId, idempotencyKey: key });
  const id = await createStatus(app, input);
  return getJustCreated(app, id, viewer.accountId);
};

const writing = (server: Server, app: App): void => {
  const { site } = app.config;
  server.post(
    "/api/v1/statuses",
    { config: user("write:statuses"), schema: { body: NewStatusBody } },
    async (request, reply) => {
      const viewer = viewerOf(request);
      const idempotencyKey = keyOf(request.headers["idempotency-key"]);
      const { appId } = request.credentials!;
      const { scheduled_at: given, ...draft } = request.body;
      const at = scheduledTime(app, given);
      if (at) {
        const later = { draft, at, appId, idempotencyKey };
        const row = await scheduleStatus(app, authorOf(viewer), later);
        return scheduledEntity(row, await mediaOfScheduled(app, [row]), site);
      }
      const view = await post(app, viewer, draft, idempotencyKey, appId);
      return sendJsonBytes(reply, statusJson(view, site));
    },
  );

  server.route({
    method: ["PUT", "PATCH"],
    url: "/api/v1/statuses/:id",
    config: user("write:statuses"),
    schema: { params: IdParams, body: EditBody },
    handler: async (request) => {
      const author = authorOf(viewerOf(request));
      return statusEntity(
        await editOwn(app, author, pathId(request.params.id), request.body),
        site,
      );
    },
  });

  server.delete(
    "/api/v1/statuses/:id",
    { config: user("write:statuses"), schema: { params: IdParams, querystring: DeleteQuery } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const deleteMedia = request.query.delete_media ?? false;
      const id = pathId(request.params.id);
      return deletedStatusEntity(await removeOwn(app, accountId, id, { deleteMedia }), site);
    },
  );
};

const reading = (server: Server, app: App): void => {
  const { site } = app.config;
  server.get(
    "/api/v1/statuses",
    { config: open("read:statuses"), schema: { querystring: SeveralQuery } },
    async (request) => {
      const ids = (request.query.id ?? []).flatMap((id) => parseId(id) ?? []);
      const views = await loadVisible(app, [...new Set(ids)], requestViewer(request));
      return views
        .toSorted((a, b) => (BigInt(b.id) > BigInt(a.id) ? 1 : -1))
        .map((view) => statusEntity(view, site));
    },
  );

  server.get(
    "/api/v1/statuses/:id",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      cacheForPublic(request, reply);
      return sendJsonBytes(reply, statusJson(view, site));
    },
  );

  server.get(
    "/api/v1/statuses/:id/context",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      const refresh = viewerId(request) === null ? null : await wantReplies(app, view);
      if (refresh) sendRefreshHeader(reply, refresh);
      const { ancestors, descendants } = await loadContext(readingApp(app), view);
      cacheForPublic(request, reply);
      return sendJsonBytes(reply, [
        Buffer.from('{"ancestors":'),
        ...statusListParts(ancestors, site),
        Buffer.from(',"descendants":'),
        ...statusListParts(descendants, site),
        Buffer.from("}"),
      ]);
    },
  );

  server.get(
    "/api/v1/statuses/:id/history",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const view = await getVisible(app, pathId(request.params.id), requestViewer(request));
      cacheForPublic(request, reply);
      return historyEntities(view, await loadEdits(app, view), site);
    },
  );

  server.get(
    "/api/v1/statuses/:id/source",
    { config: anyToken("read:statuses"), schema: { params: IdParams } },
    async (request) =>
      sourceEntity(await getVisible(app, pathId(request.params.id), requestViewer(request))),
  );
};

export const statusRoutes = (server: Server, app: App): void => {
  writing(server, app);
  reading(server, app);
};
