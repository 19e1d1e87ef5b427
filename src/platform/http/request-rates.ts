// Limits requests from an address, or in the name of a host, where the API's limits do not apply: to the inbox, to
// pages and to documents for peers.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { tokenBuckets } from "../buckets.ts";
import type { Rate } from "../buckets.ts";
import { TooManyRequests } from "../errors.ts";
import { addressKey } from "./rate-limit.ts";
import { isCounted } from "./auth.ts";
import { isPostForm } from "./incoming.ts";
import { innerCaller } from "./inside.ts";
import type { Server } from "./server.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /**
     * True for routes that are not counted here: a probe, a file that costs nothing, or a route that counts its own
     * requests.
     */
    uncounted?: true;
  }
}

/** Route options that exempt a route from counting. */
export const UNCOUNTED = { config: { uncounted: true } } as const;

const change = tokenBuckets("request rates");

/** Counts against a rate, also with RATE_LIMITS=false; returns false when there was too much lately. */
export const takeAlways = (app: App, what: string, rate: Rate, who: string, count: number) =>
  change(app, rate, `${what} ${who}`, -count) === 0;

/** Counts a request of `who`, an address or host; throws 429 when there were too many lately. */
export const takeRequest = (app: App, what: string, rate: Rate, who: string): void => {
  if (!app.config.http.rateLimits) return;
  const seconds = change(app, rate, `${what} ${who}`, -1);
  if (seconds === 0) return;
  throw new TooManyRequests(undefined, Math.ceil(seconds));
};

/**
 * Runs something that strangers guess with, and counts failures. Throws 429 before it runs when too many failed lately.
 */
export const countFailures = async <T>(
  app: App,
  what: string,
  rate: Rate,
  who: string,
  work: () => Promise<T>,
): Promise<T> => {
  takeRequest(app, what, rate, who);
  change(app, rate, `${what} ${who}`, 1);
  try {
    return await work();
  } catch (error) {
    change(app, rate, `${what} ${who}`, -1);
    throw error;
  }
};

const over = new WeakMap<FastifyRequest, TooManyRequests>();

/** Returns the error with which a route refuses a posted form, because there were too many requests. */
export const overRate = (request: FastifyRequest): TooManyRequests | null =>
  over.get(request) ?? null;

/** Counts by address what the API does not count. */
export const registerRequestRate = (server: Server, app: App, rate: Rate): void => {
  if (!app.config.http.rateLimits) return;
  server.addHook("onRequest", (request, _reply, done) => {
    if (request.routeOptions.config.uncounted || isCounted(request) || innerCaller()) return done();
    try {
      takeRequest(app, "pages", rate, addressKey(request.ip));
      done();
    } catch (error) {
      if (!isPostForm(request)) return done(error as Error);
      over.set(request, error as TooManyRequests);
      done();
    }
  });
};
