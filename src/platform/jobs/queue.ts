// Enqueues jobs by graphile_worker.add_jobs within the caller's transaction.

import type { Db } from "../db/index.ts";
import type { JobInput, JobName, JobOptions, Jobs } from "./index.ts";

type Spec = ReturnType<typeof spec>;

const spec = (name: string, payload: unknown, options: JobOptions, attempts: number) => ({
  identifier: name,
  payload,
  run_at: options.runAt?.toISOString(),
  max_attempts: options.maxAttempts ?? attempts,
  priority: options.priority,
  job_key: options.key,
});

/** Keeps only the last of the jobs with the same key: PostgreSQL cannot replace a row twice in one statement. */
const lastOfKey = (specs: Spec[]): Spec[] => {
  const lasts = new Map(specs.map((spec) => [spec.job_key ?? spec, spec]));
  return lasts.size === specs.length ? specs : [...lasts.values()];
};

const insert = async (db: Db, jobs: Spec[]): Promise<void> => {
  const specs = lastOfKey(jobs);
  if (specs.length === 0) return;
  await db`
    SELECT count(*)
    FROM graphile_worker.add_jobs(
      ARRAY(
        SELECT jsonb_populate_record(NULL::graphile_worker.job_spec, value)
        FROM jsonb_array_elements(${db.json(specs as never)}) AS value
      )
    )
  `;
};

/** `retriesOf` returns the number of attempts of a job. */
export const createJobs = (retriesOf: (name: JobName) => number): Jobs => ({
  add: (db, name, payload, options = {}) =>
    insert(db, [spec(name, payload, options, retriesOf(name))]),
  addMany: <N extends JobName>(db: Db, name: N, jobs: JobInput<N>[]) =>
    insert(
      db,
      jobs.map(({ payload, ...options }) => spec(name, payload, options, retriesOf(name))),
    ),
});
