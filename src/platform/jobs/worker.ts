// Runs the jobs: graphile-worker with its local queue (14,700 jobs/s, 1,900 by default). Jobs that wait for other
// servers and jobs of media have lanes of their own, so that they do not delay other work.

import { EventEmitter } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { Logger as WorkerLogger, parseCronItems, run, runOnce } from "graphile-worker";
import type { Runner, RunnerOptions, Task, WorkerEvents } from "graphile-worker";
import type { Pool } from "pg";
import { freshApp } from "../app.ts";
import type { App } from "../app.ts";
import { DomainError } from "../errors.ts";
import type { Db } from "../db/index.ts";
import { listeningBy, openQueuePool } from "../db/queue-pool.ts";
import { ALONE } from "../workers/lease.ts";
import type { Lease } from "../workers/lease.ts";
import { FetchFailed, FetchRefused } from "../fetch/errors.ts";
import { traced } from "../tracing/index.ts";
import { DEFAULT_RETRIES } from "./index.ts";
import type { Crontab, Lane } from "./index.ts";
import type { JobTable } from "./table.ts";

export type Worker = { stop(): Promise<void> };

type Definition = {
  lane?: Lane;
  formerName?: string;
  run: (app: App, payload: unknown, job: object) => Promise<void>;
};

/** The definition of each job, by its name and by the name that it had before. */
const definitions = (table: JobTable): [string, Definition][] =>
  (Object.entries(table) as [string, Definition][]).flatMap(([name, definition]) =>
    [name, definition.formerName ?? []]
      .flat()
      .map((key): [string, Definition] => [key, definition]),
  );

const task =
  (app: App, name: string, definition: Definition): Task =>
  async (payload, helpers) => {
    const { attempts, max_attempts: maxAttempts } = helpers.job;
    const attributes = { "messaging.message.id": helpers.job.id, "rookery.attempt": attempts };
    const began = performance.now();
    let result = "failed";
    try {
      await traced(app.tracing, `job ${name}`, { kind: "consumer", attributes }, () =>
        definition.run(freshApp(app), payload, { attempts, maxAttempts }),
      );
      result = "done";
    } finally {
      app.meters.jobs.observe([name, result], (performance.now() - began) / 1000);
    }
  };

/** Error codes of unreachable servers: https://nodejs.org/api/errors.html#common-system-errors */
const AWAY =
  /^(?:E(?:AI_AGAIN|CONNABORTED|CONNECTION|CONNREFUSED|CONNRESET|DNS|HOSTUNREACH|NETUNREACH|NOTFOUND|PIPE|SOCKET|TIMEDOUT|TLS))$/;

/** Faults of other servers: the message says enough, a stack trace would be noise. */
const isExpected = (error: unknown): error is Error =>
  error instanceof DomainError ||
  error instanceof FetchFailed ||
  error instanceof FetchRefused ||
  (error instanceof Error && AWAY.test(String((error as NodeJS.ErrnoException).code)));

type FailedJob = { id: string; task_identifier: string; attempts: number; max_attempts: number };

/** Logs the job's name and id, but never its payload. */
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

/** Each cron job waits at most once; one of several processes enqueues it. */
const cronItems = (crontab: Crontab) =>
  parseCronItems(
    crontab.map(({ job, match, payload, key = job, priority = 0 }) => ({
      task: job,
      match,
      payload,
      identifier: key,
      options: { jobKey: key, priority, maxAttempts: DEFAULT_RETRIES },
    })),
  );

type WorkerOptions = {
  /** Milliseconds; jobs that finish within this time are deleted together. */
  batchMs?: number;
  crontab?: Crontab;
  lease?: Lease;
};

/** Jobs run at once, as multiples of JOB_CONCURRENCY. */
const CONCURRENCY = { main: 1, network: 3, previews: 0.5 };

/**
 * Jobs run at once in the lanes of media. Pictures wait for their processes; one more job can inspect a file meanwhile.
 * These jobs take long, so each process takes one only when it can begin it: the next is then chosen by priority, also
 * among jobs that came meanwhile, and no process holds a job that another could begin.
 */
const AS_MANY: Partial<Record<Lane, (app: App) => number>> = {
  media: ({ config }) => config.media.processes + 1,
  videos: () => 1,
  long_videos: () => 1,
};

const concurrencyOf = (app: App, lane: Lane): number =>
  AS_MANY[lane]?.(app) ??
  Math.ceil(app.config.jobs.concurrency * CONCURRENCY[lane as keyof typeof CONCURRENCY]);

