// Limits on how often something may be tried, counted in fixed windows in the kv port.

import ipaddr from "ipaddr.js";
import type { App } from "../app.ts";
import { TooManyRequests } from "../errors.ts";

export type Limit = { name: string; count: number; seconds: number };

/**
 * Counts one attempt of `who` (an id, an address: never a secret) and throws 429 over the limit.
 * The headers say when the window ends, as an ISO time.
 */
export const countAttempt = async (app: App, limit: Limit, who: string): Promise<void> => {
  const now = app.clock.now().getTime();
  const window = Math.floor(now / 1000 / limit.seconds);
  const key = `limit:${limit.name}:${who}:${window}`;
  const count = await app.kv.increment(key, 1, limit.seconds);
  if (count <= limit.count) return;
  const error = new TooManyRequests();
  error.headers = {
    "x-ratelimit-limit": String(limit.count),
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": new Date((window + 1) * limit.seconds * 1000).toISOString(),
  };
  throw error;
};

/** What one household has: the address, or the /64 of an IPv6 address. */
export const addressKey = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip;
  const address = ipaddr.process(ip);
  if (address.kind() === "ipv4") return address.toString();
  return `${address.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`;
};
