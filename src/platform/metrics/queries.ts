// SQL of /metrics: what waits, by index and at most so many.

import type { Db } from "../db/index.ts";

export type Waiting = {
  jobs: number;
  failed_jobs: number;
  events: number;
  activities: number;
  deliveries: number;
  /** Other servers that deliveries wait for, and those of them that did not answer. */
  hosts: number;
  resting: number;
  /** Seconds since 1970; null: there is no backup. */
  backup: number | null;
};

/** Longer queues are shown as this long. */
const MOST = 10_000;

export const selectWaiting = async (db: Db): Promise<Waiting> => {
  const [row] = await db<Waiting[]>`
    SELECT
      (SELECT count(*)::int FROM (
        SELECT FROM graphile_worker._private_jobs
        WHERE run_at <= now() AND is_available LIMIT ${MOST}) j) AS jobs,
      (SELECT count(*)::int FROM (
        SELECT FROM graphile_worker._private_jobs
        WHERE attempts >= max_attempts AND locked_at IS NULL LIMIT ${MOST}) f) AS failed_jobs,
      (SELECT count(*)::int FROM (SELECT FROM outbox LIMIT ${MOST}) o) AS events,
      (SELECT count(*)::int FROM (SELECT FROM incoming_activities LIMIT ${MOST}) i) AS activities,
      (SELECT count(*)::int FROM (SELECT FROM deliveries LIMIT ${MOST}) d) AS deliveries,
      (SELECT count(*)::int FROM (
        SELECT FROM remote_hosts WHERE due_at IS NOT NULL LIMIT ${MOST}) h) AS hosts,
      (SELECT count(*)::int FROM (
        SELECT FROM remote_hosts WHERE due_at IS NOT NULL AND resting LIMIT ${MOST}) r) AS resting,
      (SELECT extract(epoch FROM max(finished_at))::float8 FROM backups WHERE fault IS NULL) AS backup
  `;
  return row!;
};
