// A value that is dear to make, kept for a while in the kv port.

import type { App } from "../app.ts";

const making = new WeakMap<App, Map<string, Promise<unknown>>>();

const pending = (app: App): Map<string, Promise<unknown>> => {
  const found = making.get(app) ?? new Map<string, Promise<unknown>>();
  making.set(app, found);
  return found;
};

const makeOnce = async <T>(
  app: App,
  key: string,
  ttlSeconds: number,
  make: () => Promise<T>,
): Promise<T> => {
  const kept = await app.kv.get(key);
  if (kept !== null) return JSON.parse(kept) as T;
  const value = await make();
  await app.kv.set(key, JSON.stringify(value), ttlSeconds);
  return value;
};

/**
 * The kept value, or what `make` gives (plain JSON: no dates, no bigints). Requests that come
 * while it is being made wait for the same one.
 */
export const cached = <T>(
  app: App,
  key: string,
  ttlSeconds: number,
  make: () => Promise<T>,
): Promise<T> => {
  const waiting = pending(app);
  const running = waiting.get(key);
  if (running) return running as Promise<T>;
  const made = makeOnce(app, key, ttlSeconds, make).finally(() => waiting.delete(key));
  waiting.set(key, made);
  return made;
};
