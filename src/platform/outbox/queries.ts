// All SQL of the outbox.

import type { Db, Fragment } from "../db/index.ts";
import { unprepared } from "../db/unprepared.ts";
import { isOrphaned } from "../workers/queries.ts";
import type { EventType, StoredEvent } from "./index.ts";
import { onlyValue } from "../db/rows.ts";

/** Time after which another worker may take an event, unless the claim was renewed. */
const CLAIM = "1 minute";

/**
 * Returns the part of a statement that writes the events of the change that the statement stores. `source` selects
 * (type, payload); the part returns id, type and payload. `owner` is this process when its worker gets them.
 */
export const eventInsert = (db: Db, owner: string | null, source: Fragment) => db`
  INSERT INTO outbox (type, payload, owner, claimed_until)
  SELECT type, payload, o.id, CASE WHEN o.id IS NOT NULL THEN now() + ${CLAIM}::interval END
  FROM (SELECT ${owner}::uuid) AS o (id), (${source}) AS e (type, payload)
  RETURNING id, type, payload
`;

export const insertEvents = (
  db: Db,
  owner: string | null,
  type: EventType,
  payloads: unknown[],
) => db<StoredEvent[]>`
  ${eventInsert(
    db,
    owner,
    db`SELECT ${type}::text, value FROM jsonb_array_elements(${db.json(payloads as never)}) AS value`,
  )}
`;

/** Claims the oldest events that no worker has claimed and that have waited for the given time, in order. */
export const claimEvents = async (db: Db, owner: string, limit: number, waitedMs = 0) => {
  const rows = await unprepared(db<StoredEvent[]>`
    UPDATE outbox SET owner = ${owner}, claimed_until = now() + ${CLAIM}::interval
    WHERE id = ANY(ARRAY(
      SELECT id FROM outbox WHERE (claimed_until IS NULL OR claimed_until < now())
        AND created_at <= now() - ${waitedMs} * interval '1 millisecond'
      ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, type, payload
  `);
  return rows.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
};

export const hasUnclaimed = (db: Db): Promise<boolean> =>
  onlyValue(
    unprepared(db<{ has: boolean }[]>`
    SELECT EXISTS (
      SELECT FROM outbox WHERE claimed_until IS NULL OR claimed_until < now()
    ) AS has
  `),
  );

/** Deletes events whose follow-up work is done or enqueued as jobs. */
export const deleteEvents = async (db: Db, ids: string[]): Promise<void> => {
  await unprepared(db`DELETE FROM outbox WHERE id = ANY(${ids}::bigint[])`);
};

/** Extends the claims of events that wait for longer than a claim lasts. */
export const renewEvents = (db: Db, owner: string, ids: string[]) =>
  unprepared(db`
  UPDATE outbox SET claimed_until = now() + ${CLAIM}::interval
  WHERE id = ANY(${ids}::bigint[]) AND owner = ${owner}
`);

/** Ends the claims of dead processes. */
export const releaseEvents = (db: Db) =>
  unprepared(db`
  UPDATE outbox SET owner = NULL, claimed_until = NULL
  WHERE claimed_until IS NOT NULL AND ${isOrphaned(db)}
`);
