// Work that comes along with other work, once an hour at most in each process: deleting what is old.

import type { App } from "../app.ts";
import { perApp } from "./index.ts";

const HOUR_MS = 60 * 60 * 1000;

export const hourly = (name: string, work: (app: App, now: Date) => Promise<void>) => {
  const stateOf = perApp(name, () => ({ at: -Infinity, entries: () => 0 }));
  return async (app: App): Promise<void> => {
    const state = stateOf(app);
    const now = app.clock.now();
    if (now.getTime() - state.at < HOUR_MS) return;
    state.at = now.getTime();
    await work(app, now);
  };
};
