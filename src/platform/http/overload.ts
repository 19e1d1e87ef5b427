// Answers early what could only wait: with 503 while the database is away, with 507 what would be written
// to a full disk, and, when work is late, the cheapest to lose first.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { DiskFull, Unavailable } from "../errors.ts";
import { AWAY_AFTER_MS } from "../health/pulse.ts";
import { headersOf } from "./http-error.ts";
import { sendFaultPage, wantsPage } from "./fault-page.ts";
import { isPostForm } from "./paths.ts";
import type { DrawFault } from "./fault-page.ts";
import type { Server } from "./server.ts";
import { visitorLineOf } from "./visitor-line.ts";

/** In the order in which they are given up; "essential" never is. */
export type Kind = "visitor" | "inbox" | "read" | "write" | "essential";

/** Milliseconds of lateness from which requests of a kind are refused. */
export const REFUSED_FROM_MS: Record<Exclude<Kind, "essential">, number> = {
  visitor: 1000,
  inbox: 1500,
  read: 2500,
  write: AWAY_AFTER_MS,
};

/** Seconds after which to come again: clients and peers try again after them. */
export const RETRY_AFTER = { away: 5, late: 10, inbox: 60 };

/** What must answer whatever happens: probes, figures, and signing in. */
const ESSENTIAL =
  /^\/(?:health$|livez$|readyz$|metrics$|api\/v1\/streaming\/health$|assets\/|auth\/|oauth\/|setup)/;
const INBOX = /^(?:\/inbox|\/actor\/inbox|(?:\/ap)?\/users\/[^/]+\/inbox)$/;
/** What answers without the database. */
const PROBES =
  /^\/(?:health$|livez$|readyz$|metrics$|api\/v1\/streaming\/health$|assets\/|media\/(?!remote\/))/;

const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?rookery_session=/;

const isRead = (method: string): boolean =>
  method === "GET" || method === "HEAD" || method === "OPTIONS";

const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0]!;

const isSomebody = ({ headers, url }: FastifyRequest): boolean =>
  headers.authorization !== undefined ||
  SESSION_COOKIE.test(headers.cookie ?? "") ||
  url.includes("access_token=");

export const kindOf = (request: FastifyRequest): Kind => {
  const path = pathOf(request);
  if (ESSENTIAL.test(path)) return "essential";
  if (INBOX.test(path)) return "inbox";
  if (!isRead(request.method)) return "write";
  return isSomebody(request) ? "read" : "visitor";
};

const AWAY =
  "The server cannot reach its database at the moment. Please try again in a few seconds";
const LATE = "The server is overloaded. Please try again in a few seconds";

/** 503 because the database does not answer. */
export const databaseAway = (): Unavailable => new Unavailable(AWAY, RETRY_AFTER.away);

/** 503 because something took too long. */
export const tooLate = (): Unavailable => new Unavailable(LATE, RETRY_AFTER.late);

/** Why a request is refused now; null: it goes on. */
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

/** A request in progress; `leave` frees its place in the line, if it has one. */
type InProgress = { reply: FastifyReply; leave: () => void };

/** Answers a request that would wait for the database. */
const giveUp = (app: App, request: FastifyRequest, reply: FastifyReply, draw?: DrawFault): void => {
  // A stream goes on, and what is being sent is not interrupted.
  if (reply.sent || reply.raw.headersSent || PROBES.test(pathOf(request))) return;
  const error = databaseAway();
  reply.headers({ ...headersOf(error), "cache-control": "private, no-store" });
  if (wantsPage(request)) void sendFaultPage(app, request, reply, { status: 503 }, draw);
  else reply.code(503).send({ error: error.message });
};

/** A signed request may wait for the signer's server, and must not hold a place in the line meanwhile. */
const standsInLine = (request: FastifyRequest, kind: Kind): boolean =>
  kind === "visitor" &&
  request.headers["signature"] === undefined &&
  // They wait for other servers, and have limits of their own.
  !request.url.startsWith("/media/remote/");

export const registerOverload = (server: Server, app: App, draw?: DrawFault): void => {
  const requests = new Map<FastifyRequest, InProgress>();
  const line = visitorLineOf(app);
  const unsubscribe = app.pulse.onAway(() => {
    for (const [request, { reply }] of requests) giveUp(app, request, reply, draw);
  });
  server.addHook("onClose", async () => unsubscribe());

  server.addHook("onRequest", (request, reply, done) => {
    const kind = kindOf(request);
    const error = refusal(app, request, kind);
    if (error) return done(error);
    const entry: InProgress = { reply, leave: () => {} };
    requests.set(request, entry);
    if (!standsInLine(request, kind)) return done();
    entry.leave = line.enter(done, () => done(tooLate()));
  });
  // A place is free when the answer is there, however slowly it is read.
  server.addHook("onSend", (request, _reply, payload, done) => {
    requests.get(request)?.leave();
    done(null, payload);
  });
  const forget = (request: FastifyRequest): void => {
    requests.get(request)?.leave();
    requests.delete(request);
  };
  server.addHook("onResponse", (request, _reply, done) => {
    forget(request);
    done();
  });
  server.addHook("onRequestAbort", (request, done) => {
    forget(request);
    done();
  });
};
