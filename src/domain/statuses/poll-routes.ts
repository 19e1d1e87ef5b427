// Reading a poll and voting. https://docs.joinmastodon.org/methods/polls/

import type { App } from "../../platform/app.ts";
import { BadRequest, NotFound } from "../../platform/errors.ts";
import { open, requestViewer, user, viewerOf } from "../../platform/http/auth.ts";
import { cacheForPublic } from "../../platform/http/cache.ts";
import { pathId } from "../../platform/http/path-id.ts";
import { Type } from "../../platform/http/schema.ts";
import type { Server } from "../../platform/http/server.ts";
import { asPerson } from "../../platform/viewer.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { pollEntity } from "../polls/present.ts";
import { findStatusOfPoll, takeRefresh } from "../polls/load.ts";
import { castVote } from "../polls/vote.ts";
import { getVisible } from "./load.ts";
import { IdParams } from "./schema.ts";
import type { StatusView } from "./tables.ts";

const VoteBody = Type.Object({
  choices: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 })),
});

/** The status that has the poll; one that the viewer may not see is NotFound. */
const statusOf = async (app: App, id: string, viewer: Viewer): Promise<StatusView> => {
  const statusId = await findStatusOfPoll(app.sql, pathId(id));
  if (statusId === null) throw new NotFound();
  return getVisible(app, statusId, viewer);
};

const entityOf = (view: StatusView) =>
  pollEntity(view.poll!, view.viewer?.id === view.account_id, view.emojis);

/**
 * Fetches a remote poll's counts from its server; false when they are not due or the server does
 * not answer: then the stored ones are shown.
 */
const refresh = async (app: App, view: StatusView): Promise<boolean> => {
  if (view.local) return false;
  if (!(await takeRefresh(app.sql, view.poll!.id, app.clock.now()))) return false;
  return app.remote.refreshStatus(view.uri);
};

export const pollRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v1/polls/:id",
    { config: open("read:statuses"), schema: { params: IdParams } },
    async (request, reply) => {
      const viewer = requestViewer(request);
      const view = await statusOf(app, request.params.id, viewer);
      cacheForPublic(request, reply);
      const isFresh = viewer.kind !== "nobody" && (await refresh(app, view));
      return entityOf(isFresh ? await getVisible(app, view.id, viewer) : view);
    },
  );

  server.post(
    "/api/v1/polls/:id/votes",
    { config: user("write:statuses"), schema: { params: IdParams, body: VoteBody } },
    async (request) => {
      const { accountId } = viewerOf(request);
      const view = await statusOf(app, request.params.id, asPerson(accountId));
      const { choices = [] } = request.body;
      if (choices.length === 0) {
        throw new BadRequest("param is missing or the value is empty: choices");
      }
      await castVote(app, { pollId: view.poll!.id, accountId, choices, uri: null });
      return entityOf(await getVisible(app, view.id, asPerson(accountId)));
    },
  );
};
