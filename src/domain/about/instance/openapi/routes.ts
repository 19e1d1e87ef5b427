// Serves GET /api/openapi.json: the whole API as an OpenAPI document.

import type { App } from "../../../../platform/app.ts";
import { anybody } from "../../../../platform/http/auth.ts";
import { extension } from "../../../../platform/http/extension.ts";
import { sendJsonBytes } from "../../../../platform/http/json-bytes.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { makeDocument } from "./document.ts";

export const openApiRoutes = (server: Server, app: App): void => {
  let document: Promise<Buffer> | null = null;
  const make = async () => Buffer.from(JSON.stringify((await makeDocument(app, server)).document));
  const config = extension(anybody(), "instance", { shape: "map" });
  server.get("/api/openapi.json", { config }, async (_request, reply) => {
    reply.header("cache-control", "max-age=300, public").header("vary", "Accept, Origin");
    return sendJsonBytes(reply, await (document ??= make()));
  });
};
