// Serves acts on posts: favourite, reblog, bookmark, pin, mute, vote, take back a quote, add to a filter.
// https://docs.joinmastodon.org/methods/statuses/ https://docs.joinmastodon.org/methods/polls/#vote

import type { App } from "../../../platform/app.ts";
import type { RouteLimit } from "../../../platform/http/api-limits.ts";
import { userForm, viewerOf } from "../../../platform/http/auth.ts";
import { extension } from "../../../platform/http/extension.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { IdParams, Type, byId, withPath } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import type { KnownViewer } from "../../../platform/viewer.ts";
import { filterStatusEntity } from "../filters/present.ts";
import { FilterIdParams, FilterStatusBody } from "../filters/schema.ts";
import {
  bookmark,
  filterStatus,
  muteThread,
  pin,
  unbookmark,
  unmuteThread,
  unpin,
  vote,
} from "./acts.ts";
import { revokeQuote } from "./approve.ts";
import { favourite, unfavourite } from "./favourite.ts";
import { ownPollEntity, statusEntity } from "./present.ts";
import { reblog, unreblog } from "./reblog.ts";
import { isLocalOnly } from "./audience.ts";
import { authorOf, scheduledOf } from "./routes.ts";
import { laterTime, scheduleReblog } from "./schedule.ts";
import { ReblogBody } from "./schema.ts";
import type { SeenStatus } from "./tables.ts";

type Act = {
  path: string;
  scope: string;
  limit?: RouteLimit;
  run: (app: App, viewer: KnownViewer, id: string) => Promise<SeenStatus>;
};

/** Acts whose response is the status; on a reblog they apply to the original. */
const ACTS: Act[] = [
  { path: "/api/v1/statuses/:id/favourite", scope: "write:favourites", run: favourite },
  { path: "/api/v1/statuses/:id/unfavourite", scope: "write:favourites", run: unfavourite },
  { path: "/api/v1/statuses/:id/bookmark", scope: "write:bookmarks", run: bookmark },
  { path: "/api/v1/statuses/:id/unbookmark", scope: "write:bookmarks", run: unbookmark },
  { path: "/api/v1/statuses/:id/pin", scope: "write:accounts", run: pin },
  { path: "/api/v1/statuses/:id/unpin", scope: "write:accounts", run: unpin },
  { path: "/api/v1/statuses/:id/mute", scope: "write:mutes", run: muteThread },
  { path: "/api/v1/statuses/:id/unmute", scope: "write:mutes", run: unmuteThread },
  {
    path: "/api/v1/statuses/:id/unreblog",
    scope: "write:statuses",
    limit: "delete",
    run: unreblog,
  },
];

const actRoutes = (server: Server, app: App): void => {
  for (const { path, scope, run, ...limit } of ACTS) {
    const config = { ...userForm(scope), ...limit };
    server.post(path, byId(config), async (request) => {
      const viewer = viewerOf(request).person;
      return statusEntity(await run(app, viewer, pathId(request.params.id)), app.config.site);
    });
  }
};

const reblogRoute = (server: Server, app: App): void => {
  const limited = { ...userForm("write:statuses"), limit: "statuses" } as const;
  const boost = { oneOf: ["Status", "ScheduledStatus"] };
  server.post(
    "/api/v1/statuses/:id/reblog",
    {
      config: extension(limited, "statuses", boost, "404", "422"),
      schema: { params: IdParams, body: ReblogBody },
    },
    async (request) => {
      const viewer = viewerOf(request).person;
      const { visibility, scheduled_at: scheduledAt, ...reach } = request.body;
      const id = pathId(request.params.id);
      const at = laterTime(app, scheduledAt);
      const audience = { visibility, local_only: isLocalOnly(reach) };
      if (!at) return statusEntity(await reblog(app, viewer, id, audience), app.config.site);
      const { appId } = request.credentials!;
      const author = authorOf(viewerOf(request));
      const boost = { id, ...audience, at };
      return scheduledOf(app, await scheduleReblog(app, author, appId, boost));
    },
  );
};

const VoteBody = Type.Object({
  choices: Type.Optional(Type.Array(Type.Integer(), { maxItems: 100 })),
});

const voteRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/polls/:id/votes",
    { config: userForm("write:statuses"), schema: { params: IdParams, body: VoteBody } },
    async (request) => {
      const { choices = [] } = request.body;
      const viewer = viewerOf(request).person;
      return ownPollEntity(await vote(app, viewer, pathId(request.params.id), choices));
    },
  );
};

const QuoteParams = Type.Object({ id: Type.String(), quoting_status_id: Type.String() });

const revokeRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v1/statuses/:id/quotes/:quoting_status_id/revoke",
    withPath(userForm("write:statuses"), QuoteParams),
    async (request) => {
      const viewer = viewerOf(request).person;
      const { id, quoting_status_id: quotingId } = request.params;
      const quoting = await revokeQuote(app, viewer, pathId(id), pathId(quotingId));
      return statusEntity(quoting, app.config.site);
    },
  );
};

/**
 * Belongs to this slice, because only a status that the person may see can be added.
 * https://docs.joinmastodon.org/methods/filters/#statuses-add
 */
const filterRoute = (server: Server, app: App): void => {
  server.post(
    "/api/v2/filters/:filter_id/statuses",
    {
      config: userForm("write:filters"),
      schema: { params: FilterIdParams, body: FilterStatusBody },
    },
    async (request) => {
      const viewer = viewerOf(request).person;
      const { filter_id: filterId } = request.params;
      const id = pathId(request.body.status_id ?? "");
      return filterStatusEntity(await filterStatus(app, viewer, pathId(filterId), id));
    },
  );
};

export const statusActRoutes = (server: Server, app: App): void => {
  actRoutes(server, app);
  reblogRoute(server, app);
  voteRoute(server, app);
  revokeRoute(server, app);
  filterRoute(server, app);
};
