// The collections of a local actor: outbox, followers, following, pinned posts and hashtags.
// https://www.w3.org/TR/activitypub/#collections, shapes as in test/golden

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import type { Db } from "../../platform/db/index.ts";
import { inOrder, parsePage } from "../../platform/db/paging.ts";
import { Forbidden, Unauthorized } from "../../platform/errors.ts";
import { hostIn } from "../../platform/json/read.ts";
import type { Server } from "../../platform/http/server.ts";
import type { Viewer } from "../../platform/viewer.ts";
import { AS_CONTEXT, moderatorsUrl } from "../../domain/people/accounts/activitypub.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { allModeratorsOf } from "../../domain/reading/groups/load.ts";
import { createObject, noteObject } from "../../domain/posts/statuses/activitypub.ts";
import { announceObject } from "../../domain/posts/statuses/activitypub-acts.ts";
import { noteContext } from "../../domain/posts/statuses/activitypub-terms.ts";
import { loadVisible } from "../../domain/posts/statuses/load.ts";
import { MAX_PINS } from "../../domain/posts/statuses/acts.ts";
import { mayFederate } from "../../domain/posts/statuses/rules.ts";
import { featuredTagsDocument } from "../../domain/posts/tags/activitypub.ts";
import { loadFeaturedTags } from "../../domain/posts/tags/load.ts";
import { followersOn } from "../followers-sync.ts";
import { getOfActor } from "../actor-paths.ts";
import type { ActorName } from "../actor-paths.ts";
import { activeActor, sendActivity } from "./answer.ts";
import { readerOf, signerOf } from "./viewer.ts";
import {
  selectFollowerUris,
  selectFollowingUris,
  selectOutboxIds,
  selectPinnedIds,
} from "./queries.ts";

type ActorRequest = FastifyRequest<{ Params: ActorName }>;
type Query = Record<string, unknown>;

const OUTBOX_PAGE = 20;
const PEOPLE_PAGE = 40;
/** Highest page number, since pages are read with OFFSET and later ones cost more. */
const MAX_PEOPLE_PAGE = 2500;

const outboxPage = async (app: App, view: AccountView, reader: Viewer, query: Query) => {
  const { site } = app.config;
  const page = parsePage({ ...query, limit: OUTBOX_PAGE }, OUTBOX_PAGE);
  const ids = inOrder(page, await selectOutboxIds(app.sql, view.id, page));
  const views = (await loadVisible(app, ids, reader)).filter(mayFederate);
  const id = `${view.uri}/outbox`;
  const at = (name: string, value: string) => `${id}?${name}=${value}&page=true`;
  const cursors = (["max_id", "min_id"] as const).filter((name) => typeof query[name] === "string");
  const bounds = cursors
    .map((name) => `${name}=${encodeURIComponent(String(query[name]))}&`)
    .join("");
  return {
    "@context": noteContext(views.flatMap((view) => (view.reblog ? [] : [view]))),
    id: `${id}?${bounds}page=true`,
    type: "OrderedCollectionPage",
    ...(ids.length >= OUTBOX_PAGE && { next: at("max_id", ids.at(-1)!) }),
    ...(ids.length > 0 && { prev: at("min_id", ids[0]!) }),
    partOf: id,
    orderedItems: views.map((view) =>
      view.reblog ? announceObject(view, site) : createObject(view, site),
    ),
  };
};

const outbox = (view: AccountView) => {
  const id = `${view.uri}/outbox`;
  return {
    "@context": AS_CONTEXT,
    id,
    type: "OrderedCollection",
    totalItems: Number(view.statuses_count),
    first: `${id}?page=true`,
    last: `${id}?min_id=0&page=true`,
  };
};

type People = {
  path: "followers" | "following";
  count: "followers_count" | "following_count";
  select: (
    db: Db,
    accountId: string,
    slice: { limit: number; offset: number },
  ) => Promise<string[]>;
};

const PEOPLE: People[] = [
  { path: "followers", count: "followers_count", select: selectFollowerUris },
  { path: "following", count: "following_count", select: selectFollowingUris },
];

const pageNumber = (value: unknown): number | null => {
  if (value === undefined) return null;
  const number = Number.parseInt(String(value), 10);
  return Number.isNaN(number) ? 1 : Math.min(Math.max(1, number), MAX_PEOPLE_PAGE);
};

