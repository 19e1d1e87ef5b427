// Single flight: work that several callers of this process request at the same time is done once.

import type { App } from "../app.ts";
import { workForAll } from "../db/each-asker.ts";
import { perApp } from "./index.ts";

/** Joins the work that runs under the key, or starts it. The result is not cached. */
export const singleFlight = (name: string) => {
  const runningOf = perApp(name, () => {
    const works = new Map<string, Promise<unknown>>();
    return { works, entries: () => works.size };
  });
  return <T>(app: App, key: string, work: () => Promise<T>): Promise<T> => {
    const { works } = runningOf(app);
    const joined = works.get(key);
    if (joined) return joined as Promise<T>;
    const started = workForAll(work).finally(() => works.delete(key));
    works.set(key, started);
    return started;
  };
};
