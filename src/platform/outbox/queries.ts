// All SQL of the outbox.

import type { Db, Fragment } from "../db/index.ts";
import { unprepared } from "../db/unprepared.ts";
import type { EventType, StoredEvent } from "./index.ts";

/** After this time another worker may take the event: the first is dead or too slow. */
const CLAIM = "1 minute";

/**
 * The part of a statement that writes the events of the change that the statement stores. `source`
 * selects (type, payload); returns id, type and payload. `claimed`: for the worker of this process.
 */
export const eventInsert = (db: Db, claimed: boolean, source: Fragment) => db`
  INSERT INTO outbox (type, payload, claimed_until)
  SELECT type, payload, CASE WHEN ${claimed}::boolean THEN now() + ${CLAIM}::interval END
  FROM (${source}) AS e (type, payload)
  RETURNING id, type, payload
`;

export const insertEvents = (db: Db, claimed: boolean, type: EventType, payloads: unknown[]) =>
  db<StoredEvent[]>`
  ${eventInsert(
    db,
    claimed,
    db`SELECT ${type}::text, value FROM jsonb_array_elements(${db.json(payloads as never)}) AS value`,
  )}
`;

/** Claims the oldest events that no worker has claimed, in order. */
export const claimEvents = async (db: Db, limit: number): Promise<StoredEvent[]> => {
  const rows = await unprepared(db<StoredEvent[]>`
    UPDATE outbox SET claimed_until = now() + ${CLAIM}::interval
    WHERE id = ANY(ARRAY(
      SELECT id FROM outbox WHERE claimed_until IS NULL OR claimed_until < now()
      ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, type, payload
  `);
  return rows.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
};

/** Deletes events whose follow-up work is done or enqueued as jobs. */
export const deleteEvents = async (db: Db, ids: string[]): Promise<void> => {
  await unprepared(db`DELETE FROM outbox WHERE id = ANY(${ids}::bigint[])`);
};

/** For a process that has just started and is the only one: existing claims belong to a dead process. */
export const releaseEvents = (db: Db) => db`
  UPDATE outbox SET claimed_until = NULL WHERE claimed_until IS NOT NULL
`;
