// Refuses requests early that could only wait: with 503 while the database is away, with 507 writes to a full disk,
// and, when work is late, the requests that matter least first.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { DiskFull, Unavailable } from "../errors.ts";
import { AWAY_AFTER_MS } from "../health/pulse.ts";
import { headersOf } from "./http-error.ts";
import { sendFaultPage, wantsPage } from "./fault-page.ts";
import { innerCaller } from "./inside.ts";
import { isPostForm } from "./incoming.ts";
import type { DrawFault } from "./fault-page.ts";
import type { Server } from "./server.ts";

/** Kinds of requests in the order in which they are refused; "essential" never is. */
export type Kind = "visitor" | "inbox" | "read" | "write" | "essential";

/** Milliseconds of lateness from which requests of a kind are refused. */
export const REFUSED_FROM_MS: Record<Exclude<Kind, "essential">, number> = {
  visitor: 1000,
  inbox: 1500,
  read: 2500,
  write: AWAY_AFTER_MS,
};

/** Seconds after which clients and peers are asked to retry. */
export const RETRY_AFTER = { away: 5, late: 10, inbox: 60 };

/** Paths that must answer whatever happens: probes, metrics, and signing in. */
const ESSENTIAL =
  /^\/(?:health$|livez$|readyz$|metrics$|api\/v1\/streaming\/health$|assets\/|auth\/|oauth\/|setup)/;
const INBOX = /^(?:\/inbox|\/actor\/inbox|(?:\/ap)?\/users\/[^/]+\/inbox)$/;
/** Paths that answer without the database. */
const PROBES =
  /^\/(?:health$|livez$|readyz$|metrics$|api\/v1\/streaming\/health$|assets\/|media\/(?!remote\/))/;

const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?rookery_session=/;

export const isRead = (method: string): boolean =>
  method === "GET" || method === "HEAD" || method === "OPTIONS";

const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0]!;

/**
 * Whether a request shows a token or cookie, so that it may be a member's. Who it is, is known after a look-up
 * (asking.ts).
 */
export const mayBeSomebody = ({ headers, url }: FastifyRequest): boolean =>
  headers.authorization !== undefined ||
  SESSION_COOKIE.test(headers.cookie ?? "") ||
  url.includes("access_token=");

export const isEssential = (request: FastifyRequest): boolean => ESSENTIAL.test(pathOf(request));

export const kindOf = (request: FastifyRequest): Kind => {
  const path = pathOf(request);
  if (isEssential(request)) return "essential";
  if (INBOX.test(path)) return "inbox";
  if (!isRead(request.method)) return "write";
  return mayBeSomebody(request) ? "read" : "visitor";
};

const AWAY =
  "The server cannot reach its database at the moment. Please try again in a few seconds";
const LATE = "The server is overloaded. Please try again in a few seconds";

/** Makes a 503 because the database does not answer. */
export const databaseAway = (): Unavailable => new Unavailable(AWAY, RETRY_AFTER.away);

/** Makes a 503 because something took too long. */
export const tooLate = (): Unavailable => new Unavailable(LATE, RETRY_AFTER.late);

/** Returns why a visitor is refused now whose token or cookie turned out to be nobody's. */
export const lateVisitor = ({ pulse }: App): Error | null =>
  pulse.lateness() < REFUSED_FROM_MS.visitor ? null : tooLate();

/** Returns why a request is refused now, or null when it may go on. */
const refusal = ({ pulse }: App, request: FastifyRequest, kind: Kind): Error | null => {
  const fault = pulse.fault();
  if (fault !== null && isPostForm(request)) return null;
  if (fault === "away") return PROBES.test(pathOf(request)) ? null : databaseAway();
  if (fault === "full" && request.method !== "DELETE") {
    if (kind === "write" || kind === "inbox") return new DiskFull();
  }
  if (kind === "essential" || pulse.lateness() < REFUSED_FROM_MS[kind]) return null;
  return new Unavailable(LATE, kind === "inbox" ? RETRY_AFTER.inbox : RETRY_AFTER.late);
};

/** Answers a request that would wait for the database. */
const giveUp = (app: App, request: FastifyRequest, reply: FastifyReply, draw?: DrawFault): void => {
  // A stream continues, and a response that is being sent is not interrupted.
  if (reply.sent || reply.raw.headersSent || PROBES.test(pathOf(request))) return;
  const error = databaseAway();
  reply.headers({ ...headersOf(error), "cache-control": "private, no-store" });
  if (wantsPage(request)) void sendFaultPage(app, request, reply, { status: 503 }, draw);
  else reply.code(503).send({ error: error.message });
};

export const registerOverload = (server: Server, app: App, draw?: DrawFault): void => {
  const requests = new Map<FastifyRequest, FastifyReply>();
  const unsubscribe = app.pulse.onAway(() => {
    for (const [request, reply] of requests) giveUp(app, request, reply, draw);
  });
  server.addHook("onClose", async () => unsubscribe());

  server.addHook("onRequest", (request, reply, done) => {
    // The page that this inner request is made for was already admitted.
    if (innerCaller() && isRead(request.method)) return done();
    const error = refusal(app, request, kindOf(request));
    if (error) return done(error);
    requests.set(request, reply);
    done();
  });
  server.addHook("onResponse", (request, _reply, done) => {
    requests.delete(request);
    done();
  });
  server.addHook("onRequestAbort", (request, done) => {
    requests.delete(request);
    done();
  });
};
