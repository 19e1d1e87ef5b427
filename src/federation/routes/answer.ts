// Helpers of the ActivityPub routes: media type, cache headers, and the account of a path.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../platform/app.ts";
import { withFormerNames } from "../../platform/config/names.ts";
import type { FormerNames } from "../../platform/config/names.ts";
import { Gone, orNotFound } from "../../platform/errors.ts";
import { timeOfId } from "../../platform/ids/index.ts";
import { getAccount } from "../../domain/people/accounts/load.ts";
import type { AccountView } from "../../domain/people/accounts/tables.ts";
import { ACTIVITY_TYPE, wantsPage } from "../media-types.ts";
import { isActorName } from "../actor-paths.ts";
import type { ActorName } from "../actor-paths.ts";
import { selectLocalActor } from "../queries.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** True for a document that is served without a signature, also with AUTHORIZED_FETCH. */
    openDocument?: true;
    /** True for a document with a page, to which clients that prefer one are redirected. */
    hasPage?: true;
  }
}

/** Route options of a document that is always open. */
export const OPEN = { config: { openDocument: true } } as const;
export const WITH_PAGE = { config: { hasPage: true } } as const;

/** Whether the answer redirects to a page, instead of being the document. */
export const asksForPage = (request: FastifyRequest): boolean =>
  request.routeOptions.config.hasPage === true && wantsPage(request);

type Caching = {
  /** Seconds for which shared caches may store it; null if it is for this viewer only. */
  maxAge?: number | null;
  vary?: string;
};

type Document = Record<string, unknown>;

/** Paths of documents that others store by address alone: actors, posts, and authorizations. */
const WAS_KNOWN =
  /^\/(?:actor|(?:users\/[^/]+|ap\/users\/\d+)(?:\/(?:statuses|\w+_authorizations)\/(\d{1,19})(?:\/activity)?)?)$/;

/** Whether the document existed when the server gave up these names. */
const wasKnown = ({ until }: FormerNames, path: string): boolean => {
  const [whole, id] = WAS_KNOWN.exec(path) ?? [];
  return whole !== undefined && (id === undefined || timeOfId(id) < until);
};

/**
 * Returns the document as it was under a former name; null if it only has its present address, or was already made for
 * the former one.
 */
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

/** Redirects browsers to the page of a document; the redirect is the same for everybody. */
export const redirectToPage = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header("vary", "Accept").header("cache-control", "max-age=180, public").redirect(url, 302);

/** Returns a local account, suspended or not. Throws NotFound, and Gone for a deleted one. */
export const localActor = async (app: App, name: ActorName): Promise<AccountView> => {
  const row = orNotFound(isActorName(name) ? await selectLocalActor(app.sql, name) : null);
  if (row.gone) throw new Gone();
  return getAccount(app, row.id);
};

/** Returns a local account like localActor, but throws Gone for a suspended one: only its actor document is served. */
export const activeActor = async (app: App, name: ActorName): Promise<AccountView> => {
  const view = await localActor(app, name);
  if (view.suspended_at !== null) throw new Gone();
  return view;
};
