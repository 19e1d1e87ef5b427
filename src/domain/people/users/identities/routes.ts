// Serves GET /api/v1/identities, the accounts that a person uses besides their own (docs/API-EXTENSIONS.md), and logs
// what is done in shared accounts on every route of the API.

import type { FastifyRequest } from "fastify";
import type { App } from "../../../../platform/app.ts";
import { Forbidden } from "../../../../platform/errors.ts";
import { user, viewerOf } from "../../../../platform/http/auth.ts";
import type { CurrentUser } from "../../../../platform/http/credentials.ts";
import { extension } from "../../../../platform/http/extension.ts";
import { isoTime } from "../../../../platform/ids/index.ts";
import type { Server } from "../../../../platform/http/server.ts";
import { entitiesFor } from "../../accounts/entities-for.ts";
import { loadAccounts } from "../../accounts/load.ts";
import { finishLog, isInLog, isLogged, logRequest } from "./request-log.ts";
import type { Route } from "./request-log.ts";
import { selectAccess } from "./queries.ts";

/** Answers only to the account's own tokens: permission for one account reveals nothing of a person's others. */
const listIdentities = async (app: App, viewer: CurrentUser) => {
  if (viewer.by) throw new Forbidden();
  const rows = (await selectAccess(app.sql, viewer.userId)).filter(
    ({ accepted_at }) => accepted_at,
  );
  const views = await loadAccounts(
    app,
    rows.map(({ account_id }) => account_id),
  );
  const shown = rows.filter(({ account_id }) => views.has(account_id));
  const entities = await entitiesFor(
    app,
    shown.map(({ account_id }) => views.get(account_id)!),
    viewer.accountId,
  );
  return shown.map(({ kind, created_at }, index) => ({
    account: entities[index],
    kind,
    created_at: isoTime(created_at),
  }));
};

const routeOf = ({ method, routeOptions, params }: FastifyRequest): Route => ({
  method,
  url: routeOptions.url ?? "",
  id: (params as { id?: string } | undefined)?.id,
});

/** Adds hooks for all routes, which are registered afterwards; for accounts that nobody shares they query nothing. */
export const sharedAccountLog = (server: Server, app: App): void => {
  server.addHook("preHandler", (request, _reply, done) => {
    const viewer = request.credentials?.viewer;
    if (!viewer?.isShared) return done();
    const route = routeOf(request);
    if (!isLogged(route)) return done();
    // oxlint-disable-next-line promise/no-callback-in-promise -- these hooks have a callback
    logRequest(app, request, { viewer, route }).then(() => done(), done);
  });
  server.addHook("onSend", (request, { statusCode: status }, body, done) => {
    if (!isInLog(request)) return done(null, body);
    const route = routeOf(request);
    // oxlint-disable-next-line promise/no-callback-in-promise -- these hooks have a callback
    void finishLog(app, request, { route, status, body }).then(() => done(null, body));
  });
};

export const identityRoutes = (server: Server, app: App): void => {
  const config = extension(user("identities"), "accounts", ["Identity"]);
  server.get("/api/v1/identities", { config }, (request) => listIdentities(app, viewerOf(request)));
};
