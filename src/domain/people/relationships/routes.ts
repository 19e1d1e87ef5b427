// Serves acts between accounts (follow, block, mute, and the reverse of each) and relationships.
// https://docs.joinmastodon.org/methods/accounts/#follow

import type { App } from "../../../platform/app.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { invalidField } from "../../../platform/errors.ts";
import { user, userForm, viewerOf } from "../../../platform/http/auth.ts";
import type { Server } from "../../../platform/http/server.ts";
import { normaliseLanguage } from "../../../platform/text/language.ts";
import { IdParams, byId, withQuery } from "../../../platform/http/schema.ts";
import { getShownAccount, loadAccounts } from "../accounts/load.ts";
import { sendRelationship } from "./tell.ts";
import { block } from "./block.ts";
import { domainBlockRoutes } from "./domain-routes.ts";
import type { Pair } from "./events.ts";
import { follow } from "./follow.ts";
import { relationshipListRoutes } from "./list-routes.ts";
import { loadRelations } from "./load.ts";
import { mute, unmute } from "./mute.ts";
import { peopleRoutes } from "./people-routes.ts";
import { olderRelationshipEntity, relationshipEntity } from "./present.ts";
import { rejectFollow } from "./reject-follow.ts";
import { requestRoutes } from "./request-routes.ts";
import { FollowBody, MuteBody, RelationshipsQuery } from "./schema.ts";
import { unblock } from "./block.ts";
import { unfollow } from "./unfollow.ts";

type Act = { path: string; scope: string; run: (app: App, pair: Pair) => Promise<unknown> };

/** Acts without options. */
const ACTS: Act[] = [
  { path: "/api/v1/accounts/:id/unfollow", scope: "write:follows", run: unfollow },
  {
    path: "/api/v1/accounts/:id/remove_from_followers",
    scope: "write:follows",
    run: (app, { accountId, targetId }) =>
      rejectFollow(app, { accountId: targetId, targetId: accountId }),
  },
  { path: "/api/v1/accounts/:id/block", scope: "write:blocks", run: block },
  { path: "/api/v1/accounts/:id/unblock", scope: "write:blocks", run: unblock },
  { path: "/api/v1/accounts/:id/unmute", scope: "write:mutes", run: unmute },
];

const actRoutes = (server: Server, app: App): void => {
  for (const { path, scope, run } of ACTS) {
    server.post(path, byId(userForm(scope)), async (request) => {
      const target = await getShownAccount(app, request.params.id);
      const pair = { accountId: viewerOf(request).accountId, targetId: target.id };
      await run(app, pair);
      return sendRelationship(app, pair);
    });
  }
};

/** Returns language codes as they are stored; an empty list means every language. */
const readLanguages = (languages: string[] | null | undefined): string[] | null | undefined => {
  if (!languages) return languages;
  const codes = languages.filter((code) => code !== "").map(normaliseLanguage);
  if (codes.includes(null)) {
    throw invalidField("languages", "is invalid");
  }
  return codes.length > 0 ? [...new Set(codes as string[])] : null;
};

const followRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/accounts/:id/follow",
    {
      config: { ...userForm("write:follows"), limit: "follows" },
      schema: { params: IdParams, body: FollowBody },
    },
    async (request) => {
      const target = await getShownAccount(app, request.params.id);
      const { reblogs, replies, daily_limit: limit, notify, languages } = request.body;
      const pair = { accountId: viewerOf(request).accountId, targetId: target.id };
      const options = {
        reblogs: reblogs ?? undefined,
        replies: replies ?? undefined,
        // 0 removes the limit.
        dailyLimit: limit === 0 ? null : (limit ?? undefined),
        notify: notify ?? undefined,
        languages: readLanguages(languages),
      };
      return relationshipEntity(await follow(app, { ...pair, options }));
    },
  );
};

const muteRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/accounts/:id/mute",
    { config: userForm("write:mutes"), schema: { params: IdParams, body: MuteBody } },
    async (request) => {
      const target = await getShownAccount(app, request.params.id);
      const pair = { accountId: viewerOf(request).accountId, targetId: target.id };
      const { notifications, duration } = request.body;
      await mute(app, { ...pair, notifications: notifications ?? true, duration: duration ?? 0 });
      return sendRelationship(app, pair);
    },
  );
};

type RelationsQuery = { id?: string[]; with_suspended?: boolean };

/** Returns the viewer's relationship to each existing account, in the order of the ids. */
const relationsTo = async (app: App, viewerId: string, query: RelationsQuery) => {
  const ids = [...new Set((query.id ?? []).flatMap((id) => parseId(id) ?? []))];
  const [views, relations] = await Promise.all([
    loadAccounts(app, ids),
    loadRelations(app, viewerId, ids),
  ]);
  const isShown = (id: string): boolean =>
    views.has(id) && (query.with_suspended === true || views.get(id)!.suspended_at === null);
  return ids.filter(isShown).map((id) => relations.get(id)!);
};

const relationshipsRoutes = (server: Server, app: App): void => {
  const options = withQuery(user("read:follows"), RelationshipsQuery);
  server.get("/api/v1/accounts/relationships", options, async (request) => {
    const relations = await relationsTo(app, viewerOf(request).accountId, request.query);
    return relations.map(relationshipEntity);
  });

  server.get("/api/v1/relationships", options, async (request) => {
    const relations = await relationsTo(app, viewerOf(request).accountId, request.query);
    return relations.map(olderRelationshipEntity);
  });
};

export const relationshipRoutes = (server: Server, app: App): void => {
  relationshipsRoutes(server, app);
  followRoute(server, app);
  muteRoute(server, app);
  actRoutes(server, app);
  peopleRoutes(server, app);
  requestRoutes(server, app);
  relationshipListRoutes(server, app);
  domainBlockRoutes(server, app);
};
