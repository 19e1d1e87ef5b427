// Serves recommendations, private notes and familiar followers, and following by handle for old clients.
// https://docs.joinmastodon.org/methods/accounts/#endorse

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../../platform/app.ts";
import { parsePage } from "../../../platform/db/paging.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { BadRequest, Unprocessable, orNotFound } from "../../../platform/errors.ts";
import { open, user, userForm, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { linkPage } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import {
  IdParams,
  byId,
  paged,
  pagedById,
  withBody,
  withQuery,
} from "../../../platform/http/schema.ts";
import { findHandle } from "../accounts/find.ts";
import { getAccount, getShownAccount, isListed, listAccounts } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import { sendRelationship } from "./tell.ts";
import type { Pair } from "./events.ts";
import { familiarFollowers } from "./familiar.ts";
import { follow } from "./follow.ts";
import { writeNote } from "./note.ts";
import { selectEndorsed, deleteEndorsement, insertEndorsement } from "./queries.ts";
import { FollowsBody, NoteBody, SeveralQuery } from "./schema.ts";

/** Endorses an account; idempotent. Throws 422 for an account that is not followed. */
const endorse = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  if (await insertEndorsement(app.sql, accountId, targetId)) return;
  throw new Unprocessable(
    "Validation failed: You must be already following the person you want to endorse",
  );
};

/** Changes nothing where the account is not endorsed. */
const unendorse = async (app: App, { accountId, targetId }: Pair): Promise<void> => {
  await deleteEndorsement(app.sql, accountId, targetId);
};

/** `pin` and `unpin` are the names from before 4.4. */
const ENDORSING: { path: string; run: (app: App, pair: Pair) => Promise<void> }[] = [
  { path: "/api/v1/accounts/:id/endorse", run: endorse },
  { path: "/api/v1/accounts/:id/unendorse", run: unendorse },
  { path: "/api/v1/accounts/:id/pin", run: endorse },
  { path: "/api/v1/accounts/:id/unpin", run: unendorse },
];

const endorsingRoutes = (server: Server, app: App): void => {
  const options = byId(userForm("write:accounts"));
  for (const { path, run } of ENDORSING) {
    server.post(path, options, async (request) => {
      const target = await getShownAccount(app, request.params.id);
      const pair = { accountId: viewerOf(request).accountId, targetId: target.id };
      await run(app, pair);
      return sendRelationship(app, pair);
    });
  }
};

/** Sends a page of the accounts that an account recommends, with its Link header. */
const sendEndorsed = async (
  app: App,
  request: FastifyRequest,
  reply: FastifyReply,
  of: { accountId: string; viewerId: string | null },
) => {
  const { site } = app.config;
  const page = { ...parsePage(request.query as object, 40), minId: null };
  const ids = await selectEndorsed(app.sql, of.accountId, page, of.viewerId);
  linkPage(request, reply, { origin: site.origin, ids, limit: page.limit, prev: "since_id" });
  const views = await listAccounts(app, ids);
  return views.filter(isListed).map((view) => accountEntity(view, site));
};

const endorsedRoutes = (server: Server, app: App): void => {
  server.get("/api/v1/endorsements", paged(user("read:accounts")), (request, reply) => {
    const { accountId } = viewerOf(request);
    return sendEndorsed(app, request, reply, { accountId, viewerId: null });
  });

  server.get(
    "/api/v1/accounts/:id/endorsements",
    pagedById(open("read:accounts")),
    async (request, reply) => {
      const view = await getShownAccount(app, request.params.id);
      if (view.suspended_at !== null) return [];
      cacheForPublic(request, reply);
      return sendEndorsed(app, request, reply, {
        accountId: view.id,
        viewerId: viewerId(request),
      });
    },
  );
};

const noteRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/accounts/:id/note",
    { config: userForm("write:accounts"), schema: { params: IdParams, body: NoteBody } },
    async (request) => {
      const target = await getShownAccount(app, request.params.id);
      const pair = { accountId: viewerOf(request).accountId, targetId: target.id };
      await writeNote(app, pair, request.body.comment ?? "");
      return sendRelationship(app, pair);
    },
  );
};

const familiarRoute = (server: Server, app: App): void => {
  server.get(
    "/api/v1/accounts/familiar_followers",
    withQuery(user("read:follows"), SeveralQuery),
    async (request) => {
      const ids = (request.query.id ?? []).flatMap((id) => parseId(id) ?? []);
      const familiar = await familiarFollowers(app, viewerOf(request).accountId, [...new Set(ids)]);
      return familiar.map(({ id, accounts }) => ({
        id,
        accounts: accounts.map((view) => accountEntity(view, app.config.site)),
      }));
    },
  );
};

/** Follows by handle; an existing follow or request stays. Answers with the account, as this old route always did. */
const followsRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/follows",
    withBody({ ...user("write:follows"), limit: "follows" }, FollowsBody),
    async (request) => {
      const { uri, reblogs } = request.body;
      if (!uri?.trim()) throw new BadRequest("The parameter uri is missing or empty");
      const targetId = orNotFound(await findHandle(app, uri));
      const { accountId } = viewerOf(request);
      await follow(app, { accountId, targetId, options: { reblogs: reblogs ?? undefined } });
      return accountEntity(await getAccount(app, targetId), app.config.site);
    },
  );
};

export const peopleRoutes = (server: Server, app: App): void => {
  endorsingRoutes(server, app);
  endorsedRoutes(server, app);
  noteRoute(server, app);
  familiarRoute(server, app);
  followsRoute(server, app);
};
