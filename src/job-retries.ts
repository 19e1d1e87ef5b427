// How often each job is tried, in all. Apart from src/jobs.ts so that enqueuing does not load every
// handler.

import { DEFAULT_RETRIES } from "./platform/jobs/index.ts";
import type { JobName } from "./platform/jobs/index.ts";

const RETRIES: Partial<Record<JobName, number>> = {
  // What is stored stays good, and the next look at the actor plans another one.
  "actor.refresh": 5,
  // What cannot be proved within an hour or two stays without its quote.
  "quote.told": 8,
  // It is done again after a week anyway.
  "account.links": 4,
};

export const retriesOf = (name: JobName): number => RETRIES[name] ?? DEFAULT_RETRIES;
