// SQL of /metrics: counts of waiting work, read by indexes and up to a maximum.

import type { Db } from "../db/index.ts";
import { unprepared } from "../db/unprepared.ts";
import { shardOf } from "../workers/queries.ts";
import { onlyRow } from "../db/rows.ts";

export type Waiting = {
  jobs: number;
  failed_jobs: number;
  events: number;
  activities: number;
  deliveries: number;
  /** Servers that deliveries wait for, and those of them that did not answer. */
  hosts: number;
  resting: number;
  /** Seconds since 1970; null if there is no backup. */
  backup: number | null;
};

/** Rows counted of a queue; longer ones are shown as this long. */
const MOST = 10_000;

export const selectWaiting = async (db: Db): Promise<Waiting> =>
  onlyRow(db<Waiting[]>`
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
  `);

export type JobsDue = { job: string; count: number; seconds: number };

/** Selects by name the number of due jobs, and the age of the oldest in seconds. */
export const selectJobsDue = async (db: Db): Promise<JobsDue[]> => db<JobsDue[]>`
  SELECT t.identifier AS job, count(*)::int AS count,
    extract(epoch FROM now() - min(j.run_at))::float8 AS seconds
  FROM (
    SELECT task_id, run_at FROM graphile_worker._private_jobs
    WHERE run_at <= now() AND is_available LIMIT ${MOST}
  ) j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
  GROUP BY t.identifier
`;

export type ShardDepth = { shard: string; count: number; seconds: number };

/** Selects by shard the number of waiting activities of other servers, and the age of the oldest in seconds. */
export const selectInboxDepth = async (db: Db): Promise<ShardDepth[]> =>
  unprepared(db<ShardDepth[]>`
    SELECT shard::text, count(*)::int AS count,
      extract(epoch FROM now() - min(received_at))::float8 AS seconds
    FROM (
      SELECT ${shardOf(db, db`actor_uri`)} AS shard, received_at
      FROM incoming_activities LIMIT ${MOST}
    ) i GROUP BY i.shard ORDER BY i.shard
  `);
