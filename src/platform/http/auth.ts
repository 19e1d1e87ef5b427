// Who asks. A route says what it wants (`config: user("write:statuses")`), one hook sees to it.
// The table of answers is the contract's errors.json, auth_matrix.

import type { FastifyReply, FastifyRequest } from "fastify";
import { Forbidden, Unauthorized, Unprocessable } from "../errors.ts";
import { asPerson, NOBODY } from "../viewer.ts";
import type { Viewer } from "../viewer.ts";
import type { CountRequest } from "./api-limits.ts";
import type { Server } from "./server.ts";

/** Why a user may not act; "active" may. */
export type Standing = "active" | "unconfirmed" | "unapproved" | "disabled" | "moved" | "suspended";

export type CurrentUser = {
  userId: string;
  accountId: string;
  username: string;
  /** Role bits (contract: limits.json, role_permission_bits). */
  permissions: bigint;
  locale: string;
  /** What the person has chosen for themselves, as it is stored. */
  settings: Readonly<Record<string, unknown>>;
  standing: Standing;
};

export type Credentials = {
  tokenId: string;
  appId: string | null;
  scopes: string[];
  revoked: boolean;
  viewer: CurrentUser | null;
};

/** Finds what a bearer token stands for; null when nobody ever had it. At once where that is kept. */
export type Authenticate = (token: string) => Credentials | null | Promise<Credentials | null>;

type Wanted = "public" | "app" | "user" | "ignored";
/** `always`: also where the server answers nobody without a login (DISALLOW_UNAUTHENTICATED_API_ACCESS). */
export type Access = { auth: Wanted; scopes: string[]; always?: boolean };

declare module "fastify" {
  interface FastifyContextConfig {
    access?: Access;
  }
  interface FastifyRequest {
    credentials: Credentials | null;
    /** Who asks is known once the body has been parsed. */
    isTokenInBody: boolean;
  }
}

/** Anybody; a token that is sent must have one of the scopes. */
export const open = (...scopes: string[]) => ({ access: { auth: "public" as const, scopes } });
/** As open, and even where the rest of the API wants a login: apps sign in somehow. */
export const anybody = () => ({ access: { auth: "public" as const, scopes: [], always: true } });
/** Any valid token. */
export const anyToken = (...scopes: string[]) => ({ access: { auth: "app" as const, scopes } });
/** A person's token with one of the scopes. */
export const user = (...scopes: string[]) => ({ access: { auth: "user" as const, scopes } });

/** Granular scopes that `follow` stands for. */
const FOLLOW = new Set([
  "read:blocks",
  "read:follows",
  "read:mutes",
  "write:blocks",
  "write:follows",
  "write:mutes",
]);

/** `write` covers `write:statuses`, `admin:read` covers `admin:read:accounts`, `follow` its six; `read` and `write` together cover `follow`. */
export const covers = (granted: string[], wanted: string): boolean =>
  granted.includes(wanted) ||
  (wanted.includes(":") && granted.includes(wanted.slice(0, wanted.lastIndexOf(":")))) ||
  (FOLLOW.has(wanted) && granted.includes("follow")) ||
  (wanted === "follow" && granted.includes("read") && granted.includes("write"));

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

/** The bearer token of a request: header first, then the `access_token` parameter of the query. */
export const bearerToken = (request: FastifyRequest): string | null => {
  const header = /^bearer\s+(\S+)$/i.exec(request.headers.authorization ?? "");
  return header ? header[1]! : tokenParameter(request.query);
};

/** Bodies that may carry the token (RFC 6750, section 2.2; clients also send it in JSON). */
const TOKEN_BODY = /^\s*(?:application\/(?:json|x-www-form-urlencoded)|multipart\/form-data)\b/i;
/** In bytes. Larger ones are refused unread where neither the header nor the query has a token. */
const MAX_TOKEN_BODY = 1024 * 1024;

const mayHoldToken = ({ method, headers }: FastifyRequest): boolean =>
  method !== "GET" &&
  method !== "HEAD" &&
  TOKEN_BODY.test(headers["content-type"] ?? "") &&
  Number(headers["content-length"] ?? Infinity) <= MAX_TOKEN_BODY;

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

/** Applies a route's access rule to what the token stands for; throws 401, 403 or 422. */
export const checkAccess = (credentials: Credentials | null, access: Access): Credentials | null =>
  access.auth === "public"
    ? checkPublic(credentials, access.scopes)
    : checkToken(credentials, access);

/** The account id of the person who asks, or null. */
export const viewerId = (request: FastifyRequest): string | null =>
  request.credentials?.viewer?.accountId ?? null;

/** Who asks, for what is judged by who looks at it. */
export const requestViewer = (request: FastifyRequest): Viewer => {
  const id = viewerId(request);
  return id === null ? NOBODY : asPerson(id);
};

/** The person who asks, on routes that want one. */
export const viewerOf = (request: FastifyRequest): CurrentUser => {
  const viewer = request.credentials?.viewer;
  if (!viewer) throw new Unauthorized();
  return viewer;
};

/** Paths whose requests count, where the route states no access: unknown ones, and OAuth's. */
const COUNTED = /^\/(?:api\/|oauth\/(?:token|revoke)\b)/;

const isCounted = ({ routeOptions, url }: FastifyRequest): boolean =>
  routeOptions.config.access !== undefined || COUNTED.test(url);

/** A closed server answers people alone; its pages and documents are another matter. */
const checkClosed = (url: string, access: Access, credentials: Credentials | null): void => {
  const isOpen = access.auth !== "public" || access.always || !url.startsWith("/api/");
  if (isOpen || credentials?.viewer) return;
  const words = "This method requires an authenticated user";
  throw credentials ? new Unprocessable(words) : new Unauthorized(words);
};

export const registerAuth = (
  server: Server,
  authenticate: Authenticate,
  count: CountRequest | null = null,
  closed = false,
): void => {
  const judge = (request: FastifyRequest, reply: FastifyReply, found: Credentials | null): void => {
    const { access } = request.routeOptions.config;
    if (!access) return;
    request.credentials = checkAccess(found, access);
    if (closed) checkClosed(request.routeOptions.url ?? "", access, request.credentials);
    reply.header("vary", "Authorization, Origin");
    // Set before the handler, so that a route for the public may say otherwise.
    reply.header("cache-control", "private, no-store");
  };
  const judgeLater = async (
    request: FastifyRequest,
    reply: FastifyReply,
    finding: ReturnType<Authenticate>,
  ): Promise<void> => {
    const found = await finding;
    // Before access is judged, so that the refused count, too.
    if (count && isCounted(request)) await count(request, reply, found);
    judge(request, reply, found);
  };
  const decide = (
    request: FastifyRequest,
    reply: FastifyReply,
    token: string | null,
    done: (error?: Error) => void,
  ): void => {
    const found = token ? authenticate(token) : null;
    if (count || found instanceof Promise) {
      // oxlint-disable-next-line promise/no-callback-in-promise -- the hooks are ones with a callback
      return void judgeLater(request, reply, found).then(() => done(), done);
    }
    judge(request, reply, found);
    done();
  };
  server.decorateRequest("credentials", null);
  server.decorateRequest("isTokenInBody", false);
  // With a callback: hooks with a promise cost every request a turn of the queue.
  server.addHook("onRequest", (request, reply, done) => {
    const { access } = request.routeOptions.config;
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