const laneOptions = (
  app: App,
  table: JobTable,
  pool: Pool,
  lane: Lane,
  { batchMs = 50, crontab = [] }: WorkerOptions,
): RunnerOptions => {
  const tasks = definitions(table).filter(([, definition]) => (definition.lane ?? "main") === lane);
  const concurrency = concurrencyOf(app, lane);
  return {
    pgPool: pool,
    concurrency,
    noHandleSignals: true,
    // Each job slot of these lanes polls by itself; new jobs also wake it.
    pollInterval: AS_MANY[lane] ? 5000 : 1000,
    logger: workerLogger(app),
    taskList: Object.fromEntries(
      tasks.map(([name, definition]) => [name, task(app, name, definition)]),
    ),
    parsedCronItems: lane === "main" ? cronItems(crontab) : [],
    preset: {
      worker: {
        ...(!AS_MANY[lane] && { localQueue: { size: Math.max(500, concurrency + 1) } }),
        completeJobBatchDelay: batchMs,
        failJobBatchDelay: batchMs,
      },
    },
  };
};

const LANES: Lane[] = ["main", "network", "previews", "media", "videos", "long_videos"];

/** Connections that all lanes share to take, complete and poll jobs. */
const CONNECTIONS = 2;

/**
 * Unlocks the jobs of dead workers at once; graphile-worker would take four hours. These are jobs locked by pools that
 * no living process has. A process announces its pool's name a moment after the pool's first lock.
 */
const freeJobs = (db: Db, tasks: string[]) => db`
  SELECT graphile_worker.force_unlock_workers(
    ARRAY(
      SELECT DISTINCT locked_by FROM graphile_worker.jobs
      WHERE locked_by IS NOT NULL AND task_identifier = ANY(${tasks})
        AND locked_by <> ALL(ARRAY(SELECT unnest(pools) FROM workers))
        AND (locked_at < now() - interval '10 seconds' OR NOT EXISTS (SELECT FROM workers))
    )
  )
`;

/** Unlocks the jobs of a pool that ended by itself: its process lives, so no other process considers it dead. */
const freePool = (db: Db, pool: string) =>
  db`SELECT graphile_worker.force_unlock_workers(ARRAY[${pool}]::text[])`;

const RESTART_MS = 1000;

/** Runs a lane, and starts another when it ends by itself because a connection was lost. */
const startLane = async (app: App, settings: RunnerOptions, lease: Lease): Promise<Worker> => {
  let stopping = false;
  const events = new EventEmitter() as WorkerEvents;
  let pool: string | null = null;
  events.on("pool:create", ({ workerPool }) => {
    if (pool !== null) lease.pool(pool, false);
    pool = workerPool.id;
    lease.pool(pool, true);
  });
  const options = { ...settings, events };
  let runner: Runner | null = await run(options);
  const restart = async (): Promise<void> => {
    try {
      await sleep(RESTART_MS);
      if (stopping) return;
      if (pool !== null) await freePool(app.sql, pool);
      runner = await run(options);
      if (stopping) await runner.stop();
    } catch (error) {
      app.log.warn({ err: error }, "the jobs cannot be worked on yet");
      runner = null;
    }
  };
  const watch = async (): Promise<void> => {
    while (!stopping) {
      await runner?.promise.catch((error: unknown) => {
        if (!stopping) app.log.warn({ err: error }, "the worker ended and is started again");
      });
      if (!stopping) await restart();
    }
  };
  const watched = watch();
  return {
    async stop() {
      stopping = true;
      // The runner may have ended just now.
      await runner?.stop().catch(() => {});
      await watched;
    },
  };
};

/** Starts to run jobs and to enqueue those of the crontab; `stop` finishes the running ones. */
export const startWorker = async (
  app: App,
  table: JobTable,
  url: string,
  options: WorkerOptions = {},
): Promise<Worker> => {
  const { lease = ALONE } = options;
  const release = (db: Db) => freeJobs(db, Object.keys(table));
  await release(app.sql);
  lease.join({ release, wake() {} });
  const pool = openQueuePool(url, CONNECTIONS);
  const lanes: Worker[] = [];
  const stop = async () => {
    await Promise.all(lanes.map((lane) => lane.stop()));
    await pool.end();
  };
  try {
    for (const lane of LANES) {
      const forLane = laneOptions(app, table, listeningBy(app.sql, pool), lane, options);
      if (Object.keys(forLane.taskList!).length === 0) continue;
      lanes.push(await startLane(app, forLane, lease));
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
};

/** Runs every due job and the jobs that these enqueue, then returns; for tests and commands. */
export const runDueJobs = async (app: App, table: JobTable, url: string): Promise<void> => {
  const list = definitions(table).map(([name, definition]) => [name, task(app, name, definition)]);
  const pool = openQueuePool(url, 5);
  try {
    await runOnce({
      pgPool: pool,
      concurrency: 4,
      noHandleSignals: true,
      logger: workerLogger(app),
      taskList: Object.fromEntries(list),
      // With a delay runOnce would return before the last job is marked as completed.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    });
  } finally {
    await pool.end();
  }
};
