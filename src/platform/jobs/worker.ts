// Running the jobs: graphile-worker with its local queue (14,700 jobs/s against 1,900 by default).
// Jobs that wait for other servers have a lane of their own, so that slow strangers never hold up
// what happens here.

import { Logger as WorkerLogger, run, runOnce } from "graphile-worker";
import type { Runner, RunnerOptions, Task } from "graphile-worker";
import type { App } from "../app.ts";
import { HttpError } from "../errors.ts";
import { FetchFailed, FetchRefused } from "../fetch/errors.ts";
import type { JobName, JobTable, Lane } from "./index.ts";

export type Worker = { stop(): Promise<void> };

type Definition = { lane?: Lane; run: (app: App, payload: unknown, job: object) => Promise<void> };

const definitions = (table: JobTable) => Object.entries(table) as [JobName, Definition][];

const task =
  (app: App, definition: Definition): Task =>
  async (payload, helpers) => {
    await definition.run(app, payload, {
      attempts: helpers.job.attempts,
      maxAttempts: helpers.job.max_attempts,
    });
  };

/** Of systems that do not answer: https://nodejs.org/api/errors.html#common-system-errors */
const AWAY =
  /^(?:E(?:AI_AGAIN|CONNABORTED|CONNECTION|CONNREFUSED|CONNRESET|DNS|HOSTUNREACH|NETUNREACH|NOTFOUND|PIPE|SOCKET|TIMEDOUT|TLS))$/;

/** What can be expected of others: its message says all, and a stack of ours would only be noise. */
const isExpected = (error: unknown): error is Error =>
  error instanceof HttpError ||
  error instanceof FetchFailed ||
  error instanceof FetchRefused ||
  (error instanceof Error && AWAY.test(String((error as NodeJS.ErrnoException).code)));

type FailedJob = { id: string; task_identifier: string; attempts: number; max_attempts: number };

/** Names the job; payloads stay out of the log. */
const logFailure = (app: App, job: FailedJob, error: unknown): void => {
  const why = isExpected(error) ? { why: error.message } : { err: error };
  const until = job.attempts < job.max_attempts ? "for now" : "for good";
  const entry = { job: job.id, attempt: job.attempts, ...why };
  app.log.warn(entry, `the job ${job.task_identifier} failed ${until}`);
};

const workerLogger = (app: App) =>
  new WorkerLogger(() => (level, message, meta) => {
    const { error, failure, job } = (meta ?? {}) as {
      error?: unknown;
      failure?: boolean;
      job?: FailedJob;
    };
    if (failure && job) logFailure(app, job, error);
    else if (level === "error") app.log.warn({ err: error }, message);
    else app.log.trace(message);
  });

const laneOptions = (
  app: App,
  table: JobTable,
  url: string,
  lane: Lane,
  batchMs: number,
): RunnerOptions => {
  const tasks = definitions(table).filter(([, definition]) => (definition.lane ?? "main") === lane);
  const concurrency = app.config.jobs.concurrency * (lane === "network" ? 3 : 1);
  return {
    connectionString: url,
    concurrency,
    maxPoolSize: 2,
    noHandleSignals: true,
    pollInterval: 1000,
    logger: workerLogger(app),
    taskList: Object.fromEntries(tasks.map(([name, definition]) => [name, task(app, definition)])),
    parsedCronItems: [],
    preset: {
      worker: {
        localQueue: { size: Math.max(500, concurrency + 1) },
        completeJobBatchDelay: batchMs,
        failJobBatchDelay: batchMs,
      },
    },
  };
};

const LANES: Lane[] = ["main", "network"];

/**
 * A worker that was killed leaves its jobs locked, and the queue would wait four hours for it. Only
 * one process works on a database as long as feeds and pubsub are in memory, so at its start every
 * lock is a dead one's.
 */
const freeJobs = async (app: App): Promise<void> => {
  await app.sql`
    SELECT graphile_worker.force_unlock_workers(
      ARRAY(SELECT DISTINCT locked_by FROM graphile_worker.jobs WHERE locked_by IS NOT NULL)
    )
  `;
};

/** Starts taking jobs; `stop` finishes those in hand. Those done within `batchMs` are noted together. */
export const startWorker = async (
  app: App,
  table: JobTable,
  url: string,
  batchMs = 50,
): Promise<Worker> => {
  await freeJobs(app);
  const runners: Runner[] = [];
  for (const lane of LANES) {
    const options = laneOptions(app, table, url, lane, batchMs);
    if (Object.keys(options.taskList!).length > 0) runners.push(await run(options));
  }
  return {
    async stop() {
      await Promise.all(runners.map((runner) => runner.stop()));
    },
  };
};

/** Runs every job that is due, and those that follow from them, then returns: for tests and commands. */
export const runDueJobs = async (app: App, table: JobTable, url: string): Promise<void> => {
  const list = definitions(table).map(([name, definition]) => [name, task(app, definition)]);
  await runOnce({
    connectionString: url,
    concurrency: 4,
    maxPoolSize: 5,
    noHandleSignals: true,
    logger: workerLogger(app),
    taskList: Object.fromEntries(list),
    // Batched, runOnce would return while the last job is still being completed.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
  });
};
