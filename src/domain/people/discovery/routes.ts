// Serves the directory of discoverable accounts, and suggestions. https://docs.joinmastodon.org/methods/directory/
// https://docs.joinmastodon.org/methods/suggestions/ https://docs.joinmastodon.org/entities/Suggestion/

import type { App } from "../../../platform/app.ts";
import { parseLimit } from "../../../platform/db/paging.ts";
import { pathId } from "../../../platform/http/incoming.ts";
import { NotFound } from "../../../platform/errors.ts";
import { open, user, viewerId, viewerOf } from "../../../platform/http/auth.ts";
import { cacheForPublic } from "../../../platform/http/cache.ts";
import { Type, withQuery } from "../../../platform/http/schema.ts";
import type { Server } from "../../../platform/http/server.ts";
import { listAccounts } from "../accounts/load.ts";
import { accountEntity } from "../accounts/present.ts";
import { getSetting } from "../../base/settings/settings.ts";
import { listDirectory } from "./rank.ts";
import { dismissSuggestion, suggestAccounts } from "./suggest.ts";
import type { FullConfig } from "../../../platform/config/config.ts";
import type { Source } from "./queries.ts";
import type { Suggestion } from "./suggest.ts";

/** Maps sources to the `source` for clients from before 4.3. */
const OLDER: Record<Source, string> = {
  featured: "staff",
  friends_of_friends: "past_interactions",
  most_followed: "global",
  fasp: "global",
};

const suggestionEntity = (
  { account, sources, isRecent }: Suggestion,
  site: FullConfig["site"],
) => ({
  source: OLDER[sources[0]!],
  sources,
  // This is an extension of its own, because apps parse the sources strictly.
  ...(isRecent && { recently_joined: true }),
  account: accountEntity(account, site),
});

const PAGE = 40;
const MAX_OFFSET = 10_000;

const OffsetQuery = Type.Object({
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

const DirectoryQuery = Type.Object({
  ...OffsetQuery.properties,
  order: Type.Optional(Type.String()),
  local: Type.Optional(Type.Boolean()),
});

const pageOf = ({ limit, offset }: { limit?: unknown; offset?: unknown }) => ({
  limit: parseLimit(limit, PAGE),
  offset: parseLimit(offset, 0, MAX_OFFSET),
});

const directoryRoute = (server: Server, app: App): void => {
  server.get("/api/v1/directory", withQuery(open(), DirectoryQuery), async (request, reply) => {
    if (!(await getSetting(app, "profile_directory", true))) throw new NotFound();
    const { order, local = false } = request.query;
    const ids = await listDirectory(app, {
      ...pageOf(request.query),
      order: order === "new" ? "new" : "active",
      local,
      viewerId: viewerId(request),
      now: app.clock.now(),
    });
    cacheForPublic(request, reply);
    const views = await listAccounts(app, ids);
    return views.map((view) => accountEntity(view, app.config.site));
  });
};

/** The date when v2 replaced v1 (RFC 9745), from the contract. */
const V1_DEPRECATED = "@1621123200";

const suggestionRoutes = (server: Server, app: App): void => {
  const { site } = app.config;
  const options = withQuery(user("read:accounts"), OffsetQuery);
  server.get("/api/v1/suggestions", options, async (request, reply) => {
    reply.header("deprecation", V1_DEPRECATED);
    const { accountId } = viewerOf(request);
    const suggestions = await suggestAccounts(app, accountId, pageOf(request.query));
    return suggestions.map(({ account }) => accountEntity(account, site));
  });

  server.get("/api/v2/suggestions", options, async (request) => {
    const { accountId } = viewerOf(request);
    const suggestions = await suggestAccounts(app, accountId, pageOf(request.query));
    return suggestions.map((suggestion) => suggestionEntity(suggestion, site));
  });

  server.delete(
    "/api/v1/suggestions/:account_id",
    {
      config: user("write:accounts"),
      schema: { params: Type.Object({ account_id: Type.String() }) },
    },
    async (request) => {
      const id = pathId(request.params.account_id);
      await dismissSuggestion(app, viewerOf(request).accountId, id);
      return {};
    },
  );
};

export const discoveryRoutes = (server: Server, app: App): void => {
  directoryRoute(server, app);
  suggestionRoutes(server, app);
};
