// Every few minutes: the older posts of those who have just let theirs be found.

import type { App } from "../../platform/app.ts";
import { catchUp } from "./index-statuses.ts";

declare module "../../platform/jobs/index.ts" {
  interface JobPayloads {
    /** Make the next older posts findable, and plan the next time. */
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

/** At the start of the worker. */
export const planCatchUp = (app: App): Promise<void> => plan(app, EVERY_MS);
