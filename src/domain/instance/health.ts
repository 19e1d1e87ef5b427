// GET /health: is this process able to serve?

import type { App } from "../../platform/app.ts";
import type { Server } from "../../platform/http/server.ts";
import { ping } from "./queries.ts";

/** Text for probes without a preference; the entity for clients that want JSON. */
const wantsJson = (accept: string | undefined): boolean =>
  /\bapplication\/(?:[\w.-]+\+)?json\b/i.test(accept ?? "");

export const healthRoutes = (server: Server, app: App): void => {
  server.get("/health", async (request, reply) => {
    await ping(app.sql);
    reply.header("cache-control", "private, no-store").header("vary", "Accept");
    if (wantsJson(request.headers.accept)) return { status: "UP" };
    return reply.header("content-type", "text/plain; charset=utf-8").send("OK");
  });
};
