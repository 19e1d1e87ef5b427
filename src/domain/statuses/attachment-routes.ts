// PUT /api/v1/media/:id, before and after the upload is posted. https://docs.joinmastodon.org/methods/media/#update

import type { App } from "../../platform/app.ts";
import { user, viewerOf } from "../../platform/http/auth.ts";
import { uploads } from "../../platform/http/body.ts";
import { pathId } from "../../platform/http/path-id.ts";
import type { Server } from "../../platform/http/server.ts";
import { mediaEntity } from "../media/present.ts";
import { UploadBody } from "../media/routes.ts";
import { changeAttachment } from "./edit.ts";
import { IdParams } from "./schema.ts";

export const attachmentRoutes = (server: Server, app: App): void => {
  server.route({
    method: ["PUT", "PATCH"],
    url: "/api/v1/media/:id",
    config: { ...user("write:media"), ...uploads(1) },
    schema: { params: IdParams, body: UploadBody },
    handler: async (request) => {
      const { accountId } = viewerOf(request);
      const row = await changeAttachment(app, accountId, pathId(request.params.id), request.body);
      return mediaEntity(row, app.config.site);
    },
  });
};
