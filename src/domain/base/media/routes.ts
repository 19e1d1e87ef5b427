// Uploads; statuses/attachment-routes.ts changes them. https://docs.joinmastodon.org/methods/media/

import type { App } from "../../../platform/app.ts";
import { user, viewerOf } from "../../../platform/http/auth.ts";
import { largeUploads } from "../../../platform/http/body.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { Type, byId, withBody } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { VIDEO_BYTES } from "./limits.ts";
import { mediaEntity } from "./present.ts";
import { acceptUpload, findUpload, removeUpload, waitForUpload } from "./upload.ts";

export const UploadBody = Type.Object({
  file: Type.Optional(Type.Unknown()),
  thumbnail: Type.Optional(Type.Unknown()),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  focus: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** Milliseconds of waiting, after which most pictures are processed; clients ask again for other files. */
const PICTURE_WAIT_MS = 15_000;
/**
 * Milliseconds of waiting in version 1, which cannot answer that processing goes on; proxies give up after a minute.
 */
const OLD_WAIT_MS = 50_000;

const uploading = (server: Server, app: App): void => {
  const { site } = app.config;
  const options = withBody(
    { ...user("write:media"), ...largeUploads(2, VIDEO_BYTES), limit: "media" },
    UploadBody,
  );
  server.post("/api/v1/media", options, async (request) => {
    const { accountId } = viewerOf(request);
    const { id } = await acceptUpload(app, accountId, request.body);
    return mediaEntity(await waitForUpload(app, accountId, id, OLD_WAIT_MS), site);
  });

  server.post("/api/v2/media", options, async (request, reply) => {
    const { accountId } = viewerOf(request);
    const { id, type } = await acceptUpload(app, accountId, request.body);
    const ms = type === "image" ? PICTURE_WAIT_MS : 0;
    const row = await waitForUpload(app, accountId, id, ms);
    return reply.code(row.state === "done" ? 200 : 202).send(mediaEntity(row, site));
  });
};

export const uploadRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  const path = "/api/v1/media/:id";
  uploading(server, app);

  server.get(path, byId(user("write:media")), async (request, reply) => {
    const { accountId } = viewerOf(request);
    const row = await findUpload(app, accountId, pathId(request.params.id));
    return reply.code(row.state === "done" ? 200 : 206).send(mediaEntity(row, site));
  });

  server.delete(path, byId(user("write:media")), async (request) => {
    await removeUpload(app, viewerOf(request).accountId, pathId(request.params.id));
    return {};
  });
};
