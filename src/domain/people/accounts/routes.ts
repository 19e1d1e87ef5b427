// Lets everybody read accounts: one, several, by handle, by search. https://docs.joinmastodon.org/methods/accounts/

import type { App } from "../../../platform/app.ts";
import type { FastifyReply } from "fastify";
import { parseLimit } from "../../../platform/db/paging.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { BadRequest, Gone, NotFound, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { checkStanding, open, user, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { sendJsonBytes } from "../../../platform/http/json-bytes.ts";
import type { Server } from "../../../platform/http/server.ts";
import { byId, withQuery } from "../../../platform/http/schema.ts";
import { sendRefreshHeader } from "../../base/refreshes/refreshes.ts";
import { credentialsRoutes } from "./credentials-routes.ts";
import { entitiesFor } from "./entities-for.ts";
import { dependsOnFollows } from "./policies.ts";
import { wantFilled } from "./fill.ts";
import { findHandle } from "./find.ts";
import { planWantedLinkCheck } from "./link-checks.ts";
import { getAccount, getShownAccount, isListed, listAccounts } from "./load.ts";
import { accountJson } from "./present.ts";
import { LookupQuery, SearchQuery, SeveralQuery } from "./schema.ts";
import { searchAccounts } from "./search.ts";
import type { AccountView } from "./tables.ts";

/** Shows an account to somebody signed in; at the first look of anybody with its totals, if its server is quick. */
const lookAt = async (app: App, view: AccountView, reply: FastifyReply): Promise<AccountView> => {
  if (view.domain === null) return view;
  await planWantedLinkCheck(app, view);
  const refresh = await wantFilled(app, view);
  if (!refresh) return view;
  sendRefreshHeader(reply, refresh);
  return getAccount(app, view.id);
};

/** Finds by handle; an unknown account is fetched only for a signed-in viewer. */
const lookUp = async (app: App, acct: string, viewer: string | null) => {
  const id = orNotFound(await findHandle(app, acct, viewer !== null));
  const view = await getAccount(app, id);
  if (view.pending) throw new NotFound();
  return view;
};

const readRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  server.get("/api/v1/accounts/:id", byId(open("read:accounts")), async (request, reply) => {
    const known = await getShownAccount(app, request.params.id);
    if (known.suspended_at !== null) throw new Gone();
    const view = viewerId(request) === null ? known : await lookAt(app, known, reply);
    cacheForPublic(request, reply);
    const viewer = viewerId(request);
    if (viewer === null || !dependsOnFollows(view)) {
      return sendJsonBytes(reply, accountJson(view, site));
    }
    return (await entitiesFor(app, [view], viewer))[0];
  });

  server.get(
    "/api/v1/accounts",
    withQuery(open("read:accounts"), SeveralQuery),
    async (request) => {
      const ids = (request.query.id ?? []).flatMap((id) => parseId(id) ?? []);
      const views = await listAccounts(app, [...new Set(ids)]);
      return entitiesFor(app, views.filter(isListed), viewerId(request));
    },
  );

  server.get(
    "/api/v1/accounts/lookup",
    withQuery(open("read:accounts"), LookupQuery),
    async (request, reply) => {
      const known = await lookUp(app, request.query.acct ?? "", viewerId(request));
      const view = viewerId(request) === null ? known : await lookAt(app, known, reply);
      cacheForPublic(request, reply);
      return (await entitiesFor(app, [view], viewerId(request)))[0];
    },
  );
};

/** The date when identity proofs ended (RFC 9745), from the contract. */
const PROOFS_DEPRECATED = "@1648598400";

/** Answers with an empty list, because profile fields are verified instead. Needs a user token of any scope. */
const proofsRoute = (server: Server, app: App): void => {
  server.get("/api/v1/accounts/:id/identity_proofs", byId(open()), async (request, reply) => {
    const viewer = request.credentials?.viewer;
    if (!viewer) throw new Unprocessable("This method requires an authenticated user");
    checkStanding(viewer);
    await getShownAccount(app, request.params.id);
    reply.header("deprecation", PROOFS_DEPRECATED);
    return [];
  });
};

/** Only search refuses negative numbers (errors.json of the contract, not_errors). */
const refuseNegative = (name: string, value: unknown): void => {
  if (Number(value) < 0) throw new BadRequest(`The parameter ${name} must not be negative`);
};

const MAX_OFFSET = 10_000;

const searchRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1/accounts/search",
    withQuery(user("read:accounts"), SearchQuery),
    async (request) => {
      const { q = "", limit, offset, resolve = false, following = false } = request.query;
      refuseNegative("limit", limit);
      refuseNegative("offset", offset);
      const views = await searchAccounts(app, {
        viewerId: viewerOf(request).accountId,
        q,
        limit: parseLimit(limit, 40),
        offset: parseLimit(offset, 0, MAX_OFFSET),
        resolve,
        followingOnly: following,
      });
      return entitiesFor(app, views, viewerOf(request).accountId);
    },
  );
};

export const accountRoutes = (server: Server, app: App): void => {
  credentialsRoutes(server, app);
  searchRoutes(server, app);
  readRoutes(server, app);
  proofsRoute(server, app);
};
