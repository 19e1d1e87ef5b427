// Every few minutes: indexes the older posts of accounts that have just become indexable.

import type { App } from "../../platform/app.ts";
import { catchUp } from "./index-statuses.ts";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Index the next older posts, and plan the next run. */
    "search.catch_up": Record<string, never>;
  }
}

const EVERY_MS = 5 * 60 * 1000;

const plan = (app: App, afterMs: number): Promise<void> => {
  const runAt = new Date(app.clock.now().getTime() + afterMs);
  return app.jobs.add(app.sql, "search.catch_up", {}, { runAt, key: "search.catch_up" });
};

/** The job `search.catch_up`. */
export const onCatchUpDue = async (app: App): Promise<void> =>
  plan(app, (await catchUp(app)) ? 0 : EVERY_MS);

/** When the worker starts. */
export const planCatchUp = (app: App): Promise<void> => plan(app, EVERY_MS);
