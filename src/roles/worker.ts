// The worker role: runs the jobs.

import type { App } from "../platform/app.ts";
import { startWorker } from "../platform/jobs/worker.ts";
import type { Worker } from "../platform/jobs/worker.ts";
import { jobTable } from "../jobs.ts";

export const startJobs = (app: App, databaseUrl: string): Promise<Worker> =>
  startWorker(app, jobTable, databaseUrl);
