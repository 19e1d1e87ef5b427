// Jobs: what has to happen later, kept in PostgreSQL (graphile-worker) so that they commit with the
// act that causes them. Every job is idempotent and retried.

import type { App } from "../app.ts";
import type { Db } from "../db/index.ts";

/** Each slice declares the payloads of the jobs it enqueues by extending this interface. */
// oxlint-disable-next-line typescript/no-empty-interface
export interface JobPayloads {}

export type JobName = keyof JobPayloads & string;

export type JobOptions = {
  runAt?: Date;
  maxAttempts?: number;
  /** Lower is fetched first; default 0. Among those fetched together (up to 500) any order. */
  priority?: number;
  /** A job with the key of a waiting one replaces it. */
  key?: string;
};

export type JobInput<N extends JobName> = { payload: JobPayloads[N] } & JobOptions;

export type Jobs = {
  /** Enqueues within the transaction `db`: the job exists exactly when the transaction commits. */
  add<N extends JobName>(
    db: Db,
    name: N,
    payload: JobPayloads[N],
    options?: JobOptions,
  ): Promise<void>;
  /** Many at once, in one call (0.04 ms each instead of 1 ms). */
  addMany<N extends JobName>(db: Db, name: N, jobs: JobInput<N>[]): Promise<void>;
};

/** Which lane a job runs in: `network` for those that wait for other servers. */
export type Lane = "main" | "network";

/** The try that this is, from 1, and how many there are. */
export type JobRun = { attempts: number; maxAttempts: number };

/** How a job is run; a failed one is tried again after exp(least(attempt, 10)) seconds. */
export type JobDefinition<N extends JobName> = {
  run: (app: App, payload: JobPayloads[N], job: JobRun) => Promise<void>;
  lane?: Lane;
};

export type JobTable = { [N in JobName]: JobDefinition<N> };

/** With the back-off above, 25 tries take about three days. */
export const DEFAULT_RETRIES = 25;
