// All SQL of the outbox.

import type { Db, Fragment } from "../db/index.ts";
import type { EventType, StoredEvent } from "./index.ts";

/** A worker that has not finished after this time is dead, or may be overtaken. */
const CLAIM = "1 minute";

/**
 * The part of a statement that writes the events of the act which it stores. `source` selects
 * (type, payload); gives id, type and payload. `claimed`: for the worker of this process.
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

/** Takes the oldest that nobody works on, in order. */
export const claimEvents = async (db: Db, limit: number): Promise<StoredEvent[]> => {
  const rows = await db<StoredEvent[]>`
    UPDATE outbox SET claimed_until = now() + ${CLAIM}::interval
    WHERE id = ANY(ARRAY(
      SELECT id FROM outbox WHERE claimed_until IS NULL OR claimed_until < now()
      ORDER BY id LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))
    RETURNING id, type, payload
  `;
  return rows.toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? -1 : 1));
};

/** What follows from them is done, or planned. */
export const deleteEvents = async (db: Db, ids: string[]): Promise<void> => {
  await db`DELETE FROM outbox WHERE id = ANY(${ids}::bigint[])`;
};

/** For a process that has just started and is the only one: what was claimed died with the last. */
export const releaseEvents = (db: Db) => db`
  UPDATE outbox SET claimed_until = NULL WHERE claimed_until IS NOT NULL
`;
