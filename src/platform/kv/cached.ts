// Caches values that are expensive to make in the kv port for a while.

import type { App } from "../app.ts";
import { singleFlight } from "../caches/single-flight.ts";

const once = singleFlight("values being made");

const makeOnce = async <T>(
  app: App,
  key: string,
  ttlSeconds: number,
  make: () => Promise<T>,
): Promise<T> => {
  const present = await app.kv.get(key);
  if (present !== null) return JSON.parse(present) as T;
  const value = await make();
  await app.kv.set(key, JSON.stringify(value), ttlSeconds);
  return value;
};

/**
 * Returns the cached value, or what `make` returns (plain JSON: no dates, no bigints). Calls that come while it is
 * being made wait for the same value.
 */
export const cached = <T>(
  app: App,
  key: string,
  ttlSeconds: number,
  make: () => Promise<T>,
): Promise<T> => once(app, key, () => makeOnce(app, key, ttlSeconds, make));
