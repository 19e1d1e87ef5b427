// How many requests may come from an address, or in the name of a host, where the API's limits do not count: at
// the inbox, of pages and of documents for peers.

import type { FastifyRequest } from "fastify";
import type { App } from "../app.ts";
import { tokenBuckets } from "../buckets.ts";
import type { Rate } from "../buckets.ts";
import { TooManyRequests } from "../errors.ts";
import { addressKey } from "./rate-limit.ts";
import { isCounted } from "./auth.ts";
import { isPostForm } from "./paths.ts";
import { innerCaller } from "./inside.ts";
import type { Server } from "./server.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** Not counted here: a probe, a file that costs nothing, or what counts its own requests. */
    uncounted?: true;
  }
}

/** For the options of a route. */
export const UNCOUNTED = { config: { uncounted: true } } as const;

const change = tokenBuckets("request rates");

/** Takes `count` from what is allowed, also with RATE_LIMITS=false; false when there was too much lately. */
export const takeAlways = (
  app: App,
  what: string,
  rate: Rate,
  who: string,
  count: number,
): boolean => change(app, rate, `${what} ${who}`, -count) === 0;

/** Counts a request; `who`: an address or host. 429 when there were too many lately. */
export const takeRequest = (app: App, what: string, rate: Rate, who: string): void => {
  if (!app.config.http.rateLimits) return;
  const seconds = change(app, rate, `${what} ${who}`, -1);
  if (seconds === 0) return;
  throw new TooManyRequests(undefined, Math.ceil(seconds));
};

/**
 * Does what strangers guess with, and counts it where it fails: 429, before it is tried, when too much failed lately.
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

/** Of a post from a form, which its route refuses: there were too many requests. */
export const overRate = (request: FastifyRequest): TooManyRequests | null =>
  over.get(request) ?? null;

/** Counts what the API does not count, by address. */
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
