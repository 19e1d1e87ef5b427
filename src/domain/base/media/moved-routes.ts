// Serves addresses of files on a Mastodon server that moved in here: /system/… (docs/design/moving.md).

import type { App } from "../../../platform/app.ts";
import { orNotFound } from "../../../platform/errors.ts";
import { Type } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { fileUrl, isMediaKey, typeOfEnding } from "../../../platform/storage/index.ts";
import { derived } from "../../../platform/seal.ts";
import { partsOfOldPath } from "../../../platform/storage/old-layout.ts";

/** Maps other endings of a type to the one that keys here have. */
const ENDINGS: Record<string, string> = { jpeg: "jpg", oga: "ogg", m4v: "mp4" };

/**
 * Returns the key of the file that was at this path (`accounts/avatars/000/…/original/x.png`), or null where no such
 * file is taken. Nobody can compute it from the path without SECRET_KEY_BASE.
 */
export const movedKey = (app: App, path: string): string | null => {
  const parts = partsOfOldPath(path);
  if (!parts || typeOfEnding(parts.ending) === null) return null;
  const ending = ENDINGS[parts.ending] ?? parts.ending;
  const secret = derived(app, { what: "rookery moved files", owner: path });
  const id = Buffer.from(secret, "base64url").toString("hex").slice(0, 32);
  return `${parts.folder}/${id.slice(0, 2)}/${id.slice(2)}.${ending}`;
};

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
