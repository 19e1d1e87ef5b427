// GET /api/v2/search. https://docs.joinmastodon.org/methods/search/

import { Type } from "../../platform/http/schema.ts";
import type { Static } from "../../platform/http/schema.ts";
import type { App } from "../../platform/app.ts";
import { parseLimit } from "../../platform/db/paging.ts";
import { BadRequest, Unauthorized } from "../../platform/errors.ts";
import { open, viewerId } from "../../platform/http/auth.ts";
import type { Server } from "../../platform/http/server.ts";
import { accountEntity } from "../accounts/present.ts";
import { statusEntity, tagUrl } from "../statuses/present.ts";
import { search } from "./search.ts";
import type { Found, SearchKind } from "./search.ts";

const SearchQuery = Type.Object({
  q: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  resolve: Type.Optional(Type.Boolean()),
  following: Type.Optional(Type.Boolean()),
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
});

const KINDS = ["accounts", "statuses", "hashtags"];
const MAX_OFFSET = 10_000;

type Query = Static<typeof SearchQuery>;

/** Bad numbers and a missing question come first, then what only people may do. */
const check = ({ q, limit, offset, resolve }: Query, viewer: string | null): void => {
  if (!q?.trim()) throw new BadRequest("The parameter q is missing or empty");
  if (Number(limit) < 0 || Number(offset) < 0) {
    throw new BadRequest("The parameters limit and offset must not be negative");
  }
  if (viewer !== null) return;
  if (resolve) throw new Unauthorized("Looking up other servers needs a signed-in user");
  if (Number(offset) > 0) throw new Unauthorized("Paging through a search needs a signed-in user");
};

const entity = ({ accounts, statuses, tags }: Found, app: App) => {
  const { site } = app.config;
  return {
    accounts: accounts.map((view) => accountEntity(view, site)),
    statuses: statuses.map((view) => statusEntity(view, site)),
    hashtags: tags.map((name) => ({ name, url: tagUrl(site, name), history: [] })),
  };
};

export const searchRoutes = (server: Server, app: App): void => {
  server.get(
    "/api/v2/search",
    { config: open("read:search"), schema: { querystring: SearchQuery } },
    async (request) => {
      const { q = "", type, resolve = false, following = false, limit, offset } = request.query;
      const viewer = viewerId(request);
      check(request.query, viewer);
      if (type && !KINDS.includes(type))
        return entity({ accounts: [], statuses: [], tags: [] }, app);
      const found = await search(app, {
        q,
        kind: (type || null) as SearchKind | null,
        resolve,
        followingOnly: following && viewer !== null,
        viewerId: viewer,
        limit: parseLimit(limit, 20),
        offset: parseLimit(offset, 0, MAX_OFFSET),
      });
      return entity(found, app);
    },
  );
};
