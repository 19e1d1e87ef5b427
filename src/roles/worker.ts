// The worker role: runs jobs, and processes the inbox and the outbox.

import type { App } from "../platform/app.ts";
import { startWorker } from "../platform/jobs/worker.ts";
import type { Worker } from "../platform/jobs/worker.ts";
import { startOutbox } from "../platform/outbox/worker.ts";
import { planCatchUp } from "../domain/search/catch-up.ts";
import { planTrends } from "../domain/trends/refresh.ts";
import { eventTable } from "../events.ts";
import { startInbox } from "../federation/inbox-worker.ts";
import { jobTable } from "../jobs.ts";

export const startJobs = async (app: App, databaseUrl: string): Promise<Worker> => {
  const worker = await startWorker(app, jobTable, databaseUrl);
  const inbox = await startInbox(app);
  const outbox = await startOutbox(app, eventTable);
  await Promise.all([planTrends(app), planCatchUp(app)]);
  return {
    async stop() {
      await inbox.stop();
      await outbox.stop();
      await worker.stop();
    },
  };
};
