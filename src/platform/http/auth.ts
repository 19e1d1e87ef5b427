// Authentication and authorization. A route declares what it requires (`config: user("write:statuses")`),
// and one hook enforces it. The table of responses is auth_matrix in the contract's errors.json. Web clients may call
// the API from any origin (CORS): it never uses cookies.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden, Unauthorized, Unprocessable } from "../errors.ts";
import { NOBODY } from "../viewer.ts";
import type { Viewer } from "../viewer.ts";
import type { CountRequest } from "./api-limits.ts";
import type { Authenticate, Credentials, CurrentUser, Standing } from "./credentials.ts";
import { BODY_LIMIT } from "./body.ts";
import { innerCaller } from "./inside.ts";
import type { Caller } from "./inside.ts";
import type { Server } from "./server.ts";

type Requirement = "public" | "app" | "user" | "ignored";
/** `always`: open even where the API requires a login (DISALLOW_UNAUTHENTICATED_API_ACCESS). */
export type Access = { auth: Requirement; scopes: string[]; always?: boolean };

/** Logs what is done in accounts that several people share (identities/request-log.ts). */
export type SharedLog = {
  /** Called before the request is carried out. */
  begin(request: FastifyRequest): Promise<void>;
  /** Called before a request that has an entry is answered. */
  end(request: FastifyRequest, status: number, body: unknown): Promise<void>;
};

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyInstance {
    sharedLog: { current: SharedLog | null };
  }
  interface FastifyRequest {
    /** Id of the entry in the log of a shared account. */
    logEntry: string | null;
    credentials: Credentials | null;
    /** True when the token may be in the body: credentials are known once that has been parsed. */
    isTokenInBody: boolean;
    /** For whom it was made within the process; null from outside. */
    inner: Caller | null;
  }
}

/** Admits everybody; a token that is sent must have one of the scopes. */
export const open = (...scopes: string[]) => ({ access: { auth: "public" as const, scopes } });
/** Admits everybody, even where the rest of the API requires a login: apps need these routes to sign in. */
export const anybody = () => ({ access: { auth: "public" as const, scopes: [], always: true } });
/** Requires any valid token with one of the scopes. */
export const anyToken = (...scopes: string[]) => ({ access: { auth: "app" as const, scopes } });
/** Requires a user's token with one of the scopes. */
export const user = (...scopes: string[]) => ({ access: { auth: "user" as const, scopes } });
/** Requires the same, and lets pages send it as a form without scripts (`form`). */
export const userForm = (...scopes: string[]) => ({ ...user(...scopes), form: true as const });

/** Granular scopes that `follow` covers. */
const FOLLOW = new Set([
  "read:blocks",
  "read:follows",
  "read:mutes",
  "write:blocks",
  "write:follows",
  "write:mutes",
]);

/**
 * `write` covers `write:statuses`, `admin:read` covers `admin:read:accounts`, `follow` its six scopes; `read` and
 * `write` together cover `follow`.
 */
export const covers = (granted: string[], scope: string): boolean =>
  granted.includes(scope) ||
  (scope.includes(":") && granted.includes(scope.slice(0, scope.lastIndexOf(":")))) ||
  (FOLLOW.has(scope) && granted.includes("follow")) ||
  (scope === "follow" && granted.includes("read") && granted.includes("write"));

const STANDING_TEXT: Record<Exclude<Standing, "active">, string> = {
  unconfirmed: "Your login is missing a confirmed e-mail address",
  unapproved: "Your login is currently pending approval",
  disabled: "Your login is currently disabled",
  moved: "Your login is currently disabled",
  suspended: "Your login is currently disabled",
};

export const checkStanding = (viewer: CurrentUser): void => {
  if (viewer.standing !== "active") throw new Forbidden(STANDING_TEXT[viewer.standing]);
};

const checkScopes = (credentials: Credentials, scopes: string[]): void => {
  if (scopes.length > 0 && !scopes.some((scope) => covers(credentials.scopes, scope))) {
    throw new Forbidden("This action is outside the authorized scopes");
  }
};

const tokenParameter = (parameters: unknown): string | null => {
  const { access_token: token } = (parameters ?? {}) as Record<string, unknown>;
  return typeof token === "string" && token !== "" ? token : null;
};

/** Returns the bearer token of a request: from the header, else from the `access_token` parameter of the query. */
export const bearerToken = (request: FastifyRequest): string | null => {
  const header = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "");
  return header ? header[1]! : tokenParameter(request.query);
};

