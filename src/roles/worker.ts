// The worker role: runs jobs, and processes the inbox and the outbox.

import type { App } from "../platform/app.ts";
import { startWorker } from "../platform/jobs/worker.ts";
import type { Worker } from "../platform/jobs/worker.ts";
import { startOutbox } from "../platform/outbox/worker.ts";
import type { OutboxPace } from "../platform/outbox/worker.ts";
import { planCatchUp } from "../domain/search/catch-up.ts";
import { planTrends } from "../domain/trends/refresh.ts";
import { eventTable } from "../events.ts";
import { startInbox } from "../federation/inbox-worker.ts";
import type { InboxPace } from "../federation/inbox-worker.ts";
import { jobTable } from "../jobs.ts";

/** How long work is gathered to be done together, in milliseconds; tests do not wait that long. */
export type Pace = { jobs: number; inbox: InboxPace; outbox: OutboxPace };

export type WorkerRole = Worker & {
  /** Nothing of the inbox or the outbox waits or is in progress; jobs are not asked for. */
  isIdle(): boolean;
};

export const startJobs = async (
  app: App,
  databaseUrl: string,
  pace?: Pace,
): Promise<WorkerRole> => {
  const worker = await startWorker(app, jobTable, databaseUrl, pace?.jobs);
  const inbox = await startInbox(app, pace?.inbox);
  const outbox = await startOutbox(app, eventTable, pace?.outbox);
  await Promise.all([planTrends(app), planCatchUp(app)]);
  return {
    isIdle: () => inbox.isIdle() && outbox.isIdle(),
    async stop() {
      await inbox.stop();
      await outbox.stop();
      await worker.stop();
    },
  };
};
