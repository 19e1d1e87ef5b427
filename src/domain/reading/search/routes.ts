// Serves GET /api/v2/search. https://docs.joinmastodon.org/methods/search/

import type { FastifyRequest } from "fastify";
import { Type, withQuery } from "../../../platform/http/schema.ts";
import type { Static } from "../../../platform/http/schema.ts";
import type { App } from "../../../platform/app.ts";
import { parseLimit } from "../../../platform/db/paging.ts";
import { parseId } from "../../../platform/ids/index.ts";
import { BadRequest, Unauthorized } from "../../../platform/errors.ts";
import { open, requestViewer } from "../../../platform/http/auth.ts";
import { linkOffset } from "../../../platform/http/links.ts";
import type { Server } from "../../../platform/http/server.ts";
import type { Viewer } from "../../../platform/viewer.ts";
import { entitiesFor } from "../../people/accounts/entities-for.ts";
import { collectionEntity } from "../../people/collections/present.ts";
import { statusEntity } from "../../posts/statuses/present.ts";
import { tagEntity } from "../../posts/tags/present.ts";
import { sendRefreshHeader } from "../../base/refreshes/refreshes.ts";
import { chosenLanguages } from "../timelines/languages.ts";
import type { Sort } from "./search-statuses.ts";
import { wantAccounts } from "./want-accounts.ts";
import { NO_ACCOUNT, NOTHING, search } from "./search.ts";
import type { Results, SearchKind } from "./search.ts";

const SearchQuery = Type.Object({
  q: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  resolve: Type.Optional(Type.Boolean()),
  following: Type.Optional(Type.Boolean()),
  exclude_unreviewed: Type.Optional(Type.Boolean()),
  account_id: Type.Optional(Type.Unknown()),
  max_id: Type.Optional(Type.Unknown()),
  min_id: Type.Optional(Type.Unknown()),
  limit: Type.Optional(Type.Unknown()),
  offset: Type.Optional(Type.Unknown()),
  sort: Type.Optional(Type.Unknown()),
  bio: Type.Optional(Type.Boolean()),
});

const KINDS = ["accounts", "statuses", "hashtags", "collections"];
const MAX_OFFSET = 10_000;

type Query = Static<typeof SearchQuery>;

/** Reports invalid numbers and a missing query first, then what needs a user. */
const check = ({ q, limit, offset, resolve }: Query, viewer: Viewer): void => {
  if (!q?.trim()) throw new BadRequest("The parameter q is missing or empty");
  if (Number(limit) < 0 || Number(offset) < 0) {
    throw new BadRequest("The parameters limit and offset must not be negative");
  }
  if (viewer.kind !== "nobody") return;
  if (resolve) throw new Unauthorized("Searching other servers requires an authenticated user");
  if (Number(offset) > 0)
    throw new Unauthorized("Paging through search results requires an authenticated user");
};

const entity = async (
  { accounts, statuses, tags, collections }: Results,
  app: App,
  viewer: Viewer,
) => {
  const { site } = app.config;
  const viewerId = viewer.kind === "nobody" ? null : viewer.id;
  const now = app.clock.now();
  return {
    accounts: await entitiesFor(app, accounts, viewerId),
    statuses: statuses.map((view) => statusEntity(view, site)),
    hashtags: tags.map((view) => tagEntity(view, site, now, viewerId !== null)),
    collections: collections.map((view) => collectionEntity(view, site)),
  };
};

/** Reads an invalid id as that of an account that does not exist. */
const accountId = (value: unknown): string | null =>
  value === undefined || value === "" ? null : (parseId(value) ?? NO_ACCOUNT);

/** Reads unknown orders as Mastodon's. */
const sortOf = (value: unknown): Sort => (value === "rank" ? "rank" : "date");

/** Returns the languages that the person chose or has the interface in, and English. */
const languagesOf = ({ credentials }: FastifyRequest): string[] => {
  const person = credentials?.viewer;
  return person ? [...(chosenLanguages(person) ?? [person.locale]), "en"] : [];
};

const asSearch = (query: Query, viewer: Viewer, languages: string[]) => ({
  q: query.q ?? "",
  kind: (query.type || null) as SearchKind | null,
  resolve: query.resolve ?? false,
  followingOnly: (query.following ?? false) && viewer.kind !== "nobody",
  excludeUnreviewed: query.exclude_unreviewed ?? false,
  viewer,
  accountId: accountId(query.account_id),
  maxId: parseId(query.max_id),
  minId: parseId(query.min_id),
  limit: parseLimit(query.limit, 20),
  offset: parseLimit(query.offset, 0, MAX_OFFSET),
  sort: sortOf(query.sort),
  byBio: query.bio ?? false,
  languages,
});

export const searchRoutes = (server: Server, app: App): void => {
  const options = withQuery(open("read:search"), SearchQuery);
  server.get("/api/v2/search", options, async (request, reply) => {
    const { query } = request;
    const viewer = requestViewer(request);
    check(query, viewer);
    const isKnown = !query.type || KINDS.includes(query.type);
    const input = asSearch(query, viewer, languagesOf(request));
    const results = isKnown ? await search(app, input) : NOTHING;
    const refresh = isKnown ? await wantAccounts(app, input) : null;
    if (refresh) sendRefreshHeader(reply, refresh);
    const { origin } = app.config.site;
    if (input.kind && viewer.kind !== "nobody" && input.offset < MAX_OFFSET)
      linkOffset(request, reply, { ...input, origin, count: results.count });
    return entity(results, app, viewer);
  });
};