/** Returns the token that the request was admitted with, on routes that require one. */
export const admittedToken = (request: FastifyRequest): string => {
  const token = bearerToken(request) ?? tokenParameter(request.body);
  if (token === null) throw new Unauthorized();
  return token;
};

/** Bodies that may contain the token (RFC 6750, section 2.2; clients also send it in JSON). */
const TOKEN_BODY = /^\s*(?:application\/(?:json|x-www-form-urlencoded)|multipart\/form-data)\b/i;

/**
 * Without a token in the header or query a body that is longer than usual is refused unread; one that arrives in chunks
 * says no length, and is read to the limit.
 */
const mayHoldToken = ({ method, headers }: FastifyRequest): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  TOKEN_BODY.test(headers["content-type"] ?? "") &&
  Number(headers["content-length"] ?? 0) <= BODY_LIMIT;

const checkPublic = (credentials: Credentials | null, scopes: string[]): Credentials | null => {
  if (!credentials) return null;
  if (credentials.revoked) {
    if (scopes.length > 0) throw new Unauthorized("The access token was revoked");
    return null;
  }
  checkScopes(credentials, scopes);
  if (credentials.viewer?.standing === "suspended") checkStanding(credentials.viewer);
  return credentials;
};

const checkToken = (credentials: Credentials | null, access: Access): Credentials => {
  if (!credentials) throw new Unauthorized();
  if (credentials.revoked) throw new Unauthorized("The access token was revoked");
  if (access.auth === "user" && !credentials.viewer) {
    throw new Unprocessable("This method requires an authenticated user");
  }
  checkScopes(credentials, access.scopes);
  const suspended = credentials.viewer?.standing === "suspended";
  if (access.auth === "user" || suspended) checkStanding(credentials.viewer!);
  return credentials;
};

/** Applies a route's access rule to the token's credentials; throws 401, 403 or 422. */
const checkAccess = (credentials: Credentials | null, access: Access): Credentials | null =>
  access.auth === "public"
    ? checkPublic(credentials, access.scopes)
    : checkToken(credentials, access);

/** Returns the account id of the signed-in person, or null. */
export const viewerId = (request: FastifyRequest): string | null =>
  request.credentials?.viewer?.accountId ?? null;

/** Returns the viewer, for rules on what a viewer may see. */
export const requestViewer = (request: FastifyRequest): Viewer =>
  request.credentials?.viewer?.person ?? NOBODY;

/** Returns the signed-in person, on routes that require one. */
export const viewerOf = (request: FastifyRequest): CurrentUser => {
  const viewer = request.credentials?.viewer;
  if (!viewer) throw new Unauthorized();
  return viewer;
};

/** Paths whose requests count although their route declares no access: unknown paths, and OAuth's. */
const COUNTED = /^\/(?:api\/|oauth\/(?:token|revoke)\b)/;

/** Whether the limits of the API count a request. */
export const isCounted = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config.access !== undefined || COUNTED.test(url);

/** Keeps an answer out of shared caches. */
const PRIVATE = { vary: "Authorization, Origin", "cache-control": "private, no-store" };

/**
 * Whether a closed server answers a request to people alone. Pages, which ask the API internally, and ActivityPub stay
 * open.
 */
const isForPeople = ({ routeOptions: { config, url = "" } }: FastifyRequest): boolean =>
  config.access !== undefined && !config.access.always && url.startsWith("/api/");

/** Refuses API requests without a signed-in person on a closed server. */
const checkClosed = (request: FastifyRequest, access: Access): void => {
  const { credentials } = request;
  if (access.auth !== "public" || credentials?.viewer || !isForPeople(request)) return;
  const words = "This method requires an authenticated user";
  throw credentials ? new Unprocessable(words) : new Unauthorized(words);
};

/** Keeps what only people may read here out of shared caches. */
const registerPrivate = (server: Server): void =>
  void server.addHook("onSend", (request, reply, body, done) => {
    if (isForPeople(request)) reply.headers(PRIVATE);
    done(null, body);
  });

