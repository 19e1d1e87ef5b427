// The worker role: runs jobs, processes the inbox and the outbox, and sends deliveries.

import type { App } from "../platform/app.ts";
import { receiveOthersInvalidations } from "../platform/db/invalidate-others.ts";
import type { Crontab } from "../platform/jobs/index.ts";
import { holdLease } from "../platform/workers/lease.ts";
import type { LeasePace } from "../platform/workers/lease.ts";
import { startWorker } from "../platform/jobs/worker.ts";
import type { Worker } from "../platform/jobs/worker.ts";
import { startOutbox } from "../platform/outbox/worker.ts";
import type { OutboxPace } from "../platform/outbox/worker.ts";
import type { QueuePace } from "../platform/queues/claimed-work.ts";
import { eventTable } from "../events.ts";
import { startDeliveries } from "../federation/delivery/worker.ts";
import { startInbox } from "../federation/inbox-worker.ts";
import { crontab, jobTable } from "../jobs.ts";

/**
 * Milliseconds that work is gathered, and the scheduled jobs: tests do not wait that long, and must not depend on the
 * minute they run in.
 */
export type Pace = {
  jobs: number;
  inbox: QueuePace;
  outbox: OutboxPace;
  deliveries: QueuePace;
  lease?: LeasePace;
  crontab: Crontab;
};

export type WorkerRole = Worker & {
  /**
   * True when nothing of the inbox or the outbox waits or is in progress, and no delivery is due; jobs are not
   * considered.
   */
  isIdle(): boolean;
};

export const startJobs = async (
  app: App,
  databaseUrl: string,
  pace?: Pace,
): Promise<WorkerRole> => {
  const options = pace ? { batchMs: pace.jobs, crontab: pace.crontab } : { crontab };
  await receiveOthersInvalidations(app);
  const lease = await holdLease(app, pace?.lease);
  const worker = await startWorker(app, jobTable, databaseUrl, { ...options, lease });
  const inbox = await startInbox(app, pace?.inbox, lease);
  const outbox = await startOutbox(app, eventTable, pace?.outbox, lease);
  const deliveries = await startDeliveries(app, pace?.deliveries, lease);
  return {
    isIdle: () => inbox.isIdle() && outbox.isIdle() && deliveries.isIdle(),
    async stop() {
      // A video may take minutes, so it is processed again after the next start.
      app.pictures.close();
      app.video?.close();
      await inbox.stop();
      await outbox.stop();
      await worker.stop();
      await deliveries.stop();
      await lease.end();
    },
  };
};
