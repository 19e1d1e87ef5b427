// Rate limits of the API. A request of a signed-in person counts against the token and the account, any
// other against the IP address; some requests count against further limits. The numbers are a parameter.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import type { Rate } from "../buckets.ts";
import type { Credentials } from "./credentials.ts";
import { OverLimit, addressKey, countAttempt, limitHeaders, tally } from "./rate-limit.ts";
import type { Limit, Tally } from "./rate-limit.ts";

export type ApiLimits = {
  /** Each request of a signed-in person counts by token and by account, any other by IP address. */
  token: Limit;
  account: Limit;
  address: Limit;
  /** Limit of requests for pages after the first. */
  pages: Limit;
  /** Limit by IP address of requests that the API does not count: pages, and documents for other servers. */
  others: Rate;
  /** Limits by account or address of routes that name them in their `config`. */
  routes: Record<RouteLimit, Limit>;
};

export type RouteLimit = "media" | "delete" | "statuses" | "follows" | "reports";

declare module "fastify" {
  interface FastifyContextConfig {
    /** A further limit that requests count against. */
    limit?: RouteLimit;
    /** True for a route whose request may do several things at once, each of which counts. */
    isCountedFurther?: true;
  }
  interface FastifyRequest {
    /** Counts the request `times` more; throws 429 over the limit. Absent where nothing is counted. */
    countFurther?: (times: number) => Promise<void>;
  }
}

/** Counts a request and sets the headers; throws 429 over a limit. */
export type CountRequest = (
  request: FastifyRequest,
  reply: FastifyReply,
  credentials: Credentials | null,
) => Promise<void>;

const PAGING = ["page", "max_id", "min_id", "since_id"];

const isPaging = (request: FastifyRequest): boolean => {
  const query = request.query as Record<string, unknown>;
  return PAGING.some((name) => query[name] !== undefined);
};

/** Returns the limits that this request counts against, each with its key. */
const limitsOf = (
  limits: ApiLimits,
  request: FastifyRequest,
  credentials: Credentials | null,
): [Limit, string][] => {
  const viewer = credentials?.revoked ? null : credentials?.viewer;
  const who = viewer ? `account:${viewer.accountId}` : `ip:${addressKey(request.ip)}`;
  const counted: [Limit, string][] = viewer
    ? [
        [limits.token, `token:${credentials!.tokenId}`],
        [limits.account, who],
      ]
    : [[limits.address, who]];
  if (isPaging(request)) counted.push([limits.pages, who]);
  const { limit } = request.routeOptions.config;
  if (limit) counted.push([limits.routes[limit], who]);
  return counted;
};

const tightest = (tallies: Tally[]): Tally =>
  tallies.reduce((least, tally) => (tally.remaining < least.remaining ? tally : least));

/** Makes the counter of a server; null where rate limits are off. */
export const requestCounter = (app: App, limits: ApiLimits | null): CountRequest | null => {
  if (!limits || !app.config.http.rateLimits) return null;
  return async (request, reply, credentials) => {
    const counted = limitsOf(limits, request, credentials);
    const tallies = await Promise.all(counted.map(([limit, who]) => tally(app, limit, who)));
    const over = tallies.findIndex((tally) => tally.over);
    if (over >= 0) throw new OverLimit(counted[over]![0], tallies[over]!, app.clock.now());
    reply.headers(limitHeaders(tightest(tallies)));
    if (!request.routeOptions.config.isCountedFurther) return;
    // A further limit of the route comes last.
    const [limit, who] = counted.at(-1)!;
    request.countFurther = async (times) => {
      const tallied = times > 0 && (await countAttempt(app, limit, who, times));
      if (tallied) reply.headers(limitHeaders(tallied));
    };
  };
};
