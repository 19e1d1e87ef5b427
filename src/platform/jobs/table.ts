// What each job does: the table that the workers run by (src/jobs.ts).

import type { App } from "../app.ts";
import type { JobName, JobPayloads, JobRun, Lane } from "./index.ts";

/** How a job is run; a failed job is retried after exp(least(attempt, 10)) seconds. */
type JobDefinition<N extends JobName> = {
  run: (app: App, payload: JobPayloads[N], job: JobRun) => Promise<void>;
  lane?: Lane;
};

export type JobTable = { [N in JobName]: JobDefinition<N> };