const peoplePage = async (app: App, view: AccountView, people: People, page: number) => {
  if (view.hide_collections) throw new Forbidden();
  const id = `${view.uri}/${people.path}`;
  const slice = { limit: PEOPLE_PAGE, offset: (page - 1) * PEOPLE_PAGE };
  const orderedItems = await people.select(app.sql, view.id, slice);
  const isFull = orderedItems.length === PEOPLE_PAGE && page < MAX_PEOPLE_PAGE;
  return {
    "@context": AS_CONTEXT,
    id: `${id}?page=${page}`,
    type: "OrderedCollectionPage",
    totalItems: Number(view[people.count]),
    ...(isFull && { next: `${id}?page=${page + 1}` }),
    ...(page > 1 && { prev: `${id}?page=${page - 1}` }),
    partOf: id,
    orderedItems,
  };
};

/** Returns the head of the collection; hidden collections still have their count. */
const peopleSummary = (view: AccountView, people: People) => {
  const id = `${view.uri}/${people.path}`;
  return {
    "@context": AS_CONTEXT,
    id,
    type: "OrderedCollection",
    totalItems: Number(view[people.count]),
    ...(!view.hide_collections && { first: `${id}?page=1` }),
  };
};

const peopleRoute =
  (app: App, people: People) =>
  async (request: ActorRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const view = await activeActor(app, request.params);
    const page = pageNumber((request.query as Query)["page"]);
    if (page === null) return sendActivity(reply, peopleSummary(view, people));
    return sendActivity(reply, await peoplePage(app, view, people, page), { maxAge: 0 });
  };

const featured = async (app: App, view: AccountView, reader: Viewer) => {
  const ids = await selectPinnedIds(app.sql, view.id, MAX_PINS);
  const views = (await loadVisible(app, ids, reader)).filter(mayFederate);
  return {
    "@context": noteContext(views),
    id: `${view.uri}/collections/featured`,
    type: "OrderedCollection",
    totalItems: views.length,
    orderedItems: views.map((view) => noteObject(view, app.config.site)),
  };
};

export const collectionRoutes = (server: Server, app: App): void => {
  getOfActor(server, "/outbox", {}, async (request, reply) => {
    const view = await activeActor(app, request.params);
    const query = request.query as Query;
    if (query["page"] === undefined) return sendActivity(reply, outbox(view));
    return sendActivity(reply, await outboxPage(app, view, await readerOf(app, request), query), {
      maxAge: 60,
    });
  });

  getOfActor(server, "/followers", {}, peopleRoute(app, PEOPLE[0]!));
  getOfActor(server, "/following", {}, peopleRoute(app, PEOPLE[1]!));

  // The collection of moderators is from FEP-1b12.
  getOfActor(server, "/moderators", {}, async (request, reply) => {
    const view = await activeActor(app, request.params);
    const moderators = await allModeratorsOf(app, view.id);
    const document = {
      "@context": AS_CONTEXT,
      id: moderatorsUrl(view.uri),
      type: "OrderedCollection",
      totalItems: moderators.length,
      orderedItems: moderators.map(({ uri }) => uri),
    };
    return sendActivity(reply, document);
  });

  // A server gets its own people among the followers (FEP-8fcf), also where the list is hidden.
  getOfActor(server, "/followers_synchronization", {}, async (request, reply) => {
    const view = await activeActor(app, request.params);
    const signer = await signerOf(app, request);
    if (!signer) throw new Unauthorized("The request has to be signed");
    const host = hostIn(signer.uri);
    const document = {
      "@context": AS_CONTEXT,
      id: `${view.uri}/followers_synchronization`,
      type: "OrderedCollection",
      orderedItems: host === null ? [] : await followersOn(app, view.id, host),
    };
    return sendActivity(reply, document, { maxAge: null });
  });

  getOfActor(server, "/collections/featured", {}, async (request, reply) => {
    const view = await activeActor(app, request.params);
    return sendActivity(reply, await featured(app, view, await readerOf(app, request)));
  });

  getOfActor(server, "/collections/tags", {}, async (request, reply) => {
    const view = await activeActor(app, request.params);
    const tags = await loadFeaturedTags(app, view.id);
    return sendActivity(reply, featuredTagsDocument(view, tags, app.config.site));
  });
};
