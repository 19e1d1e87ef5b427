// Logs what is done in a shared account by the API and by forms of the settings, on any route: requests are logged
// before they are carried out (acts.ts).

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import type { CurrentUser } from "../../../../platform/http/credentials.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { parseId } from "../../../../platform/ids/index.ts";
import type { SignedIn } from "../sign-in.ts";
import { recordAct } from "./acts.ts";
import { deleteAct, insertAct, updateActStatus } from "./queries-members.ts";

/** Names of acts by method and route; other requests are logged by both. */
const ACTS: Record<string, string> = {
  "POST /api/v1/statuses": "post",
  "PUT /api/v1/statuses/:id": "edit",
  "DELETE /api/v1/statuses/:id": "delete",
  "POST /api/v1/statuses/:id/reblog": "boost",
  "POST /api/v1/statuses/:id/unreblog": "unboost",
  "POST /api/v1/statuses/:id/favourite": "favourite",
  "POST /api/v1/statuses/:id/unfavourite": "unfavourite",
  "POST /api/v1/statuses/:id/pin": "pin",
  "POST /api/v1/statuses/:id/unpin": "unpin",
  "POST /api/v1/accounts/:id/follow": "follow",
  "POST /api/v1/accounts/:id/unfollow": "unfollow",
  "POST /api/v1/accounts/:id/block": "block",
  "POST /api/v1/accounts/:id/unblock": "unblock",
  "PATCH /api/v1/accounts/update_credentials": "profile",
  "PATCH /api/v1/profile": "profile",
  "DELETE /api/v1/profile/avatar": "profile",
  "DELETE /api/v1/profile/header": "profile",
  "PATCH /api/v1/preferences": "settings",
};

/**
 * Routes that are not logged: what apps do by themselves, what changes nothing yet, and what has entries of its own.
 */
const SILENT =
  /^\/(?:oauth\/|api\/(?:v1|v2)\/(?:markers|push\/|media|conversations\/:id\/read|notifications\/:\w+\/dismiss|apps|emails\/|crypto\/)|api\/v1\/sharing\/|api\/v1\/(?:statuses\/:id\/translate))/;

type Route = { method: string; url: string; id: string | undefined };

const isRead = (method: string): boolean => ["GET", "HEAD", "OPTIONS"].includes(method);

/** Returns whether the route is logged for a shared account. */
export const isLogged = ({ method, url }: Route): boolean => !isRead(method) && !SILENT.test(url);

type Logged = Pick<FastifyRequest, "logEntry">;

export const logRequest = async (
  app: App,
  request: Logged,
  { viewer, route }: { viewer: CurrentUser; route: Route },
): Promise<void> => {
  const { method, url, id } = route;
  const act = ACTS[`${method} ${url}`];
  const ofStatus = url.startsWith("/api/v1/statuses/:id") && parseId(id ?? "");
  request.logEntry = await insertAct(app.sql, {
    user_id: viewer.userId,
    person_id: viewer.by?.userId ?? null,
    act: act ?? "other",
    detail: act ? null : `${method} ${url}`.slice(0, 200),
    status_id: ofStatus || null,
  });
};

/** Pages whose acts have entries of their own. */
const OWN_ENTRIES = /^\/settings\/(?:sharing|identities)/;

/** Logs a form of the settings; `url` is that of its route. */
export const logForm = async (
  app: App,
  request: Logged,
  { who, url }: { who: SignedIn; url: string },
): Promise<void> => {
  if (!who.isShared || OWN_ENTRIES.test(url)) return;
  request.logEntry = await recordAct(app.sql, who, { act: "settings", detail: url });
};

/** Matches the beginning of an entity, with its id; the rest may be long. */
const ID = /^\{"id":"(\d{1,19})"/;
const ID_BYTES = 64;

/** Adds the id of a new post to its entry. */
const complete = async (app: App, entry: string, body: unknown): Promise<void> => {
  const start = Buffer.isBuffer(body) ? body.subarray(0, ID_BYTES).toString() : String(body);
  const [, id] = ID.exec(start) ?? [];
  if (id) await updateActStatus(app.sql, entry, id);
};

const isRefused = (status: number): boolean => status >= 400 && status < 500;

/**
 * Removes the entry of a request that was refused, before it is answered; one that failed may have been carried out,
 * where the connection to the database ended with the commit. Never fails a request that has been carried out.
 */
export const finishLog = async (
  app: App,
  request: Logged,
  { route, status, body }: { route: Route; status: number; body: unknown },
): Promise<void> => {
  const entry = request.logEntry!;
  try {
    if (isRefused(status)) await deleteAct(app.sql, entry);
    else if (route.method === "POST" && route.url === "/api/v1/statuses")
      await complete(app, entry, body);
  } catch (error) {
    app.log.warn({ err: error }, "an entry in the log of a shared account was not completed");
  }
};

const routeOf = ({ method, routeOptions, params }: FastifyRequest): Route => ({
  method,
  url: routeOptions.url ?? "",
  id: (params as { id?: string } | undefined)?.id,
});

/** Has the server log what is done in shared accounts. */
export const sharedAccountLog = (server: Server, app: App): void => {
  server.sharedLog.current = {
    async begin(request) {
      const route = routeOf(request);
      if (isLogged(route))
        await logRequest(app, request, { viewer: request.credentials!.viewer!, route });
    },
    end: (request, status, body) =>
      finishLog(app, request, { route: routeOf(request), status, body }),
  };
};
