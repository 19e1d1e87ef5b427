// The same work asked for several times at once in this process is done once.

import type { App } from "../platform/app.ts";

const running = new WeakMap<App, Map<string, Promise<unknown>>>();

/** Joins the work that runs under `key`, or starts it. Nothing is kept when it has ended. */
export const once = <T>(app: App, key: string, work: () => Promise<T>): Promise<T> => {
  let works = running.get(app);
  if (!works) running.set(app, (works = new Map()));
  const joined = works.get(key);
  if (joined) return joined as Promise<T>;
  const started = work().finally(() => works.delete(key));
  works.set(key, started);
  return started;
};
