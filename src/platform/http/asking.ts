// Finds out who makes a request, from what was looked up and never from a header that anybody can send. What each
// requester has under way is limited (db/each-asker.ts); visitors nobody knows share one queue, and reading requests
// end in time.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { workFor } from "../db/each-asker.ts";
import type { Asker } from "../db/each-asker.ts";
import { bearerToken } from "./auth.ts";
import type { Authenticate, Credentials, Standing } from "./credentials.ts";
import { innerCaller } from "./inside.ts";
import { SESSION_COOKIE, isEssential, isRead, lateVisitor, tooLate } from "./overload.ts";
import type { Server } from "./server.ts";
import { visitorLineOf } from "./visitor-line.ts";
import type { Line } from "./visitor-line.ts";

type Member = { accountId: string; standing: Standing };

/** Identifies the requester of pages and documents; each function looks once for a request. */
export type Identify = {
  /** Finds the member by the session cookie. */
  member(request: FastifyRequest): Promise<Member | null>;
  /** Finds the signer by the signature, with `identifying`. */
  signer(request: FastifyRequest): Promise<object | null>;
};

const NOBODY_ELSE: Identify = { member: async () => null, signer: async () => null };

/** Milliseconds after which a reading statement of a request is cancelled, and for which it waits for a connection. */
export const READ_MS = 10_000;

/** These paths wait for other servers, and have limits of their own. */
const REMOTE_MEDIA = "/media/remote/";

/** An account that is not active or moved counts as a stranger, because anybody can register. */
const memberKey = (member: Member | null | undefined): string | null =>
  member && (member.standing === "active" || member.standing === "moved")
    ? accountKey(member.accountId)
    : null;

export const accountKey = (accountId: string): string => `account:${accountId}`;

const ofCredentials = (credentials: Credentials | null): string | null =>
  credentials?.revoked ? null : memberKey(credentials?.viewer);

const isSigned = ({ headers, routeOptions }: FastifyRequest): boolean =>
  headers.signature !== undefined && routeOptions.config.access === undefined;

type Asking = {
  asker: Asker;
  isInLine: () => boolean;
  /** Takes a place in the queue of visitors and calls `begin`, at once or later, or calls `refuse`. */
  enter: (begin: () => void, refuse: () => void) => void;
  /** Returns the place, if it has one. */
  leave: () => void;
};

const createAsking = (line: Line, { method }: FastifyRequest): Asking => {
  let end: (() => void) | null = null;
  const asking: Asking = {
    asker: { who: null, limitMs: isRead(method) ? READ_MS : null, isAnswered: false },
    isInLine: () => end !== null,
    enter(begin, refuse) {
      end = line.enter(begin, refuse);
      if (asking.asker.isAnswered) asking.leave();
    },
    leave() {
      end?.();
      end = null;
    },
  };
  return asking;
};

const askings = new WeakMap<FastifyRequest, Asking>();

const inLineAgain = (asking: Asking): Promise<void> =>
  new Promise((resolve, reject) => asking.enter(resolve, () => reject(tooLate())));

/**
 * Looks up a signer. The request holds no place in the visitors' queue while it waits for another server. A found
 * signer becomes the asker; without one the request queues again.
 */
export const identifying = async <T>(
  request: FastifyRequest,
  find: () => Promise<T | null>,
  keyOf: (signer: T) => string,
): Promise<T | null> => {
  const asking = askings.get(request);
  const wasInLine = asking?.isInLine() ?? false;
  asking?.leave();
  const signer = await find();
  if (asking && signer !== null) asking.asker.who ??= keyOf(signer);
  else if (asking && wasInLine) await inLineAgain(asking);
  return signer;
};

const standsInLine = (request: FastifyRequest): boolean =>
  isRead(request.method) && !isEssential(request) && !request.url.startsWith(REMOTE_MEDIA);

/** Identifies the requester of a page, a stream or a document, where the API's own rules have not. */
const elsewhere =
  (authenticate: Authenticate, identify: Identify) =>
  (request: FastifyRequest): Promise<string | null> | null => {
    if (request.routeOptions.config.access !== undefined) return null;
    // This concerns streams, which answer tokens by themselves.
    const token = bearerToken(request);
    if (token !== null) return Promise.resolve(authenticate(token)).then(ofCredentials);
    if (!SESSION_COOKIE.test(request.headers.cookie ?? "")) return null;
    return identify.member(request).then(memberKey);
  };

/** Lets a request continue, now or when it gets a place. */
const admitting =
  (app: App, identify: Identify) =>
  (request: FastifyRequest, asking: Asking, done: (error?: Error) => void): void => {
    const goOn = (): void => workFor(asking.asker, done);
    const stand = (): void => {
      const late = lateVisitor(app);
      if (late) return done(late);
      asking.enter(goOn, () => done(tooLate()));
    };
    if (asking.asker.who !== null || !standsInLine(request)) return goOn();
    if (!visitorLineOf(app).isFull() || !isSigned(request)) return stand();
    // Signers are looked up only where it matters: peers sign every request.
    void identify.signer(request).then((signer) => (signer ? goOn() : stand()), done);
  };

const forget = (request: FastifyRequest): void => {
  const asking = askings.get(request);
  if (!asking) return;
  asking.asker.isAnswered = true;
  asking.leave();
};

export const registerAskers = (
  server: Server,
  app: App,
  authenticate: Authenticate,
  identify: Identify = NOBODY_ELSE,
): void => {
  const askedElsewhere = elsewhere(authenticate, identify);
  const admit = admitting(app, identify);
  server.addHook("onRequest", (request, _reply, done) => {
    if (innerCaller()) return done();
    const asking = createAsking(visitorLineOf(app), request);
    askings.set(request, asking);
    asking.asker.who = ofCredentials(request.credentials);
    const looking = asking.asker.who === null ? askedElsewhere(request) : null;
    if (looking === null) return admit(request, asking, done);
    void looking.then((who) => {
      asking.asker.who = who;
      admit(request, asking, done);
    }, done);
  });
  // The body was read in the context of its connection; the token may have been in it.
  server.addHook("preValidation", (request, _reply, done) => {
    const asking = askings.get(request);
    if (!asking) return done();
    asking.asker.who ??= ofCredentials(request.credentials);
    workFor(asking.asker, done);
  });
  // The place is free when the response is ready, however slowly the client reads it.
  server.addHook("onSend", (request, _reply, payload, done) => {
    askings.get(request)?.leave();
    done(null, payload);
  });
  server.addHook("onResponse", (request, _reply, done) => {
    forget(request);
    done();
  });
  server.addHook("onRequestAbort", (request, done) => {
    forget(request);
    done();
  });
};
