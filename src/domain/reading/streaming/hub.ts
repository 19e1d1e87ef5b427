// Manages all open streams of this process: who may open one, and closing those whose token was revoked.

import { setTimeout as sleep } from "node:timers/promises";
import type { App } from "../../../platform/app.ts";
import type { Rate } from "../../../platform/buckets.ts";
import { figure } from "../../../platform/caches/index.ts";
import {
  DomainError,
  TooManyRequests,
  Unauthorized,
  Unavailable,
} from "../../../platform/errors.ts";
import { checkStanding, covers } from "../../../platform/http/auth.ts";
import type { Authenticate, CurrentUser } from "../../../platform/http/credentials.ts";
import { takeAlways } from "../../../platform/http/request-rates.ts";
import { eachSlice } from "../../../platform/event-loop-turns.ts";
import type { RevokedTokens } from "../../people/oauth/events.ts";
import { endedTokens } from "../../people/oauth/tokens.ts";
import { REVOKED_CHANNEL } from "../timelines/streams.ts";
import type { Listening } from "./names.ts";
import { Session } from "./session.ts";

export type Limits = {
  /** Bytes that may wait for a slow listener before it is dropped. */
  maxBuffered: number;
  pingSeconds: number;
  thumpSeconds: number;
  /**
   * Open streams of a person: each public post is sent to all of them. Streams of disconnected clients count until a
   * ping finds out.
   */
  perPerson: number;
  /** Limit of the requests of a person's clients: a message or a ping counts 1, a stream OPENING. */
  requests: Rate;
};

/** The cost of opening a stream, for which the blocks and mutes of its listener are read. */
const OPENING = 3;

export const LIMITS: Limits = {
  maxBuffered: 1024 * 1024,
  pingSeconds: 30,
  thumpSeconds: 15,
  perPerson: 100,
  requests: { burst: 1000, perMinute: 600 },
};

export type Hub = {
  app: App;
  limits: Limits;
  /** Returns the listener of this token; throws Unauthorized where it may open no stream at all. */
  identify(token: string | null): Promise<Listening>;
  /** Throws TooManyRequests where the person has as many as they may. */
  open(listening: Listening): Session;
  drop(session: Session): void;
  /** Counts a message; returns false, and ends the stream, where the person's clients sent too many. */
  countMessage(session: Session): boolean;
  /** Ends every stream, a few at a time, and opens no more. */
  stop(): Promise<void>;
};

/** Streams answer 401 where the rest of the API distinguishes 401, 403 and 422 (streaming.json of the contract). */
const standing = (viewer: CurrentUser): void => {
  try {
    checkStanding(viewer);
  } catch (error) {
    throw error instanceof DomainError ? new Unauthorized(error.message) : error;
  }
};

const identify = async (authenticate: Authenticate, token: string | null): Promise<Listening> => {
  const credentials = token === null ? null : await authenticate(token);
  if (!credentials) throw new Unauthorized();
  if (credentials.revoked) throw new Unauthorized("The access token was revoked");
  const { viewer, tokenId, appId, scopes } = credentials;
  if (!viewer) throw new Unauthorized("This method requires an authenticated user");
  standing(viewer);
  if (!covers(scopes, "read:statuses") && !covers(scopes, "read:notifications")) {
    throw new Unauthorized("The access token does not have a scope that allows streaming");
  }
  return { viewer, tokenId, appId, scopes };
};

const showStreams = figure("streams");

/** Streams that are ended at once when the process stops, and milliseconds until the next ones. */
const END_AT_ONCE = 100;
const END_EVERY_MS = 50;
/** Milliseconds within which all streams are ended, since requests and jobs have to end, too. */
const END_WITHIN_MS = 8000;

/**
 * Ends the streams gradually: their clients connect again to another process, for which thousands at the same moment
 * would be too many. They are ended in the order in which they came, which says nothing about them.
 */
const endAll = async (sessions: Set<Session>): Promise<void> => {
  const all = [...sessions];
  const atOnce = Math.max(END_AT_ONCE, Math.ceil((all.length * END_EVERY_MS) / END_WITHIN_MS));
  for (let from = 0; from < all.length; from += atOnce) {
    if (from > 0) await sleep(END_EVERY_MS);
    for (const session of all.slice(from, from + atOnce)) {
      if (sessions.delete(session)) session.end("stopping");
    }
  }
};

/** Streams that are refreshed together, with two or three queries. */
const REFRESHED_AT_ONCE = 100;

/**
 * Refreshes all streams after events may have been missed: streams of revoked tokens end, and blocks are read again.
 * The others stay open, although it is unknown what they missed.
 */
const refreshAll = async (app: App, sessions: Set<Session>): Promise<void> => {
  await eachSlice([...sessions], REFRESHED_AT_ONCE, async (slice) => {
    const some = slice.filter(({ isClosed }) => !isClosed);
    const ids = some.map(({ listening }) => listening.tokenId);
    const ended = new Set(await endedTokens(app, ids));
    for (const session of some) if (ended.has(session.listening.tokenId)) session.end("revoked");
    await Promise.all(some.filter(({ isClosed }) => !isClosed).map((session) => session.refresh()));
  });
};

/** Runs once more for everything that was missed while it ran. */
const refresher = (app: App, sessions: Set<Session>) => {
  let last: Promise<void> = Promise.resolve();
  let isDue = false;
  return (): void => {
    if (isDue) return;
    isDue = true;
    last = last.then(async () => {
      isDue = false;
      await refreshAll(app, sessions).catch((error: unknown) =>
        app.log.warn({ err: error }, "streams could not be looked at after events were missed"),
      );
    });
  };
};

/** Counts the streams of each person. */
const countPeople = () => {
  const counts = new Map<string, number>();
  const of = (who: string): number => counts.get(who) ?? 0;
  const change = (who: string, by: number): void => {
    const count = of(who) + by;
    if (count > 0) counts.set(who, count);
    else counts.delete(who);
  };
  return { of, change };
};

export const createHub = (app: App, authenticate: Authenticate, limits: Limits): Hub => {
  const sessions = new Set<Session>();
  const people = countPeople();
  const take = ({ viewer }: Listening, count: number): boolean =>
    takeAlways(app, "streams", limits.requests, viewer.accountId, count);
  let isStopping = false;
  showStreams(app, () => sessions.size);
  const stopRevoked = app.pubsub.subscribe(REVOKED_CHANNEL, (revoked) => {
    for (const session of sessions) {
      if (session.isRevokedBy(revoked as RevokedTokens)) session.end("revoked");
    }
  });
  const stopMissed = app.pubsub.onMissed(refresher(app, sessions));
  return {
    app,
    limits,
    async identify(token) {
      if (isStopping || app.process.isStopping) throw new Unavailable("This process is stopping");
      return identify(authenticate, token);
    },
    open(listening) {
      const who = listening.viewer.accountId;
      if (people.of(who) >= limits.perPerson) throw new TooManyRequests("Too many open streams");
      if (!take(listening, OPENING)) throw new TooManyRequests("Too many streams were opened");
      const session = new Session(app, listening);
      sessions.add(session);
      people.change(who, 1);
      return session;
    },
    drop(session) {
      session.close();
      if (sessions.delete(session)) people.change(session.listening.viewer.accountId, -1);
    },
    countMessage(session) {
      const isCovered = take(session.listening, 1);
      if (!isCovered) session.end("flooding");
      return isCovered;
    },
    async stop() {
      isStopping = true;
      stopRevoked();
      stopMissed();
      await endAll(sessions);
    },
  };
};
