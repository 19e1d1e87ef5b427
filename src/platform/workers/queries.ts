// All SQL of the workers' leases.

import type { Db, Fragment } from "../db/index.ts";
import { onlyRow, valuesOf } from "../db/rows.ts";

/** Condition that a claim belongs to no known worker: its process is dead, or has ended. */
export const isOrphaned = (db: Db) =>
  db`(owner IS NULL OR owner <> ALL(ARRAY(SELECT id FROM workers)))`;

export type Standing = {
  /** True when the worker was not there: this is the first time, or others considered it dead. */
  isNew: boolean;
  /** All workers whose leases run, in the same order everywhere. */
  living: string[];
  /** Whether leases of others have ended. */
  hasDead: boolean;
};

/** Extends the lease of a worker, or begins it. */
export const renewWorker = (db: Db, id: string, pools: string[], leaseMs: number) =>
  onlyRow(db<Standing[]>`
    WITH mine AS (
      INSERT INTO workers AS w (id, pools, expires_at)
      VALUES (${id}, ${pools}::text[], now() + ${leaseMs} * interval '1 millisecond')
      ON CONFLICT (id) DO UPDATE SET pools = excluded.pools, expires_at = excluded.expires_at
      RETURNING w.id, xmax = 0 AS "isNew"
    ), others AS (
      SELECT id, expires_at > now() AS lives FROM workers WHERE id <> ${id}
    )
    SELECT mine."isNew",
      ARRAY(SELECT id FROM others WHERE lives UNION SELECT id FROM mine ORDER BY id) AS living,
      EXISTS (SELECT FROM others WHERE NOT lives) AS "hasDead"
    FROM mine
  `);

/** Deletes workers whose leases have ended and returns their ids. */
export const deleteDeadWorkers = (db: Db): Promise<string[]> =>
  valuesOf(db<{ id: string }[]>`
    DELETE FROM workers WHERE id = ANY(ARRAY(
      SELECT id FROM workers WHERE expires_at <= now() FOR UPDATE SKIP LOCKED
    ))
    RETURNING id
  `);

export const deleteWorker = (db: Db, id: string) => db`DELETE FROM workers WHERE id = ${id}`;

/** Deletes all workers; for a single process at its start. */
export const deleteAllWorkers = (db: Db) => db`DELETE FROM workers`;

/** Shards in which work by actor is divided among workers. */
export const SHARDS = 64;

/** Returns the shard of an actor's URI. */
export const shardOf = (db: Db, uri: Fragment) => db`abs(hashtextextended(${uri}, 0) % ${SHARDS})`;
