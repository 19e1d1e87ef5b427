// SQL of what the staff sees of a host that is delivered to, and does with it.

import type { Db } from "../../platform/db/index.ts";

export type DeliveryState = {
  host: string;
  /** Null: nothing was sent to it lately, or all of it arrived. */
  failing_since: Date | null;
  stopped_at: Date | null;
  /** When it is tried again; null: nothing waits, or it is stopped. */
  due_at: Date | null;
  latency_ms: number | null;
  failures: number;
  waiting: number;
};

/** More deliveries of a host are not counted. */
export const WAITING_CAP = 10_000;

/** Of the hosts that something was sent to lately, or that are stopped. */
export const selectDeliveryStates = (db: Db, hosts: string[]) => db<DeliveryState[]>`
  SELECT host, failing_since, stopped_at, due_at, latency_ms, failures,
    (SELECT count(*)::int FROM (
      SELECT FROM deliveries d WHERE d.host = h.host LIMIT ${WAITING_CAP}
    ) AS queued) AS waiting
  FROM remote_hosts h WHERE host = ANY(${hosts}::text[])
`;

/**
 * Nothing is due there any more, and nothing will be. A claim ends with it: its worker sends what it has read and
 * finds, when it ends it, that the host is no longer its own. False where that was so before.
 */
export const stopHost = async (db: Db, host: string, now: Date): Promise<boolean> => {
  const rows = await db`
    INSERT INTO remote_hosts AS h (host, stopped_at, settled_at) VALUES (${host}, ${now}, ${now})
    ON CONFLICT (host) DO UPDATE SET stopped_at = excluded.stopped_at, due_at = NULL, owner = NULL
    WHERE h.stopped_at IS NULL
    RETURNING 1
  `;
  return rows.length > 0;
};

/** What still waits is due, and the host has failed no more. False where it was not stopped. */
export const resumeHost = async (db: Db, host: string, now: Date): Promise<boolean> => {
  const rows = await db`
    UPDATE remote_hosts h SET stopped_at = NULL, resting = false, failing_since = NULL,
      paused_until = NULL, settled_at = ${now},
      due_at = CASE WHEN EXISTS (SELECT FROM deliveries d WHERE d.host = h.host)
        THEN ${now}::timestamptz END
    WHERE host = ${host} AND stopped_at IS NOT NULL
    RETURNING 1
  `;
  return rows.length > 0;
};

/**
 * Deliveries that were put behind others are due with them, and a host that rests is, unless it is being delivered
 * to. False where nothing waits, or the host is stopped.
 */
export const retryHost = async (db: Db, host: string, now: Date): Promise<boolean> => {
  const rows = await db`
    WITH moved AS (
      UPDATE deliveries SET retry_at = '-infinity'
      WHERE host = ${host} AND retry_at > ${now}
        AND EXISTS (SELECT FROM remote_hosts WHERE host = ${host} AND stopped_at IS NULL)
    )
    UPDATE remote_hosts h SET resting = false, paused_until = NULL,
      added = added + 1, due_at = CASE WHEN owner IS NULL THEN ${now}::timestamptz ELSE due_at END
    WHERE host = ${host} AND stopped_at IS NULL
      AND EXISTS (SELECT FROM deliveries d WHERE d.host = h.host)
    RETURNING 1
  `;
  return rows.length > 0;
};
