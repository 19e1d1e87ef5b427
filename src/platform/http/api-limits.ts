// How often the API may be asked: each request of a person counts for the token and for the account,
// each without one for the address; some requests count elsewhere, too. The numbers come from above.

import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import type { Credentials } from "./auth.ts";
import { addressKey, limitHeaders, overLimit, tally } from "./rate-limit.ts";
import type { Limit, Tally } from "./rate-limit.ts";

export type ApiLimits = {
  /** Every request of a person, by the token and by the account; of nobody, by the address. */
  token: Limit;
  account: Limit;
  address: Limit;
  /** Requests for another page than the first. */
  pages: Limit;
  /** `METHOD /path/of/:the/route` → what it counts for, by account (or address). */
  routes: Record<string, Limit>;
};

/** Counts a request and sets the headers; throws 429. */
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

/** What this request counts for, and for whom. */
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
  const special = limits.routes[`${request.method} ${request.routeOptions.url}`];
  if (special) counted.push([special, who]);
  return counted;
};

const tightest = (tallies: Tally[]): Tally =>
  tallies.reduce((least, one) => (one.remaining < least.remaining ? one : least));

/** The counting for a server; nothing is counted where the configuration says so. */
export const requestCounter = (app: App, limits: ApiLimits | null): CountRequest | null => {
  if (!limits || !app.config.http.rateLimits) return null;
  return async (request, reply, credentials) => {
    const counted = limitsOf(limits, request, credentials);
    const tallies = await Promise.all(counted.map(([limit, who]) => tally(app, limit, who)));
    const over = tallies.find((one) => one.over);
    if (over) throw overLimit(over);
    reply.headers(limitHeaders(tightest(tallies)));
  };
};
