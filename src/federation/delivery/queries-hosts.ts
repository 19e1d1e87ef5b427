// SQL by which the staff sees and controls deliveries to a host.

import { invalidate } from "../../platform/db/commits.ts";
import type { Db } from "../../platform/db/index.ts";
import { hasRows } from "../../platform/db/rows.ts";
import { INBOXES_CHANGED } from "../../domain/people/accounts/events.ts";

export type DeliveryState = {
  host: string;
  /** Null when nothing was sent to the host lately, or all of it arrived. */
  failing_since: Date | null;
  stopped_at: Date | null;
  /** When the host is tried again; null when nothing waits, or deliveries are stopped. */
  due_at: Date | null;
  latency_ms: number | null;
  failures: number;
  waiting: number;
};

/** Counted deliveries of a host; further ones are not counted. */
export const WAITING_CAP = 10_000;

/** Selects the states of hosts that something was sent to lately, or that are stopped. */
export const selectDeliveryStates = (db: Db, hosts: string[]) => db<DeliveryState[]>`
  SELECT host, failing_since, stopped_at, due_at, latency_ms, failures,
    (SELECT count(*)::int FROM (
      SELECT FROM deliveries d WHERE d.host = h.host LIMIT ${WAITING_CAP}
    ) AS queued) AS waiting
  FROM remote_hosts h WHERE host = ANY(${hosts}::text[])
`;

/**
 * Stops a host: nothing is due there any more. This ends a claim; its worker sends what it has read, and notices when
 * it ends the claim that the host is no longer its own. False where the host was stopped already.
 */
export const stopHost = (db: Db, host: string, now: Date): Promise<boolean> =>
  hasRows(db`
    INSERT INTO remote_hosts AS h (host, stopped_at, settled_at) VALUES (${host}, ${now}, ${now})
    ON CONFLICT (host) DO UPDATE SET stopped_at = excluded.stopped_at, due_at = NULL, owner = NULL
    WHERE h.stopped_at IS NULL
    RETURNING 1
  `);

/** Resumes a host: what waits is due, and its failures are forgotten. False where it was not stopped. */
export const resumeHost = (db: Db, host: string, now: Date): Promise<boolean> => {
  invalidate(db, INBOXES_CHANGED);
  return hasRows(db`
    UPDATE remote_hosts h SET stopped_at = NULL, resting = false, failing_since = NULL,
      paused_until = NULL, settled_at = ${now},
      due_at = CASE WHEN EXISTS (SELECT FROM deliveries d WHERE d.host = h.host)
        THEN ${now}::timestamptz END
    WHERE host = ${host} AND stopped_at IS NOT NULL
    RETURNING 1
  `);
};

/**
 * Makes a host due at once with all its deliveries, including postponed ones, unless it is being delivered to. False
 * where nothing waits, or the host is stopped.
 */
export const retryHost = (db: Db, host: string, now: Date): Promise<boolean> =>
  hasRows(db`
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
  `);
