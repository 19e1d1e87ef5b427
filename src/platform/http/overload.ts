// Refuses requests early: those from blocked addresses; those that could only wait, with 503 while the database is
// away, with 507 writes to a full disk, and, when work is late, the requests that matter least first; and bodies for
// which there is no room.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { perApp } from "../caches/index.ts";
import { DiskFull, Forbidden, Unavailable } from "../errors.ts";
import { AWAY_AFTER_MS } from "../health/pulse.ts";
import { BODY_LIMIT } from "./body.ts";
import { HttpError } from "./http-error.ts";
import { innerCaller } from "./inside.ts";
import { isPostForm } from "./incoming.ts";
import { addressKey } from "./rate-limit.ts";
import type { Server } from "./server.ts";

export type Refusals = {
  /** Says whether all requests from an address are refused; null while no address is. */
  isRefused: ((ip: string) => boolean) | null;
};

declare module "fastify" {
  interface FastifyInstance {
    /** What moderators decide about addresses (base/blocklists/ips.ts). */
    refusals: Refusals;
  }
}

/** The answer to a client whose network is blocked. */
export const NO_ACCESS = "Access from your network is blocked";

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

export const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?rookery_session=/;

export const isRead = (method: string): boolean =>
  method === "GET" || method === "HEAD" || method === "OPTIONS";

export const pathOf = ({ url }: FastifyRequest): string => url.split("?", 1)[0]!;

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
const giveUp = (request: FastifyRequest, reply: FastifyReply): void => {
  // A stream continues, and a response that is being sent is not interrupted.
  if (reply.sent || reply.raw.headersSent || PROBES.test(pathOf(request))) return;
  void reply.send(databaseAway());
};

export const registerOverload = (server: Server, app: App): void => {
  const requests = new Map<FastifyRequest, FastifyReply>();
  const refusals: Refusals = { isRefused: null };
  server.decorate("refusals", refusals);
  const unsubscribe = app.pulse.onAway(() => {
    for (const [request, reply] of requests) giveUp(request, reply);
  });
  server.addHook("onClose", async () => unsubscribe());

  server.addHook("onRequest", (request, reply, done) => {
    if (refusals.isRefused?.(request.ip)) return done(new Forbidden(NO_ACCESS));
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

// A body is kept in memory until it is complete, and is received before its sender is known, because the token or the
// form may be in it. So clients are asked to retry before a body is read that has no room; long or slow ones leave room
// for the others. The inbox has a limit of its own.

export type InFlightLimits = {
  total: number;
  /** Bytes above which a body counts as large. */
  large: number;
  /** Bytes of all large bodies together, so that ordinary activities find room beside them. */
  largeTotal: number;
  /** Bytes from one address, so that a stranger does not take the room of all others. */
  perAddress: number;
};

const RETRY_BODY_SECONDS = 10;

type InFlight = {
  entries(): number;
  bytes(): number;
  /** Reserves room for a body and returns the function that frees it; throws 503 when there is none. */
  take(address: string, bytes: number): () => void;
};

const tooMuch = (): HttpError =>
  new HttpError(503, "Too much is being received, please try again", {
    // The rest of the body is not read, so the connection closes.
    headers: { "retry-after": String(RETRY_BODY_SECONDS), connection: "close" },
  });

export const createInFlight = (limits: InFlightLimits): InFlight => {
  const byAddress = new Map<string, number>();
  let [total, large] = [0, 0];
  let count = 0;

  const change = (address: string, bytes: number): void => {
    total += bytes;
    if (Math.abs(bytes) > limits.large) large += bytes;
    count += Math.sign(bytes);
    const left = (byAddress.get(address) ?? 0) + bytes;
    if (left > 0) byAddress.set(address, left);
    else byAddress.delete(address);
  };

  return {
    entries: () => count,
    bytes: () => total,
    take(address, bytes) {
      const size = Math.max(1, bytes);
      const isFull =
        total + size > limits.total ||
        (size > limits.large && large + size > limits.largeTotal) ||
        (byAddress.get(address) ?? 0) + size > limits.perAddress;
      if (isFull) throw tooMuch();
      change(address, size);
      return () => change(address, -size);
    },
  };
};

const KIB = 1024;
const MIB = 1024 * KIB;

export const BODY_ROOM: InFlightLimits = {
  total: 64 * MIB,
  large: 64 * KIB,
  largeTotal: 32 * MIB,
  perAddress: 16 * MIB,
};

export const bodyRoomOf = perApp("bodies being received", () => createInFlight(BODY_ROOM));

/**
 * Returns the bytes of a body that are kept in memory; files go to the disk. A body without a length counts as the
 * longest allowed.
 */
const bytesOf = ({ headers, routeOptions }: FastifyRequest): number => {
  const length = Number(
    headers["content-length"] ?? (headers["transfer-encoding"] ? BODY_LIMIT : 0),
  );
  if (length > BODY_LIMIT && routeOptions.config.upload) return 0;
  return Math.min(length, BODY_LIMIT);
};

export const registerBodyRoom = (server: Server, app: App): void => {
  const room = bodyRoomOf(app);
  server.addHook("onRequest", (request, reply, done) => {
    const bytes = request.routeOptions.config.uncounted ? 0 : bytesOf(request);
    if (bytes === 0) return done();
    try {
      reply.raw.once("close", room.take(addressKey(request.ip), bytes));
      done();
    } catch (error) {
      done(error as Error);
    }
  });
};
