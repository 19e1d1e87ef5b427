// Rate limits, counted in fixed time windows in the kv port.

import ipaddr from "ipaddr.js";
import type { App } from "../app.ts";
import { TooManyRequests } from "../errors.ts";

export type Limit = { name: string; count: number; seconds: number };

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

/** Counts one attempt of `who` (an id or IP address, never a secret). */
export const tally = async (app: App, limit: Limit, who: string): Promise<Tally> => {
  const window = windowOf(app, limit);
  const count = await app.kv.increment(keyOf(limit, who, window), 1, limit.seconds);
  return tallyOf(limit, window, count);
};

/** The state of a limit, without counting. */
export const readTally = async (app: App, limit: Limit, who: string): Promise<Tally> => {
  const window = windowOf(app, limit);
  return tallyOf(limit, window, Number((await app.kv.get(keyOf(limit, who, window))) ?? 0));
};

/** The three headers that clients read; the reset is an ISO time. */
export const limitHeaders = ({ limit, remaining, reset }: Tally): Record<string, string> => ({
  "x-ratelimit-limit": String(limit),
  "x-ratelimit-remaining": String(remaining),
  "x-ratelimit-reset": reset.toISOString(),
});

/** 429 with the headers of this limit. */
export const overLimit = (tallied: Tally): TooManyRequests => {
  const error = new TooManyRequests();
  error.headers = limitHeaders(tallied);
  return error;
};

/** As `tally`; throws 429 over the limit. */
export const countAttempt = async (app: App, limit: Limit, who: string): Promise<Tally> => {
  const tallied = await tally(app, limit, who);
  if (tallied.over) throw overLimit(tallied);
  return tallied;
};

/** The IP address, or for IPv6 its /64: the part that one household usually has. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
};
