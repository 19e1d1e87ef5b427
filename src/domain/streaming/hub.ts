// All open streams of this process: who may open one, and closing those whose token was revoked.

import type { App } from "../../platform/app.ts";
import { figure } from "../../platform/caches/figure.ts";
import { HttpError, Unauthorized } from "../../platform/errors.ts";
import { checkStanding, covers } from "../../platform/http/auth.ts";
import type { Authenticate, CurrentUser } from "../../platform/http/auth.ts";
import type { RevokedTokens } from "../oauth/events.ts";
import { REVOKED_CHANNEL } from "../timelines/streams.ts";
import type { Listening } from "./names.ts";
import { Session } from "./session.ts";
import type { Sink } from "./session.ts";

export type Limits = {
  /** Bytes that may wait for a slow listener before it is dropped. */
  maxBuffered: number;
  pingSeconds: number;
  thumpSeconds: number;
};

export const LIMITS: Limits = { maxBuffered: 1024 * 1024, pingSeconds: 30, thumpSeconds: 15 };

export type Hub = {
  app: App;
  limits: Limits;
  /** The listener of this token; Unauthorized where it may open no stream at all. */
  identify(token: string | null): Promise<Listening>;
  open(listening: Listening, sink: Sink): Session;
  drop(session: Session): void;
  /** Ends every stream. */
  stop(): void;
};

/** Streams answer 401 where the rest of the API distinguishes 401, 403 and 422 (contract: streaming.json). */
const standing = (viewer: CurrentUser): void => {
  try {
    checkStanding(viewer);
  } catch (error) {
    throw error instanceof HttpError ? new Unauthorized(error.message) : error;
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

export const createHub = (app: App, authenticate: Authenticate, limits: Limits): Hub => {
  const sessions = new Set<Session>();
  showStreams(app, () => sessions.size);
  const stopRevoked = app.pubsub.subscribe(REVOKED_CHANNEL, (revoked) => {
    for (const session of sessions) {
      if (session.isRevokedBy(revoked as RevokedTokens)) session.end("revoked");
    }
  });
  return {
    app,
    limits,
    identify: (token) => identify(authenticate, token),
    open(listening, sink) {
      const session = new Session(app, listening, sink);
      sessions.add(session);
      return session;
    },
    drop(session) {
      session.close();
      sessions.delete(session);
    },
    stop() {
      stopRevoked();
      for (const session of sessions) session.end("stopping");
      sessions.clear();
    },
  };
};
