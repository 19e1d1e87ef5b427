// The worker role: runs the jobs and works on the inbox.

import type { App } from "../platform/app.ts";
import { startWorker } from "../platform/jobs/worker.ts";
import type { Worker } from "../platform/jobs/worker.ts";
import { startInbox } from "../federation/attend-inbox.ts";
import { jobTable } from "../jobs.ts";

export const startJobs = async (app: App, databaseUrl: string): Promise<Worker> => {
  const worker = await startWorker(app, jobTable, databaseUrl);
  const inbox = await startInbox(app);
  return {
    async stop() {
      await inbox.stop();
      await worker.stop();
    },
  };
};
