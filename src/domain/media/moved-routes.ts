// Addresses of files on a Mastodon that moved in here: /system/… (docs/decisions/0140-moving-in.md).

import type { App } from "../../platform/app.ts";
import { NotFound } from "../../platform/errors.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { fileUrl } from "../../platform/storage/index.ts";
import { movedKey } from "./moved.ts";

const Params = Type.Object({ "*": Type.String() });

export const movedMediaRoutes = (server: Server, app: App): void => {
  server.get("/system/*", { schema: { params: Params } }, async (request, reply) => {
    const key = movedKey(app, request.params["*"]);
    if (key === null || (await app.storage.stat(key)) === null) throw new NotFound();
    return reply.redirect(fileUrl(app.config.site, key), 301);
  });
};
