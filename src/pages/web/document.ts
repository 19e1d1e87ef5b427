// Parts that the documents of the web client share: their headers, the reader's languages, and their requests to our
// own API.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { PageRequest } from "../../../web/src/served/pages.ts";
import type { App } from "../../platform/app.ts";
import { HttpError, isKnown } from "../../platform/http/http-error.ts";
import type { Credentials } from "../../platform/http/credentials.ts";
import { readingLanguages } from "../../platform/http/accept-language.ts";
import { askInside } from "../../platform/http/inside.ts";
import type { InnerAnswer } from "../../platform/http/inside.ts";
import { PERMISSIONS_POLICY, mediaSources } from "../../platform/http/page.ts";
import { lookOf } from "../../platform/http/look.ts";
import type { Server } from "../../platform/http/server.ts";
import { textsIn } from "../../platform/text/texts.ts";
import { switchable } from "../../domain/people/users/pages/cookies.ts";
import { loadBundle } from "./bundle.ts";
import { encodingHeaders, encodingOf } from "./encoding.ts";
import type { InEncodings } from "./encoding.ts";
import { keptPosts } from "./kept-posts.ts";

/** Cache-Control, short because proxies must not show what was deleted or hidden for long. */
export const SHARED = "max-age=15, public, stale-while-revalidate=30";

/** A page depends on the person, or on the browser's language. */
export const VARY = "Accept, Cookie, Accept-Language";

type DocumentUse = {
  /** Lets other sites show it in a frame. */
  isFramed?: boolean;
  /** True when a form of it takes people to their own server. */
  leadsElsewhere?: boolean;
};

/** Returns what the page may load: only from here, except media and pictures, which may be in a bucket. */
const policy = (app: App, { isFramed = false, leadsElsewhere = false }: DocumentUse): string => {
  const media = mediaSources(app);
  const client = [
    "script-src 'self'",
    `connect-src 'self' ${app.config.site.streamingOrigin}`,
    "manifest-src 'self'",
    "worker-src 'self'",
    // Players of other servers are on a page of ours, whose policy allows that one server (player-routes.ts).
    "frame-src 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types rookery",
  ];
  return [
    "default-src 'none'",
    ...(isFramed ? [] : client),
    "style-src 'self'",
    `img-src ${media} data: blob:`,
    `media-src ${media} blob:`,
    // Browsers also apply this to redirects after a form.
    `form-action ${isFramed ? "'none'" : leadsElsewhere ? media : "'self'"}`,
    "base-uri 'none'",
    `frame-ancestors ${isFramed ? "*" : "'none'"}`,
  ].join("; ");
};

export const documentHeaders = (app: App, use: DocumentUse = {}): Record<string, string> => ({
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": policy(app, use),
  "permissions-policy": PERMISSIONS_POLICY,
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  ...(!use.isFramed && { "x-frame-options": "DENY" }),
});

/**
 * Sends a document compressed. Compression reveals no secret: none is in the document but the form token, which differs
 * each time.
 */
export const sendCompressed = (
  reply: FastifyReply,
  data: InEncodings,
  headers: { vary: string } & Record<string, string>,
): FastifyReply => {
  const encoding = encodingOf(reply.request.headers["accept-encoding"]);
  return reply
    .headers({ ...headers, ...encodingHeaders(encoding), vary: `${headers.vary}, Accept-Encoding` })
    .send(data(encoding));
};

/** Requests our own API, as somebody or nobody. */
export type Ask = (url: string) => Promise<InnerAnswer>;

export const askAs = (
  server: Server,
  request: FastifyRequest,
  credentials: Credentials | null,
  locale?: string,
): Ask => {
  const { ip } = request;
  // What visitors are shown is drawn once for many.
  const language = credentials ? textsIn(readingLanguages(request, locale)).language : undefined;
  return (url) => askInside(server, credentials, { method: "GET", url, ip, language });
};

/** `locale` is the setting of the signed-in person. `ask` replaces requests to the API. */
type Reader = { credentials: Credentials | null; locale?: string | undefined; ask?: Ask };

/** Returns what a document is drawn from, for somebody or nobody. */
export const pageRequest = async (
  app: App,
  server: Server,
  request: FastifyRequest,
  { credentials, locale, ask = askAs(server, request, credentials, locale) }: Reader,
): Promise<PageRequest> => {
  const { others, linked } = credentials
    ? await switchable(app, request)
    : { others: [], linked: [] };
  const { answerIn, withParams } = await loadBundle();
  const kept = keptPosts(app);
  return {
    url: request.url,
    origin: app.config.site.origin,
    isMember: credentials !== null,
    formToken: "",
    others: [...others, ...linked],
    linked,
    isAuthor: false,
    look: lookOf(request),
    texts: textsIn(readingLanguages(request, locale)),
    get: async (path, params) => answerIn(await ask(withParams(path, params)), kept),
    kept,
  };
};

/** Converts the API's answer to the page into an error of the page. */
export const asHttpError = (error: unknown): unknown => {
  const { status } = error as { status?: unknown };
  return error instanceof Error && !isKnown(error) && typeof status === "number"
    ? new HttpError(status, error.message)
    : error;
};
