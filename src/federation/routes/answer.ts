// What the ActivityPub routes share: media type, cache headers, and the account of a path.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { withFormerNames } from "../../platform/config/names.ts";
import type { FormerNames } from "../../platform/config/names.ts";
import { Gone, NotFound } from "../../platform/errors.ts";
import { timeOfId } from "../../platform/ids/index.ts";
import { getAccount } from "../../domain/people/accounts/load.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { ACTIVITY_TYPE, wantsPage } from "../media-types.ts";
import { isActorName } from "../actor-paths.ts";
import type { ActorName } from "../actor-paths.ts";
import { selectLocalActor } from "../queries.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A document that is served without a signature, also with AUTHORIZED_FETCH. */
    openDocument?: true;
    /** A document with a page, to which those are led who prefer one. */
    hasPage?: true;
  }
}

/** For the options of a route. */
export const OPEN = { config: { openDocument: true } } as const;
export const WITH_PAGE = { config: { hasPage: true } } as const;

/** Whether the answer leads to a page, instead of being the document. */
export const asksForPage = (request: FastifyRequest): boolean =>
  request.routeOptions.config.hasPage === true && wantsPage(request);

type Caching = {
  /** Seconds for which shared caches may store it; null: only for this viewer. */
  maxAge?: number | null;
  vary?: string;
};

type Document = Record<string, unknown>;

/** What others have stored under its address alone: actors, posts, and what their authors allowed. */
const WAS_KNOWN =
  /^\/(?:actor|(?:users\/[^/]+|ap\/users\/\d+)(?:\/(?:statuses|\w+_authorizations)\/(\d{1,19})(?:\/activity)?)?)$/;

/** Whether it was there when the server gave up these names. */
const wasKnown = ({ until }: FormerNames, path: string): boolean => {
  const [whole, id] = WAS_KNOWN.exec(path) ?? [];
  return whole !== undefined && (id === undefined || timeOfId(id) < until);
};

/** As it was under a former name; null: it is only at its present address, or has been made for the former one. */
const underFormerName = (document: Document, names: FormerNames): Document | null => {
  const url = URL.parse(String(document["id"]));
  if (url?.origin === names.origin) return document;
  if (!url || !wasKnown(names, url.pathname)) return null;
  return withFormerNames(url, names, document);
};

export const sendActivity = (
  reply: FastifyReply,
  document: Document,
  { maxAge = 180, vary = "Accept" }: Caching = {},
): FastifyReply => {
  const { formerNames: former } = reply.request;
  reply
    .header("cache-control", maxAge === null ? "private, no-store" : `max-age=${maxAge}, public`)
    .header("vary", vary);
  const answer = former ? underFormerName(document, former) : document;
  return answer === null
    ? reply.redirect(String(document["id"]), 301)
    : reply.header("content-type", ACTIVITY_TYPE).send(JSON.stringify(answer));
};

/** Redirects to the page of a document, for browsers; whoever asks gets the same. */
export const redirectToPage = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header("vary", "Accept").header("cache-control", "max-age=180, public").redirect(url, 302);

/** A local account, suspended or not. Throws NotFound, and Gone for a deleted one. */
export const localActor = async (app: App, name: ActorName): Promise<AccountView> => {
  const row = isActorName(name) ? await selectLocalActor(app.sql, name) : null;
  if (!row) throw new NotFound();
  if (row.gone) throw new Gone();
  return getAccount(app, row.id);
};

/** As localActor, and Gone for a suspended one: of these only the actor document is served. */
export const activeActor = async (app: App, name: ActorName): Promise<AccountView> => {
  const view = await localActor(app, name);
  if (view.suspended_at !== null) throw new Gone();
  return view;
};