/** For accounts that nobody shares the log is not called. */
const registerSharedLog = (server: Server): void => {
  const log: { current: SharedLog | null } = { current: null };
  server.decorate("sharedLog", log);
  server.decorateRequest("logEntry", null);
  server.addHook("preHandler", (request, _reply, done) => {
    if (!log.current || !request.credentials?.viewer?.isShared) return done();
    // oxlint-disable-next-line promise/no-callback-in-promise -- these hooks have a callback
    log.current.begin(request).then(() => done(), done);
  });
  server.addHook("onSend", (request, reply, body, done) => {
    if (!log.current || request.logEntry === null) return done(null, body);
    const { statusCode } = reply;
    // oxlint-disable-next-line promise/no-callback-in-promise -- these hooks have a callback
    void log.current.end(request, statusCode, body).then(() => done(null, body));
  });
};

export const registerAuth = (
  server: Server,
  authenticate: Authenticate,
  count: CountRequest | null = null,
  closed = false,
): void => {
  const applyAccess = (
    request: FastifyRequest,
    reply: FastifyReply,
    credentials: Credentials | null,
  ): void => {
    const { access } = request.routeOptions.config;
    if (!access) return;
    request.credentials = checkAccess(credentials, access);
    if (closed && !innerCaller()) checkClosed(request, access);
    // They are set before the handler, so that a public route can override them.
    reply.headers(PRIVATE);
  };
  const applyAccessLater = async (
    request: FastifyRequest,
    reply: FastifyReply,
    finding: ReturnType<Authenticate>,
  ): Promise<void> => {
    const credentials = await finding;
    // This counts before access is checked, so that refused requests count too.
    if (count && isCounted(request)) await count(request, reply, credentials);
    applyAccess(request, reply, credentials);
  };
  const decide = (
    request: FastifyRequest,
    reply: FastifyReply,
    token: string | null,
    done: (error?: Error) => void,
  ): void => {
    const credentials = token ? authenticate(token) : null;
    if (count || credentials instanceof Promise) {
      // oxlint-disable-next-line promise/no-callback-in-promise -- these hooks have a callback
      return void applyAccessLater(request, reply, credentials).then(() => done(), done);
    }
    applyAccess(request, reply, credentials);
    done();
  };
  registerSharedLog(server);
  if (closed) registerPrivate(server);
  server.decorateRequest("credentials", null);
  server.decorateRequest("isTokenInBody", false);
  server.decorateRequest("inner", null);
  // A callback is used because a hook with a promise costs every request a turn of the event loop.
  server.addHook("onRequest", (request, reply, done) => {
    const { access } = request.routeOptions.config;
    const inner = innerCaller();
    if (inner) {
      request.inner = inner;
      applyAccess(request, reply, inner.credentials);
      return done();
    }
    const token = access ? bearerToken(request) : null;
    request.isTokenInBody = access !== undefined && token === null && mayHoldToken(request);
    if (request.isTokenInBody) return done();
    decide(request, reply, token, done);
  });
  server.addHook("preValidation", (request, reply, done) => {
    if (!request.isTokenInBody) return done();
    decide(request, reply, tokenParameter(request.body), done);
  });
};

const EXPOSED =
  "Link, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, Mastodon-Async-Refresh";

/** Whether other origins may read a path. Our own pages (sign-in, app authorization) are not readable. */
const isShared = (path: string): boolean =>
  /^\/(?:api\/|oauth\/(?:token|revoke|userinfo|introspect)|\.well-known\/|nodeinfo\/|media\/|avatars\/|headers\/|users\/|@|health)/.test(
    path,
  );

/** Headers that web clients usually send; others are allowed on request, because no cookies are used. */
const USUAL_HEADERS = ["authorization", "content-type", "idempotency-key"];
const MOST_HEADERS = 40;

const allowedHeaders = (requested: string | undefined): string => {
  const names = (requested ?? "").toLowerCase().split(",", MOST_HEADERS);
  const tokens = names.map((name) => name.trim()).filter((name) => /^[a-z0-9_-]{1,64}$/.test(name));
  return [...new Set([...USUAL_HEADERS, ...tokens])].join(", ");
};

export const registerCors = (server: Server): void => {
  server.addHook("onRequest", (request, reply, done) => {
    if (request.method === "OPTIONS" && request.headers["access-control-request-method"]) {
      return void reply
        .code(200)
        .headers({
          "access-control-allow-origin": "*",
          "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
          "access-control-allow-headers": allowedHeaders(
            request.headers["access-control-request-headers"],
          ),
          "access-control-max-age": "7200",
        })
        .send({});
    }
    if (isShared(request.url)) {
      reply.header("access-control-allow-origin", "*");
      reply.header("access-control-expose-headers", EXPOSED);
    }
    reply.headers({ "x-content-type-options": "nosniff", "x-request-id": request.id });
    return done();
  });
};
