// Work that is done along with other work, at most once an hour in each process: deleting old rows.

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
