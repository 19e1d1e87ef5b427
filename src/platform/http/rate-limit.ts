// Rate limits, counted in fixed time windows in the kv port; each kind of requester has its own keys.

import ipaddr from "ipaddr.js";
import type { App } from "../app.ts";
import { TooManyRequests } from "../errors.ts";
import type { CounterKind } from "../kv/index.ts";

export type Limit = { name: string; by: CounterKind; count: number; seconds: number };

/** The state of a limit after an attempt. */
export type Tally = { limit: number; remaining: number; reset: Date; over: boolean };

const windowOf = (app: App, limit: Limit): number =>
  Math.floor(app.clock.now().getTime() / 1000 / limit.seconds);

const keyOf = (limit: Limit, who: string, window: number): string =>
  `limit:${limit.name}:${who}:${window}`;

const tallyOf = (limit: Limit, window: number, count: number): Tally => ({
  limit: limit.count,
  remaining: Math.max(0, limit.count - count),
  reset: new Date((window + 1) * limit.seconds * 1000),
  over: count > limit.count,
});

/** Counts one attempt, or `times`, of `who`: an id or IP address, never a secret. */
export const tally = async (app: App, limit: Limit, who: string, times = 1): Promise<Tally> => {
  const window = windowOf(app, limit);
  const key = keyOf(limit, who, window);
  const count = await app.counters[limit.by].increment(key, times, limit.seconds);
  return tallyOf(limit, window, count);
};

/** Takes back an attempt that turned out to be no guess. */
export const refundAttempt = async (app: App, limit: Limit, who: string): Promise<void> => {
  const key = keyOf(limit, who, windowOf(app, limit));
  await app.counters[limit.by].increment(key, -1, limit.seconds);
};

/** Reads the state of a limit without counting. */
export const readTally = async (app: App, limit: Limit, who: string): Promise<Tally> => {
  const window = windowOf(app, limit);
  const stored = await app.counters[limit.by].get(keyOf(limit, who, window));
  return tallyOf(limit, window, Number(stored ?? 0));
};

/** Returns the three headers that clients read; the reset is an ISO time. */
export const limitHeaders = ({ limit, remaining, reset }: Tally): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": reset.toISOString(),
});

/** The 429 of a limit, with its headers. */
export class OverLimit extends TooManyRequests {
  limit: Limit;
  headers: Record<string, string>;
  declare retryAfter: number;
  constructor(limit: Limit, tallied: Tally, now: Date) {
    const seconds = Math.max(1, Math.ceil((tallied.reset.getTime() - now.getTime()) / 1000));
    super(undefined, seconds);
    this.limit = limit;
    this.headers = limitHeaders(tallied);
  }
}

/** Counts like `tally`, and throws OverLimit over the limit. */
export const countAttempt = async (
  app: App,
  limit: Limit,
  who: string,
  times = 1,
): Promise<Tally> => {
  const tallied = await tally(app, limit, who, times);
  if (tallied.over) throw new OverLimit(limit, tallied, app.clock.now());
  return tallied;
};

/** Returns the IP address, or the /64 of an IPv6 address, which one household usually has. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
};
