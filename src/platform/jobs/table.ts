// Types of the table that says what each job does (src/jobs.ts).

import type { App } from "../app.ts";
import type { JobName, JobPayloads, JobRun, Lane } from "./index.ts";

export type JobHandler<N extends JobName> = (app: App, payload: JobPayloads[N]) => Promise<void>;

/** The handler of a job and its lane; a failed job is retried after exp(least(attempt, 10)) seconds. */
type JobDefinition<N extends JobName> = {
  run: (app: App, payload: JobPayloads[N], job: JobRun) => Promise<void>;
  lane?: Lane;
  /** The job's old name, which jobs that an older version enqueued still have. */
  formerName?: string;
};

export type JobTable = { [N in JobName]: JobDefinition<N> };
