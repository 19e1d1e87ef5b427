// Serves addresses of files on a Mastodon server that moved in here: /system/… (docs/design/moving.md).

import type { App } from "../../../platform/app.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { fileUrl, isMediaKey } from "../../../platform/storage/index.ts";
import { movedKey } from "./moved.ts";

const Params = Type.Object({ "*": Type.String() });

/** Finds the key of a file that was copied, or whose bucket is that of this server. */
const keyNow = async (app: App, path: string): Promise<string | null> => {
  const keys = [movedKey(app, path), isMediaKey(path) ? path : null];
  for (const key of keys) if (key !== null && (await app.storage.stat(key))) return key;
  return null;
};

export const movedMediaRoutes = (server: Server, app: App): void => {
  server.get("/system/*", { schema: { params: Params } }, async (request, reply) => {
    const key = orNotFound(await keyNow(app, request.params["*"]));
    return reply.redirect(fileUrl(app.config.site, key), 301);
  });
};
